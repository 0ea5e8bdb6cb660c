"""Keys: what a link and the path it resolves to always have in common.

A key is the last part of a path or target, folded and without `.md`. Links of a key can only lead to notes and files of the same
key, so that it tells which links a new, moved or deleted note can touch.
"""

from __future__ import annotations

from reme_cli.vault.paths import fold, folder_of, name_of
from reme_cli.vault.resolve import is_url


def link_key(target: str, source: str) -> str:
    """The folded last part of a link's target without `.md`: a link can only lead to a note or file of the same key.

    Empty where the target names no file. `..` and `.` are followed from the source's folder.
    """
    if not target or is_url(target):
        return ""
    last = name_of(target.rstrip("/"))
    if last in {"", ".", ".."}:
        last = _last_part(f"{folder_of(source)}/{target}")
    return _without_suffix(fold(last))


def path_key(path: str) -> str:
    """The key of a note or file, to be compared with `link_key`."""
    return _without_suffix(fold(name_of(path)))


def _last_part(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in {"", "."}:
            parts.append(part)
    return parts[-1] if parts else ""


def _without_suffix(name: str) -> str:
    # every one of them, since `[[a.md]]` may mean both `a.md` and `a.md.md`
    while name.endswith(".md"):
        name = name[:-3]
    return name
