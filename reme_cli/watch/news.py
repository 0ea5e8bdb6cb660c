"""What a watcher tells: for a person, and as JSON with one object on a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from reme_cli.linking.report import as_json as links_json
from reme_cli.lint.formats.json import lint_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reme_cli.linking.report import L1Report
    from reme_cli.lint.report import Report


class Watching(NamedTuple):
    """It has begun, or begun again."""

    root: str
    notes: int
    by: str
    """`events` or `polling`."""


class Saved(NamedTuple):
    """A person saved a note."""

    path: str
    report: Report
    """With its findings only."""


class Removed(NamedTuple):
    """A note is gone."""

    path: str


class Linked(NamedTuple):
    """What linking the notes that were saved came to."""

    report: L1Report


class Waiting(NamedTuple):
    """A note is linked later, since an editor has it open."""

    path: str
    marker: str
    """The file that says so."""


class Many(NamedTuple):
    """So much changed at once that no person saved it note by note: it was only taken into the index."""

    added: int
    changed: int
    removed: int


class Failed(NamedTuple):
    """Something did not work; the watcher goes on."""

    what: str


News: TypeAlias = Watching | Saved | Removed | Linked | Waiting | Many | Failed


def as_json(news: News, time: str) -> dict[str, object]:
    """One line of `--json`, keys in a stable order: docs/schemas/watch.schema.json."""
    return {"schema": 1, "event": type(news).__name__.lower(), "time": time, **_fields(news)}


def _fields(news: News) -> Mapping[str, object]:
    match news:
        case Watching():
            return {"vault": news.root, "notes": news.notes, "by": news.by}
        case Saved():
            findings = lint_json(news.report)
            return {"path": news.path, "findings": findings["findings"], "counts": findings["counts"]}
        case Linked():
            told = links_json(news.report)
            names = ("run", "dry_run", "changed", "linked", "not_linked")
            diff = news.report.diff if news.report.dry_run else None
            return {**{name: told[name] for name in names}, "diff": diff}
        case Removed() | Waiting() | Many() | Failed():
            return news._asdict()
