"""What is telling about a text: its terms weighed against the days before, and the phrases it holds.

The weight of a term is BM25's (Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond*, 2009, eq. 3.15
with the +1 under the logarithm that Lucene uses, so that no weight is negative), counted over passages instead of
documents, without length normalisation, since passages are ranked by what they hold and not by how short they are. Phrases are RAKE's
(Rose, Engel, Cramer and Cowley, *Automatic Keyword Extraction from Individual Documents*, 2010): runs of words between
stop words and punctuation; for Chinese, runs of characters between function words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from reme_cli.digest.sentences import CJK
from reme_cli.dream.extractive.cues import STOP_CHUNKS, STOP_WORDS
from reme_cli.index.tokenize import tokens_of
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SATURATION: Final = 1.2
"""BM25's k1: how soon a repeated term stops adding weight."""
STRONGEST_TERMS: Final = 12
"""A passage's salience is the sum over this many of its heaviest terms, so that a long one does not win by length alone."""

_STOP_TERMS: Final = frozenset(token for word in STOP_WORDS for token in tokens_of(word))
_NOT_WORDS = re.compile(r"(?:https?|ftp|ssh)://\S+|\b[0-9a-f]{12,}\b")
_LATIN_RUN = re.compile(r"[A-Za-zÀ-ÿ0-9][\w'’.+#-]*(?:[ ][A-Za-zÀ-ÿ0-9][\w'’.+#-]*)*")
_CJK_RUN = re.compile(f"[{CJK}]+")
_CJK_EDGE = re.compile(r"^(?:个(?![人性体别案])|些|位)|[下里中上时内后前]$")
"""A measure word that a figure left behind, a place word that the noun does not need."""
_IDENTIFIER = re.compile(
    r"^[A-Z][A-Z0-9]{1,7}s?$|^(?=\w*[A-Za-z])\w+[-_]\w[\w-]*$|^[a-z]+[A-Z]\w*$|^[A-Z][a-z]+[A-Z]\w*$"
)
_QUOTED = re.compile(r"[《「『]([^《》「」『』]{2,20})[》」』]|\*\*([^*]{2,40})\*\*")


@lru_cache(maxsize=20_000)
def terms(text: str) -> tuple[str, ...]:
    """The index's tokens of a text in order, without stop words, lone characters, figures, URLs and hashes."""
    bare = STOP_CHUNKS.sub(" ", _NOT_WORDS.sub(" ", strip_links(text)))
    return tuple(
        token
        for token in tokens_of(bare)
        if len(token) > 1
        and token not in _STOP_TERMS
        and not token[0].isdigit()
        and any(map(str.isalpha, token))
    )


@dataclass(frozen=True, slots=True)
class Phrase:
    """A run of content words: `key` is its tokens separated by spaces, `shown` how the text writes it."""

    key: str
    shown: str


@lru_cache(maxsize=20_000)
def phrases(sentence: str) -> tuple[Phrase, ...]:
    """The phrases of a sentence in order of their kind: link texts, quoted names, Latin runs of 2–4 words, identifiers, CJK runs of 2–6."""
    shown = strip_links(sentence)
    found = [
        link.alias or link.target.rsplit("/", 1)[-1].removesuffix(".md")
        for link in scan(sentence).links
        if link.target
    ]
    found += [one or other for one, other in _QUOTED.findall(shown)]
    bare = _NOT_WORDS.sub(" , ", re.sub(r"`[^`]*`", " , ", shown))
    for run in _LATIN_RUN.findall(bare):
        found += _latin_phrases(run.split(" "))
    for run in _CJK_RUN.findall(bare):
        chunks = (_CJK_EDGE.sub("", chunk) for chunk in STOP_CHUNKS.split(run))
        found += [chunk for chunk in chunks if 2 <= len(chunk) <= 6 and len(set(chunk)) > 1]
    made = (Phrase(key_of(text), text.strip(" .'’*")) for text in found)
    return tuple({phrase.key: phrase for phrase in made if phrase.key}.values())


def key_of(text: str) -> str:
    """What a phrase is compared by: the index's tokens, without the lone character that ends a CJK run."""
    return " ".join(token for token in tokens_of(text) if len(token) > 1)


def _latin_phrases(words: Sequence[str]) -> list[str]:
    """Runs of 2–4 content words, and single words that are names of things: `JWT`, `node_search`, `DeepSpeed`."""
    found: list[str] = []
    run: list[str] = []
    for word in [*words, "the"]:
        bare = word.strip(".'’")
        if bare.lower() in STOP_WORDS or not any(map(str.isalpha, bare)):
            if 2 <= len(run) <= 4:
                found.append(" ".join(run))
            run = []
            continue
        if _IDENTIFIER.match(bare):
            found.append(bare)
        run.append(bare)
        if word.endswith("."):
            if 2 <= len(run) <= 4:
                found.append(" ".join(run))
            run = []
    return found


@dataclass(frozen=True, slots=True)
class Gist:
    """What the background keeps of a passage: its day, its terms, and its tokens as one string with a space at each end."""

    day: str
    terms: frozenset[str]
    tokens: str


def gist_of(day: str, heading: str, lines: Iterable[str]) -> Gist:
    """The gist of a passage of `day`."""
    text = "\n".join([heading, *lines])
    plain = strip_links(text)
    return Gist(
        day, frozenset(terms(text)), f" {' '.join(token for token in tokens_of(plain) if len(token) > 1)} "
    )


@dataclass(frozen=True, slots=True)
class Background:
    """The passages that terms are weighed against, and how many of them hold each term."""

    gists: tuple[Gist, ...]
    frequency: Mapping[str, int]

    def weight(self, term: str) -> float:
        """BM25's inverse document frequency of a term, in nats; above zero."""
        holding = self.frequency.get(term, 0)
        return math.log1p((len(self.gists) - holding + 0.5) / (holding + 0.5))

    def salience(self, found: Sequence[str]) -> float:
        """The summed weight of the strongest terms among `found`, each with its count saturated."""
        weights = (
            self.weight(term) * count * (SATURATION + 1) / (count + SATURATION)
            for term, count in Counter(found).items()
        )
        return sum(sorted(weights, reverse=True)[:STRONGEST_TERMS])

    def mean_weight(self, found: Sequence[str]) -> float:
        """The mean weight of the terms `found`, damped for few: what one sentence tells, whatever its length."""
        distinct = set(found)
        return math.fsum(sorted(map(self.weight, distinct))) / (len(distinct) + 2)

    def keywords(self, found: Sequence[str], limit: int) -> tuple[str, ...]:
        """The heaviest terms among `found`, heaviest first."""
        counts = Counter(found)
        ranked = sorted(counts, key=lambda term: (-self.weight(term) * counts[term], term))
        return tuple(ranked[:limit])


def background_of(gists: Iterable[Gist]) -> Background:
    """The background that these passages make."""
    kept = tuple(gists)
    return Background(kept, Counter(term for gist in kept for term in gist.terms))
