"""One unit becomes one digest note: recall, decide, check, land by compare-and-swap, or say why not."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reme_cli.changeset.change_set import REDOS
from reme_cli.changeset.edit import Edit
from reme_cli.digest import note as digest_note
from reme_cli.dream.engine import Desk, NotProposed
from reme_cli.dream.progress import Progress, untold
from reme_cli.dream.report import IntegratedUnit
from reme_cli.errors import (
    AlreadyExists,
    Conflict,
    ModelError,
    ModelReplyUnusable,
    NoteError,
    NoteNotFound,
    Refused,
)
from reme_cli.graph.conservation import E1, Create
from reme_cli.vault.paths import fold, slugify
from reme_cli.vault.stamp import ABSENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.dream.catalog import OpenUnit
    from reme_cli.dream.engine import Refusal
    from reme_cli.dream.unit import Proposal, Unit
    from reme_cli.dream.workplace import Workplace
    from reme_cli.search.hit import NodeHit
    from reme_cli.vault.resolve import Names

RECALL: Final = 12
"""Digest notes that a unit is shown."""
SAME_NAME: Final = 85
"""From this rapidfuzz token-set ratio on, two names may mean one abstraction: the unit is decided once more."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A unit that did not land. `own` tells a fault of the unit's, which counts, from one of the world's, which does not."""

    unit: Unit
    reason: str
    own: bool


Outcome = IntegratedUnit | Failed


def integrate_all(
    units: Sequence[OpenUnit], place: Workplace, progress: Progress = untold
) -> tuple[list[Outcome], ModelError | None]:
    """The outcome of each unit in order, and why the model cannot be used any more, if so.

    `progress` is told the name of each unit as it begins. Units not reached by then are `Failed` without a fault of their own. Raises `VaultUnwritable` and `Busy`: what was
    integrated by then is in the audit.
    """
    engine = place.engine
    broken: list[ModelError] = []
    done = 0
    telling = threading.Lock()

    def one(item: OpenUnit) -> Outcome:
        nonlocal done
        if broken:
            return Failed(item.unit, broken[0].what, own=False)
        with telling:
            progress(item.unit.name, done, len(units))
        outcome = attempt(item)
        with telling:
            done += 1
        return outcome

    def attempt(item: OpenUnit) -> Outcome:
        try:
            return integrate(item.unit, place)
        except ModelReplyUnusable as error:
            refusal = error.refusal if isinstance(error, NotProposed) else None
            return _failed(item.unit, error.one_line, place, refusal)
        except ModelError as error:
            broken.append(error)
            return Failed(item.unit, error.what, own=False)
        except (Refused, NoteError) as error:
            return _failed(item.unit, error.one_line, place)

    if engine.parallel == 1 or len(units) < 2:
        outcomes = [one(item) for item in units]
    else:
        with ThreadPoolExecutor(min(engine.parallel, len(units)), "integrate") as threads:
            try:
                outcomes = list(threads.map(one, units))
            except BaseException:
                place.stop()
                threads.shutdown(wait=False, cancel_futures=True)
                raise
    return outcomes, broken[0] if broken else None


def integrate(unit: Unit, place: Workplace) -> IntegratedUnit:
    """Land one unit. Raises `Refused` when its write is not allowed, `Conflict` after three redos, `ModelError`."""
    query = "\n".join((unit.name, unit.summary, " ".join(unit.keywords)))
    remark = ""
    redos = 0
    first: Sequence[NodeHit] = ()
    told = decided_again = False
    while True:
        seen = len(place.written)
        hits = _merged(first, place.search(query, RECALL))
        desk = Desk(hits, place.read, place.search, place.names(), place.vault.config.folders.digest, remark)
        proposal = place.engine.propose(unit, desk)
        try:
            with place.landing:
                if proposal.action == "CREATE" and not decided_again:
                    first = _rivals(unit, query, place, place.written[seen:])
                    decided_again = bool(first)
                    if first:
                        continue
                return _land(unit, proposal, place)
        except (Conflict, AlreadyExists) as error:
            redos += 1
            if redos > REDOS:
                raise Conflict(
                    "the note changed each time while the unit was being decided",
                    where=error.where,
                    hint="The unit is kept and tried again by the next run.",
                ) from error
        except Refused as error:
            # a model gets back once what is wrong
            if told:
                raise
            told = True
            remark = f"Your last proposal was not written: {error}"


def _land(unit: Unit, proposal: Proposal, place: Workplace) -> IntegratedUnit:
    """Check and write a proposal. For the holder of `place.landing`."""
    path = proposal.path
    names = place.names().with_changes(added=[path])
    before = _before(proposal, place)
    if proposal.action == "SKIP":
        return _skip(unit, proposal, names, place)
    if before is None:
        path = digest_note.new_path(place.vault, path)
    elif place.vault.layer(path) != "digest":
        raise Refused("only digest notes can be changed", where=path)
    text = digest_note.finished(place.vault, path, before, proposal.text, unit.paths, names)
    if text == before:
        return _skip(unit, proposal, names, place)
    edit = Edit(path, text, proposal.expected, Create() if before is None else E1(), unit=unit.id)
    applied = place.write(edit)
    place.written.append(path)
    return IntegratedUnit(
        unit.id,
        unit.name,
        proposal.action,
        path,
        tuple(map(str, applied.edges_added)) if applied else (),
        digest_note.broken_links(path, text, names),
    )


def _before(proposal: Proposal, place: Workplace) -> str | None:
    """The text that the proposal was planned on. Raises `Conflict` where the note is another by now."""
    if proposal.expected == ABSENT:
        return None
    try:
        note = place.read(proposal.path)
    except NoteNotFound as error:
        raise Conflict("the note is gone", where=proposal.path) from error
    if note.stamp != proposal.expected:
        raise Conflict("the note changed since it was read", where=proposal.path)
    return note.text


def _skip(unit: Unit, proposal: Proposal, names: Names, place: Workplace) -> IntegratedUnit:
    """Leave the note as it is, which is right only where it cites every source."""
    note = place.read(proposal.path)
    if uncited := digest_note.missing_sources(note.path, note.text, unit.paths, names):
        raise Refused(
            f"a unit is skipped only where its sources are cited: {', '.join(uncited)}", where=note.path
        )
    if not place.options.dry_run:
        place.run.record(note.path, "skipped", reason="the note already says it", unit=unit.id)
    return IntegratedUnit(unit.id, unit.name, "SKIP", note.path)


def _rivals(unit: Unit, query: str, place: Workplace, written: Sequence[str]) -> list[NodeHit]:
    """The notes that others wrote while this unit was being decided and whose name is nearly its own."""
    if not written:
        return []
    from rapidfuzz import fuzz  # only where units are integrated side by side

    name = fold(unit.name)
    return [
        hit
        for hit in place.search(query, RECALL)
        if hit.path in written and fuzz.token_set_ratio(name, fold(hit.name)) >= SAME_NAME
    ]


def _merged(first: Sequence[NodeHit], others: Sequence[NodeHit]) -> tuple[NodeHit, ...]:
    known = {hit.path for hit in first}
    return (*first, *(hit for hit in others if hit.path not in known))[:RECALL]


def _failed(unit: Unit, reason: str, place: Workplace, refusal: Refusal | None = None) -> Failed:
    if not place.options.dry_run:
        # where the unit would have gone had it been made a note of its own
        path = f"{place.vault.config.folders.digest}/{unit.bucket}/{slugify(unit.name)}.md"
        if refusal is None:
            place.run.record(path, "refused", reason=reason, unit=unit.id)
        else:
            place.run.record(
                refusal.path,
                "refused",
                op="create" if refusal.stamp == ABSENT else "replace",
                before=refusal.stamp,
                edges_dropped=refusal.edges_dropped,
                reason=reason,
                unit=unit.id,
            )
    return Failed(unit, reason, own=True)
