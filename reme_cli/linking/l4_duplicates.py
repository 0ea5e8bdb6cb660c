"""L4: pairs of notes that describe the same thing. They are listed with the evidence; no note is changed.

report = list_duplicates(vault, index, None, DuplicateOptions())
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal

from reme_cli.changeset import audit
from reme_cli.changeset.state import write_state
from reme_cli.linking.asking import Asking
from reme_cli.linking.duplicate_report import DuplicatePair, L4Report, as_markdown
from reme_cli.linking.likeness import Likeness
from reme_cli.linking.meaning import FAINT, NEAR, Meaning, mutual, standing_out
from reme_cli.linking.namesakes import Namesakes
from reme_cli.linking.note_pairs import NotePairs
from reme_cli.linking.records import Records
from reme_cli.linking.scope import concepts_of
from reme_cli.linking.titles import Titles
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from reme_cli.index.index import Index
    from reme_cli.vault.vault import Vault

# Shares from 0 to 1, chosen on near-duplicates that were planted among real notes (benchmarks/duplicates.py).
ALIKE: Final = 0.4
"""Notes that have so much of their words in common, by weight, are duplicates;"""
ALIKE_NAMED: Final = 0.15
"""of notes whose names are alike, so much is enough."""
HELD: Final = 0.85
"""A note of which the other holds so much,"""
HELD_ALIKE: Final = 0.25
"""and that is no small part of it, is a duplicate, too,"""
HELD_NAMED: Final = 0.5
"""if the names are so much alike: else the one only quotes the other."""
SAME_TEXT: Final = 0.8
"""What notes must have in common that are short, or whose names have different numbers in them."""
SHORT: Final = 40
"""Different words;"""
SHORTEST: Final = 20
"""with fewer, only the name makes a duplicate."""
SHORT_NAMED: Final = 0.6
"""Short notes are duplicates, too, whose words and names are so much alike."""
SAME_NAME: Final = 0.9
"""Likeness of two names from which they are alike."""
MOST_PARTNERS: Final = 3
"""What more notes have in common pair by pair is a form that they fill in."""
SAME_MEANING: Final = 0.8
"""Notes that are so near in meaning, and neither nearer to a third, are duplicates whatever their words are, as are those that stand out:
in two languages."""
OPEN: Final = 0.15
"""With a model, pairs that have so much in common are judged by it."""
NAMESAKE_STUB: Final = 0.4
"""How strong it is that two notes are called the same, where one of them says hardly anything,"""
NAMESAKE: Final = 0.3
"""and where both say something,"""
OF_ONE_NAME: Final = 0.04
"""and have so much in common: else they are two things of one name."""
QUOTED: Final = 2.0
"""Of two notes whose names have no word in common, the longer one quotes the shorter one, of which it holds a share that is so many
times what they have in common of both."""
POSSIBLE: Final = 0.3
"""Strength from which a pair is listed that is no duplicate by these figures."""
MOST_LISTED: Final = 50
"""Pairs that are listed: those that are likely duplicates, however many they are, then possible ones up to so many in all."""
MOST_JUDGED: Final = 400
"""Pairs that a model is asked about in one run, the likeliest first."""

_FORMS: Final = regex(r"(?:^|/)[^/]*(?:templates?\b|模板)[^/]*/", re.IGNORECASE)
"""A folder of templates."""


@dataclass(frozen=True, slots=True)
class DuplicateOptions:
    """How duplicates are looked for."""

    dry_run: bool = False
    """Whether the list is only told, and not written under `metadata/audit/`."""
    use_model: bool = False
    """Whether the model of `llm.model` confirms each pair, and looks at less similar ones, too."""


def list_duplicates(
    vault: Vault,
    index: Index,
    paths: Collection[str] | None,
    options: DuplicateOptions,
    *,
    env: Mapping[str, str] | None = None,
) -> L4Report:
    """The pairs of duplicates; those that touch one of `paths`, where given.

    Looked at are the notes of the digest, or all of a vault without one. The list goes to
    `metadata/audit/<date>/auto_link_l4.md`, which the next run of the day replaces. Raises `ModelNotConfigured`, `VaultUnwritable`,
    `Busy`.
    """
    asking = Asking(index, env) if options.use_model else None
    concepts = concepts_of(vault, index.stamps())
    found = duplicates_among(index, concepts, within=paths, beyond="judged" if asking else "listed")
    if asking is None:
        found = _strongest(found)
    else:
        from reme_cli.linking.pair_judge import judge_duplicates  # brings Pydantic along

        found = judge_duplicates(index, found[:MOST_JUDGED], asking)
    report = L4Report(dry_run=options.dry_run, looked_at=len(concepts), pairs=found, asking=asking)
    if found or not options.dry_run:
        report.text = as_markdown(index, report.pairs)
    if not options.dry_run:
        place = (audit.AUDIT, audit.now(vault).date().isoformat(), "auto_link_l4.md")
        write_state(vault, place, report.text.encode())
        report.file = "/".join((vault.config.folders.metadata, *place))
    return report


def duplicates_among(
    index: Index,
    paths: Sequence[str],
    *,
    within: Collection[str] | None = None,
    beyond: Literal["judged", "listed"] | None = None,
) -> list[DuplicatePair]:
    """The pairs among some notes that are duplicates, the surest first.

    `within`: one of a pair must be of these. `beyond`: behind them also pairs that are none by their figures, as many as a model is
    to judge, or only such as a person may want to look at.
    """
    paths = [path for path in paths if not _FORMS.search(path)]
    likeness = Likeness(index, paths)
    titles = Titles(index, paths)
    records = Records(index.vault)
    called = Namesakes(index, paths, records)
    namesakes = _likest(called.pairs, likeness)
    asked = None if within is None else set(within)
    pairs: list[DuplicatePair] = []
    companions: dict[str, list[float]] = {}
    faint = Meaning(index, paths).candidates(FAINT)
    outstanding = standing_out(faint)
    near = {pair: nearness for pair, nearness in faint.items() if nearness >= NEAR or pair in outstanding}
    alike_in_meaning = outstanding | {pair for pair in mutual(near) if near[pair] >= SAME_MEANING}
    wanted = NotePairs(len(paths))
    wanted.add(chain(likeness.candidates(), titles.same_named(), namesakes, near))
    for first, second in wanted:
        if asked is not None and paths[first] not in asked and paths[second] not in asked:
            continue
        alike, held = likeness.common(first, second)
        size = min(len(likeness.words[first]), len(likeness.words[second]))
        is_namesake = (first, second) in namesakes
        are_named_by_rule = (first, second) in called.apart
        named = 1.0 if is_namesake else 0.0 if are_named_by_rule else titles.likeness(first, second)
        differ = titles.numbers_differ(first, second)
        is_sure = _is_duplicate(alike, held, named, size, numbers_differ=differ)
        are_told_apart = likeness.tell_apart(first, second)
        is_sure = is_sure and not are_told_apart
        nearness = near.get((first, second), 0.0)
        if (first, second) in alike_in_meaning and not differ:
            # a form has its words in common; two languages have none, and each has its own word for what the note is named
            is_sure = is_sure or alike < HELD_ALIKE or not are_told_apart
        pair = DuplicatePair(
            paths[first],
            paths[second],
            alike,
            held,
            0.0,
            named,
            is_sure,
            "",
            nearness,
            0.0 if are_named_by_rule else titles.common(first, second),
            _namesake(alike, size) if is_namesake else 0.0,
        )
        if alike >= OPEN:
            for note in (first, second):
                companions.setdefault(paths[note], []).append(alike)
        is_like_any = size < SHORTEST and named < SAME_NAME
        is_quoted = titles.is_one_a_day(first, second) or (
            not (is_namesake or nearness) and held >= QUOTED * alike and titles.are_other_names(first, second)
        )
        if (
            is_sure
            or (beyond == "judged" and (is_namesake or nearness > 0 or max(alike, 0.5 * held) >= OPEN))
            or (
                beyond == "listed"
                and not (differ or are_told_apart or is_like_any or is_quoted)
                and pair.score >= POSSIBLE
            )
        ):
            pairs.append(pair._replace(shingles=likeness.shingles(first, second)))
    if beyond == "listed":
        pairs = [
            pair
            for pair in pairs
            if pair.is_sure or not (_is_one_of_many(pair, companions) or _is_by_author(pair, records))
        ]
    return sorted(_of_one_thing(pairs, records), key=lambda pair: (not pair.is_sure, -pair.score, pair))


def _of_one_thing(pairs: Sequence[DuplicatePair], records: Records) -> Iterator[DuplicatePair]:
    """The pairs without those that are alike for another reason: what many have in common, the data of a plugin, and two records."""
    partners = Counter(path for pair in pairs if pair.is_sure for path in pair[:2])
    for pair in pairs:
        notes = pair[:2]
        if (
            min(partners[path] for path in notes) <= MOST_PARTNERS
            and all(records[path].is_comparable for path in notes)
            and (pair.alike >= SAME_TEXT or not records.are_two_things(*notes))
        ):
            yield pair


def _is_by_author(pair: DuplicatePair, records: Records) -> bool:
    """Whether no more than an author connects the two: the note on an author and one on a work, or two works."""
    return not pair.namesake and records.are_by_author(*pair[:2])


def _is_one_of_many(pair: DuplicatePair, companions: Mapping[str, Sequence[float]]) -> bool:
    """Whether each of the two has several notes that are about as much like it: a form that they fill in."""
    return all(
        sum(alike >= pair.alike / 2 for alike in companions.get(path, ())) >= MOST_PARTNERS
        for path in pair[:2]
    )


def _likest(pairs: Iterable[tuple[int, int]], likeness: Likeness) -> set[tuple[int, int]]:
    """Of the pairs of namesakes those each of which is, for both of its notes, the one with most in common."""
    ranked = sorted(pairs, key=lambda pair: (-likeness.common(*pair)[0], pair))
    likest: dict[int, tuple[int, int]] = {}
    for pair in ranked:
        for note in pair:
            likest.setdefault(note, pair)
    return {pair for pair in ranked if all(likest[note] == pair for note in pair)}


def _strongest(pairs: Sequence[DuplicatePair]) -> list[DuplicatePair]:
    """The pairs that are listed without a model: all that are likely duplicates, then the strongest others, few for a note."""
    listed = [pair for pair in pairs if pair.is_sure]
    count = Counter(path for pair in listed for path in pair[:2])
    for pair in pairs[len(listed) :]:
        if len(listed) >= MOST_LISTED:
            break
        if max(count[path] for path in pair[:2]) < MOST_PARTNERS:
            listed.append(pair)
            count.update(pair[:2])
    return listed


def _namesake(alike: float, size: int) -> float:
    """How strong it is that two notes are called the same."""
    if size < SHORTEST:
        return NAMESAKE_STUB
    return NAMESAKE if alike >= OF_ONE_NAME else 0.0


def _is_duplicate(alike: float, held: float, named: float, size: int, *, numbers_differ: bool) -> bool:
    """Whether these figures make two notes duplicates; `size` is the number of different words of the smaller one."""
    if numbers_differ:
        return alike >= SAME_TEXT and size >= SHORT
    if size < SHORT:
        if held < SAME_TEXT:
            return False
        return named >= SAME_NAME or (
            size >= SHORTEST and (alike >= SAME_TEXT or min(alike, named) >= SHORT_NAMED)
        )
    if named >= SAME_NAME:
        return alike >= ALIKE_NAMED
    return alike >= ALIKE or (held >= HELD and alike >= HELD_ALIKE and named >= HELD_NAMED)
