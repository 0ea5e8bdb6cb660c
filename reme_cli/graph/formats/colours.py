"""The colours of the layers where a format has colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

FILLS: Final[Mapping[str | None, str]] = {
    "digest": "#dbe7ff",
    "daily": "#fdeccb",
    "resource": "#d6f2e3",
    None: "#eeeeee",
}
"""Behind black text, which all of them leave at a contrast above 15."""
LINE: Final = "#666666"
