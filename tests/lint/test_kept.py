"""What the text rules found is kept by stamp; whatever is wrong with the file, the findings are the same."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config
from reme_cli.lint import cache_file, kept
from reme_cli.lint.told import TOLD
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from reme_cli.lint.finding import Problem
    from reme_cli.lint.kept import Record
    from reme_cli.lint.placed import Place
    from reme_cli.lint.rule import Rule
    from reme_cli.lint.survey import Subject, Survey
    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

NOTES = {
    "a.md": "---\nup: [[b]]\nrelated: [[nowhere]]\n---\n\x01 <!-- reme-lint-disable F002 -->\n",
    "b.md": "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n",
    "digest/wiki/c.md": "No frontmatter.\n",
    "笔记.md": "---\nname: [\n---\n",
}


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    root = make_vault(NOTES)
    (root / "metadata/cache").mkdir(parents=True)
    return root


def told(reme: Reme, vault: Path, *options: str) -> str:
    return reme("lint", "--json", *options, vault=vault).out


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the notes that the text rules look at."""
    paths: list[str] = []
    look = kept._record

    def watched(subject: Subject, survey: Survey, rules: Iterable[Rule]) -> Record:
        paths.append(subject.path)
        return look(subject, survey, rules)

    monkeypatch.setattr(kept, "_record", watched)
    return paths


def test_each_note_is_looked_at_once(reme: Reme, vault: Path, seen: list[str]) -> None:
    first = told(reme, vault)
    assert sorted(seen) == sorted(NOTES)
    assert told(reme, vault) == first
    assert len(seen) == len(NOTES)
    assert {"E002", "E003", "F001", "F007", "N001"} <= {
        each["code"] for each in json.loads(first)["findings"]
    }


def test_a_note_that_changed_is_looked_at_again(reme: Reme, vault: Path, seen: list[str]) -> None:
    told(reme, vault)
    seen.clear()
    (vault / "b.md").write_text("mended\n")
    assert "E003" not in told(reme, vault)
    assert seen == ["b.md"]


def test_another_configuration_looks_at_every_note(reme: Reme, vault: Path, seen: list[str]) -> None:
    told(reme, vault)
    (vault / "vault.yaml").write_text("folders: {digest: memory}\n")
    told(reme, vault)
    assert len(seen) == 2 * len(NOTES)


def test_some_paths_leave_the_others_kept(reme: Reme, vault: Path, seen: list[str]) -> None:
    told(reme, vault)
    (vault / "b.md").write_text("mended\n")
    seen.clear()
    told(reme, vault, "b.md")
    told(reme, vault)
    assert seen == ["b.md"]


def test_fixes_are_kept_with_their_findings(reme: Reme, vault: Path) -> None:
    told(reme, vault)
    planned = told(reme, vault, "--diff")
    for name in (kept.NOTES, kept.VAULT):
        (vault / "metadata/cache" / name).unlink(missing_ok=True)
    assert told(reme, vault, "--diff") == planned
    assert '+up: \\"[[b]]\\"' in planned


@pytest.mark.parametrize("name", [kept.NOTES, kept.VAULT])
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"F007", b"F006").replace(b"L001", b"L002"),
        lambda data: data.replace(b"[", b"{"),
        lambda data: b"\xff\xfe" + data,
        lambda data: data.partition(b"\n")[0] + b"\n[]",
    ],
    ids=["empty", "cut off", "altered", "no JSON", "no text", "another shape"],
)
def test_damage_is_passed_over(reme: Reme, vault: Path, damage: Callable[[bytes], bytes], name: str) -> None:
    make_old(vault)
    expected = told(reme, vault)
    place = vault / "metadata/cache" / name
    for _ in range(2):
        (vault / "metadata/cache" / TOLD).unlink()  # or it would be told without a look at the parts
        place.write_bytes(damage(place.read_bytes()))
        assert told(reme, vault) == expected


def test_a_vault_without_a_cache_gets_no_file(reme: Reme, make_vault: Callable[..., Path]) -> None:
    vault = make_vault(NOTES)
    cache_file.save(Vault(vault, Config()), kept.NOTES, {})
    assert cache_file.load(Vault(vault, Config()), kept.NOTES) is None
    assert not (vault / "metadata").exists()


def make_old(vault: Path) -> None:
    """Gives all notes a time that proves that they did not change since."""
    for place in vault.rglob("*.md"):
        os.utime(place, (1, 1))


@pytest.fixture
def placed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The messages of what the rules on the whole vault find."""
    found: list[str] = []
    place_of = kept.place_of

    def watched(survey: Survey, problem: Problem) -> Place:
        found.append(problem.path)
        return place_of(survey, problem)

    monkeypatch.setattr(kept, "place_of", watched)
    return found


def test_what_a_rule_finds_in_the_vault_is_kept_too(reme: Reme, vault: Path, placed: list[str]) -> None:
    make_old(vault)
    first = told(reme, vault)
    assert "a.md" in placed
    placed.clear()
    assert told(reme, vault) == first
    assert "a.md" not in placed
    (vault / "nowhere.md").write_text("Here it is.\n")
    assert "L001" in first
    assert "L001" not in told(reme, vault)


def test_some_rules_leave_the_others_kept(reme: Reme, vault: Path, placed: list[str]) -> None:
    make_old(vault)
    told(reme, vault, "--select=L001")
    first = told(reme, vault)
    placed.clear()
    told(reme, vault, "--select=L001")
    assert placed == []
    assert told(reme, vault) == first
    assert "a.md" not in placed


def test_a_file_that_reme_does_not_list_counts_from_the_moment_it_is_there(reme: Reme, vault: Path) -> None:
    (vault / "b.md").write_text("[x](.github/x.md)\n")
    make_old(vault)
    for _ in range(2):
        assert ".github/x.md" in told(reme, vault, "--select=L001")
    (vault / ".github").mkdir()
    (vault / ".github/x.md").write_text("x\n")
    assert ".github/x.md" not in told(reme, vault, "--select=L001")


def test_a_changed_commit_and_stdin_see_nothing_kept(reme: Reme, vault: Path) -> None:
    make_old(vault)
    told(reme, vault)
    before = (vault / "metadata/cache" / kept.VAULT).read_bytes()
    reme("lint", "-", "--stdin-filename=nowhere.md", vault=vault, stdin="x\n")
    assert (vault / "metadata/cache" / kept.VAULT).read_bytes() == before
