"""The catalog after reme gave notes other paths, or other links: what was dreamed stays dreamed, what is open goes on."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.changeset import audit
from reme_cli.changeset.lock import run_lock
from reme_cli.dream.catalog import moved, read_catalog, write_catalog

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.dream.catalog import Batch, Catalog
    from reme_cli.dream.unit import Unit
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault


class Respelled(NamedTuple):
    """A note, at its new path if it has one, whose links are written anew, so that it says what it said before."""

    path: str
    before: Stamp
    after: Stamp


def respelled_by(vault: Vault, run: str) -> tuple[Respelled, ...]:
    """The notes that a run of links wrote, from the audit, in the order of the writes."""
    began = dt.date.fromisoformat(f"{run[:4]}-{run[4:6]}-{run[6:8]}")
    return tuple(
        Respelled(line.path, line.before, line.after)
        # the day before: the vault's timezone may have changed meanwhile
        for line in audit.lines(vault, since=began - dt.timedelta(days=1))
        if line.run == run and line.op == "replace" and line.outcome == "written"
    )


def carry_catalog(vault: Vault, renames: Mapping[str, str], respelled: Iterable[Respelled]) -> None:
    """Brings the catalog along; waits for a dream that is at work. Raises `ConfigError`, `VaultUnwritable`."""
    respelled = tuple(respelled)
    if read_catalog(vault) == carried(read_catalog(vault), renames, respelled):
        return  # most such notes are none that a dream reads
    with run_lock(vault, "dream", command="maintain"):
        write_catalog(vault, carried(read_catalog(vault), renames, respelled))


def carried(catalog: Catalog, renames: Mapping[str, str], respelled: Iterable[Respelled]) -> Catalog:
    """The catalog after these notes got other paths, and then these others other links."""
    catalog = renamed(catalog, renames)
    for note in respelled:
        catalog = moved(catalog, note.path, note.before, note.after)
    return catalog


def renamed(catalog: Catalog, renames: Mapping[str, str]) -> Catalog:
    """The catalog with every path that is among these replaced by its new one."""

    def new(path: str) -> str:
        return renames.get(path, path)

    return replace(
        catalog,
        entries={new(path): replace(entry, path=new(path)) for path, entry in catalog.entries.items()},
        batches=tuple(_batch(batch, renames) for batch in catalog.batches),
        failures={new(path): failure for path, failure in catalog.failures.items()},
        due={new(path): date for path, date in catalog.due.items()},
    )


def _batch(batch: Batch, renames: Mapping[str, str]) -> Batch:
    return replace(
        batch,
        inputs=tuple(replace(each, path=renames.get(each.path, each.path)) for each in batch.inputs),
        units=tuple(replace(item, unit=_unit(item.unit, renames)) for item in batch.units),
        topics=tuple(
            replace(topic, paths=tuple(renames.get(path, path) for path in topic.paths))
            for topic in batch.topics
        ),
    )


def _unit(unit: Unit, renames: Mapping[str, str]) -> Unit:
    return replace(
        unit,
        sources=tuple(replace(each, path=renames.get(each.path, each.path)) for each in unit.sources),
        quotes=tuple(replace(each, path=renames.get(each.path, each.path)) for each in unit.quotes),
    )
