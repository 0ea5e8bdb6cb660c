"""The tables of the index.

    notes ─┬─ names      what a note is called: file name, `name`, aliases, `title`, first heading
           ├─ tags
           ├─ passages   one from each heading to the next; the headings themselves
           ├─ links      every occurrence with its spans, and the note it resolves to
           ├─ implied    relations that sentences state, between such links or between one and the note
           └─ fulltext   its tokens, in fields
    files                attachments, that links may name
    facts                which schema and configuration the rows were made by

Everything is derived from the files. A schema of another number is dropped and built again, never migrated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.index.tokenize import FTS_TOKENIZER, VERSION

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID: Final = 0x72656D65
"""`reme` in ASCII: tells our file from any other SQLite database."""

SCHEMA: Final = 100 * VERSION + 4
"""Raised with every change below; a change of the tokenizer counts as one, and so does one of the phrasing table."""

FIELDS: Final = ("name", "aliases", "headings", "properties", "body")
"""The columns of `fulltext`, in order."""

TABLES: Final = f"""
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE notes (
    id          INTEGER PRIMARY KEY,
    path        TEXT NOT NULL UNIQUE,
    key         TEXT NOT NULL,            -- folded file name without .md: what the last part of a link can mean
    size        INTEGER NOT NULL,
    mtime_ns    INTEGER NOT NULL,         -- -1: changed so shortly before it was read that the time proves nothing
    stamp       TEXT NOT NULL,
    name        TEXT NOT NULL,
    description TEXT NOT NULL,
    layer       TEXT,
    bucket      TEXT,
    kind        TEXT,
    date        TEXT,                     -- YYYY-MM-DD, of a daily note or as the frontmatter says
    frontmatter TEXT NOT NULL,            -- none, ok or broken
    problem     TEXT                      -- why it cannot be read; such a note has a path and no content
);

CREATE TABLE files (path TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE names (
    note INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,                   -- file, name, alias, title or heading
    text TEXT NOT NULL, key TEXT NOT NULL,
    PRIMARY KEY (note, ordinal)
) WITHOUT ROWID;

CREATE TABLE tags (note INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (note, tag)) WITHOUT ROWID;

CREATE TABLE passages (
    note INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    level INTEGER NOT NULL,               -- of its heading; 0 before the first one
    heading TEXT NOT NULL,
    line INTEGER NOT NULL, last_line INTEGER NOT NULL,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    PRIMARY KEY (note, ordinal)
) WITHOUT ROWID;

CREATE TABLE links (
    note INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL, target TEXT NOT NULL,
    key TEXT NOT NULL,                    -- of the target's last part, as in notes; empty: within the note, or no path
    anchor TEXT, alias TEXT, predicate TEXT, spelling TEXT,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL, target_start INTEGER NOT NULL, target_end INTEGER NOT NULL,
    line INTEGER NOT NULL, col INTEGER NOT NULL,
    resolved INTEGER,                     -- the note it leads to
    file TEXT,                            -- or the attachment
    is_note INTEGER,                      -- whether it means a note, there or not; null: within the note, or no path
    PRIMARY KEY (note, ordinal)
) WITHOUT ROWID;

CREATE TABLE implied (
    note INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    predicate TEXT NOT NULL,              -- from subject to object
    subject INTEGER, object INTEGER,      -- ordinals of links of the note; null: the note itself
    place INTEGER NOT NULL,               -- of the link by which the sentence says so
    tense TEXT NOT NULL,                  -- past: held once; ended: holds no more; empty else
    PRIMARY KEY (note, ordinal)
) WITHOUT ROWID;

CREATE VIRTUAL TABLE fulltext USING fts5 ({", ".join(FIELDS)}, tokenize="{FTS_TOKENIZER}");
"""

INDEXES: Final = {
    "notes_by_key": "notes (key)",
    "files_by_key": "files (key)",
    "names_by_key": "names (key)",
    "tags_by_tag": "tags (tag)",
    "links_by_key": "links (key)",
    "implied_by_predicate": "implied (predicate)",
    # with the predicate, so that a walk against the links reads no row of them
    "links_by_resolved": "links (resolved, predicate) WHERE resolved IS NOT NULL",
}

OF_A_NOTE: Final = ("names", "tags", "passages", "links", "implied")
"""The tables whose rows go with their note, by column `note`."""


def create(connection: sqlite3.Connection) -> bool:
    """Makes the tables in an open transaction, in the place of whatever tables there are; gives whether there were any."""
    old = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        " ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC"
    ).fetchall()
    for kind, name in old:
        quoted = str(name).replace('"', '""')
        connection.execute(f'DROP {"VIEW" if kind == "view" else "TABLE"} IF EXISTS "{quoted}"')
    for statement in TABLES.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    create_indexes(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")
    return bool(old)


def create_indexes(connection: sqlite3.Connection) -> None:
    """Makes the secondary indexes that are not there."""
    for name, columns in INDEXES.items():
        connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {columns}")


def drop_indexes(connection: sqlite3.Connection) -> None:
    """Takes the secondary indexes away: rows written in bulk are sorted into them faster at the end."""
    for name in INDEXES:
        connection.execute(f"DROP INDEX IF EXISTS {name}")


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether the tables are those of this version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return bool(application == APPLICATION_ID and version == SCHEMA)
