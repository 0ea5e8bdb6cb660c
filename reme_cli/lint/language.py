"""In which language findings are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reme_cli.index.index import Index
    from reme_cli.lint.rule import Language


def report_language(index: Index) -> Language:
    """The configured language; of `auto`, that of the notes, by their names, titles and descriptions."""
    configured = index.vault.config.language
    if configured != "auto":
        return configured
    from reme_cli.llm.prompts import choose_language  # a vault that did not change keeps its language

    names = index.read(lambda connection: connection.execute("SELECT text FROM names").fetchall())
    described = index.read(lambda connection: connection.execute("SELECT description FROM notes").fetchall())
    return choose_language("auto", "\n".join(text for (text,) in (*names, *described)))
