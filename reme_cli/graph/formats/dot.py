"""Graphviz DOT: https://graphviz.org/doc/info/lang.html."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.graph.formats.colours import FILLS, LINE
from reme_cli.graph.view import end_of

if TYPE_CHECKING:
    from reme_cli.graph.view import GraphView

_HEAD: Final = f"""digraph notes {{
  node [shape=box, style="rounded,filled", fillcolor="{FILLS[None]}", color="{LINE}", fontname="Helvetica"];
  edge [color="{LINE}", fontname="Helvetica", fontsize=10];
"""


def render(view: GraphView) -> str:
    """The graph as DOT. A note's label is its name, its tooltip the path; what is implied or missing is dashed."""
    numbers = view.numbers()
    # layers of ranks suit what is walked from a note; of a whole vault they would take hours
    lines = ["  layout=sfdp; overlap=prism;\n" if view.start is None else "  rankdir=LR;\n"]
    for note in view.notes:
        start = ", penwidth=2" if note.path == view.start else ""
        fill = f', fillcolor="{FILLS[note.layer]}"' if note.layer else ""
        lines.append(
            f"  {numbers[note.path]} [label={_quoted(note.name)}, tooltip={_quoted(note.path)}{fill}{start}];\n"
        )
    lines += [
        f'  {numbers[end]} [label={_quoted(target)}, tooltip="missing", style="rounded,dashed"];\n'
        for end, target in view.missing().items()
    ]
    for row in view.rows:
        label = [f"label={_quoted(row.predicate)}"] if row.predicate else []
        attributes = ", ".join(
            [*label, f"edgetooltip={_quoted(row.place)}", *(["style=dashed"] if row.implied else [])]
        )
        lines.append(f"  {numbers[row.source]} -> {numbers[end_of(row)]} [{attributes}];\n")
    return "".join([_HEAD, *lines, "}\n"])


def _quoted(text: str) -> str:
    """A quoted escString: in one, a backslash begins an escape such as `\\N`. No string can hold a NUL."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "\ufffd")
    return '"' + escaped.replace("\r", "\\r").replace("\n", "\\n") + '"'
