"""Where some notes changed, only they are looked at again, and what is told is what a first look would tell."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from reme_cli.lint import kept, request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from reme_cli.lint.kept import Record
    from reme_cli.lint.rule import Rule
    from reme_cli.lint.survey import Subject, Survey
    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

BODY = "The same words in two notes, of which there are enough to say something about tea, water and time.\n"
CLAIM = (
    "---\nname: {}\ndescription: x\nclaims:\n- id: life\n  status: {}\n---\nFrom [[daily/2026-01-05.md]].\n"
)
NOTES = {
    "a.md": "[[nowhere]] and [[b#Part]], [[b#Gone]].\nsee-also:: [[b]]\n",
    "b.md": "# Top\n## Part\nseeAlso:: [[a]]\n",
    "c.md": BODY,
    "d.md": BODY,
    "e.md": "---\nname: [\n---\n",
    "f.md": "Plain.\n",
    "digest/wiki/one.md": CLAIM.format("one", "true"),
    "digest/wiki/two.md": CLAIM.format("two", "false"),
    "digest/wiki/new.md": "---\nname: new\ndescription: x\n---\nsupersedes:: [[old]] from [[daily/2026-01-05.md]]\n",
    "digest/wiki/old.md": "---\nname: old\ndescription: x\n---\nFrom [[daily/2026-01-05.md]].\n",
    "digest/wiki/citing.md": "---\nname: citing\ndescription: x\n---\nFrom [[daily/2026-01-05]], as [[old]] says.\n",
    "digest/wiki/alone.md": "---\nname: alone\ndescription: x\n---\nNothing.\n",
    "daily/2026-01-05.md": "First.\n",
}

CHANGES = {
    "a heading that a link names goes": {"b.md": "# Top\n## Other\nseeAlso:: [[a]]\n"},
    "a heading that a link names comes": {"b.md": "# Top\n## Part\n## Gone\nseeAlso:: [[a]]\n"},
    "a copy is changed": {"d.md": "Other words.\n"},
    "another copy comes": {"f.md": BODY},
    "the first copy is changed": {"c.md": "Other words.\n"},
    "a claim is withdrawn": {"digest/wiki/one.md": "---\nname: one\ndescription: x\n---\nNothing.\n"},
    "a claim is agreed on": {"digest/wiki/two.md": CLAIM.format("two", "true")},
    "a note begins to claim": {"digest/wiki/alone.md": CLAIM.format("alone", "perhaps")},
    "a note is superseded no more": {
        "digest/wiki/new.md": "---\nname: new\ndescription: x\n---\nSee [[daily/2026-01-05]].\n"
    },
    "the new note is cited, too": {"digest/wiki/citing.md": NOTES["digest/wiki/citing.md"] + "[[new]]\n"},
    "another spelling prevails": {"f.md": "seeAlso:: [[a]]\n\nseeAlso:: [[b]]\n"},
    "an orphan is linked": {"f.md": "[[alone]]\n"},
    "a note is called otherwise": {"f.md": "---\naliases: [nowhere]\n---\n"},
    "a note has another heading": {"f.md": "# Nowhere\n"},
    "a comment switches a rule off": {"a.md": "<!-- reme-lint-disable-file L001 -->\n" + NOTES["a.md"]},
    "all is mended": {"a.md": "Fine.\n"},
    "a note cannot be read": {"f.md": "\udcff\n"},
    "a note is damaged": {"e.md": "---\nname: e\n---\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n"},
    "two notes change": {"a.md": "[[d]] [[B]]\n", "d.md": "[[gone]]\n"},
}


@pytest.fixture
def vault(make_vault: Callable[..., Path], reme: Reme) -> Path:
    root = make_vault(NOTES)
    make_old(root)
    reme("index", vault=root)
    return root


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


def make_old(vault: Path) -> None:
    """Gives all notes a time that proves that they did not change since."""
    for place in vault.rglob("*.md"):
        os.utime(place, (1, 1))


def write(vault: Path, notes: dict[str, str]) -> None:
    for path, text in notes.items():
        (vault / path).write_text(text, encoding="utf-8", errors="surrogateescape")


def lint(reme: Reme, vault: Path, form: str) -> Outcome:
    return reme("lint", "--now=2026-02-01", *([form] if form else []), vault=vault)


def forget(vault: Path) -> None:
    for place in vault.glob("metadata/cache/lint*"):
        place.unlink()


@pytest.mark.parametrize("is_old", [True, False], ids=["settled", "just written"])
@pytest.mark.parametrize("form", ["", "--json"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_is_told_is_what_a_first_look_tells(
    reme: Reme, vault: Path, change: dict[str, str], form: str, is_old: bool
) -> None:
    lint(reme, vault, form)
    write(vault, change)
    if is_old:
        make_old(vault)
    after = [lint(reme, vault, form), lint(reme, vault, form)]
    other = lint(reme, vault, "--json" if form == "" else "")
    forget(vault)
    assert after == [lint(reme, vault, form)] * 2
    forget(vault)
    assert other == lint(reme, vault, "--json" if form == "" else "")


def test_one_change_after_the_other(reme: Reme, vault: Path, seen: list[str]) -> None:
    lint(reme, vault, "")
    for change in (each for each in CHANGES.values() if not {"e.md", "f.md"} & each.keys()):
        seen.clear()
        write(vault, change)
        make_old(vault)
        told = [lint(reme, vault, form) for form in ("", "--json")]
        assert "c.md" in change or "c.md" not in seen
        forget(vault)
        assert told == [lint(reme, vault, form) for form in ("", "--json")]


def test_only_what_changed_is_looked_at(reme: Reme, vault: Path, seen: list[str]) -> None:
    lint(reme, vault, "")
    seen.clear()
    write(vault, {"b.md": "# Top\n## Other\nseeAlso:: [[a]]\n"})
    make_old(vault)
    lint(reme, vault, "")
    assert sorted(seen) == ["a.md", "b.md"], "a.md names a heading of b.md"


def test_where_many_notes_changed_all_are_looked_at(
    reme: Reme, vault: Path, seen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lint(reme, vault, "")
    monkeypatch.setattr(request, "MANY", 0)
    write(vault, {"c.md": "Other words.\n"})
    make_old(vault)
    told = lint(reme, vault, "")
    forget(vault)
    assert told == lint(reme, vault, "")
    assert "c.md" in seen


def test_a_body_that_becomes_that_of_another_note(reme: Reme, make_vault: Callable[..., Path]) -> None:
    same = "The same words in several notes of the vault, more than a template would say of anything.\n"
    vault = make_vault({"a.md": same, "b.md": "Other.\n", "c.md": same, "d.md": "Nothing of it.\n"})
    for changed in ({"b.md": same}, {"a.md": "First no more.\n"}, {"d.md": f"\n{same}", "c.md": "No.\n"}):
        make_old(vault)
        lint(reme, vault, "")
        for path, text in changed.items():
            (vault / path).write_text(text)
        told = lint(reme, vault, "")
        forget(vault)
        assert lint(reme, vault, "") == told
        assert "S006" in told.out
