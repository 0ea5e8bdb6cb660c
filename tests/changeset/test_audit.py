"""The audit is read back as it was written, whatever a crash or a person did to the file."""

from __future__ import annotations

import datetime
import json
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import audit
from reme_cli.changeset.run import start_run
from reme_cli.config import Config
from reme_cli.vault.stamp import stamp_of
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from reme_cli.changeset.audit import Outcome

pytestmark = pytest.mark.usefixtures("impatient")


def line(
    run: str,
    path: str = "a.md",
    outcome: Outcome = "written",
    unit: str | None = None,
    undoes: str | None = None,
) -> audit.Line:
    return audit.Line(
        run=run,
        command="test",
        time="2026-06-20T03:30:00.000+02:00",
        path=path,
        op="replace",
        outcome=outcome,
        before=stamp_of(b"x"),
        after=stamp_of(b"y"),
        edges_added=("is_a:: [[数据库]]",),
        reason='because "so"',
        unit=unit,
        undoes=undoes,
    )


def test_lines_come_back(vault: Vault) -> None:
    lines = [line("r1"), line("r1", "b.md", "refused"), line("r2", unit="u")]
    audit.append(vault, lines[:2])
    audit.append(vault, lines[2:])
    assert list(audit.lines(vault)) == lines
    assert audit.lines_of(vault, "r1") == tuple(lines[:2])
    assert audit.lines_of(vault, "r3") == ()


def test_the_file_is_named_by_the_day_in_the_vault(vault: Vault) -> None:
    audit.append(vault, [line("r1")])
    [place] = (vault.root / "metadata/audit").iterdir()
    assert place.name == f"{audit.now(vault):%Y-%m-%d}.jsonl"
    assert audit.now(vault).tzname() in {"CET", "CEST"}
    assert audit.now(Vault(vault.root, Config())).utcoffset() is not None
    assert list(json.loads(place.read_text()))[:4] == ["run", "command", "time", "path"]


def test_a_torn_line_costs_only_itself(vault: Vault) -> None:
    audit.append(vault, [line("r1")])
    [place] = (vault.root / "metadata/audit").iterdir()
    place.write_bytes(place.read_bytes() + b'{"run": "r2", "comm')
    audit.append(vault, [line("r3")])
    assert [each.run for each in audit.lines(vault)] == ["r1", "r3"]


def test_foreign_lines_and_files_are_passed_over(vault: Vault) -> None:
    folder = vault.root / "metadata/audit"
    folder.mkdir(parents=True)
    (folder / "2026-06-20.jsonl").write_bytes(b'\xff\n[]\nnull\n{"run": 1}\n{"x": []}\n\n')
    (folder / "report.jsonl").write_text('{"run": "r"}\n')
    (folder / "2026-06-19.jsonl").write_text(
        audit._dump(line("r1")) + audit._dump(line("r1")).replace("written", "odd")
    )
    assert [each.run for each in audit.lines(vault)] == ["r1"]
    assert list(audit.lines(vault, since=datetime.date(2026, 6, 20))) == []


def test_a_field_of_a_later_version_is_passed_over(vault: Vault) -> None:
    audit.append(vault, [line("r1")])
    [place] = (vault.root / "metadata/audit").iterdir()
    place.write_text(place.read_text().replace('{"run"', '{"novelty":1,"run"'))
    assert list(audit.lines(vault)) == [line("r1")]


def test_runs_are_summed_up(vault: Vault) -> None:
    audit.append(
        vault, [line("r1", "b.md"), line("r1"), line("r1", "c.md", "refused"), line("r2", outcome="skipped")]
    )
    first, second = audit.runs(vault)
    assert (first.run, first.paths, first.counts) == ("r1", ("a.md", "b.md"), {"refused": 1, "written": 2})
    assert first.wrote
    assert not second.wrote


def test_an_undo_that_is_undone_no_longer_counts(vault: Vault) -> None:
    audit.append(vault, [line("r1"), line("u1", undoes="r1")])
    assert [run.undone for run in audit.runs(vault)] == [True, False]
    audit.append(vault, [line("u2", undoes="u1")])
    assert [run.undone for run in audit.runs(vault)] == [False, True, False]
    audit.append(vault, [line("u3", outcome="conflicted", undoes="r1")])
    assert [run.undone for run in audit.runs(vault)] == [False, True, False, False]


def test_units_that_landed(vault: Vault) -> None:
    audit.append(
        vault,
        [
            line("r1", unit="u1"),
            line("r1", outcome="refused", unit="u2"),
            line("r1", outcome="skipped", unit="u3"),
            line("r1"),
        ],
    )
    assert set(audit.units_landed(vault)) == {"u1", "u3"}


def test_a_run_can_record_what_it_did_not_do(vault: Vault) -> None:
    with start_run(vault, "auto_dream") as run:
        run.record("digest/a.md", "skipped", reason="it says so already", unit="u")
    [only] = audit.lines(vault)
    assert (only.run, only.command, only.op, only.outcome, only.unit) == (
        run.id,
        "auto_dream",
        "none",
        "skipped",
        "u",
    )


def test_a_run_that_writes_nothing_leaves_no_trace(vault: Vault) -> None:
    with start_run(vault, "search"):
        pass
    assert list(vault.root.iterdir()) == []


def test_run_ids_sort_by_time(vault: Vault) -> None:
    with start_run(vault, "test") as run:
        moment, _, token = run.id.partition("-")
        assert moment.startswith(f"{vault.today():%Y%m%d}T")
        assert len(token) == 6
        assert run.change_id() != run.change_id()
