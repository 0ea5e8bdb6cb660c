"""Derived files under `metadata/cache/`: replaced whole, without a lock and without waiting for the disk.

Who reads one sees the old bytes or the new ones. What is lost is found again from the notes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def replace(place: Path, data: bytes) -> None:
    """Gives a file of the cache folder new bytes. Raises `OSError`, and leaves the old ones.

    What killed processes left in the folder goes. A living one may lose its temporary too: it then keeps nothing, which
    the next run makes good. Of several at the same moment, whoever clears last is cleared by nobody.
    """
    for leftover in place.parent.glob("*.tmp"):
        leftover.unlink(missing_ok=True)
    temporary = place.with_name(f"{place.stem}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(place)
    finally:
        temporary.unlink(missing_ok=True)
