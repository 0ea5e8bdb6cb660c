"""Inline structure of one run of text: its links, and the stretches where nothing counts.

Brackets are paired on a stack in one pass from left to right, so the work grows with the length of the text, however
its brackets are nested. What is a link follows markdown-it-py; wikilinks win over it, and comments, math and bare
URLs are added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.regex import regex
from reme_cli.vault.destination import WHITESPACE, label_key, read_tail
from reme_cli.vault.holes import Holes

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from reme_cli.vault.destination import Destination

WIKILINK: Final = regex(r"\[\[(?!\[|\]\])([^\[\]\n]*+(?:(?:\[(?!\[)|\](?!\]))[^\[\]\n]*+)*)\]\]")
"""A target never holds `[[`, so of several opening brackets the last two count; one closing bracket is text."""

_EMPTY: Final = f"{WHITESPACE}#|\\"
"""What a wikilink's target cannot begin with, unless more follows."""
_SPECIAL: Final = regex(r"\\|`|<|\[|\]|\$|!\[|\^\[|%%|://")
_FOOTNOTE_MARK: Final = regex(r"\[\^([^ \]\n]+)\]")


class InlineLink(NamedTuple):
    """A link as it stands in the run of text. The label is the text between its brackets."""

    kind: Literal["wikilink", "embed", "markdown", "image"]
    start: int
    end: int
    label_start: int
    label_end: int
    destination: Destination | None
    """Of Markdown links and images."""
    defined: bool
    """Whether the destination's place is that of a definition, elsewhere in the note."""


class Inline(NamedTuple):
    """What one run of text holds."""

    links: list[InlineLink]
    """In source order, external ones included; those in an image's description are not links."""
    holes: list[tuple[int, int]]
    """Stretches without text: code, HTML, comments, math, URLs, footnote marks. In source order."""
    opens_comment: bool
    """Whether a comment that begins here, or before, goes on behind it."""
    begins_in_comment: bool = False
    """Whether a comment that began before it covers its start."""


NOTHING: Final = Inline([], [], opens_comment=False)
"""What a run without links and holes holds."""


class _Opener:
    """An opening bracket that waits for its closing one."""

    __slots__ = ("after", "footnote_end", "holds_link", "kind", "label_start", "links", "links_end", "start")

    def __init__(
        self, kind: Literal["link", "image", "footnote"], start: int, label_start: int, links: int
    ) -> None:
        self.kind = kind
        self.start = start
        self.label_start = label_start
        self.links = links
        """How many links stood before it."""
        self.holds_link = False
        self.footnote_end = -1
        """Where it ends, if it is a footnote's mark."""
        self.after: tuple[_Opener, int] | None = None
        """The bracket pair whose reference label this one may be, and where that pair closed."""
        self.links_end = 0
        """How many links there were when it closed."""

    def fall_to_link(self) -> None:
        """Reads an image's opening as a mark of exclamation before a link's."""
        if self.kind == "image":
            self.kind = "link"
            self.start += 1


def read_inline(
    text: str,
    definitions: Mapping[str, Destination],
    footnotes: AbstractSet[str],
    *,
    in_comment: bool = False,
    comment_may_go_on: bool = False,
) -> Inline:
    """The links and holes of a run of inline text.

    `in_comment`: an Obsidian comment that began above is still open. `comment_may_go_on`: a `%%` follows below, which
    could close a comment that this text leaves open.
    """
    if not in_comment and not definitions and not footnotes and _is_plain(text):
        return Inline(_plain_wikilinks(text), [], opens_comment=False)
    reader = _Reader(text, definitions, footnotes, comment_may_go_on=comment_may_go_on)
    reader.read(in_comment=in_comment)
    links = sorted((link for link in reader.links if link), key=lambda link: link.start)
    return Inline(links, sorted(reader.holes), reader.opens_comment, in_comment)


def _wikilink(found: re.Match[str], start: int) -> InlineLink:
    kind: Literal["wikilink", "embed"] = "wikilink" if start == found.start() else "embed"
    return InlineLink(kind, start, found.end(), found.start(1), found.end(1), None, defined=False)


def _is_plain(text: str) -> bool:
    """Whether a text is only words and wikilinks, where no reference is defined."""
    # a pattern of these marks has no first letter to look for, and takes ten times as long
    return not (
        "](" in text
        or "`" in text
        or "\\" in text
        or "<" in text
        or "$" in text
        or "%%" in text
        or "://" in text
        or "^[" in text
    )


def _plain_wikilinks(text: str) -> list[InlineLink]:
    """The links of a text without any other structure."""
    links = []
    for found in WIKILINK.finditer(text):
        if is_wikilink(found[1]):
            start = found.start()
            links.append(_wikilink(found, start - 1 if start and text[start - 1] == "!" else start))
    return links


def is_wikilink(content: str) -> bool:
    """Whether something is linked between the brackets: a target, or an anchor in the same note."""
    if content[0] not in _EMPTY:
        return True
    return content.partition("|")[0].removesuffix("\\").strip(f"{WHITESPACE}#") != ""


class _Reader(Holes):
    """The reading of one run."""

    def __init__(
        self,
        text: str,
        definitions: Mapping[str, Destination],
        footnotes: AbstractSet[str],
        *,
        comment_may_go_on: bool,
    ) -> None:
        super().__init__(text, comment_may_go_on=comment_may_go_on)
        self.definitions = definitions
        self.footnotes = footnotes
        self.links: list[InlineLink | None] = []
        self.openers: list[_Opener] = []
        self.label: tuple[int, _Opener, int] | None = None
        """Where the label of a reference may begin, the pair of brackets before it, and where that pair closed."""

    def read(self, *, in_comment: bool) -> None:
        text = self.text
        place = 0
        if in_comment:
            place = self.continued_comment()
        while special := _SPECIAL.search(text, place):
            place = _STEPS[special[0]](self, special.start())
        # a bracket that never closed is no label: the pair before it stands alone
        for opener in self.openers:
            if opener.after is not None:
                self._settle(*opener.after, closed=False)

    def open(self, place: int) -> int:
        found = WIKILINK.match(self.text, place)
        if found and is_wikilink(found[1]):
            self.links.append(_wikilink(found, place))
            self._mark_parent()
            if self.label is not None and self.label[0] == place:
                # to Markdown it is a label that nothing defines, unless brackets in it leave it open
                self._settle(*self.label[1:], closed=not _stays_open(found[0]))
            return found.end()
        return self._push("link", place, place + 1)

    def open_image(self, place: int) -> int:
        found = WIKILINK.match(self.text, place + 1)
        if found and is_wikilink(found[1]):
            self.links.append(_wikilink(found, place))
            return found.end()
        return self._push("image", place, place + 2)

    def open_footnote(self, place: int) -> int:
        found = WIKILINK.match(self.text, place + 1)
        if found and is_wikilink(found[1]):
            return place + 1
        self.openers.append(_Opener("footnote", place, place + 2, len(self.links)))
        return place + 2

    def _push(self, kind: Literal["link", "image"], start: int, label_start: int) -> int:
        opener = _Opener(kind, start, label_start, len(self.links))
        if self.label is not None and self.label[0] == start:
            opener.after = self.label[1:]
        if self.footnotes:
            mark = _FOOTNOTE_MARK.match(self.text, label_start - 1)
            if mark and mark[1] in self.footnotes:
                if _SPECIAL.search(mark[1]):
                    self._mark_parent()
                    return self.hole(label_start - 1, mark.end())
                opener.footnote_end = mark.end()
        self.openers.append(opener)
        return label_start

    def close(self, place: int) -> int:
        if not self.openers:
            return place + 1
        opener = self.openers.pop()
        opener.links_end = len(self.links)
        if opener.after is not None:
            if self._add_reference(*opener.after, self.text[opener.label_start : place], place + 1):
                return place + 1
            self._fail(*opener.after)
        if opener.kind == "footnote":
            return place + 1
        return self._link_end(opener, place) or place + 1

    def _link_end(self, opener: _Opener, place: int) -> int | None:
        """The end of the link whose label closes at `place`; `None` where it is none, or its label's end decides."""
        text = self.text
        behind = place + 1
        is_free = opener.kind == "image" or not opener.holds_link
        if text.startswith("(", behind):
            tail = read_tail(text, behind)
            if tail is not None and is_free:
                self._add(opener, place, tail.end, tail.destination, defined=False)
                return tail.end
            if tail is None:
                # an image that fails here is tried as a link, and a link as a reference
                opener.fall_to_link()
                is_free = not opener.holds_link
            else:
                is_free = False
        if not is_free or not self.definitions:
            self._fail(opener, place)
        elif text.startswith("[", behind):
            self.label = (behind, opener, place)
        elif self._add_reference(opener, place, "", behind):
            return behind
        else:
            self._fail(opener, place)
        return None

    def _settle(self, opener: _Opener, place: int, *, closed: bool) -> None:
        """Decides on a pair of brackets whose label cannot be defined."""
        if closed or not self._add_reference(opener, place, "", place + 1):
            self._fail(opener, place)

    def _add_reference(self, opener: _Opener, place: int, label: str, end: int) -> bool:
        """Whether the pair is a link by reference; an empty label stands for the pair's own text."""
        destination = self.definitions.get(label_key(label or self.text[opener.label_start : place]))
        if destination is None:
            return False
        self._add(opener, place, end, destination, defined=True)
        return True

    def _add(self, opener: _Opener, place: int, end: int, destination: Destination, *, defined: bool) -> None:
        if opener.kind == "image":
            for number in range(opener.links, opener.links_end):
                self.links[number] = None
        else:
            self._mark_parent()
        kind: Literal["image", "markdown"] = "image" if opener.kind == "image" else "markdown"
        self.links.append(
            InlineLink(kind, opener.start, end, opener.label_start, place, destination, defined)
        )

    def _fail(self, opener: _Opener, place: int) -> None:
        """A pair of brackets that is no link: what it holds is held by what is around it."""
        if opener.footnote_end == place + 1:
            self.holes.append((opener.label_start - 1, place + 1))
            self._mark_parent()
        elif opener.holds_link:
            self._mark_parent()

    def _mark_parent(self) -> None:
        if self.openers:
            self.openers[-1].holds_link = True


def _stays_open(wikilink: str) -> bool:
    """Whether the second of a wikilink's brackets and those in it leave the first one open."""
    depth = 0
    for mark in wikilink:
        depth += (mark == "[") - (mark == "]")
        if depth == 0:
            return False
    return True


_STEPS: Final[dict[str, Callable[[_Reader, int], int]]] = {
    "\\": _Reader.escape,
    "`": _Reader.code,
    "<": _Reader.pointed,
    "$": _Reader.math,
    "%%": _Reader.comment,
    "://": _Reader.url,
    "[": _Reader.open,
    "![": _Reader.open_image,
    "^[": _Reader.open_footnote,
    "]": _Reader.close,
}
"""What each mark may begin; a step gives the place where reading goes on."""
