"""One HTML page that draws the graph: everything is in it, and nothing is fetched.

Note text is data. It stands in a JSON block that cannot end early, and the page's scripts set it as text. The page's
Content-Security-Policy allows the one script and the one style sheet that are in it, by their hashes, and no request.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reme_cli.graph.view import NoteDetail, end_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reme_cli.graph.view import GraphView

PAGE: Final = Path(__file__).resolve().parent.parent / "page"
SCRIPTS: Final = ("model.js", "draw.js", "panels.js", "page.js")
"""In the order in which each uses those before it."""
LAYOUT: Final = (
    "vendor/d3-dispatch.min.js",
    "vendor/d3-quadtree.min.js",
    "vendor/d3-timer.min.js",
    "vendor/d3-force.min.js",
    "layout.js",
)
"""What runs beside the page, as a worker: d3-force with what it needs, as it is published."""
NO_DETAIL: Final = NoteDetail((), "")

_SLOT: Final = re.compile(r"@([A-Z_]+)@")


def render(view: GraphView, details: Mapping[str, NoteDetail], title: str) -> str:
    """The page. `details` are by path; what is missing there has a preview without text."""
    style = _read("page.css")
    script = "".join(_read(name) for name in SCRIPTS)
    slots = {
        "TITLE": html.escape(title),
        "STYLE": style,
        "STYLE_HASH": _hash(style),
        "SCRIPT": script,
        "SCRIPT_HASH": _hash(script),
        "LAYOUT": "/*\n" + _read("vendor/LICENSE") + "*/\n" + "\n".join(_read(name) for name in LAYOUT),
        "DATA": _as_data(view, details),
    }
    # in one pass, so that what a note says is never taken for a slot
    return _SLOT.sub(lambda match: slots[match[1]], _read("page.html"))


def _as_data(view: GraphView, details: Mapping[str, NoteDetail]) -> str:
    """The graph as the page's JSON, described in page/model.js. No `<` is in it, so that no tag can end it."""
    numbers = {note.path: number for number, note in enumerate(view.notes)}
    missing = view.missing()
    numbers |= {end: number for number, end in enumerate(missing, start=len(numbers))}
    predicates = {
        name: number
        for number, name in enumerate(sorted({row.predicate for row in view.rows if row.predicate}))
    }
    data = {
        "start": None if view.start is None else numbers[view.start],
        "predicates": list(predicates),
        "notes": [
            [
                note.path,
                note.name,
                note.description,
                note.layer,
                note.bucket,
                *details.get(note.path, NO_DETAIL),
            ]
            for note in view.notes
        ],
        "missing": list(missing.values()),
        "edges": [
            [
                numbers[row.source],
                numbers[end_of(row)],
                predicates[row.predicate] if row.predicate else -1,
                int(row.implied),
                row.place,
            ]
            for row in view.rows
        ],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _read(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The source of a Content-Security-Policy that allows exactly this text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
