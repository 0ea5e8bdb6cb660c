"""What was told of a whole vault is told again while nothing changed that it depends on, and in no other case."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from reme_cli.lint import portion, request, told
from reme_cli.lint.check import check

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.lint.check import Inquiry
    from reme_cli.lint.finding import Finding
    from reme_cli.lint.kept import Kept
    from reme_cli.lint.survey import Survey
    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

NOTES = {
    "a.md": "[[nowhere]] and [[x]] <!-- reme-lint-disable L001 -->\n看看 [[没有]]，再看 [[b#Nothing]]。\n",
    "b.md": "---\nup: [[a]]\n---\n[x](.github/x.md) ![[没有.png]]\n",
    "digest/wiki/c.md": "---\nname: c\ndescription: Old.\n---\nFrom [[daily/2026-01-05]]. See [[a]].\n",
    "digest/wiki/d.md": "---\nname: d\n---\n<!-- reme-lint-disable-file C007 -->\nFrom [[daily/2026-01-05]].\n",
    "daily/2026-01-05.md": "First.\n",
}
FORMS = ("", "--json", "--format=github", "--format=markdown", "--statistics", "--select=L,C")


@pytest.fixture
def vault(make_vault: Callable[..., Path], reme: Reme) -> Path:
    root = make_vault(NOTES)
    (root / ".github").mkdir()
    make_old(root)
    reme("index", vault=root)
    return root


def make_old(vault: Path) -> None:
    """Gives all notes a time that proves that they did not change since."""
    for place in vault.rglob("*.md"):
        os.utime(place, (1, 1))


def lint(reme: Reme, vault: Path, form: str = "", now: str = "2026-02-01") -> Outcome:
    return reme("lint", f"--now={now}", *([form] if form else []), vault=vault)


def forget(vault: Path) -> None:
    for place in vault.glob("metadata/cache/lint*"):
        place.unlink()


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """An item for each time that the rules were run."""
    times: list[bool] = []

    def watched(survey: Survey, inquiry: Inquiry, kept: Kept) -> tuple[Finding, ...]:
        times.append(True)
        return check(survey, inquiry, kept)

    for module in (request, portion):
        monkeypatch.setattr(module, "check", watched)
    return times


@pytest.mark.parametrize("form", FORMS)
def test_the_second_run_tells_the_same_and_runs_no_rule(
    reme: Reme, vault: Path, checked: list[bool], form: str
) -> None:
    first = lint(reme, vault, form)
    assert first.out
    assert checked
    checked.clear()
    assert lint(reme, vault, form) == first
    assert not checked


@pytest.mark.parametrize("form", FORMS[:-1])
def test_one_format_tells_what_another_one_found(
    reme: Reme, vault: Path, checked: list[bool], form: str
) -> None:
    expected = lint(reme, vault, form)
    forget(vault)
    lint(reme, vault, "--json" if form == "" else "")
    checked.clear()
    assert lint(reme, vault, form) == expected
    assert not checked


def test_fixes_are_told_as_ever(reme: Reme, vault: Path) -> None:
    expected = lint(reme, vault, "--format=sarif")
    assert '"fixes"' in expected.out
    assert lint(reme, vault, "--format=sarif") == expected
    assert '+up: \\"[[a]]\\"' in reme("lint", "--diff", "--json", vault=vault).out


CHANGES: dict[str, Callable[[Path], object]] = {
    "a note is mended": lambda vault: (vault / "a.md").write_text("Mended.\n"),
    "a note comes": lambda vault: (vault / "nowhere.md").write_text("Here.\n"),
    "a note goes": lambda vault: (vault / "b.md").unlink(),
    "an attachment comes": lambda vault: (vault / "没有.png").write_bytes(b"x"),
    "a file that reme does not list comes": lambda vault: (vault / ".github/x.md").write_text("x\n"),
    "git ignores a note": lambda vault: (vault / ".gitignore").write_text("a.md\n"),
    "the configuration ignores a rule": lambda vault: (vault / "vault.yaml").write_text(
        "lint: {ignore: [L001]}\n"
    ),
    "another language": lambda vault: (vault / "vault.yaml").write_text("language: zh\n"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("form", FORMS[:2])
def test_a_change_is_seen(reme: Reme, vault: Path, change: Callable[[Path], object], form: str) -> None:
    before = lint(reme, vault, form)
    assert lint(reme, vault, form) == before
    change(vault)
    make_old(vault)
    after = lint(reme, vault, form)
    forget(vault)
    assert after == lint(reme, vault, form)
    assert after != before


def test_what_git_ignored_no_more_is_told(reme: Reme, vault: Path) -> None:
    expected = lint(reme, vault)
    (vault / ".gitignore").write_text("a.md\n")
    assert lint(reme, vault) != expected
    (vault / ".gitignore").unlink()
    assert lint(reme, vault) == expected


def test_time_goes_by(reme: Reme, vault: Path) -> None:
    young, old = lint(reme, vault), lint(reme, vault, now="2026-08-01")
    assert "stale-note" not in young.out
    assert "digest/wiki/d.md:4:29 warning N001" in young.out
    assert "digest/wiki/c.md:1:1 info C007 stale-note" in old.out
    assert "N001" not in old.out, "the comment in d.md has a use now"
    assert lint(reme, vault) == young


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut off": lambda data: data[: len(data) // 2],
    "altered": lambda data: data.replace(b"L001", b"L002"),
    "another shape": lambda data: data.partition(b"\n")[0] + b"\n[]",
}


@pytest.mark.parametrize("name", [told.TOLD, told.FINDINGS, told.WRITTEN["text"]])
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("form", FORMS[:2])
def test_damage_is_passed_over(
    reme: Reme, vault: Path, name: str, damage: Callable[[bytes], bytes], form: str
) -> None:
    lint(reme, vault)
    expected = lint(reme, vault, form)
    place = vault / "metadata/cache" / name
    place.write_bytes(damage(place.read_bytes()))
    assert lint(reme, vault, form) == expected
    assert lint(reme, vault, form) == expected


def test_a_part_of_another_state_is_not_told(reme: Reme, vault: Path) -> None:
    lint(reme, vault)
    old = {
        name: (vault / "metadata/cache" / name).read_bytes() for name in (told.FINDINGS, told.WRITTEN["text"])
    }
    (vault / "a.md").write_text("Mended.\n")
    make_old(vault)
    expected = [lint(reme, vault, form) for form in FORMS[:2]]
    for name, data in old.items():
        (vault / "metadata/cache" / name).write_bytes(data)
    assert [lint(reme, vault, form) for form in FORMS[:2]] == expected
