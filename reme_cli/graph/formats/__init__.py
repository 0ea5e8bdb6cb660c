"""Formats of a graph: one module each, with `render`, a pure function of a view."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.graph.view import GraphView


def renderer(form: str) -> Callable[[GraphView], str]:
    """What writes a view as `tree`, `dot`, `mermaid` or `graphml`. Raises `KeyError` for any other name."""
    from reme_cli.graph.formats import dot, graphml, mermaid, tree

    return {"tree": tree.render, "dot": dot.render, "mermaid": mermaid.render, "graphml": graphml.render}[
        form
    ]
