"""A vault that is looked at in portions, by one process or by several, is told as if it were looked at at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from reme_cli.index.workers import Worker
from reme_cli.lint import portion, request, workers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.lint.survey import Survey
    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

SAME = "The same words in two notes of the vault, which are far enough apart to be in two portions of it.\n"
NOTES = {
    "a.md": "[[nowhere]] and [[x]] <!-- reme-lint-disable L001 -->\n看看 [[没有]]，再看 [[b#Nothing]]。\n",
    "b.md": "---\nup: [[a]]\n---\n[x](.github/x.md) ![[没有.png]] [[Plan]] [[plan]]\n",
    "c.md": SAME,
    "daily/2026-01-05.md": "First. [[digest/wiki/d.md#Here]]\n",
    "digest/wiki/d.md": "---\nname: d\naliases: [E]\n---\n<!-- reme-lint-disable-file C007 -->\nFrom [[daily/2026-01-05]].\n",
    "digest/wiki/e.md": "---\nname: e\n---\nNo source, \x01 and [[2026-01-05]], [[digest/wiki/E]].\n",
    "digest/wiki/f.md": "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n",
    "p/plan.md": "[[digest/wikl/d]] [[wiki/f]] [[self]] [[q/plan]]\n",
    "q/plan.md": "<!-- reme-lint-disable S006 -->\n\n[[nowhere]]\n",
    "z.md": f"---\nname: last\n---\n{SAME}",
    "笔记.md": "---\nname: [\n---\n[[笔记]]\n",
}
FORMS = ("", "--json", "--format=github", "--statistics", "--format=sarif", "--diff", "--select=L,S006")


@pytest.fixture
def vault(make_vault: Callable[..., Path], reme: Reme) -> Path:
    root = make_vault(NOTES)
    (root / "digest/wiki/bytes.md").write_bytes(b"caf\xe9\n")
    (root / "a.md.orig").write_text("old\n")
    (root / ".github").mkdir()
    for place in root.rglob("*.md"):
        os.utime(place, (1, 1))
    reme("index", vault=root)
    return root


def lint(reme: Reme, vault: Path, *options: str) -> Outcome:
    return reme("lint", "--now=2026-02-01", *filter(None, options), vault=vault)


def forget(vault: Path) -> None:
    for place in vault.glob("metadata/cache/lint*"):
        place.unlink()


@pytest.fixture
def in_portions(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Makes all vaults large: portions of so many notes, and so many cores. Gives the paths that this process looks at."""

    def make(notes: int, cores: int) -> list[str]:
        paths: list[str] = []
        look = portion.portion_of

        def watched(survey: Survey, errand: portion.Errand, share: portion.Share) -> portion.Portion:
            paths.extend(share.paths)
            return look(survey, errand, share)

        for module in (portion, request):
            monkeypatch.setattr(module, "NOTES", notes)
        monkeypatch.setattr(workers, "portion_of", watched)
        monkeypatch.setattr(workers, "MANY_BYTES", 0)
        monkeypatch.setattr(workers, "cores", lambda: cores)
        return paths

    return make


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("notes", [1, 3])
def test_one_process_tells_the_same(
    reme: Reme, vault: Path, in_portions: Callable[..., list[str]], form: str, notes: int
) -> None:
    expected = lint(reme, vault, form)
    forget(vault)
    here = in_portions(notes, 1)
    assert lint(reme, vault, form) == expected
    assert set(NOTES) <= set(here)
    assert lint(reme, vault, form) == expected


@pytest.mark.parametrize("form", ["", "--json", "--diff"])
def test_several_processes_tell_the_same(
    reme: Reme, vault: Path, in_portions: Callable[..., list[str]], form: str
) -> None:
    expected = lint(reme, vault, form)
    forget(vault)
    here = in_portions(2, 2)
    assert lint(reme, vault, form) == expected
    assert not here
    assert lint(reme, vault, form) == expected


def test_what_a_dead_process_does_not_answer_is_looked_at_here(
    reme: Reme, vault: Path, in_portions: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = lint(reme, vault)
    forget(vault)
    here = in_portions(2, 2)
    monkeypatch.setattr(Worker, "ask", lambda *_: None)
    assert lint(reme, vault) == expected
    assert set(NOTES) <= set(here)


def test_one_path_looks_at_no_other(reme: Reme, vault: Path, in_portions: Callable[..., list[str]]) -> None:
    expected = lint(reme, vault, "digest/")
    forget(vault)
    here = in_portions(1, 1)
    assert lint(reme, vault, "digest/") == expected
    assert {path.partition("/")[0] for path in here} == {"digest"}


def test_a_note_that_came_is_told_with_what_is_known_of_the_others(
    reme: Reme, vault: Path, in_portions: Callable[..., list[str]]
) -> None:
    in_portions(3, 2)
    lint(reme, vault)
    (vault / "nowhere.md").write_text("Here it is. [[b]]\n")
    os.utime(vault / "nowhere.md", (1, 1))
    told = [lint(reme, vault, form) for form in FORMS[:2]]
    forget(vault)
    assert [lint(reme, vault, form) for form in FORMS[:2]] == told
