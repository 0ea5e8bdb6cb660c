"""The inputs that wait to be dreamed, as `metadata/file_catalog/dream.json` has them.

`auto_dream` owns that file; what is read here of it is little, and nothing where it is damaged: `reme status` tells that.
"""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any, Final

from reme_cli.errors import PathRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.vault.vault import Vault

_PLACE: Final = ("file_catalog", "dream.json")


def waiting_since(vault: Vault) -> dict[str, dt.date]:
    """The first day of each input's waiting, by path: when it was read and a unit of it stayed open, else the day it is of."""
    try:
        if not vault.metadata(*_PLACE).exists():  # no run yet
            return {}
    except (OSError, PathRefused):
        return {}
    from reme_cli.changeset.state import read_state  # here, since it brings the writer along

    try:
        data = read_state(vault, _PLACE)
        raw = json.loads(data) if data is not None else {}
        found = sorted((path, since) for path, since in _waiting(vault, raw))
    except (OSError, PathRefused, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return dict(reversed(found))  # of several days the first


def _waiting(vault: Vault, raw: Any) -> Iterator[tuple[str, dt.date]]:
    for batch in raw.get("batches", ()):
        run = str(batch["run"])  # its id begins with the day of the run
        since = dt.date(int(run[:4]), int(run[4:6]), int(run[6:8]))
        yield from ((str(reading["path"]), since) for reading in batch["inputs"])
    for path, day in raw.get("due", {}).items():
        yield path, dt.date.fromisoformat(day)
    for path in raw.get("failures", {}):
        failed = vault.day(path)
        if failed is not None:
            yield path, failed
