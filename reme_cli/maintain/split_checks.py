"""What a split must keep, each as a check that names what is wrong. None of them asks a model."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.errors import EdgesLost
from reme_cli.graph.conservation import E2
from reme_cli.index.tokenize import tokens_of
from reme_cli.maintain.coverage import Coverage, blocks, coverage, pieces, words_of_body
from reme_cli.maintain.shared_words import pairs_sharing
from reme_cli.maintain.split_draft import Problem, sources_of
from reme_cli.vault.paths import fold
from reme_cli.vault.tokens import estimate_tokens
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from reme_cli.maintain.coverage import Block
    from reme_cli.maintain.split_draft import Split
    from reme_cli.vault.resolve import Names

FEWEST_PARTS: Final = 2
FEWEST_WORDS: Final = 8
"""Different content words below which a part says nothing that needs a note."""
ALIKE: Final = 0.8
"""Jaccard coefficient of the content words of two notes from which on they are the same note twice."""
COVERED: Final = 0.9
"""The share of the parent's content words that must be found again."""
SENTENCE: Final = 3
"""Words, besides links, that make a sentence of what stands around a link."""
MOST_TOLD: Final = 12
"""Lost sentences that are told at most."""
_LONGEST_TOLD: Final = 160
"""Characters of each."""


class Checked(NamedTuple):
    """What the checks say of a split."""

    problems: tuple[Problem, ...]
    coverage: Coverage | None
    """How much of the note is found again; `None` where the split could not even be composed."""


class _NamesAround(NamedTuple):
    before: Names
    after: Names


def check(split: Split) -> Checked:
    """Everything that is wrong with a split, in the order of `CHECKS`."""
    found = coverage(split.parent.text, (split.overview, *(part.text for part in split.parts)))
    problems = [problem for each in CHECKS for problem in each(split)]
    return Checked((*problems, *covered(found)), found)


def enough_parts(split: Split) -> Iterator[Problem]:
    """There are two parts at least."""
    if len(split.parts) < FEWEST_PARTS:
        yield Problem("parts", f"a split has {FEWEST_PARTS} parts at least, this has {len(split.parts)}")


def not_recursive(split: Split) -> Iterator[Problem]:
    """No part has parts of its own."""
    for part in split.parts:
        if part.nested:
            yield Problem("recursion", f"{part.path}: a part is not split in the same run")


def edges_stay(split: Split) -> Iterator[Problem]:
    """E-2: every edge of the parent, provenance and attachments included, is in the parent or in a part."""
    parent, *_ = changes = split.changes
    try:
        E2().check(parent, _NamesAround(split.before, split.after), changes)
    except EdgesLost as error:
        yield Problem("edges", f"these links are lost: {', '.join(error.missing)}", error.missing)


def leads_back(split: Split) -> Iterator[Problem]:
    """Each part links to its parent."""
    for part in split.parts:
        if not _links_to(part.path, part.text, split.parent.path, split.after):
            yield Problem(
                "backlink",
                f"{part.path}: no link to {split.parent.path} can be added; close every code fence, comment and math block",
            )


def overview_tells(split: Split) -> Iterator[Problem]:
    """The overview links every part, and says in words what it holds."""
    links = [
        (link, split.after.resolve(link, split.parent.path).path)
        for link in scan(split.overview).links
        if link.target and link.kind != "frontmatter"
    ]
    starts = [link.start for link, _ in links]
    leading: dict[str | None, list[int]] = {}
    for link, path in links:
        leading.setdefault(path, []).append(link.start)
    spans = list(blocks(split.overview, scan(split.overview).body_start))
    for part in split.parts:
        places = leading.get(part.path)
        if not places:
            yield Problem("overview", f"the overview does not link {part.path}")
            continue
        words = 0
        for start, end, _ in _around(spans, places):
            text, at = "", start
            for link, _path in links[bisect_left(starts, start) : bisect_left(starts, end)]:
                if at <= link.start:
                    text += split.overview[at : link.start]
                    at = link.end
            words = max(words, len(tokens_of(text + split.overview[at:end])))
        if words < SENTENCE:
            yield Problem("overview", f"the overview links {part.path} without a sentence that tells of it")


def _around(spans: Sequence[Block], places: Iterable[int]) -> list[Block]:
    """The blocks, which are in order, in which the places stand."""
    last_before = ((bisect_right(spans, place, key=lambda block: block.start) - 1, place) for place in places)
    return [
        spans[number]
        for number in sorted({at for at, place in last_before if at >= 0 and place < spans[at].end})
    ]


def says_something(split: Split) -> Iterator[Problem]:
    """Each part has a name, a description, and something to say; no two have one name."""
    names = {fold(split.parent.name): split.parent.path}
    for part in split.parts:
        for key, value in (("name", part.name), ("description", part.description)):
            if not value:
                yield Problem("empty", f"{part.path}: it has no {key}")
        if len(words_of_body(part.text)) < FEWEST_WORDS:
            yield Problem("empty", f"{part.path}: it says nothing, or hardly anything")
        if part.name and (other := names.setdefault(fold(part.name), part.path)) != part.path:
            yield Problem("alike", f"{part.path}: {other} has the same name, {part.name}")


def not_alike(split: Split) -> Iterator[Problem]:
    """No part is another one again, or the whole parent."""
    words = {part.path: words_of_body(part.text) for part in split.parts}
    paths = list(words)
    for one, other in sorted(pairs_sharing(list(words.values()), ALIKE)):
        if _alike(words[paths[one]], words[paths[other]]):
            yield Problem("alike", f"{paths[one]} and {paths[other]} say almost the same")
    whole = words_of_body(split.parent.text)
    for path, own in words.items():
        if len(split.parts) > 1 and _alike(own, whole):
            yield Problem("alike", f"{path} is {split.parent.path} once more")


def small_enough(split: Split) -> Iterator[Problem]:
    """No text is over the threshold, but for a part of one piece; and the overview is shorter than the parent was."""
    limit = split.vault.config.maintain.overload_tokens
    for part in split.parts:
        tokens = estimate_tokens(part.text)
        if tokens > limit and pieces(part.text) > 1:
            yield Problem(
                "size", f"{part.path}: about {tokens} tokens, more than {limit}: make smaller parts"
            )
    before, tokens = estimate_tokens(split.parent.text), estimate_tokens(split.overview)
    if tokens > limit:
        yield Problem("size", f"the overview has about {tokens} tokens, more than {limit}")
    elif tokens >= before:
        yield Problem("size", f"the overview is no shorter than the note was ({before} tokens)")


def rests_on_sources(split: Split) -> Iterator[Problem]:
    """Each part names a source, where the parent had any."""
    sources = sources_of(split.vault, split.parent.path, split.parent.text, split.before)
    for part in split.parts if sources else ():
        if not sources_of(split.vault, part.path, part.text, split.after):
            yield Problem("source", f"{part.path}: it names none of the note's sources: {', '.join(sources)}")


def covered(found: Coverage) -> Iterator[Problem]:
    """What the parent said is said in the overview or in a part."""
    if found.ratio < COVERED:
        yield Problem("coverage", f"only {found.ratio:.0%} of the note's words are found again")
    if found.lost:
        told = "; ".join(f"“{_cut(sentence)}”" for sentence in found.lost[:MOST_TOLD])
        more = f", and {len(found.lost) - MOST_TOLD} more" if len(found.lost) > MOST_TOLD else ""
        yield Problem("coverage", f"this is said nowhere any more: {told}{more}")


CHECKS: Final[tuple[Callable[[Split], Iterator[Problem]], ...]] = (
    enough_parts,
    not_recursive,
    edges_stay,
    leads_back,
    overview_tells,
    says_something,
    not_alike,
    small_enough,
    rests_on_sources,
)
"""Besides these, `split_draft.placed` looks at the paths, and `covered` at what is said."""


def _links_to(path: str, text: str, target: str, names: Names) -> bool:
    return any(names.resolve(link, path).path == target for link in scan(text).links if link.target)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and len(one & other) >= ALIKE * len(one | other)


def _cut(sentence: str) -> str:
    return sentence if len(sentence) <= _LONGEST_TOLD else f"{sentence[:_LONGEST_TOLD]}…"
