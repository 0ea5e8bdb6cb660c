"""Which note each link row leads to: kept in the rows, and found again for just the links that a change can touch.

A link and what it resolves to have the same key (`keys.link_key`, `keys.path_key`). So when paths come or go, only the
links of those keys can change, and the paths of those keys suffice to resolve them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from reme_cli.vault.link import bare_link
from reme_cli.vault.paths import folder_of
from reme_cli.vault.resolve import Names

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from reme_cli.config import LinkResolution
    from reme_cli.vault.link import Link, LinkKind

_LINK_ROWS = (
    "SELECT links.note, links.ordinal, notes.path, links.kind, links.target, links.resolved, links.file, links.is_note"
    " FROM links JOIN notes ON notes.id = links.note WHERE links.key <> ''"
)


def all_names(connection: sqlite3.Connection, resolution: LinkResolution) -> Names:
    """All paths that the index knows, in which links resolve."""
    notes = [path for (path,) in connection.execute("SELECT path FROM notes")]
    files = [path for (path,) in connection.execute("SELECT path FROM files")]
    return Names(notes, files, resolution=resolution)


def resolved(link: Link, source: str, names: Names) -> tuple[str | None, str | None, bool]:
    """What a link leads to: the path of a note, or that of another file, and whether it means a note at all."""
    found = names.resolve(link, source)
    if found.path is None or found.is_note:
        return found.path, None, found.is_note
    return None, found.path, False


def resolve_touched(
    connection: sqlite3.Connection, resolution: LinkResolution, keys: Iterable[str], notes: Iterable[int]
) -> None:
    """Resolves the links of these keys and those inside these notes, among the names that they can mean."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS touched_keys (key TEXT PRIMARY KEY) WITHOUT ROWID")
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS touched_notes (note INTEGER PRIMARY KEY)")
    connection.execute("DELETE FROM touched_keys")
    connection.execute("DELETE FROM touched_notes")
    connection.executemany("INSERT OR IGNORE INTO touched_keys VALUES (?)", ((key,) for key in keys))
    connection.executemany("INSERT OR IGNORE INTO touched_notes VALUES (?)", ((note,) for note in notes))
    rows = connection.execute(
        f"{_LINK_ROWS} AND links.key IN (SELECT key FROM touched_keys)"  # noqa: S608  constants only
        f" UNION {_LINK_ROWS} AND links.note IN (SELECT note FROM touched_notes)"
    ).fetchall()
    connection.execute(
        "INSERT OR IGNORE INTO touched_keys SELECT key FROM links WHERE note IN (SELECT note FROM touched_notes)"
    )
    ids = dict(
        connection.execute(
            "SELECT path, id FROM notes WHERE key IN (SELECT key FROM touched_keys)"
        ).fetchall()
    )
    files = connection.execute(
        "SELECT path FROM files WHERE key IN (SELECT key FROM touched_keys)"
    ).fetchall()
    names = Names(ids, (path for (path,) in files), resolution=resolution)
    _resolve(connection, names, ids, rows)


def _resolve(
    connection: sqlite3.Connection, names: Names, ids: dict[str, int], rows: Iterable[tuple[object, ...]]
) -> None:
    known: dict[tuple[str, str, str], tuple[int | None, str | None, bool]] = {}
    changed = []
    for note, ordinal, source, kind, target, *before in rows:
        assert isinstance(source, str)
        assert isinstance(target, str)
        # of the source, only its folder makes a difference
        question = (target, str(kind), folder_of(source))
        answer = known.get(question)
        if answer is None:
            note_path, file, is_note = resolved(bare_link(target, cast("LinkKind", kind)), source, names)
            answer = (ids[note_path] if note_path else None, file, is_note)
            known[question] = answer
        if answer != tuple(before):
            changed.append((*answer, note, ordinal))
    connection.executemany(
        "UPDATE links SET resolved = ?, file = ?, is_note = ? WHERE note = ? AND ordinal = ?", changed
    )
