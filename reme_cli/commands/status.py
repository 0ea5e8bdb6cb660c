"""`reme status`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.commands.session import Session
from reme_cli.output import counted
from reme_cli.overview import HOW_TO_FOLLOW_UP, Overview, as_json, overview

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.search.coverage import Coverage

EXAMPLES = ("reme status", "reme status --json")

DAYS_SHOWN = 5
JOBS = {"D3": "to check for size", "L1": "to link with others"}
"""What a follow-up does with a note, by its kind."""


def status(session: Session) -> None:
    """Show the vault at a glance.

    Notes by layer and bucket, daily notes that auto_dream has not read yet, what waits or was set aside after
    failing, the last runs, and the state of the index.
    """
    vault = session.open_vault()
    with session.open_index(vault) as index:
        seen = index.answer(lambda index: overview(vault, index))
    if session.json:
        session.terminal.json(as_json(seen))
        return
    for problem in seen.problems:
        session.terminal.failure(problem)
    for label, text in _lines(seen):
        session.terminal.line(f"{label:12}{text}")


def _lines(seen: Overview) -> Iterator[tuple[str, str]]:
    """What is worth telling, as labels and texts; the label of a continued line is empty."""
    layers = ", ".join(f"{count} {layer}" for layer, count in seen.layers.items() if count)
    yield "vault", seen.vault
    yield "notes", f"{sum(seen.layers.values())}" + (f": {layers}" if layers else "")
    yield "digest", ", ".join(f"{count} {bucket}" for bucket, count in seen.buckets.items())
    yield "to dream", _days(seen.undreamed, "note") or "nothing new"
    if seen.pending_units:
        yield "pending", _days(seen.pending_units, "unit")
    for number, (path, reason) in enumerate(seen.quarantined.items()):
        yield "" if number else "quarantined", f"{path}: {reason}"
    waiting = [(kind, count) for kind, count in seen.jobs.items() if count]
    for number, (kind, count) in enumerate(waiting):
        yield "" if number else "queue", f"{counted(count, 'note')} {JOBS[kind]} ({kind})"
    if waiting:
        yield "", HOW_TO_FOLLOW_UP
    else:
        yield "queue", "empty" if seen.jobs else "unknown"
    for number, run in enumerate(seen.runs):
        counts = ", ".join(f"{count} {outcome}" for outcome, count in run.counts.items())
        yield (
            "" if number else "last runs",
            f"{run.run}  {run.command}: {counts}{' (undone)' if run.undone else ''}",
        )
    yield "index", f"{counted(sum(seen.layers.values()), 'note')}, {seen.index_bytes / 1e6:.1f} MB"
    for path, reason in seen.unreadable.items():
        yield "", f"{path}: {reason}"
    for path in seen.broken_frontmatter:
        yield "", f"{path}: frontmatter is not valid YAML"
    if seen.vectors:
        yield "vectors", _vectors(seen.vectors)


def _vectors(coverage: Coverage) -> str:
    """How many there are, and what has none."""
    texts, missing, unread = coverage
    lacking = [f"{counted(missing, 'passage')} without one"] if missing else []
    lacking += [f"{counted(unread, 'note')} not read yet"] if unread else []
    return f"{texts - missing}" + (f"; {', '.join(lacking)}: `reme index` makes them" if lacking else "")


def _days(counts: dict[str, int], noun: str) -> str:
    """Counts by day, the latest days first."""
    if not counts:
        return ""
    shown = ", ".join(f"{date} ({counts[date]})" for date in sorted(counts, reverse=True)[:DAYS_SHOWN])
    more = ", …" if len(counts) > DAYS_SHOWN else ""
    return f"{counted(sum(counts.values()), noun)}: {shown}{more}"
