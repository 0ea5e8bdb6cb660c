"""A run that is killed anywhere: the next one finishes it, and nothing is integrated twice or lost."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from reme_cli.changeset import audit
from reme_cli.config import Config
from reme_cli.dream import catalog, workplace
from reme_cli.dream.catalog import read_catalog
from reme_cli.dream.workplace import Workplace
from reme_cli.maintain.queue import waiting_jobs
from reme_cli.vault.vault import Vault
from tests.dream.conftest import files_of, run
from tests.dream.test_pipeline import FOLDER, GATEWAY, GATEWAY_TEXT, STANDUP_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from reme_cli.changeset.edit import AppliedEdit, Edit

FILES = {GATEWAY: GATEWAY_TEXT, f"{FOLDER}/standup.md": STANDUP_TEXT}


class Killed(BaseException):
    """Stands for SIGKILL: nothing of ours catches it."""


def kill_at(step: int, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Die at the step-th boundary, before or after a write of a note or of the catalog; tells whether it was reached."""
    passed = 0

    def boundary() -> None:
        nonlocal passed
        passed += 1
        if passed == step:
            raise Killed

    write, write_catalog = Workplace.write, catalog.write_catalog

    def killing_write(self: Workplace, edit: Edit) -> AppliedEdit | None:
        boundary()
        applied = write(self, edit)
        boundary()
        return applied

    def killing_write_catalog(vault: Vault, value: catalog.Catalog) -> None:
        boundary()
        write_catalog(vault, value)
        boundary()

    monkeypatch.setattr(Workplace, "write", killing_write)
    monkeypatch.setattr(workplace, "write_catalog", killing_write_catalog)
    return lambda: passed >= step


def test_killed_at_every_write_the_next_run_finishes(
    make_vault: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Vault(make_vault(FILES, name="whole"), Config())
    units = len(run(whole).units)
    assert units >= 3
    wanted = files_of(whole)
    jobs = {(job.kind, job.path) for job in waiting_jobs(whole)}
    step = 0
    while True:
        step += 1
        vault = Vault(make_vault(FILES, name=f"killed-{step}"), Config())
        with monkeypatch.context() as patch:
            reached = kill_at(step, patch)
            if not _dies(vault):
                assert not reached()
                break
        report = run(vault)
        assert report.exit_code == 0
        assert files_of(vault) == wanted, step
        landed = [line for line in audit.lines(vault) if line.unit and line.outcome in {"written", "skipped"}]
        assert [line.outcome for line in landed] == ["written"] * units, step
        assert {(job.kind, job.path) for job in waiting_jobs(vault)} == jobs, step
        done = read_catalog(vault)
        assert done.batches == ()
        assert done.entries.keys() == read_catalog(whole).entries.keys(), step
        assert run(vault).total("changed") == 0
    # a page, three units and the topics' absence: each with a boundary before and after, and the catalog between
    assert step > 2 * units + 4


def _dies(vault: Vault) -> bool:
    try:
        run(vault)
    except Killed:
        return True
    return False


def test_what_landed_is_known_though_the_clock_went_backwards(
    make_vault: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = Vault(make_vault(FILES), Config())
    moment = audit.now(vault)
    clock = [moment]
    write = Workplace.write

    def killing_write(self: Workplace, edit: Edit) -> AppliedEdit | None:
        if edit.unit is None:
            return write(self, edit)
        clock[0] = moment - dt.timedelta(days=60)
        write(self, edit)
        raise Killed

    monkeypatch.setattr(audit, "now", lambda _: clock[0])
    with monkeypatch.context() as patch:
        patch.setattr(Workplace, "write", killing_write)
        assert _dies(vault)
    clock[0] = moment - dt.timedelta(days=30)
    assert run(vault).exit_code == 0
    landed = [line.unit for line in audit.lines(vault) if line.unit and line.outcome == "written"]
    assert len(landed) >= 3
    assert len(landed) == len(set(landed))
