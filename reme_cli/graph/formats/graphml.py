"""GraphML, which Gephi, yEd and NetworkX read: http://graphml.graphdrawing.org/primer/graphml-primer.html."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.graph.view import end_of

if TYPE_CHECKING:
    from reme_cli.graph.view import GraphView

_KEYS: Final = (
    ("node", "name", "string"),
    ("node", "path", "string"),
    ("node", "description", "string"),
    ("node", "layer", "string"),
    ("node", "bucket", "string"),
    ("node", "missing", "boolean"),
    ("edge", "predicate", "string"),
    ("edge", "implied", "boolean"),
    ("edge", "depth", "int"),
    ("edge", "place", "string"),
)
_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    + "".join(
        f'  <key id="{kind}_{name}" for="{kind}" attr.name="{name}" attr.type="{form}"/>\n'
        for kind, name, form in _KEYS
    )
    + '  <graph id="notes" edgedefault="directed">\n'
)
# https://www.w3.org/TR/xml/#charsets has no place for these, not even escaped
_IMPOSSIBLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def render(view: GraphView) -> str:
    """The graph as GraphML. A character that XML cannot hold becomes U+FFFD."""
    numbers = view.numbers()
    parts = [_HEAD]
    for note in view.notes:
        fields = {
            "name": note.name,
            "path": note.path,
            "description": note.description,
            "layer": note.layer or "",
            "bucket": note.bucket or "",
        }
        parts.append(f'    <node id="{numbers[note.path]}">{_data("node", fields)}</node>\n')
    for end, target in view.missing().items():
        fields = {"name": target, "missing": "true"}
        parts.append(f'    <node id="{numbers[end]}">{_data("node", fields)}</node>\n')
    for number, row in enumerate(view.rows):
        fields = {
            "predicate": row.predicate or "",
            "implied": "true" if row.implied else "",
            "depth": str(row.depth),
            "place": row.place,
        }
        ends = f'source="{numbers[row.source]}" target="{numbers[end_of(row)]}"'
        parts.append(f'    <edge id="e{number}" {ends}>{_data("edge", fields)}</edge>\n')
    return "".join([*parts, "  </graph>\n</graphml>\n"])


def _data(kind: str, fields: dict[str, str]) -> str:
    return "".join(
        f'<data key="{kind}_{name}">{_escaped(value)}</data>' for name, value in fields.items() if value
    )


def _escaped(text: str) -> str:
    text = _IMPOSSIBLE.sub("\ufffd", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;")  # a parser turns a bare one into a newline
