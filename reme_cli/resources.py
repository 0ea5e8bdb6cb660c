"""The files that come with reme: its prompts and the vault template."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(*parts: str) -> Path:
    """The place of a shipped file or folder, such as `resource("prompts", "en", "extract.md")`.

    In an installed wheel these lie in the package, in a checkout beside it. The file may not exist.
    """
    installed = _PACKAGE / "_resources"
    return (installed if installed.is_dir() else _PACKAGE.parent).joinpath(*parts)
