"""The paragraphs of a text, as a model is shown them."""

from __future__ import annotations

from typing import Final

from reme_cli.regex import regex

PARAGRAPH: Final = regex(r"[^\r\n]*\S[^\r\n]*(?:\r?\n[^\r\n]*\S[^\r\n]*)*")
"""Lines without a blank one between them."""
