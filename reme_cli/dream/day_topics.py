"""The stage of a dream that settles a day's topics in its `interests.yaml`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reme_cli.changeset.change_set import REDOS
from reme_cli.changeset.edit import Edit
from reme_cli.dream import interests
from reme_cli.dream.catalog import Reading
from reme_cli.dream.inputs import window
from reme_cli.dream.topics import Select, Standing, settle
from reme_cli.errors import (
    AlreadyExists,
    Conflict,
    ModelError,
    ModelReplyUnusable,
    NoteError,
    NoteNotFound,
    Refused,
)
from reme_cli.graph.conservation import Data
from reme_cli.vault.stamp import ABSENT, stamp_of
from reme_cli.vault.topic_list import FILE_NAME

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Sequence

    from reme_cli.dream.engine import TopicRound
    from reme_cli.dream.unit import Topic
    from reme_cli.dream.workplace import Workplace
    from reme_cli.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class Settled:
    """How the stage ended; `done` is false where the candidates wait for another run."""

    topics: tuple[Topic, ...] = ()
    written: Reading | None = None
    """The catalog's entry of the day's file, where it was written."""
    done: bool = True
    error: str | None = None
    broken: ModelError | None = None
    warnings: tuple[str, ...] = ()


def interests_path(vault: Vault, date: str) -> str:
    """Where a day's topics are."""
    return f"{vault.config.folders.daily}/{date}/{FILE_NAME}"


def read_interests(
    vault: Vault, date: str, read_bytes: Callable[[str], bytes] | None = None
) -> interests.Interests | None:
    """A day's topics as its file has them, `None` without a file. Raises `NoteError`, `PathRefused`.

    `read_bytes` gives a file's bytes; the vault does, unless a run sees it differently.
    """
    path = interests_path(vault, date)
    try:
        text = (read_bytes or vault.read_bytes)(path).decode()
    except NoteNotFound:
        return None
    except UnicodeDecodeError as error:
        raise NoteError(f"cannot be read: {error}", where=path, hint="Mend it or remove the file.") from error
    return interests.read(text, path)


def settle_topics(date: dt.date, candidates: Sequence[Topic], place: Workplace) -> Settled:
    """Settle the day's topics from its candidates. What goes wrong stays in this stage."""
    if not candidates:
        return Settled()
    warnings: list[str] = []

    def select(pool: Sequence[Topic], around: TopicRound) -> tuple[Topic, ...]:
        try:
            return place.engine.select_topics(pool, around)
        except ModelReplyUnusable as error:
            warnings.append(f"topics of {date}: chosen without the model, {error.what}")
            return tuple(pool)

    for _ in range(1 + REDOS):
        try:
            settled = _settle_once(date, candidates, place, select, warnings)
            return replace(settled, warnings=tuple(warnings))
        except (Conflict, AlreadyExists):
            continue
        except ModelError as error:
            return Settled(done=False, broken=error, warnings=tuple(warnings))
        except (NoteError, Refused) as error:
            return Settled(done=False, error=error.one_line, warnings=tuple(warnings))
    path = interests_path(place.vault, date.isoformat())
    return Settled(done=False, error=f"{path}: the file changed each time it was to be written")


def _settle_once(
    date: dt.date,
    candidates: Sequence[Topic],
    place: Workplace,
    select: Select,
    warnings: list[str],
) -> Settled:
    options = place.options
    day = date.isoformat()
    before = read_interests(place.vault, day, place.read_bytes)
    # a run that was killed behind this stage wrote some of these candidates without noting their marks
    written = {*place.catalog.topics.get(day, ()), *(topic.mark for topic in candidates)}
    standing = Standing(
        date,
        options.topic_count,
        options.topic_diversity_days,
        before.topics if before else (),
        before.untouched(written) if before else frozenset(),
        _recent(date, place, warnings),
    )
    topics = settle(candidates, standing, select)
    facts = (date, options.topic_count, options.topic_diversity_days, topics)
    text = interests.revise(before, *facts) if before else interests.render(*facts)
    own = tuple(topic.mark for topic in topics if topic.mark in written)
    place.catalog = replace(place.catalog, topics={**place.catalog.topics, day: own})
    if (before is None and not topics) or (before is not None and text == before.text):
        return Settled(topics)
    path = interests_path(place.vault, day)
    expected = stamp_of(before.text.encode()) if before is not None else ABSENT
    place.write(Edit(path, text, expected, Data()))
    # the stamp of what was written, not of what is on disk by the time the run ends
    stamp = stamp_of(text.encode())
    return Settled(topics, Reading(path, stamp, stamp))


def _recent(date: dt.date, place: Workplace, warnings: list[str]) -> tuple[Topic, ...]:
    """The topics of the days before, the latest day first; a file that cannot be read is passed over with a warning."""
    found: list[Topic] = []
    for day in reversed(window(date, place.options.topic_diversity_days + 1)[:-1]):
        try:
            before = read_interests(place.vault, day, place.read_bytes)
        except (NoteError, Refused) as error:
            warnings.append(error.one_line)
            continue
        found += before.topics if before else ()
    return tuple(found)
