"""Whether an editor has a note open: the file that it keeps beside it meanwhile."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

MARKERS: Final = (
    ".{}.swp",  # Vim and nano; Vim goes on with the next two where the first is taken
    ".{}.swo",
    ".{}.swn",
    ".#{}",  # Emacs, while the buffer has changes: a symlink that leads nowhere; JOE
    "~${}",  # Microsoft Office
    ".~lock.{}#",  # LibreOffice
    ".{}.kate-swp",  # Kate, while the document has changes
)
"""What such files are called, with the name of the note in it."""


def open_marker(place: Path) -> str | None:
    """The name of the file that says that an editor has the note at this place open, if there is one."""
    return next(
        (
            name
            for name in (marker.format(place.name) for marker in MARKERS)
            if os.path.lexists(place.parent / name)
        ),
        None,
    )
