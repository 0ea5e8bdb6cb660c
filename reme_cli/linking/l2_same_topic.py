"""L2: notes on the same topic that are not linked. A model confirms a pair and says why, and the first note gets a sentence.

with start_run(vault, "auto_link l2") as run:
    report = link_topics(vault, index, None, TopicOptions(use_model=True), run)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from reme_cli.changeset.change_set import REDOS, ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.errors import EdgesLost, NoteError, PathRefused
from reme_cli.graph.conservation import Additive
from reme_cli.index.document import passages_of
from reme_cli.index.tokenize import tokenize
from reme_cli.linking.asking import Asking
from reme_cli.linking.relevance import relevant_pairs
from reme_cli.linking.scope import concepts_of, scope_of
from reme_cli.linking.topic_report import L2Report
from reme_cli.llm.prompts import choose_language
from reme_cli.regex import regex
from reme_cli.vault.managed_block import find_block
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from reme_cli.changeset.run import Run
    from reme_cli.index.index import Index
    from reme_cli.linking.topic_report import TopicPair
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault

MOST_TOLD: Final = 200
"""Pairs that are reported, or judged by a model."""
MOST_FOR_A_NOTE: Final = 3
"""Pairs in which one note may be: more sentences at its end would be a list of links."""
_SEE_ALSO: Final = regex(
    r"(?i)\W*(?:see also|related(?: notes)?|further reading|参见|参考|另见|相关(?:笔记|链接)?)\W*"
)
_NOT_IN_ALIAS: Final = str.maketrans("[]|\n\r", "     ")


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """How notes on the same topic are linked."""

    dry_run: bool = False
    use_model: bool = False
    """Whether the model of `llm.model` confirms pairs; without one they are only reported."""


def link_topics(
    vault: Vault,
    index: Index,
    paths: Collection[str] | None,
    options: TopicOptions,
    run: Run,
    *,
    env: Mapping[str, str] | None = None,
) -> L2Report:
    """The pairs that belong together, most relevant first; those that touch one of `paths`, where given.

    Looked at are the notes of the digest, or all of a vault without one. Raises `ModelNotConfigured`, `Busy`, `VaultUnwritable`.
    """
    asking = Asking(index, env) if options.use_model else None
    readable = index.stamps()
    writable = set(scope_of(vault, readable, None).paths)
    concepts = [path for path in concepts_of(vault, readable) if path in writable]
    pairs = relevant_pairs(index, concepts, vault.config.relevance, within=paths)
    pairs = list(islice(_not_too_many(pairs), MOST_TOLD))
    report = L2Report(dry_run=options.dry_run, looked_at=len(concepts), asking=asking)
    if asking is not None:
        from reme_cli.linking.pair_judge import judge_topics  # brings Pydantic along

        pairs = judge_topics(index, pairs, asking)
        for pair in pairs:
            if pair.why and _link(vault, index, pair, options, run, report):
                report.linked.append(pair)
        report.run = run.id if report.linked and not options.dry_run else ""
    report.pairs = pairs
    return report


def _not_too_many(pairs: list[TopicPair]) -> Iterator[TopicPair]:
    """The pairs in their order, without those of a note that has had enough."""
    count: dict[str, int] = {}
    for pair in pairs:
        if max(count.get(path, 0) for path in pair[:2]) < MOST_FOR_A_NOTE:
            count |= {path: count.get(path, 0) + 1 for path in pair[:2]}
            yield pair


def _link(
    vault: Vault, index: Index, pair: TopicPair, options: TopicOptions, run: Run, report: L2Report
) -> bool:
    """Writes the sentence of one pair, planned anew where somebody else changed the note meanwhile; gives whether it did."""
    for _ in range(REDOS + 1):
        try:
            note = vault.read(pair.first)
        except (NoteError, PathRefused):
            return False
        planned = sentence_in(index, note, pair)
        if planned is None:
            return False
        text, inserted = planned
        edit = Edit(pair.first, text, note.stamp, Additive(inserted), note=pair.evidence)
        changes = ChangeSet(vault, run, [edit], names=index.names(), together=False)
        try:
            if options.dry_run:
                if not changes.check():
                    report.diff += changes.diff()
                    return True
            elif changes.apply().wrote:
                index.update([pair.first])
                return True
        except EdgesLost:
            return False
        index.update([pair.first])
    run.record(pair.first, "skipped", reason=f"still changing after {REDOS} redos")
    return False


def sentence_in(index: Index, note: Note, pair: TopicPair) -> tuple[str, str] | None:
    """The first note with the sentence at the end of the section that fits, and what is inserted; `None` where it fits nowhere."""
    text = note.text
    before = scan(text)
    other = index.note(pair.second)
    name = (other.name if other else "").translate(_NOT_IN_ALIAS).strip() or pair.second
    link = f"[[{pair.second}|{name}]]"
    is_chinese = choose_language(index.vault.config.language, text) == "zh"
    sentence = f"参见 {link}：{pair.why}。" if is_chinese else f"See also {link}: {pair.why}."
    newline = "\r\n" if "\r\n" in text else "\n"
    block = find_block(text)
    for place in _places(text, before.body_start, f"{name} {other.description if other else ''}"):
        if block is not None and block[0] <= place <= block[1]:
            continue
        inserted = f"{newline}{newline}{sentence}" if text[before.body_start : place].strip() else sentence
        written = text[:place] + inserted + text[place:]
        after = scan(written)
        # in code, a comment or the like, the link would be none; and no other link may be read otherwise
        if len(after.links) == len(before.links) + 1 and any(
            found.target == pair.second and place <= found.start < place + len(inserted)
            for found in after.links
        ):
            return written, inserted
    return None


def _places(text: str, body_start: int, about: str) -> Iterator[int]:
    """Where a sentence about something may be added, the best place first: ends of sections, without the blank lines there.

    A section for such links is best, then the one that has most words in common with it, the last of these; then the end.
    """
    wanted = set(tokenize(about).split())
    ranked = []
    for number, passage in enumerate(passages_of(text)):
        start = max(passage.start, body_start)
        end = start + len(text[start : passage.end].rstrip())
        is_list_of_links = _SEE_ALSO.fullmatch(passage.heading) is not None
        common = len(wanted.intersection(tokenize(text[start:end]).split()))
        ranked.append((is_list_of_links, common, number, end))
    for *_, end in sorted(ranked, reverse=True):
        yield end
    yield max(body_start, len(text.rstrip()))
