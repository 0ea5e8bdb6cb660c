"""A day's topics for whoever acts on them: `reme proactive`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from reme_cli.dream.day_topics import interests_path, read_interests
from reme_cli.errors import NoteError, Refused

if TYPE_CHECKING:
    import datetime as dt

    from reme_cli.dream.unit import Topic
    from reme_cli.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class Proactive:
    """The topics of a day. `skipped` where there is no file; `content` is the file's text, if it was asked for."""

    date: str
    path: str
    topics: tuple[Topic, ...] = ()
    content: str | None = None
    skipped: bool = False
    error: str | None = None

    @property
    def summary(self) -> str:
        """One line for a person."""
        if self.error:
            return f"the topics of {self.date} cannot be read: {self.error}"
        if self.skipped:
            return f"no topics for {self.date}: {self.path} does not exist"
        number = len(self.topics)
        return f"{number or 'no'} topic{'' if number == 1 else 's'} for {self.date}"

    @property
    def exit_code(self) -> int:
        """2 where the file cannot be read."""
        return 2 if self.error else 0


def proactive(vault: Vault, date: dt.date, *, include_content: bool = True) -> Proactive:
    """The topics of `date` as its `interests.yaml` has them."""
    day = date.isoformat()
    path = interests_path(vault, day)
    try:
        found = read_interests(vault, day)
    except (NoteError, Refused) as error:
        return Proactive(day, path, error=error.one_line)
    if found is None:
        return Proactive(day, path, skipped=True)
    return Proactive(day, path, found.topics, found.text if include_content else None)


def as_json(found: Proactive) -> dict[str, object]:
    """The versioned JSON object (`"schema": 1`), keys in a stable order."""
    return {
        "schema": 1,
        "date": found.date,
        "path": found.path,
        "topics": [asdict(topic) for topic in found.topics],
        "content": found.content,
        "skipped": found.skipped,
        "error": found.error,
        "summary": found.summary,
    }
