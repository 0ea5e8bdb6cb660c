"""What a model judged of overloaded notes, remembered by the stamp of each: a note that did not change is not judged again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.errors import VaultUnwritable
from reme_cli.index.judgements import Judgements, digest_of

if TYPE_CHECKING:
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault


class Cluster(NamedTuple):
    """One of the topics of an overloaded note."""

    title: str
    reason: str


class Judgement(NamedTuple):
    """Whether a note holds several topics, and which."""

    is_overloaded: bool
    clusters: tuple[Cluster, ...]


def remembered(vault: Vault, note: Note) -> Judgement | None:
    """What the configured model judged of this very text of the note; `None` where it judged nothing. Raises `Busy`."""
    digest = _digest(vault, note)
    with Judgements.open(vault, _untold) as judgements:
        said = judgements.known([digest]).get(digest)
    try:
        entry = json.loads(said or "null")
        clusters = tuple(Cluster(str(each["title"]), str(each["reason"])) for each in entry["clusters"])
        return Judgement(entry["is_overloaded"] is True, clusters)
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


def remember(vault: Vault, note: Note, judgement: Judgement) -> None:
    """Keeps a judgement, where it can be kept. Raises `Busy`."""
    value = {
        "is_overloaded": judgement.is_overloaded,
        "clusters": [cluster._asdict() for cluster in judgement.clusters],
    }
    try:
        with Judgements.open(vault, _untold) as judgements:
            judgements.keep({_digest(vault, note): json.dumps(value, ensure_ascii=False)})
    except VaultUnwritable:
        return  # what the split itself writes tells of it; else it is judged again


def _digest(vault: Vault, note: Note) -> bytes:
    return digest_of("judge_overload", vault.config.llm.model or "", note.path, note.stamp)


def _untold(_warning: str) -> None:
    """Judgements that were lost are made again, as those that never were made."""
