"""The catalog after reme gave notes other paths, or other links: what was dreamed stays dreamed, what is open goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reme_cli.changeset import audit
from reme_cli.changeset.lock import run_lock
from reme_cli.changeset.moves import Respelled, first_day, moves_after
from reme_cli.dream.catalog import moved, read_catalog, write_catalog
from reme_cli.errors import Busy, ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.dream.catalog import Batch, Catalog
    from reme_cli.dream.unit import Unit
    from reme_cli.vault.vault import Vault


def respelled_by(vault: Vault, run: str) -> tuple[Respelled, ...]:
    """The notes that a run of links wrote, from the audit, in the order of the writes."""
    return tuple(
        Respelled(line.path, line.before, line.after)
        for line in audit.lines(vault, since=first_day(run))
        if line.run == run and line.op == "replace" and line.outcome == "written"
    )


def caught_up(vault: Vault, catalog: Catalog) -> Catalog:
    """The catalog after every move, and every undoing of one, that the audit has since the catalog was written."""
    position = audit.position(vault)
    for moves in () if catalog.audited is None else moves_after(vault, catalog.audited):
        catalog = carried(catalog, moves.renames, moves.respelled)
    return replace(catalog, audited=position)


def says_more(catalog: Catalog, than: Catalog) -> bool:
    """Whether a catalog differs from another one in more than how far it was read."""
    return replace(catalog, audited=None) != replace(than, audited=None)


def follow_moves(vault: Vault) -> None:
    """Writes the catalog with what moved.

    Where a dream is at work, or the catalog is damaged, that is left to the next dream. Raises `VaultUnwritable`.
    """
    try:
        catalog = read_catalog(vault)
        if not says_more(caught_up(vault, catalog), catalog):
            return  # most such notes are none that a dream reads
        with run_lock(vault, "dream", command="maintain", wait=False):
            write_catalog(vault, caught_up(vault, read_catalog(vault)))
    except (Busy, ConfigError):
        return


def carry_catalog(vault: Vault, respelled: Iterable[Respelled]) -> None:
    """Writes the catalog with the links that notes got; waits for a dream that is at work.

    Raises `ConfigError`, `VaultUnwritable`.
    """
    respelled = tuple(respelled)
    if read_catalog(vault) == carried(read_catalog(vault), {}, respelled):
        return
    with run_lock(vault, "dream", command="maintain"):
        write_catalog(vault, carried(caught_up(vault, read_catalog(vault)), {}, respelled))


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
