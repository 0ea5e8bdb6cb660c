"""A dream from end to end, with the extractive engine: what it writes, what it remembers, what it leaves alone."""

from __future__ import annotations

import datetime as dt
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from reme_cli.changeset import audit
from reme_cli.config import Config, DreamConfig, FoldersConfig, LlmConfig
from reme_cli.dream import pipeline
from reme_cli.dream.catalog import read_catalog
from reme_cli.dream.extractive import engine
from reme_cli.dream.extractive.engine import ExtractiveEngine
from reme_cli.dream.finish import finish
from reme_cli.dream.report import DayReport, DreamReport, as_json
from reme_cli.errors import Busy, ModelNotConfigured
from reme_cli.graph.edge import occurrences_of
from reme_cli.maintain.queue import waiting_jobs
from reme_cli.vault.managed_block import END, START
from reme_cli.vault.resolve import Names
from reme_cli.vault.stamp import stamp_of
from reme_cli.vault.vault import Vault
from tests.conftest import LONG
from tests.dream.conftest import DAY, files_of, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from reme_cli.dream.engine import TopicRound
    from reme_cli.dream.unit import Topic

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
    left = counts["carried"] + counts["extracted"]
    integrated = sum(counts["integrated"].values())
    closed = [counts[key] for key in ("skipped", "failed", "pending", "quarantined_units")]
    return bool(left == integrated + sum(closed))


def sources_of(vault: Vault, path: str) -> set[str]:
    names = Names(vault.note_paths())
    return {occurrence.edge.target for occurrence in occurrences_of(path, vault.read(path).text, names)}


@pytest.fixture
def vault(vault_of: MakeVault) -> Vault:
    return vault_of({GATEWAY: GATEWAY_TEXT, f"{FOLDER}/standup.md": STANDUP_TEXT})


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


def test_a_range_gives_the_same_bytes_as_its_days_one_by_one(
    make_vault: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    # so few notes are weighed against that a page of reme's own among them would take a place
    monkeypatch.setattr(engine, "MAX_BACKGROUND", 7)
    words = ("gateway", "ledger", "scheduler", "mailer", "archive", "console")
    files = {
        f"daily/2026-06-{day:02}/{word}.md": (
            f"# The {word} on day {day}\n\nThe {word} keeps state {day % 3} in registry {(day * number) % 5}"
            f" because the format of the {words[(day + number) % 6]} was lost.\n"
        )
        for day in range(10, 20)
        for number, word in enumerate(words)
    }
    dates = [DAY.replace(day=day) for day in range(10, 20)]
    at_once, one_by_one = (Vault(make_vault(files, name=name), Config()) for name in ("range", "days"))
    run(at_once, *dates)
    for date in dates:
        run(one_by_one, date)
    assert files_of(at_once) == files_of(one_by_one)


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
    vault_of: MakeVault,
) -> None:
    mine = "\ufeffMy day\r\n\r\nsome words of mine\r\n"
    vault = vault_of({PAGE: mine, GATEWAY: GATEWAY_TEXT})
    run(vault)
    page = vault.read(PAGE).text
    assert page.startswith(mine)
    assert "\n" not in page.replace("\r\n", "")
    vault.locate(f"{FOLDER}/new.md").write_text("# Something new\n")
    report = run(vault)
    assert f"[[{FOLDER}/new.md" in vault.read(PAGE).text
    assert [day.page for day in report.days] == [PAGE]
    assert report.total("changed") == 0


def test_a_page_without_a_days_folder_stays_as_it_is(vault_of: MakeVault) -> None:
    vault = vault_of({PAGE: GATEWAY_TEXT})
    report = run(vault)
    assert vault.read(PAGE).text == GATEWAY_TEXT
    assert report.units
    assert run(vault, DAY + dt.timedelta(days=1)).days[0].page is None
    assert not vault.locate("daily/2026-06-21.md").exists()


def test_markers_in_a_daily_note_never_make_the_page_grow(vault_of: MakeVault) -> None:
    text = f"---\nname: 'x {END} y'\ndescription: '{START}'\n---\n# Markers\n\n{START}\n{END}\n"
    vault = vault_of({GATEWAY: text})
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


def test_a_range_is_dreamed_oldest_first_and_each_date_once(vault_of: MakeVault) -> None:
    dates = [DAY + dt.timedelta(days=number) for number in range(3)]
    vault = vault_of(
        {f"daily/{date}/note.md": GATEWAY_TEXT.replace("three", f"{date.day}") for date in dates}
    )
    report = run(vault, *reversed(dates), scan_days=2)
    assert [day.date for day in report.days] == [date.isoformat() for date in dates]
    assert [day.changed for day in report.days] == [1, 1, 1]
    assert report.total("checkpointed") == 3 + sum(day.interests is not None for day in report.days)
    assert run(vault, *dates).total("changed") == 0


def test_scan_days_looks_at_the_days_before(vault_of: MakeVault) -> None:
    vault = vault_of({"daily/2026-06-19/note.md": GATEWAY_TEXT, "daily/2026-06-18/note.md": STANDUP_TEXT})
    report = run(vault, scan_days=2)
    assert report.total("changed") == 1
    assert "daily/2026-06-19/note.md" in read_catalog(vault).entries
    assert not vault.locate("daily/2026-06-19.md").exists()


def test_resources_are_inputs_when_asked_for(vault_of: MakeVault) -> None:
    files = {"resource/2026-06-20/manual.md": GATEWAY_TEXT, "resource/other/x.md": STANDUP_TEXT}
    assert run(vault_of(files)).total("scanned") == 0
    vault = vault_of(files, Config(dream=DreamConfig(inputs=("daily", "resource"))))
    assert run(vault).total("changed") == 1
    assert vault.locate("resource/2026-06-20/manual.md").read_text() == GATEWAY_TEXT


def test_one_bad_input_is_a_warning_and_the_others_go_on(vault_of: MakeVault, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(STANDUP_TEXT)
    vault = vault_of(
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


@pytest.mark.parametrize("link", [FOLDER, PAGE])
def test_a_day_or_its_page_that_is_a_link_out_of_the_vault_keeps_no_other_day_up(
    vault_of: MakeVault, tmp_path: Path, link: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "note.md").write_text(STANDUP_TEXT)
    vault = vault_of({"daily/2026-06-21/a.md": GATEWAY_TEXT})
    (vault.root / link).symlink_to(outside / "note.md" if link == PAGE else outside)
    report = run(vault, DAY, DAY.replace(day=21))
    assert report.exit_code == 0
    assert report.units
    assert any(link in warning and "out of the vault" in warning for warning in report.warnings)
    assert [place.name for place in outside.iterdir()] == ["note.md"]
    assert (outside / "note.md").read_text() == STANDUP_TEXT


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("digest", "daily"),
        ("digest/wiki", "daily/2026-06-20"),
        ("digest/wiki", "resource"),
        ("digest/wiki", "elsewhere"),
        ("digest/procedure", "resource"),
        ("digest/wiki/retry-policy-of-the-payment-gateway.md", GATEWAY),
        (PAGE, "resource/manual.md"),
    ],
)
def test_no_symlink_takes_a_write_into_another_layer(vault_of: MakeVault, link: str, target: str) -> None:
    kept = {
        GATEWAY: GATEWAY_TEXT,
        "resource/manual.md": STANDUP_TEXT,
        "elsewhere/x.md": STANDUP_TEXT,
    }
    vault = vault_of(kept)
    place = vault.root / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(vault.root / target)
    report = run(vault)
    told = "\n".join([*report.warnings, *(unit.reason for unit in report.failed_units)])
    assert "a symlink takes it" in told
    after = files_of(vault)
    for path, text in kept.items():
        assert after[path] == text.encode()
    assert {
        path for path in after if path.startswith(("resource/", "elsewhere/", f"{FOLDER}/"))
    } <= kept.keys()


def test_the_folder_of_all_days_being_a_link_out_of_the_vault_is_told(
    vault_of: MakeVault, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    vault = vault_of()
    (vault.root / "daily").symlink_to(tmp_path / "outside")
    assert any(warning.startswith("daily: ") for warning in run(vault).warnings)


@pytest.mark.parametrize(
    "name",
    ["two\nlines", "br]]ack", "[[open", "pipe|bar", "hash#tag", "%%c%%", "back\\slash", "🎉 {{material}}"],
)
def test_whatever_a_note_is_called_it_is_dreamed_and_cited(vault_of: MakeVault, name: str) -> None:
    path = f"{FOLDER}/{name}.md"
    vault = vault_of({path: GATEWAY_TEXT})
    report = run(vault)
    assert report.exit_code == 0
    assert report.units
    for unit in report.units:
        assert path in sources_of(vault, unit.path)
    assert path in read_catalog(vault).entries


def test_layers_may_have_a_folder_in_common(vault_of: MakeVault) -> None:
    folders = FoldersConfig(daily="memory/tage", digest="memory/wissen", metadata=".state/reme")
    vault = vault_of({"memory/tage/2026-06-20/a.md": GATEWAY_TEXT}, Config(folders=folders))
    report = run(vault)
    assert report.exit_code == 0
    assert report.units
    assert all(unit.path.startswith("memory/wissen/") for unit in report.units)


def test_a_damaged_queue_of_follow_ups_is_an_error_and_keeps_no_unit_up(vault: Vault) -> None:
    queue = vault.metadata("queue", "jobs.json")
    queue.parent.mkdir(parents=True)
    queue.write_text("{")
    report = run(vault)
    assert (report.exit_code, report.total("follow_ups")) == (1, 0)
    assert any("jobs.json" in error for error in report.errors)
    assert GATEWAY in read_catalog(vault).entries
    assert queue.read_text() == "{"
    queue.unlink()
    assert run(vault).exit_code == 0


def test_a_hand_made_list_of_topics_is_added_to_and_an_odd_one_left_alone(vault_of: MakeVault) -> None:
    interests = f"{FOLDER}/interests.yaml"
    again = GATEWAY_TEXT.replace("## Rotating", "## More about rotating")
    notes = {GATEWAY: GATEWAY_TEXT, f"{FOLDER}/again.md": again, "daily/2026-06-19/a.md": GATEWAY_TEXT}
    mine = "# mine\ntopics: [{title: Call the dentist, due: friday}]\nmood: good\n"
    vault = vault_of({**notes, interests: mine})
    report = run(vault)
    text = vault.locate(interests).read_text()
    assert report.total("checkpointed") > 2
    assert text.startswith("# mine\ntopics:\n- {title: Call the dentist, due: friday}\n- title: ")
    assert text.endswith("\nmood: good\n")


def test_a_note_of_twenty_megabytes_is_dreamed_like_any_other(vault_of: MakeVault) -> None:
    line = "The nightly export writes one line for each order and nothing of it is worth remembering.\n"
    vault = vault_of({GATEWAY: GATEWAY_TEXT + "\n```\n" + line * (20_000_000 // len(line)) + "```\n"})
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
    report = run(vault, follow_up=False)
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

    def slowly(*arguments: Any) -> object:
        inside.set()
        assert done.wait(LONG)
        return original(*arguments)

    monkeypatch.setattr(pipeline, "_dream_days", slowly)
    reports: list[DreamReport] = []
    first = threading.Thread(target=lambda: reports.append(run(vault)))
    first.start()
    assert inside.wait(LONG)
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


@pytest.mark.parametrize("text", [None, b"topics: [mine]\n"], ids=["removed", "edited"])
def test_the_catalog_knows_the_topics_that_were_written_not_those_on_disk_by_then(
    vault_of: MakeVault, monkeypatch: pytest.MonkeyPatch, text: bytes | None
) -> None:
    again = "# Review\n\n## Payment gateway\n\nThe payment gateway was slow again on Friday and nobody knew why.\n"
    vault = vault_of({GATEWAY: GATEWAY_TEXT, f"{FOLDER}/review.md": again})
    path = f"{FOLDER}/interests.yaml"
    written: list[bytes] = []

    def finish_later(*arguments: Any) -> DayReport:
        written.append((vault.root / path).read_bytes())
        if text is None:
            (vault.root / path).unlink()
        else:
            (vault.root / path).write_bytes(text)
        return finish(*arguments)

    monkeypatch.setattr(pipeline, "finish", finish_later)
    run(vault)
    assert read_catalog(vault).entries[path].stamp == stamp_of(written[0])


@pytest.mark.parametrize("added", ["", "  due: friday\n"])
def test_a_topic_gives_way_to_a_better_one_unless_a_person_added_to_it(
    vault_of: MakeVault, monkeypatch: pytest.MonkeyPatch, added: str
) -> None:
    def latest(_: object, candidates: Sequence[Topic], around: TopicRound) -> tuple[Topic, ...]:
        return tuple(reversed(candidates))[: around.count]

    monkeypatch.setattr(ExtractiveEngine, "select_topics", latest)
    again = "# Review\n\n## {0}\n\nThe {0} was slow again on Friday and nobody knew why.\n"
    vault = vault_of({GATEWAY: GATEWAY_TEXT, f"{FOLDER}/review.md": again.format("payment gateway")})
    run(vault, topic_count=1)
    place = vault.root / FOLDER / "interests.yaml"
    place.write_text(before := place.read_text() + added)
    assert "title: payment gateway" in before
    for name in ("one", "two"):
        (vault.root / FOLDER / f"{name}.md").write_text(again.format("ingestion pipeline"))
    run(vault, topic_count=1)
    assert (place.read_text() == before) == bool(added)
    assert ("title: payment gateway" in place.read_text()) == bool(added)


def test_a_person_without_any_layers_has_nothing_to_dream(vault_of: MakeVault) -> None:
    vault = vault_of({"Notes/x.md": GATEWAY_TEXT}, Config(llm=LlmConfig()))
    assert run(vault, engine="llm").exit_code == 0
    assert files_of(vault).keys() == {"Notes/x.md", "vault.yaml"}
