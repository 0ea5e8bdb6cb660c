"""The unified diff of two texts of a file."""

from __future__ import annotations

import difflib


def unified_diff(path: str, before: str | None, after: str | None) -> str:
    """The diff as `git` writes it, empty for equal texts; `None` is a file that does not exist.

    Lines end only at `\\n`: a carriage return is shown as part of its line, so that a changed line ending is seen.
    """
    if before == after:
        return ""
    lines = difflib.unified_diff(
        _lines(before),
        _lines(after),
        "/dev/null" if before is None else f"a/{path}",
        "/dev/null" if after is None else f"b/{path}",
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(text: str | None) -> list[str]:
    return [] if not text else [line + "\n" for line in text[:-1].split("\n")[:-1]] + [_last(text)]


def _last(text: str) -> str:
    return text[text.rfind("\n", 0, len(text) - 1) + 1 :]
