"""The list of duplicates that a run of L4 makes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.linking.asking import spent_json
from reme_cli.lint.language import report_language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reme_cli.index.index import Index
    from reme_cli.linking.asking import Asking
    from reme_cli.lint.rule import Language


class DuplicatePair(NamedTuple):
    """Two notes that describe the same thing. Shares are from 0 to 1."""

    first: str
    second: str
    alike: float
    """How much of both is the same, by the weight of the words;"""
    held: float
    """how much of the smaller one the other has."""
    shingles: float
    """How many pairs of neighbouring words both have."""
    named: float
    """How alike their names are."""
    is_sure: bool
    """Whether this alone makes them duplicates; else they may be."""
    why: str = ""
    """What the model says."""
    near: float = 0.0
    """How near they are in meaning, by their vectors."""
    called: float = 0.0
    """How much of their names is the same, by the weight of the words."""
    namesake: float = 0.0
    """How strong it is that the one is called as the other is, though the texts have nothing in common."""

    @property
    def score(self) -> float:
        """How strong the evidence is, from 0 to 1. A name says less where the texts have little in common: two things may be called so."""
        named = self.called * (1 + self.held) / 2
        strength = max(0.5 * self.alike + 0.2 * self.held + 0.3 * named, 0.75 * self.near)
        return max(strength, self.namesake + (1 - self.namesake) * self.alike if self.namesake else 0.0)

    @property
    def sureness(self) -> Literal["likely", "possible"]:
        """How sure it is, in a word."""
        return "likely" if self.is_sure or self.why else "possible"

    @property
    def evidence(self) -> str:
        """What speaks for it, in words."""
        return self.evidence_in("en")

    def evidence_in(self, language: Language) -> str:
        """What speaks for it, in the words of a language."""
        told = [("words", self.alike), ("held", self.held), ("shingles", self.shingles)]
        if self.named >= 0.5:
            told.append(("names", self.named))
        if self.near:
            told.append(("meaning", self.near))
        return _WORDS["and"][language].join(
            _WORDS[what][language].format(f"{share:.0%}") for what, share in told
        )


@dataclass(slots=True)
class L4Report:
    """What a run found."""

    dry_run: bool = False
    looked_at: int = 0
    """How many notes were compared."""
    pairs: list[DuplicatePair] = field(default_factory=list)
    text: str = ""
    """The list as Markdown."""
    file: str = ""
    """Where it was written, relative to the vault."""
    asking: Asking | None = None
    """The model's part."""


_WORDS: Final[Mapping[str, Mapping[Language, str]]] = {
    "title": {"en": "Duplicates", "zh": "重复的笔记"},
    "none": {"en": "None found.", "zh": "没有找到。"},
    "how": {
        "en": """\
Pairs of notes that seem to describe the same thing: first those that are likely to, then those that may, the strongest first.
Nothing was changed. For each: read both, bring what only the second says into the first, then remove the second; its links will lead
to the first. Two notes that are meant to be two: leave them.""",
        "zh": """\
似乎在说同一件事的成对笔记：先是很可能的，再是也许的，证据强的在前。没有改动任何笔记。对每一对：两篇都读一遍，把只有第二篇说到的
写进第一篇，然后删除第二篇，指向它的链接会改为指向第一篇。本来就该是两篇的，不必处理。""",
    },
    "heading": {"en": "{} and {}", "zh": "{} 与 {}"},
    "likely": {"en": "likely", "zh": "很可能"},
    "possible": {"en": "possible", "zh": "也许"},
    "evidence": {"en": "{}, {:.2f}: {}", "zh": "{}，{:.2f}：{}"},
    "and": {"en": ", ", "zh": "，"},
    "words": {"en": "{} of their words in common", "zh": "{} 的词语相同"},
    "held": {"en": "{} of the shorter one in the other", "zh": "较短的一篇有 {} 在另一篇中"},
    "shingles": {"en": "{} of the word pairs the same", "zh": "{} 的相邻词对相同"},
    "names": {"en": "names {} alike", "zh": "名称 {} 相似"},
    "meaning": {"en": "{} near in meaning", "zh": "意思 {} 相近"},
    "model": {"en": "the model: {}", "zh": "模型：{}"},
    "keep": {"en": "keep: {}", "zh": "保留：{}"},
    "then": {"en": "then: {}", "zh": "然后：{}"},
}


def as_markdown(index: Index, pairs: Sequence[DuplicatePair]) -> str:
    """The pairs with their evidence and how to resolve each, in the language of the vault.

    Paths stand in code, so that no text becomes a link.
    """
    language = report_language(index)

    def say(name: str, *values: object) -> str:
        return _WORDS[name][language].format(*values)

    if not pairs:
        return f"# {say('title')}\n\n{say('none')}\n"
    lines = [f"# {say('title')}", "", say("how")]
    for number, pair in enumerate(pairs, 1):
        kept, other = _by_rank(index, pair)
        lines += [
            "",
            f"## {number}. {say('heading', _code(kept), _code(other))}",
            "",
            f"- {say('evidence', say(pair.sureness), pair.score, pair.evidence_in(language))}",
        ]
        if pair.why:
            lines.append(f"- {say('model', pair.why)}")
        lines += [
            f"- {say('keep', _code(kept))}",
            f"- {say('then', _code(f'reme maintain rm {_quoted(other)} --retarget {_quoted(kept)}'))}",
        ]
    return "\n".join((*lines, ""))


def _by_rank(index: Index, pair: DuplicatePair) -> tuple[str, str]:
    """The note to keep and the one to merge into it: what more notes link to, then what says more, is kept."""

    def rank(path: str) -> tuple[int, int, str]:
        size = max((passage.end for passage in index.passages(path)), default=0)
        return -len({link.source for link in index.links_to(path)}), -size, path

    kept, other = sorted((pair.first, pair.second), key=rank)
    return kept, other


def _code(text: str) -> str:
    mark = "``" if "`" in text else "`"
    return f"{mark}{text}{mark}"


def _quoted(path: str) -> str:
    from shlex import quote  # only where there is something to list

    return quote(path)


def as_json(report: L4Report) -> dict[str, object]:
    """What `--json` tells, keys in a stable order."""
    return {
        "schema": 1,
        "level": "l4",
        "dry_run": report.dry_run,
        "notes": report.looked_at,
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "likely": pair.sureness == "likely",
                "score": round(pair.score, 3),
                "words": round(pair.alike, 3),
                "held": round(pair.held, 3),
                "shingles": round(pair.shingles, 3),
                "names": round(pair.named, 3),
                "meaning": round(pair.near, 3),
                "why": pair.why or None,
            }
            for pair in report.pairs
        ],
        "file": report.file or None,
        "model": spent_json(report.asking),
    }
