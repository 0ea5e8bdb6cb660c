"""The existing note that a broken link most likely means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.regex import regex
from reme_cli.vault.keys import link_key
from reme_cli.vault.paths import NOTE_SUFFIX, fold, name_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from reme_cli.lint.survey import Survey
    from reme_cli.vault.link import Link

Way = Literal["moved", "named", "misspelled"]

MIN_TYPO_LENGTH: Final = 5
"""Shorter names lie so close together that one is as good as the other."""
MIN_CERTAIN_LENGTH: Final = 12
"""A name of so many letters, of several words, is hardly met again by chance: a note of that very name elsewhere is the one
that moved, and one letter more or less is a slip of the hand."""
MIN_CERTAIN_IDEOGRAPHS: Final = 5

_GAP: Final = regex(r"[\s_\-‐‑–—]+")
_DIGITS: Final = regex(r"\d+")
_IDEOGRAPH: Final = regex("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_SIGNS: Final = regex(r"^[\W_]+|[\W_]+$")
_COMMON: Final = frozenset(
    (
        "code of conduct",
        "coding style",
        "developer guide",
        "frequently asked questions",
        "getting started",
        "how to contribute",
        "installation guide",
        "issue template",
        "meeting notes",
        "project overview",
        "pull request template",
        "quick start guide",
        "release notes",
        "security policy",
        "style guide",
        "table of contents",
        "user guide",
    )
)
_FULL_WIDTH: Final = {full: full - 0xFEE0 for full in range(0xFF01, 0xFF5F)}


class Suggestion(NamedTuple):
    """An existing note that a broken link may mean."""

    path: str
    way: Way
    """How it was found: a note of that file name elsewhere, one that is called so, one that is called nearly so."""
    is_certain: bool
    """Whether nothing else can reasonably be meant."""


class Nearest:
    """The names of a vault's notes, to look for the one that a broken link may mean."""

    def __init__(self, survey: Survey) -> None:
        self._by_key: dict[str, list[str]] = {}
        self._by_name: dict[str, set[str]] = {}
        self._by_title: dict[str, set[str]] = {}
        self._alike: dict[tuple[str, ...], dict[int, dict[str, None]]] = {}
        for path, key in survey.rows("SELECT path, key FROM notes ORDER BY path"):
            self._by_key.setdefault(key, []).append(path)
        names = survey.rows(
            "SELECT path, names.kind, text FROM names JOIN notes ON notes.id = names.note ORDER BY path, ordinal"
        )
        for path, kind, text in names:
            name = plain(text)
            table = self._by_title if kind == "heading" else self._by_name
            table.setdefault(name, set()).add(path)
            self._by_title.setdefault(undecorated(name), set()).add(path)
            if kind in {"file", "name"} and name:
                self._alike.setdefault(_unmistaken(name), {}).setdefault(len(name), {})[name] = None

    def find(self, link: Link, source: str) -> Suggestion | None:
        """The note that this link most likely means; `None` where there is none, or more than one. Never its own note:
        certain is only what would be so without that."""
        last = name_of(link.target.rstrip("/"))
        # a target without folders would have led to a note of that name
        if "/" in link.target and (moved := self._by_key.get(link_key(link.target, source))):
            is_certain = _is_rare(plain(last.removesuffix(NOTE_SUFFIX)))
            return _only(moved, source, "moved", is_certain=is_certain)
        name = plain(last.removesuffix(NOTE_SUFFIX))
        if not name:
            return None
        if paths := self._by_name.get(name):
            return _only(paths, source, "named", is_certain="/" not in link.target)
        if paths := self._by_title.get(undecorated(name)):
            return _only(paths, source, "named", is_certain=False)
        return self._misspelled(name, source)

    def _misspelled(self, name: str, source: str) -> Suggestion | None:
        # where every character is a word, another character is another word
        if len(name) < MIN_TYPO_LENGTH or _IDEOGRAPH.search(name):
            return None
        from rapidfuzz.distance import OSA  # only where a link is broken

        limit = 1 if len(name) < 9 else 2
        by_length = self._alike.get(_unmistaken(name), {})
        near: dict[int, list[str]] = {}
        for length in range(len(name) - limit, len(name) + limit + 1):
            for other in by_length.get(length, ()):
                distance = OSA.distance(name, other, score_cutoff=limit)
                if distance <= limit:
                    near.setdefault(distance, []).append(other)
        if not near:
            return None
        nearest = min(near)
        is_certain = (
            nearest == 1
            and sum(map(len, near.values())) == 1
            and len(name) >= MIN_CERTAIN_LENGTH
            and _is_slip(near[1][0], name)
        )
        paths = {path for other in near[nearest] for path in self._by_name[other]}
        return _only(paths, source, "misspelled", is_certain)


def _only(paths: Collection[str], source: str, way: Way, is_certain: bool) -> Suggestion | None:
    """The only one of these notes besides the one that the link stands in."""
    others = [path for path in paths if path != source]
    return Suggestion(others[0], way, is_certain and len(others) == len(paths)) if len(others) == 1 else None


def plain(name: str) -> str:
    """A name without what people vary: case, width, and what parts the words."""
    return _GAP.sub(" ", fold(name.translate(_FULL_WIDTH))).strip()


def undecorated(name: str) -> str:
    """A plain name without the signs that some put around it, as in `🔗github` and `∑ reading`."""
    return _SIGNS.sub("", name) or name


def _unmistaken(name: str) -> tuple[str, ...]:
    """What of a name nobody mistakes: its first letter, and its numbers."""
    return name[0], *_DIGITS.findall(name)


def _is_slip(name: str, other: str) -> bool:
    """Whether they differ inside one longer word: `a` and `b`, `ii` and `iii`, `typical` and `atypical` are no slips."""
    words, others = name.split(), other.split()
    differing = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    return (
        len(words) == len(others)
        and len(differing) == 1
        and all(len(word) >= MIN_TYPO_LENGTH for word in differing[0])
        and differing[0][0][0] == differing[0][1][0]
    )


def _is_rare(name: str) -> bool:
    """Whether no other note of the plain name is likely: `introduction` and `code of conduct` are met everywhere."""
    is_long = len(name) >= MIN_CERTAIN_LENGTH and " " in name
    return name not in _COMMON and (is_long or len(_IDEOGRAPH.findall(name)) >= MIN_CERTAIN_IDEOGRAPHS)
