"""The unified diff of two texts of a file."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CONTEXT: Final = 3
"""Lines around a change that are shown, as `git` does."""


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
    return "".join(map(_ended, lines))


def diff_in_lines(path: str, before: str, after: str) -> str:
    """The same for two texts of as many lines, each of which is the same one before and after: without a search for it."""
    old, new = _lines(before), _lines(after)
    changed = [at for at, lines in enumerate(zip(old, new, strict=True)) if lines[0] != lines[1]]
    if not changed:
        return ""
    parts = [f"--- a/{path}\n+++ b/{path}\n"]
    for hunk in _near(changed, 2 * _CONTEXT):
        start, end = max(0, hunk[0] - _CONTEXT), min(len(old), hunk[-1] + _CONTEXT + 1)
        extent = f"{start + 1},{end - start}" if end - start > 1 else f"{start + 1}"
        parts.append(f"@@ -{extent} +{extent} @@\n")
        for run in _near(hunk, 0):
            first, behind = run[0], run[-1] + 1
            parts += (f" {line}" for line in old[start:first])
            parts += (f"-{line}" for line in old[first:behind])
            parts += (f"+{line}" for line in new[first:behind])
            start = behind
        parts += (f" {line}" for line in old[start:end])
    return "".join(map(_ended, parts))


def _near(places: Sequence[int], gap: int) -> Iterator[list[int]]:
    """The places in groups: in each, so many others are between one and the next at most."""
    group: list[int] = []
    for place in places:
        if group and place - group[-1] > gap + 1:
            yield group
            group = []
        group.append(place)
    yield group


def renaming(source: str, path: str, *, is_same: bool = True) -> str:
    """What `git` writes for a file that has another path; where its content is not the same, the diff of that follows."""
    similarity = "similarity index 100%\n" if is_same else ""
    return f"diff --git a/{source} b/{path}\n{similarity}rename from {source}\nrename to {path}\n"


def _lines(text: str | None) -> list[str]:
    return [] if not text else [line + "\n" for line in text[:-1].split("\n")[:-1]] + [_last(text)]


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _last(text: str) -> str:
    return text[text.rfind("\n", 0, len(text) - 1) + 1 :]
