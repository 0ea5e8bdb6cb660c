"""What lint does grows with the notes, whatever stands in them: counted are the lines of our code that are run, not time."""

from __future__ import annotations

import datetime as dt
import sys
from typing import TYPE_CHECKING, Any

import pytest

from reme_cli.index.index import Index
from reme_cli.lint.anchors import Anchors
from reme_cli.lint.check import Inquiry, check
from reme_cli.lint.finding import Finding
from reme_cli.lint.fix import mended
from reme_cli.lint.rules import RULES
from reme_cli.lint.source_line import source_line
from reme_cli.lint.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from reme_cli.vault.vault import Vault

NOW = dt.datetime(2026, 6, 20, 12, tzinfo=dt.UTC)


def twice(text: str) -> dict[str, str]:
    return {"a.md": text, "b.md": text}


def each(pattern: str, count: int) -> str:
    """The pattern with the numbers up to the count."""
    return "".join(pattern.format(number) for number in range(count))


SHAPES: dict[str, Callable[[int], dict[str, str]]] = {
    "names that are not closed": lambda n: {"a.md": "[[a] " + "[a][" * n},
    "disabling comments": lambda n: {"a.md": "[[x]]\n\n" + "<!-- reme-lint-disable L001 -->\n" * n},
    "disabled findings": lambda n: {"a.md": "[[x]] <!-- reme-lint-disable L001 -->\n\n" * n},
    "enabling comments": lambda n: {
        "a.md": "<!-- reme-lint-disable L001 -->\n\n<!-- reme-lint-enable L002 -->\n\n" * n
    },
    "links to headings": lambda n: {"a.md": each("# H {0}\n\n", n), "b.md": each("[[a#H {0}#H {0}]] ", n)},
    "links below headings of one name": lambda n: {
        "a.md": "# a\n## b\n" * n,
        "b.md": "[[a#a#b]] [[a#b#a#b]]",
    },
    "tags": lambda n: {"a.md": each("#t{0} [[a]]\n\n", n)},
    "day markers": lambda n: {"daily/2026-06-01.md": "<!-- reme:day:start -->\n\n```\na\n```\n\n" * n},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_work_grows_with_the_notes(shape: str, vault_of: Callable[..., Vault]) -> None:
    small, large = (lines_run(vault_of(SHAPES[shape](size))) for size in (60, 240))
    assert large < 4.6 * small + 2000


HOSTILE: dict[str, Callable[[int], dict[str, str]]] = {
    "headings alone": lambda n: twice("# ab\n" * (n // 2)),
    "comments that are not closed": lambda n: twice("{/* " * n),
    "disabling comments that are not closed": lambda n: {"a.md": "<!-- reme-lint-disable L001 " * n},
    "placeholders that are not closed": lambda n: {"a.md": f"---\na: [b\n{'{{' * n}\n---\n"},
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_notes_are_looked_at(shape: str, vault_of: Callable[..., Vault]) -> None:
    """Quadratic inside a pattern or an expression, where no lines are counted, each of these would take half a minute or more."""
    vault = vault_of(HOSTILE[shape](60_000))
    with Index.open(vault) as index:
        check(Survey(vault, index, NOW), Inquiry(RULES))


def test_anchors_of_one_note_are_looked_for_in_one_look_at_it() -> None:
    """Quadratic, this would take minutes."""
    text = each("x ^b{0}\n\ny {{#i{0}}}\n\n", 10_000) + "<h1 " * 10_000
    anchors = Anchors("a.md", [(1, f"h{number}") for number in range(1000)], lambda: text)
    for number in range(10_000):
        assert anchors.missing(f"^B{number}") is anchors.missing(f"I{number}") is None
        assert anchors.missing(f"^c{number}") == "block"
        assert anchors.missing(f"c{number}") == "heading"
    assert [anchors.nearest(f"h{number}x") for number in range(100, 200)] == [
        f"h{number}" for number in range(100, 200)
    ]


def test_very_many_findings_of_one_line_are_shown() -> None:
    """Copying the line for each, this would take a minute."""
    line = "\ufeff" + "word " * 800_000
    for col in range(1, len(line), 100):
        found = Finding("L001", "broken-link", "error", "a.md", 1, col, 1, col + 4, "")
        shown = source_line(line, found)
        assert shown.text[shown.before :].startswith("word ")


def lines_run(vault: Vault) -> int:
    """How many lines are run to index a vault, to look for what is wrong in it, and to plan what can be mended."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace if "reme_cli" in frame.f_code.co_filename else None

    sys.settrace(trace)
    try:
        with Index.open(vault) as index:
            survey = Survey(vault, index, NOW)
            check(survey, Inquiry(RULES))
            mended(survey, Inquiry(RULES))
    finally:
        sys.settrace(None)
    return count
