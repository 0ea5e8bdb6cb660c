"""Mermaid flowcharts: https://mermaid.js.org/syntax/flowchart.html."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.graph.formats.colours import FILLS, LINE
from reme_cli.graph.view import end_of

if TYPE_CHECKING:
    from reme_cli.graph.view import GraphView

MAX_EDGES: Final = 500
"""Mermaid's `maxEdges`: what it draws unless the page that embeds the chart allows more."""

# quotes end a text, `#` begins an entity, and the others mean something to Markdown or HTML, which Mermaid reads too
_SPECIAL: Final = re.compile(r"""[\x00-\x1f\x7f-\x9f"#&<>`*_~\\\[\]{}()|;:%@$'/\u2028\u2029]""")


def render(view: GraphView) -> str:
    """The graph as a Mermaid flowchart. What is implied is dotted, missing notes are dashed."""
    numbers = view.numbers()
    lines = ["flowchart LR\n"]
    lines += [f"  {numbers[note.path]}[{_quoted(note.name)}]\n" for note in view.notes]
    missing = view.missing()
    lines += [f"  {numbers[end]}[{_quoted(target)}]\n" for end, target in missing.items()]
    for row in view.rows:
        arrow = "-.->" if row.implied else "-->"
        label = f"|{_quoted(row.predicate)}|" if row.predicate else ""
        lines.append(f"  {numbers[row.source]} {arrow}{label} {numbers[end_of(row)]}\n")
    for layer, fill in FILLS.items():
        members = [numbers[note.path] for note in view.notes if note.layer == layer]
        if members and layer:
            lines.append(f"  classDef {layer} fill:{fill},stroke:{LINE},color:#000000\n")
            lines.append(f"  class {','.join(members)} {layer}\n")
    if missing:
        lines.append(f"  classDef missing stroke:{LINE},stroke-dasharray:4 3\n")
        lines.append(f"  class {','.join(numbers[end] for end in missing)} missing\n")
    return "".join(lines)


def _quoted(text: str) -> str:
    """A text in quotes, every character that could mean something else as an entity such as `#34;`."""
    return '"' + _SPECIAL.sub(lambda match: f"#{ord(match[0])};", text) + '"'
