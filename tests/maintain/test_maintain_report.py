"""`maintain report` and `maintain check`: what they count, and how it is printed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from reme_cli.maintain.signals import CODES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

SOURCE = "[[daily/2026-06-01.md]]\n"
FILES = {
    "daily/2026-06-01.md": "A day.\n",
    "digest/wiki/old.md": f"---\nname: old\ndescription: d\n---\n{SOURCE}",
    "digest/wiki/long.md": f"---\nname: long\ndescription: d\n---\n{SOURCE}"
    + "A sentence about keys. " * 900,
    "digest/personal/a.md": f"---\nname: a\ndescription: d\n---\n{SOURCE}> [!conflict] which | of both?\n",
    "digest/elsewhere/b.md": f"---\nname: b\ndescription: d\n---\n{SOURCE}",
}


@pytest.fixture
def root(make_vault: Callable[..., Path]) -> Path:
    """A vault of which the files tell when they came: one in the week before the last, the others in the last."""
    root = make_vault({"vault.yaml": "timezone: UTC\n", **FILES})
    for path in FILES:
        day = (
            1_780_963_200 if path.endswith("old.md") else 1_781_870_400
        )  # 2026-06-09 and 2026-06-19, at noon
        os.utime(root / path, (day, day))
    return root


def test_growth_by_bucket(root: Path, reme: Reme) -> None:
    seen = reme("maintain", "report", "now=2026-06-20", "last=2", "--json", vault=root).json
    assert [(each["bucket"], each["notes"], each["new"]) for each in seen["growth"]] == [
        ("procedure", 0, counts(0, 0)),
        ("personal", 1, counts(0, 1)),
        ("wiki", 2, counts(1, 1)),
        ("other", 1, counts(0, 1)),
    ]
    by_day = reme("maintain", "report", "now=2026-06-20", "by=day", "last=2", "--json", vault=root).json
    assert [each["since"] for each in by_day["growth"][0]["new"]] == ["2026-06-19", "2026-06-20"]


def counts(first: int, second: int) -> list[dict[str, object]]:
    return [{"since": "2026-06-08", "notes": first}, {"since": "2026-06-15", "notes": second}]


def test_a_note_keeps_the_day_on_which_reme_made_it(make_vault: Callable[..., Path], reme: Reme) -> None:
    text = "# Gateway\n\nThe gateway rotates its signing keys every seven days, and keeps the old key for a day.\n"
    root = make_vault({"daily/2026-06-19/a.md": text})
    assert reme("auto_dream", "date=2026-06-19", "engine=extractive", vault=root).code == 0
    line = '{"run":"r","command":"x","time":"2026-06-02T10:00:00+00:00","path":"digest/wiki/gateway.md","op":"create","outcome":"written"}'
    audit = root / "metadata/audit"
    (note,) = (root / "digest").rglob("*.md")
    path = note.relative_to(root).as_posix()
    for place in audit.glob("*.jsonl"):
        place.unlink()
    (audit / "2026-06-02.jsonl").write_text(line.replace("digest/wiki/gateway.md", path) + "\n")
    assert reme("maintain", "mv", path, "digest/personal/moved.md", vault=root).code == 0
    seen = reme("maintain", "report", "now=2026-06-20", "last=3", "--json", vault=root).json
    personal = next(each for each in seen["growth"] if each["bucket"] == "personal")
    assert [each["notes"] for each in personal["new"]] == [1, 0, 0]


def test_what_needs_attention(root: Path, reme: Reme) -> None:
    audit = root / "metadata/audit"
    audit.mkdir(parents=True)
    line = '{{"run":"r","command":"auto_dream","time":"{}T10:00:00+00:00","path":"p.md","op":"replace","outcome":"{}","reason":"why"}}\n'
    (audit / "2026-05-01.jsonl").write_text(line.format("2026-05-01", "refused"))
    (audit / "2026-06-18.jsonl").write_text(
        line.format("2026-06-18", "refused") + line.format("2026-06-18", "written")
    )
    seen = reme("maintain", "report", "now=2026-06-20", "largest=2", "--json", vault=root).json
    assert [note["path"] for note in seen["largest"]] == ["digest/wiki/long.md", "digest/personal/a.md"]
    assert [each["path"] for each in seen["overloaded"]] == ["digest/wiki/long.md"]
    assert [(each["path"], each["line"]) for each in seen["conflicts"]] == [("digest/personal/a.md", 6)]
    assert seen["refused_since"] == "2026-05-22"
    assert [(each["path"], each["outcome"], each["reason"]) for each in seen["refused"]] == [
        ("p.md", "refused", "why")
    ]


def test_as_text_and_as_markdown(root: Path, reme: Reme) -> None:
    text = reme("maintain", "report", "now=2026-06-20", "last=1", vault=root).out
    assert text.startswith("new notes by week\nbucket     notes  2026-06-15\nprocedure      0           0\n")
    assert "refused since 2026-05-22: none" in text
    page = reme("maintain", "report", "now=2026-06-20", "format=markdown", vault=root).out
    tokens = MarkdownIt().enable("table").parse(page)
    assert [token.tag for token in tokens if token.type in {"heading_open", "table_open"}] == [
        *("h2", "table") * 4,
        "h2",
    ]
    assert "None.\n" in page


def test_check_finds_what_lint_finds(root: Path, reme: Reme) -> None:
    (root / "digest/wiki/bad.md").write_text(
        "---\nname: bad\ndescription: d\n---\n[[nowhere]] [[daily/gone.md]]\n"
    )
    (root / "digest/wiki/none.md").write_text("---\nname: none\ndescription: d\n---\nNo source.\n")
    checked = reme("maintain", "check", "--json", "now=2026-06-20", vault=root)
    linted = reme("lint", f"select={','.join(CODES)}", "--json", "now=2026-06-20", vault=root)
    assert checked.json == linted.json
    assert checked.code == 1
    assert {finding["code"] for finding in checked.json["findings"]} == set(CODES)
    as_text = reme("lint", f"select={','.join(CODES)}", "now=2026-06-20", vault=root)
    assert reme("maintain", "check", "now=2026-06-20", vault=root).out == as_text.out
    shown = reme("maintain", "check", "digest/wiki/none.md", vault=root)
    assert shown.code == 1
    assert "digest/wiki/none.md:1:1 error P001" in shown.out
    assert "bad.md" not in shown.out
    assert reme("maintain", "check", "daily", vault=root).code == 0
