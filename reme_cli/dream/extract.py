"""The changed inputs become units and topic candidates, in as many calls as the engine needs."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from reme_cli.dream.catalog import LAST_TRY
from reme_cli.dream.engine import Assignment
from reme_cli.dream.inputs import batches, fresh_text
from reme_cli.dream.progress import Progress, untold
from reme_cli.dream.report import FailedInputs
from reme_cli.dream.unit import Extraction, Topic, Unit, new_unit
from reme_cli.errors import ModelError, ModelReplyUnusable
from reme_cli.vault.paths import fold
from reme_cli.vault.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reme_cli.dream.inputs import Material
    from reme_cli.dream.unit import Input
    from reme_cli.dream.workplace import Workplace

SAME_UNIT: Final = 90
"""From this rapidfuzz token-sort ratio of their names on, two units of one bucket from different calls are one."""


@dataclass(slots=True)
class Extracted:
    """What the calls gave. `read` are the inputs that an extraction covers whole; `broken` is why the calls stopped."""

    units: tuple[Unit, ...] = ()
    topics: tuple[Topic, ...] = ()
    read: list[Material] = field(default_factory=list)
    unusable: list[tuple[Material, str]] = field(default_factory=list)
    """Inputs whose own extraction went wrong."""
    failed: list[FailedInputs] = field(default_factory=list)
    broken: ModelError | None = None
    warnings: list[str] = field(default_factory=list)


def extract(
    date: str,
    changed: Sequence[Material],
    place: Workplace,
    broken: ModelError | None = None,
    progress: Progress = untold,
) -> Extracted:
    """Units and topics of all changed inputs of a date. A call that goes wrong costs its own inputs only.

    With a model that is `broken` already, all of them fail.
    """
    done = Extracted(broken=broken)
    if broken is not None:
        done.failed += [FailedInputs((material.reading.path,), broken.what) for material in changed]
        return done
    fit = [material for material in changed if not _beyond_budget(material, place, done)]
    if not fit:
        return done
    engine = place.engine
    assignment = _assignment(date, place)
    found: list[Extraction] = []
    groups = tuple(batches(fit, engine.max_input_tokens, _last_tries(fit, place)))
    for number, (materials, inputs) in enumerate(groups):
        if done.broken is not None:
            done.failed.append(_failed(materials, done.broken.what))
            continue
        progress(f"{date}: reading {_named(materials)}", number, len(groups))
        try:
            found += _extract_parts(inputs, assignment, place)
            done.read += materials
        except ModelReplyUnusable as error:
            done.unusable += [(material, error.one_line) for material in materials]
            done.failed.append(_failed(materials, error.one_line))
        except ModelError as error:
            done.broken = error
            done.failed.append(_failed(materials, error.what))
    done.units = merged_units([extraction.units for extraction in found])
    done.topics = tuple(topic for extraction in found for topic in extraction.topics)
    done.warnings += [warning for extraction in found for warning in extraction.warnings]
    return done


def _assignment(date: str, place: Workplace) -> Assignment:
    options = place.options
    buckets = place.vault.config.digest.buckets
    return Assignment(dt.date.fromisoformat(date), options.hint, options.max_units, buckets, place.names())


def _extract_parts(inputs: Sequence[Input], assignment: Assignment, place: Workplace) -> list[Extraction]:
    """One call for notes that are whole, one for each part of a note in parts: all of them, or the error of one."""
    if inputs[0].parts == 1:
        return [place.engine.extract(inputs, assignment)]
    return [place.engine.extract([part], assignment) for part in inputs]


def merged_units(calls: Iterable[Sequence[Unit]]) -> tuple[Unit, ...]:
    """The units of several calls in order, each once.

    What two calls found under one name is one unit: the first call's words, the sources of both. Within a call, units
    of similar names are the engine's own decision.
    """
    from rapidfuzz import fuzz  # only where something was extracted

    kept: list[Unit] = []
    for units in calls:
        earlier = len(kept)
        for unit in units:
            if any(other.id == unit.id for other in kept):
                continue
            for number, other in enumerate(kept[:earlier]):
                likeness = fuzz.token_sort_ratio(fold(other.name), fold(unit.name))
                if other.bucket == unit.bucket and likeness >= SAME_UNIT:
                    kept[number] = _joined(other, unit)
                    break
            else:
                kept.append(unit)
    return tuple(kept)


def _joined(first: Unit, second: Unit) -> Unit:
    return new_unit(
        first.name,
        first.bucket,
        first.summary,
        (*first.sources, *second.sources),
        keywords=dict.fromkeys((*first.keywords, *second.keywords)),
        quotes=dict.fromkeys((*first.quotes, *second.quotes)),
    )


def _beyond_budget(material: Material, place: Workplace, done: Extracted) -> bool:
    """Whether one note alone needs more than a whole run may spend; it is then reported instead of begun in every run."""
    limit = place.vault.config.llm.budget.tokens
    if place.options.engine != "llm" or limit is None:
        return False
    need = estimate_tokens(fresh_text(material.input))
    if need <= limit:
        return False
    path = material.reading.path
    reason = f"{path} needs about {need} tokens, more than a run may use ({limit}): raise llm.budget.tokens or split the note"
    done.unusable.append((material, reason))
    done.failed.append(FailedInputs((path,), reason))
    return True


def _last_tries(changed: Iterable[Material], place: Workplace) -> set[str]:
    """The inputs that would be quarantined by one more failure: each is tried alone, so that one does not take others along."""
    failures = place.catalog.failures
    return {
        material.reading.path
        for material in changed
        if (failure := failures.get(material.reading.path))
        and failure.stamp == material.reading.stamp
        and failure.count >= LAST_TRY - 1
    }


def _named(materials: Sequence[Material]) -> str:
    """The first of some inputs by its path, the others as their number."""
    others = f" and {len(materials) - 1} more" if len(materials) > 1 else ""
    return f"{materials[0].reading.path}{others}"


def _failed(materials: Sequence[Material], reason: str) -> FailedInputs:
    return FailedInputs(tuple(material.reading.path for material in materials), reason)
