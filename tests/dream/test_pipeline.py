"""A dream from end to end, with the extractive engine: what it writes, what it remembers, what it leaves alone."""

from __future__ import annotations

import datetime as dt
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import audit
from reme_cli.config import Config, DreamConfig, LlmConfig
from reme_cli.dream import pipeline
from reme_cli.dream.catalog import read_catalog
from reme_cli.dream.follow_up import waiting_jobs
from reme_cli.dream.page import END, START
from reme_cli.dream.report import DreamReport, as_json
from reme_cli.errors import Busy, ModelNotConfigured
from reme_cli.graph.edge import occurrences_of
from reme_cli.vault.resolve import Names
from reme_cli.vault.stamp import stamp_of
from reme_cli.vault.vault import Vault
from tests.dream.conftest import DAY, files_of, run

if TYPE_CHECKING:
    from pathlib import Path

MakeVault = Callable[..., Vault]

FOLDER = "daily/2026-06-20"
PAGE = "daily/2026-06-20.md"
GATEWAY = f"{FOLDER}/gateway.md"
GATEWAY_TEXT = """---
name: Gateway work
description: Retries and timeouts of the payment gateway.
---
# Gateway

## Retry policy of the payment gateway

The payment gateway retries a failed charge three times with exponential backoff before it gives up.
A retry must carry the same idempotency key, otherwise the customer is charged twice.

## Rotating the signing keys

1. Publish the new public key in the key set before any token is signed with it.
2. Wait until every service has fetched the key set, which takes at most one hour.
3. Switch the signer to the new private key and watch the error rate.
"""
STANDUP_TEXT = """# Stand-up

Lena prefers short written updates to meetings and never wants calls before ten o'clock in the morning.
"""


def reconciles(report: DreamReport) -> bool:
    counts = as_json(report)
    left = counts["carried"] + counts["extracted"]  # type: ignore[operator]
    integrated = sum(counts["integrated"].values())  # type: ignore[attr-defined]
    closed = [counts[key] for key in ("skipped", "failed", "pending", "quarantined_units")]
    return left == integrated + sum(closed)  # type: ignore[arg-type,no-any-return]


def sources_of(vault: Vault, path: str) -> set[str]:
    names = Names(vault.note_paths())
    return {occurrence.edge.target for occurrence in occurrences_of(path, vault.read(path).text, names)}


@pytest.fixture
def vault(make_dream_vault: MakeVault) -> Vault:
    return make_dream_vault({GATEWAY: GATEWAY_TEXT, f"{FOLDER}/standup.md": STANDUP_TEXT})


def test_a_day_becomes_digest_notes_a_page_and_a_catalog(vault: Vault) -> None:
    report = run(vault)
    assert report.exit_code == 0
    assert reconciles(report)
    assert {unit.action for unit in report.units} == {"CREATE"}
    digest = files_of(vault, folder="digest")
    assert sorted(unit.path for unit in report.units) == sorted(digest)
    assert all(sources_of(vault, path) <= {GATEWAY, f"{FOLDER}/standup.md", *digest} for path in digest)
    page = vault.read(PAGE).text
    assert page.startswith("# 2026-06-20\n\n" + START)
    assert f"- [[{GATEWAY}|Gateway work]] — Retries and timeouts of the payment gateway." in page
    catalog = read_catalog(vault)
    assert {GATEWAY, PAGE, f"{FOLDER}/standup.md"} <= catalog.entries.keys()
    assert all(
        entry.stamp == stamp_of(vault.locate(path).read_bytes()) for path, entry in catalog.entries.items()
    )
    assert catalog.batches == ()
    assert vault.read(GATEWAY).text == GATEWAY_TEXT


def test_a_second_run_does_nothing(vault: Vault) -> None:
    run(vault)
    before = files_of(vault)
    catalog = read_catalog(vault)
    report = run(vault)
    assert as_json(report)["summary"] == "nothing to dream"
    assert files_of(vault) == before
    assert read_catalog(vault).entries.keys() == catalog.entries.keys()
    assert [line.run for line in audit.lines(vault) if line.run == report.run] == []


def test_same_inputs_same_bytes(make_vault: Callable[..., Path]) -> None:
    made = []
    for name in ("one", "two"):
        vault = Vault(
            make_vault({GATEWAY: GATEWAY_TEXT, f"{FOLDER}/standup.md": STANDUP_TEXT}, name=name), Config()
        )
        run(vault)
        made.append(files_of(vault))
    assert made[0] == made[1]


def test_touching_and_saving_unchanged_is_no_change(vault: Vault) -> None:
    run(vault)
    os.utime(vault.locate(GATEWAY), (1, 1))
    place = vault.locate(f"{FOLDER}/standup.md")
    data = place.read_bytes()
    place.unlink()
    place.write_bytes(data)
    assert run(vault).total("changed") == 0


def test_of_a_changed_note_only_what_is_new_is_dreamed(vault: Vault) -> None:
    first = run(vault)
    added = "\n## Charges above the limit\n\nA charge above five thousand euros waits for a second person who approves it.\n"
    vault.locate(GATEWAY).write_text(GATEWAY_TEXT + added)
    second = run(vault)
    assert second.total("changed") == 1
    assert [unit.name for unit in second.units if unit.name in {known.name for known in first.units}] == []
    assert "five thousand euros" in "".join(vault.read(unit.path).text for unit in second.units)


def test_the_users_page_keeps_its_bytes_around_the_block_which_is_no_input(
    make_dream_vault: MakeVault,
) -> None:
    mine = "\ufeffMy day\r\n\r\nsome words of mine\r\n"
    vault = make_dream_vault({PAGE: mine, GATEWAY: GATEWAY_TEXT})
    run(vault)
    page = vault.read(PAGE).text
    assert page.startswith(mine)
    assert "\n" not in page.replace("\r\n", "")
    vault.locate(f"{FOLDER}/new.md").write_text("# Something new\n")
    report = run(vault)
    assert f"[[{FOLDER}/new.md" in vault.read(PAGE).text
    assert [day.page for day in report.days] == [PAGE]
    assert report.total("changed") == 0


def test_a_page_without_a_days_folder_stays_as_it_is(make_dream_vault: MakeVault) -> None:
    vault = make_dream_vault({PAGE: GATEWAY_TEXT})
    report = run(vault)
    assert vault.read(PAGE).text == GATEWAY_TEXT
    assert report.units
    assert run(vault, DAY + dt.timedelta(days=1)).days[0].page is None
    assert not vault.locate("daily/2026-06-21.md").exists()


def test_markers_in_a_daily_note_never_make_the_page_grow(make_dream_vault: MakeVault) -> None:
    text = f"---\nname: 'x {END} y'\ndescription: '{START}'\n---\n# Markers\n\n{START}\n{END}\n"
    vault = make_dream_vault({GATEWAY: text})
    run(vault)
    page = vault.read(PAGE).text
    assert page.count(START) == page.count(END) == 1
    run(vault)
    assert vault.read(PAGE).text == page
    assert vault.read(GATEWAY).text == text


def test_a_deleted_input_leaves_the_catalog_and_the_page(vault: Vault) -> None:
    run(vault)
    vault.locate(f"{FOLDER}/standup.md").unlink()
    run(vault)
    assert f"{FOLDER}/standup.md" not in read_catalog(vault).entries
    assert "standup" not in vault.read(PAGE).text


def test_a_range_is_dreamed_oldest_first_and_each_date_once(make_dream_vault: MakeVault) -> None:
    dates = [DAY + dt.timedelta(days=number) for number in range(3)]
    vault = make_dream_vault(
        {f"daily/{date}/note.md": GATEWAY_TEXT.replace("three", f"{date.day}") for date in dates}
    )
    report = run(vault, *reversed(dates), scan_days=2)
    assert [day.date for day in report.days] == [date.isoformat() for date in dates]
    assert [day.changed for day in report.days] == [1, 1, 1]
    assert report.total("checkpointed") == 3 + sum(day.interests is not None for day in report.days)
    assert run(vault, *dates).total("changed") == 0


def test_scan_days_looks_at_the_days_before(make_dream_vault: MakeVault) -> None:
    vault = make_dream_vault(
        {"daily/2026-06-19/note.md": GATEWAY_TEXT, "daily/2026-06-18/note.md": STANDUP_TEXT}
    )
    report = run(vault, scan_days=2)
    assert report.total("changed") == 1
    assert "daily/2026-06-19/note.md" in read_catalog(vault).entries
    assert not vault.locate("daily/2026-06-19.md").exists()


def test_resources_are_inputs_when_asked_for(make_dream_vault: MakeVault) -> None:
    files = {"resource/2026-06-20/manual.md": GATEWAY_TEXT, "resource/other/x.md": STANDUP_TEXT}
    assert run(make_dream_vault(files)).total("scanned") == 0
    vault = make_dream_vault(files, Config(dream=DreamConfig(inputs=("daily", "resource"))))
    assert run(vault).total("changed") == 1
    assert vault.locate("resource/2026-06-20/manual.md").read_text() == GATEWAY_TEXT


def test_one_bad_input_is_a_warning_and_the_others_go_on(make_dream_vault: MakeVault, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(STANDUP_TEXT)
    vault = make_dream_vault(
        {
            GATEWAY: GATEWAY_TEXT,
            f"{FOLDER}/latin.md": "caf\xe9".encode("latin-1"),
            f"{FOLDER}/yaml.md": "---\nname: [\n---\n" + STANDUP_TEXT,
            f"{FOLDER}/crlf.md": "\ufeff# CRLF\r\n\r\nThe release train leaves every second Tuesday at noon sharp.\r\n".encode(),
        }
    )
    (vault.root / FOLDER / "folder.md").mkdir()
    (vault.root / FOLDER / "link.md").symlink_to(outside)
    report = run(vault)
    assert report.exit_code == 0
    warnings = "\n".join(report.warnings)
    for name in ("latin.md", "yaml.md", "folder.md", "link.md"):
        assert f"{FOLDER}/{name}" in warnings
    entries = read_catalog(vault).entries
    assert f"{FOLDER}/crlf.md" in entries
    assert f"{FOLDER}/yaml.md" in entries
    assert f"{FOLDER}/latin.md" not in entries
    assert outside.read_text() == STANDUP_TEXT
    assert GATEWAY in entries


def test_a_note_of_twenty_megabytes_is_dreamed_like_any_other(make_dream_vault: MakeVault) -> None:
    line = "The nightly export writes one line for each order and nothing of it is worth remembering.\n"
    vault = make_dream_vault({GATEWAY: GATEWAY_TEXT + "\n```\n" + line * (20_000_000 // len(line)) + "```\n"})
    report = run(vault)
    assert report.exit_code == 0
    assert GATEWAY in read_catalog(vault).entries


def test_a_dry_run_shows_a_diff_and_writes_nothing(vault: Vault) -> None:
    before = files_of(vault)
    report = run(vault, dry_run=True)
    assert files_of(vault) == before
    assert report.run is None
    assert report.units
    for unit in report.units:
        assert f"+++ b/{unit.path}\n" in report.diff
    assert f"+++ b/{PAGE}\n" in report.diff
    left = {place.name for place in vault.metadata().iterdir()} if vault.metadata().exists() else set()
    assert left <= {"cache"}
    done = run(vault)
    assert [(unit.action, unit.path) for unit in done.units] == [
        (unit.action, unit.path) for unit in report.units
    ]


def test_every_written_note_gets_its_follow_ups_once(vault: Vault) -> None:
    report = run(vault)
    jobs = waiting_jobs(vault)
    assert report.total("follow_ups") == len(jobs) == 2 * len(report.units)
    assert [job.path for job in jobs[::2]] == [unit.path for unit in report.units]
    assert [job.kind for job in jobs[:2]] == ["D3", "L1"]


def test_without_a_model_nothing_is_dreamed_in_silence(vault: Vault) -> None:
    with pytest.raises(ModelNotConfigured, match="extractive"):
        run(vault, engine="llm")
    assert not (vault.root / "digest").exists()
    empty = run(vault, DAY - dt.timedelta(days=9), engine="llm")
    assert (empty.exit_code, as_json(empty)["summary"]) == (0, "nothing to dream")


def test_two_dreams_at_once(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, done = threading.Event(), threading.Event()
    original = pipeline._dream_days

    def slowly(*arguments: object) -> object:
        inside.set()
        assert done.wait(30)
        return original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "_dream_days", slowly)
    reports: list[DreamReport] = []
    first = threading.Thread(target=lambda: reports.append(run(vault)))
    first.start()
    assert inside.wait(30)
    try:
        with pytest.raises(Busy, match=str(os.getpid())):
            run(vault, wait=False)
        second = threading.Thread(target=lambda: reports.append(run(vault)))
        second.start()
    finally:
        done.set()
    first.join()
    second.join()
    assert sorted(len(report.units) for report in reports) == [
        0,
        len(reports[0].units) or len(reports[1].units),
    ]


def test_a_person_without_any_layers_has_nothing_to_dream(make_dream_vault: MakeVault) -> None:
    vault = make_dream_vault({"Notes/x.md": GATEWAY_TEXT}, Config(llm=LlmConfig()))
    assert run(vault, engine="llm").exit_code == 0
    assert files_of(vault).keys() == {"Notes/x.md", "vault.yaml"}
