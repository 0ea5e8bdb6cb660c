"""How fresh notes are, by git and by the times of files."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from reme_cli.index.index import Index
from reme_cli.lint.check import Inquiry, check
from reme_cli.lint.freshness import Age, ages
from reme_cli.lint.rules import stale_note
from reme_cli.lint.survey import Survey
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from reme_cli.lint.freshness import Freshness
    from reme_cli.lint.rule import Language

    MakeVault = Callable[..., Vault]

NOW = dt.datetime(2026, 6, 20, 12, tzinfo=dt.UTC)
NOTE = "digest/wiki/a.md"


def git(root: Path, *arguments: str, days_ago: int = 0) -> str:
    moment = (NOW - dt.timedelta(days=days_ago)).isoformat()
    settings = ("user.name=t", "user.email=t@example.org", "commit.gpgsign=false", "init.defaultBranch=main")
    line = ["git", *(word for setting in settings for word in ("-c", setting)), *arguments]
    environment = {**os.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": NOW.isoformat()}
    return subprocess.run(line, cwd=root, env=environment, check=True, capture_output=True, text=True).stdout


def write(vault: Vault, files: Mapping[str, str], *, days_ago: int) -> None:
    """Writes files as if so many days ago."""
    seconds = (NOW - dt.timedelta(days=days_ago)).timestamp()
    for path, text in files.items():
        place = vault.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        os.utime(place, (seconds, seconds))


def commit(vault: Vault, files: Mapping[str, str], *, days_ago: int) -> None:
    """Commits files that were written so many days ago; their times say that they are of today."""
    write(vault, files, days_ago=0)
    git(vault.root, "add", "-A")
    git(vault.root, "commit", "-qm", "x", days_ago=days_ago)


def seen(vault: Vault) -> dict[str, Age]:
    with Index.open(vault) as index:
        return ages(Survey(vault, index, NOW))


@pytest.mark.parametrize(
    ("days", "freshness"),
    [(-3, "fresh"), (0, "fresh"), (29, "fresh"), (30, "aging"), (89, "aging"), (90, "stale")],
)
def test_without_git_the_time_of_the_file_counts(
    vault_of: MakeVault, days: int, freshness: Freshness
) -> None:
    vault = vault_of({NOTE: "x", "daily/2020-01-01.md": "x"})
    write(vault, {NOTE: "x"}, days_ago=days)
    assert seen(vault) == {NOTE: Age(freshness, max(0, days))}


@pytest.mark.parametrize(("language", "told"), [("en", "for 120 days"), ("zh", "120 天")])
def test_what_is_stale_is_told(vault_of: MakeVault, language: Language, told: str) -> None:
    vault = vault_of({NOTE: "x"})
    write(vault, {NOTE: "x"}, days_ago=120)
    with Index.open(vault) as index:
        (finding,) = check(Survey(vault, index, NOW), Inquiry((stale_note.RULE,), language))
    assert (finding.code, finding.severity, finding.path, finding.line) == ("C007", "info", NOTE, 1)
    assert told in finding.message


@pytest.mark.parametrize(
    ("source", "days"),
    [
        ("daily/2026-06-10/a.md", 10),
        ("daily/2026-06-10.md", 10),
        ("resource/2026-05-01/a.md", 50),
        ("resource/a.md", 120),
        ("resource/2026-02-30/a.md", 120),
        ("daily/2026-01-01.md", 120),
        ("daily/2026-06-30.md", 0),
    ],
)
def test_the_youngest_dated_source_counts(vault_of: MakeVault, source: str, days: int) -> None:
    vault = vault_of({source: "x", "daily/2026-01-02.md": "x"})
    write(vault, {NOTE: f"derived_from:: [[{source}]], [[daily/2026-01-02.md]]"}, days_ago=120)
    assert seen(vault)[NOTE].days == days


def test_commits_count_and_not_the_times_of_a_clone(vault_of: MakeVault) -> None:
    vault = vault_of()
    git(vault.root, "init", "-q")
    commit(vault, {NOTE: "x", "digest/wiki/网关.md": "x"}, days_ago=200)
    commit(vault, {"digest/wiki/b.md": "x", "other.md": "x"}, days_ago=100)
    commit(vault, {"digest/wiki/网关.md": "xy"}, days_ago=40)
    assert seen(vault) == {
        NOTE: Age("stale", 200),
        "digest/wiki/b.md": Age("stale", 100),
        "digest/wiki/网关.md": Age("aging", 40),
    }


def test_what_is_not_committed_goes_by_its_file(vault_of: MakeVault) -> None:
    vault = vault_of()
    git(vault.root, "init", "-q")
    write(vault, {NOTE: "x"}, days_ago=95)
    assert seen(vault) == {NOTE: Age("stale", 95)}  # before the first commit
    commit(vault, {NOTE: "x", ".gitignore": "*-local.md\n"}, days_ago=200)
    write(vault, {NOTE: "changed"}, days_ago=3)
    write(vault, {"digest/wiki/new.md": "x"}, days_ago=4)
    write(vault, {"digest/wiki/a-local.md": "x"}, days_ago=91)
    assert {path: age.days for path, age in seen(vault).items()} == {
        NOTE: 3,
        "digest/wiki/a-local.md": 91,
        "digest/wiki/new.md": 4,
    }


def test_a_renaming_is_no_change(vault_of: MakeVault) -> None:
    vault = vault_of()
    git(vault.root, "init", "-q")
    commit(vault, {NOTE: "one\ntwo\n", "digest/wiki/edited.md": "three\nfour\n"}, days_ago=300)
    git(vault.root, "mv", NOTE, "digest/wiki/b.md")
    commit(vault, {}, days_ago=100)
    git(vault.root, "mv", "digest/wiki/b.md", "digest/wiki/c.md")
    git(vault.root, "mv", "digest/wiki/edited.md", "digest/wiki/moved.md")
    commit(vault, {"digest/wiki/moved.md": "three\nfour\nfive\n"}, days_ago=50)
    commit(vault, {"digest/wiki/b.md": "another\n"}, days_ago=40)
    assert {path: age.days for path, age in seen(vault).items()} == {
        "digest/wiki/b.md": 40,
        "digest/wiki/c.md": 300,
        "digest/wiki/moved.md": 50,
    }


def test_a_vault_below_the_top_of_its_repository(vault_of: MakeVault) -> None:
    vault = vault_of()
    git(vault.root.parent, "init", "-q")
    commit(vault, {NOTE: "x"}, days_ago=200)
    assert seen(vault) == {NOTE: Age("stale", 200)}


def test_in_a_shallow_clone_nobody_can_say(vault_of: MakeVault, tmp_path: Path) -> None:
    origin = vault_of(None)
    git(origin.root, "init", "-q")
    files = {NOTE: "x", "digest/wiki/sourced.md": "[[daily/2026-06-10.md]]", "daily/2026-06-10.md": "x"}
    commit(origin, files, days_ago=400)
    commit(origin, {"digest/wiki/b.md": "x"}, days_ago=300)
    commit(origin, {"digest/wiki/c.md": "x"}, days_ago=200)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=2", origin.root.as_uri(), str(clone))
    assert seen(Vault(clone, origin.config)) == {
        NOTE: Age("unknown", None),
        "digest/wiki/b.md": Age("unknown", None),
        "digest/wiki/c.md": Age("stale", 200),
        "digest/wiki/sourced.md": Age("fresh", 10),
    }
    git(clone, "fetch", "-q", "--unshallow")
    assert seen(Vault(clone, origin.config))[NOTE] == Age("stale", 400)
