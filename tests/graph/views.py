"""A small view whose names mean something in every format, for the tests of the formats."""

from __future__ import annotations

from reme_cli.graph.row import Row
from reme_cli.graph.view import GraphView, ViewNote

HOSTILE = (
    'say "hi"',
    "it's \\N \\\\ \\",
    "[a](b) {c} |d| (e) <f>",
    "two\nlines",
    "]]> --> ;",
    "</script><img src=x onerror=alert(1)><!--",
    "#quot; &amp; &#34; %%{init}%%",
    "`md` **b** _i_ ~s~",
    "🦊 👩‍👩‍👧",
    "שלום \u202egnp.exe",
    "密钥轮换",
    "n0",
    "end",
    "@TITLE@ @DATA@",
    "  spaces  ",
    "tab\there",
)
"""Names of notes; each is also its path, the target of a link to a missing note, and a predicate."""


def hostile_view(*, start: bool = False) -> GraphView:
    """Every hostile name as note, path, description, predicate and missing target; each note links to the next."""
    notes = tuple(
        ViewNote(f"{name}.md", name, name, ("digest", "daily", "resource", None)[number % 4], name)
        for number, name in enumerate(HOSTILE)
    )
    rows = []
    for number, note in enumerate(notes):
        name = HOSTILE[number]
        onward = notes[(number + 1) % len(notes)].path
        place = (note.path, number + 1, 2)
        rows += [
            Row(number + 1, note.path, name, onward, True, number % 2 == 1, *place),
            Row(number + 1, note.path, None, name, False, False, *place),
        ]
    return GraphView(notes, tuple(rows), notes[0].path if start else None)
