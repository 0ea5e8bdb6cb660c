"""The moment that counts as now."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from reme_cli.changeset.audit import now
from reme_cli.dates import parse_date

if TYPE_CHECKING:
    from reme_cli.vault.vault import Vault


def moment_of(vault: Vault, text: str | None) -> dt.datetime:
    """The time now in the vault's zone, or what a person gives as now: a time, or a day, of which it is the noon.

    Raises `UsageError`.
    """
    present = now(vault)
    if text is None:
        return present
    try:
        given = dt.datetime.fromisoformat(text)
    except ValueError:
        given = None
    if given is None or len(text) <= len("2026-06-20"):
        day = parse_date(text, present.date())
        return dt.datetime.combine(day, dt.time(12), tzinfo=present.tzinfo)
    return given if given.tzinfo is not None else given.replace(tzinfo=present.tzinfo)
