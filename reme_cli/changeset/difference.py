"""The unified diff of two texts of a file."""

from __future__ import annotations

import difflib


def unified_diff(path: str, before: str | None, after: str | None, *, source: str | None = None) -> str:
    """The diff as `git` writes it, empty for equal texts; `None` is a file that does not exist.

    `source` is the path that the file had before, where it has another one now.

    Lines end only at `\\n`: a carriage return is shown as part of its line, so that a changed line ending is seen.
    """
    if before == after:
        return ""
    lines = difflib.unified_diff(
        _lines(before),
        _lines(after),
        "/dev/null" if before is None else f"a/{source or path}",
        "/dev/null" if after is None else f"b/{path}",
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def renaming(source: str, path: str, *, is_same: bool = True) -> str:
    """What `git` writes for a file that has another path; where its content is not the same, the diff of that follows."""
    similarity = "similarity index 100%\n" if is_same else ""
    return f"diff --git a/{source} b/{path}\n{similarity}rename from {source}\nrename to {path}\n"


def _lines(text: str | None) -> list[str]:
    return [] if not text else [line + "\n" for line in text[:-1].split("\n")[:-1]] + [_last(text)]


def _last(text: str) -> str:
    return text[text.rfind("\n", 0, len(text) - 1) + 1 :]
