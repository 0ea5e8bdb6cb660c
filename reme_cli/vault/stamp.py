"""What a note's bytes were: SHA-256, in hex."""

from __future__ import annotations

from typing import Final, NewType

Stamp = NewType("Stamp", str)
"""64 lower-case hex digits, or `ABSENT`."""

ABSENT: Final = Stamp("absent")
"""The stamp of a file that does not exist."""


def stamp_of(data: bytes) -> Stamp:
    """The stamp of a file with these bytes."""
    import hashlib  # here, since a search that finds nothing changed has no use for it

    return Stamp(hashlib.sha256(data).hexdigest())
