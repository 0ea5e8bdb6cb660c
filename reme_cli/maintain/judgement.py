"""What a model judged of overloaded notes, remembered by the stamp of each: a note that did not change is not judged again.

Kept in `metadata/judgements.json`. A file that cannot be read is forgotten: the notes are judged again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.changeset.lock import vault_lock
from reme_cli.changeset.state import read_state, write_state

if TYPE_CHECKING:
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault

_PLACE: Final = ("judgements.json",)
_SCHEMA: Final = 1


class Cluster(NamedTuple):
    """One of the topics of an overloaded note."""

    title: str
    reason: str


class Judgement(NamedTuple):
    """Whether a note holds several topics, and which."""

    is_overloaded: bool
    clusters: tuple[Cluster, ...]


def remembered(vault: Vault, note: Note) -> Judgement | None:
    """What was judged of this very text of the note; `None` where nothing was."""
    entry = _entries(vault).get(note.path)
    try:
        if not isinstance(entry, dict) or entry["stamp"] != note.stamp:
            return None
        clusters = tuple(Cluster(str(each["title"]), str(each["reason"])) for each in entry["clusters"])
        return Judgement(entry["is_overloaded"] is True, clusters)
    except (KeyError, TypeError):
        return None


def remember(vault: Vault, note: Note, judgement: Judgement) -> None:
    """Keeps a judgement, and lets go of those about notes that are gone. Raises `VaultUnwritable`, `Busy`."""
    with vault_lock(vault):
        entries = {path: entry for path, entry in _entries(vault).items() if vault.locate(path).exists()}
        entries[note.path] = {
            "stamp": note.stamp,
            "is_overloaded": judgement.is_overloaded,
            "clusters": [cluster._asdict() for cluster in judgement.clusters],
        }
        value = {"schema": _SCHEMA, "notes": dict(sorted(entries.items()))}
        write_state(vault, _PLACE, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def _entries(vault: Vault) -> dict[str, object]:
    try:
        value = json.loads(read_state(vault, _PLACE) or b"{}")
        notes = value["notes"] if value.get("schema") == _SCHEMA else {}
    except (OSError, ValueError, KeyError, AttributeError, RecursionError):
        return {}
    return dict(notes) if isinstance(notes, dict) else {}
