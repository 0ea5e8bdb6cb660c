"""Notes that are called the same, however little their texts have in common: a stub and the note that was written elsewhere.

A name is compared without the marks in front of it, and without spaces and punctuation: `📚 Thinking, Fast and Slow` is
`thinking - fast and slow`. Of a work that has an author among its properties, the title is compared as well, without the author
and the subtitle: `Thinking, Fast and Slow: A Summary-Daniel Kahneman`.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Final

from reme_cli.linking.folding import UNSPACED, fold_name
from reme_cli.linking.names import is_linkable
from reme_cli.linking.titles import MOST_OF_A_NAME
from reme_cli.regex import regex
from reme_cli.vault.paths import folder_of, nfc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reme_cli.index.index import Index
    from reme_cli.linking.records import Records

PARALLEL_FROM: Final = 3
"""Names that two folders have in common,"""
PARALLEL_SHARE: Final = 1 / 3
"""and that are no smaller part of all names in both: one is a translation of the other, or each is about a thing of its own."""

_UNCOMPARED: Final = regex(r"[^\w+#.]+|_+")
_PART: Final = regex(rf"\s+-\s+|(?<=[{UNSPACED}])-|-(?=[{UNSPACED}])|[–—|:：(（)）]")
"""What stands between the title and the author, or the subtitle; a hyphen between Latin letters joins two words."""
_QUALIFIER: Final = regex(r"\s*[(（][^()（）]+[)）]\s*\Z")
_SUBTITLE: Final = regex(r":.*|\s[–—]\s.*|——.*")
_NUMBER: Final = regex(r"\d+")
_MOST_PARTS: Final = 8
"""What more names begin or end with is no title."""


class Namesakes:
    """Which of some notes are called the same; a note is called by its place in `paths`."""

    def __init__(self, index: Index, paths: Sequence[str], records: Records) -> None:
        self._paths = paths
        self._records = records
        places = {path: place for place, path in enumerate(paths)}
        self._own: list[list[str]] = [[] for _ in paths]
        """What each note is called: its file name, `name` and `title`."""
        self._aliases: list[list[str]] = [[] for _ in paths]
        rows = index.read(
            lambda connection: connection.execute(
                "SELECT path, names.kind, text FROM names JOIN notes ON notes.id = names.note WHERE names.kind != 'heading'"
                " ORDER BY path, ordinal"
            ).fetchall()
        )
        for path, kind, text in rows:
            if path in places:
                (self._aliases if kind == "alias" else self._own)[places[path]].append(nfc(text))

        found = set(self._called_the_same())
        parallel = self._parallel(found)
        self.apart = {
            pair for pair in found if self._folders(*pair) in parallel or self._differ_in_number(*pair)
        }
        """The pairs that are called the same by the way the vault is laid out, the lower number first: translations, versions, years,
        projects that each have notes of these names."""
        self.pairs = {
            (first, second)
            for first, second in found - self.apart
            if not records.are_two_things(paths[first], paths[second])
        }
        """The other pairs that are called the same, without those of records of different things."""

    def _called_the_same(self) -> Iterator[tuple[int, int]]:
        """The pairs of which the one is called as the other is, or as it is also called."""
        called = _holders((note, _keys(names)) for note, names in enumerate(self._own))
        for note, title in self._titles_of_works():
            called.setdefault(title, set()).add(note)
        also = _holders((note, _keys(names)) for note, names in enumerate(self._aliases))
        for key, notes in called.items():
            # other names of a record are those that a thing has in other countries
            others = {note for note in also.get(key, ()) if not self._records[self._paths[note]].identities}
            if len(notes | others) <= MOST_OF_A_NAME:
                for first, second in combinations(sorted(notes | others), 2):
                    if first in notes or second in notes:
                        yield first, second

    def _titles_of_works(self) -> Iterator[tuple[int, str]]:
        """The titles of works that have an author, of those whose name begins or ends as another note's does."""
        parts = _holders((note, _keys(_with_parts(names))) for note, names in enumerate(self._own))
        candidates = {note for notes in parts.values() if 1 < len(notes) <= _MOST_PARTS for note in notes}
        for note in sorted(candidates):
            if authors := self._records[self._paths[note]].authors:
                for name in self._own[note]:
                    yield from ((note, key) for key in _keys(titles_of(fold_name(name), authors)))

    def _differ_in_number(self, first: int, second: int) -> bool:
        """Whether two paths are the same but for a number: two years, two versions."""
        one, other = (_NUMBER.sub("0", self._paths[note]) for note in (first, second))
        return one == other

    def _folders(self, first: int, second: int) -> tuple[str, ...]:
        return tuple(sorted(folder_of(self._paths[note]) for note in (first, second)))

    def _parallel(self, pairs: Iterable[tuple[int, int]]) -> set[tuple[str, ...]]:
        """The folders whose notes are called the same one by one: translations, or several things that each have notes on the same."""
        common = Counter(self._folders(*pair) for pair in pairs)
        size = Counter(map(folder_of, self._paths))
        return {
            (one, other)
            for (one, other), count in common.items()
            if one != other
            and count >= PARALLEL_FROM
            and count >= PARALLEL_SHARE * (size[one] + size[other] - count)
        }


def titles_of(name: str, authors: Sequence[str]) -> list[str]:
    """The title of a work in its name, without the author, and also without what stands in brackets, and without a subtitle.

    All as names are compared.
    """
    title = name
    for author in authors:
        if title.endswith(author) and not title.removesuffix(author)[-1:].isalnum():
            title = title.removesuffix(author)
        elif title.startswith(author) and not title.removeprefix(author)[:1].isalnum():
            title = title.removeprefix(author)
    whole = title.strip(" :|–—")
    bare = _QUALIFIER.sub("", whole)
    return [title for title in (whole, bare, _SUBTITLE.sub("", bare)) if title not in authors]


def _with_parts(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield name
        parts = _PART.split(name)
        yield from (parts[0], parts[-1])


def _keys(names: Iterable[str]) -> set[str]:
    """Names as they are compared, without spaces, marks and punctuation; those that say nothing are left out."""
    plain = ((" ".join(name.split()), _UNCOMPARED.sub("", name)) for name in names)
    return {
        fold_name(bare)
        for name, bare in plain
        if is_linkable(name, fold_name(name).strip()) and is_linkable(bare, fold_name(bare))
    }


def _holders(keys: Iterable[tuple[int, set[str]]]) -> dict[str, set[int]]:
    holders: dict[str, set[int]] = {}
    for note, each in keys:
        for key in each:
            holders.setdefault(key, set()).add(note)
    return holders
