"""The signals that say a digest needs care, and the rules of lint that find them.

| signal | meaning |
|---|---|
| D1 | a link whose target does not exist |
| D3 | a note that is so long that it may hold several topics |
| D10 | a digest note without a source, or whose source does not exist |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.vault.tokens import estimate_tokens, may_exceed

if TYPE_CHECKING:
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault

SIGNALS: Final = {"D1": ("L001",), "D3": ("S004",), "D10": ("P001", "P002")}
"""The codes of lint by signal."""

CODES: Final = tuple(code for codes in SIGNALS.values() for code in codes)


def overload(vault: Vault, note: Note) -> int | None:
    """The estimated tokens of a digest note that has more than `maintain.overload_tokens`; `None` for any other."""
    limit = vault.config.maintain.overload_tokens
    if vault.layer(note.path) != "digest" or not may_exceed(note.text, limit):
        return None
    tokens = estimate_tokens(note.text)
    return tokens if tokens > limit else None
