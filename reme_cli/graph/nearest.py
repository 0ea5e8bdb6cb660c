"""Which existing note a broken link, or a mistyped path, may mean."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from reme_cli.vault.keys import path_key
from reme_cli.vault.paths import fold, folder_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reme_cli.vault.walk import Listing

SAME_END: Final = 3
"""Letters that a misspelt name has in common with the right one, at its beginning or at its end."""
CLOSE_ENOUGH: Final = 0.8
"""Of 1: two letters in ten may be wrong."""


class Nearest:
    """The names of a vault's notes, to be compared with those that broken links give.

    `titles` are pairs of a name or alias and its note's path. A name that differs only in case, spaces, hyphens and
    underscores is the same name; else the most similar one that begins or ends with the same letters is taken. That keeps
    thousands of broken links to thousands of notes cheap: each is compared with a few hundredths of all names.
    """

    def __init__(self, paths: Sequence[str], titles: Iterable[tuple[str, str]]) -> None:
        self._notes: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for path in paths:
            self._notes[_squeezed(path_key(path))][path] = None
        for title, path in titles:
            self._notes[_squeezed(fold(title))][path] = None
        self._by_ends: defaultdict[str, list[str]] = defaultdict(list)
        for name in self._notes:
            self._by_ends["^" + name[:SAME_END]].append(name)
            self._by_ends[name[-SAME_END:] + "$"].append(name)
        self._known: dict[str, Sequence[str]] = {}

    def to(self, target: str, source: str | None = None) -> str | None:
        """The path of the note that a link with this target most likely means, besides the note `source` where it stands in one;
        `None` where no name is close."""
        wanted = _squeezed(path_key(name_of(target.rstrip("/")).strip()))
        if not wanted:
            return None
        if wanted not in self._known:
            self._known[wanted] = (
                tuple(self._notes[wanted]) if wanted in self._notes else self._similar(wanted)
            )
        return next((path for path in self._known[wanted] if path != source), None)

    def _similar(self, wanted: str) -> Sequence[str]:
        """The notes of the names that are close, the closest first."""
        # rapidfuzz only where a link is broken
        from rapidfuzz.distance import Levenshtein

        found: set[tuple[float, str]] = set()
        for end in ("^" + wanted[:SAME_END], wanted[-SAME_END:] + "$"):
            for name in self._by_ends.get(end, ()):
                score = Levenshtein.normalized_similarity(wanted, name, score_cutoff=CLOSE_ENOUGH)
                if score:
                    found.add((-score, name))
        return tuple(path for _, name in sorted(found) for path in self._notes[name])


def meant(text: str, listing: Listing) -> str | None:
    """The note, file or folder of a vault that a path of nothing most likely means, one in the very folder first."""
    typed = text.rstrip("/")
    known = [*(note.path for note in listing.notes), *listing.files]
    folders = {folder for path in known for folder in _folders_of(path)}
    nearby = sorted((*known, *folders), key=lambda path: (folder_of(path) != folder_of(typed), path))
    return Nearest(nearby, ()).to(typed)


def _folders_of(path: str) -> Iterable[str]:
    while path := folder_of(path):
        yield path


def _squeezed(name: str) -> str:
    return name.replace(" ", "").replace("-", "").replace("_", "")
