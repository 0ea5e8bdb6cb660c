"""The query language: `terms`, `"phrases"`, `-not`, `field:value`. What does not parse is text; there is no wrong query.

    memory "exact words" -draft tag:idea -layer:daily after:2026-01-01

What is pasted, such as a paragraph or a conversation, is no query of this language: its quotes and hyphens are its own. So are
the quotes of a sentence, as in: what did she learn from the book "Becoming Nicole"; its phrase is asked for where some note has it.
"""

from __future__ import annotations

import re
from typing import Final

from reme_cli.index.fulltext import Filter, Query
from reme_cli.index.tokenize import is_unspaced, tokens_of
from reme_cli.search.stopwords import is_stopword

FIELDS: Final = ("path", "layer", "bucket", "tag", "kind", "after", "before")

_ITEM: Final = re.compile(
    r"""(?P<not>-?)
        (?:(?P<field>[a-z]+):(?=\S))?
        (?:["“](?P<phrase>[^"“”]*)["”] | (?P<word>\S+))""",
    re.VERBOSE,
)
_LONGEST: Final = 1000
"""Characters; nobody types more."""
_SENTENCE: Final = 3
"""Telling words beside its phrases that make a query a sentence."""
_LIST: Final = re.compile(r"[,，]")


def parse_query(text: str) -> Query:
    """The query that a text means."""
    if is_pasted(text):
        return Query(query_terms(text))
    words: list[str] = []
    phrases: list[tuple[str, ...]] = []
    excluded: list[tuple[str, ...]] = []
    filters: list[Filter] = []
    for item in _ITEM.finditer(text):
        negated = bool(item["not"])
        quoted = item["phrase"] is not None
        value = item["phrase"] if quoted else item["word"]
        condition = _filter(item["field"], value, negated=negated)
        if condition:
            filters.append(condition)
        elif negated and not _joins(text, item.start()):
            excluded.extend(filter(None, [phrase_tokens(value)]))
        elif quoted and not item["field"]:
            phrases.extend(filter(None, [phrase_tokens(value)]))
        else:
            words.append(item.group())
    return Query(query_terms(" ".join(words)), tuple(phrases), tuple(excluded), tuple(filters))


def spoken(text: str) -> str:
    """What a query says, for one who reads it as a sentence: without quotes, conditions and what it excludes."""
    if is_pasted(text):
        return text
    said = []
    for item in _ITEM.finditer(text):
        quoted = item["phrase"] is not None
        value = item["phrase"] if quoted else item["word"]
        is_excluded = item["not"] and not _joins(text, item.start())
        if not is_excluded and _filter(item["field"], value, negated=False) is None:
            said.append(value if quoted else item.group())
    return " ".join(said)


def loosened(query: Query) -> Query | None:
    """A query that is a sentence, with the words of its phrases in place of the phrases; `None` for any other one."""
    if not query.phrases or len(query.terms) < _SENTENCE:
        return None
    words = [token for phrase in query.phrases for token in phrase if not is_stopword(token)]
    return query._replace(terms=tuple(dict.fromkeys((*query.terms, *words))), phrases=())


def is_pasted(text: str) -> bool:
    """Whether a text is longer than a query is, or has more than one line: it is taken literally."""
    return len(text) > _LONGEST or "\n" in text.strip()


def query_terms(text: str) -> tuple[str, ...]:
    """The tokens of a text that tell something: stop words only where there is nothing else."""
    tokens = list(dict.fromkeys(_without_ends(tokens_of(text))))
    telling = [token for token in tokens if not is_stopword(token)]
    return tuple(telling or tokens)


def phrase_tokens(text: str) -> tuple[str, ...]:
    """The tokens that stand in a row wherever the text occurs."""
    tokens = tokens_of(text)
    # The last character alone is a token only where a run ends, and this run may go on in the note.
    if len(tokens) > 1 and len(tokens[-1]) == 1 and is_unspaced(tokens[-1]) and tokens[-2][1:] == tokens[-1]:
        tokens.pop()
    return tuple(tokens)


def _without_ends(tokens: list[str]) -> list[str]:
    """The tokens without the single last characters of longer runs."""
    return [
        token
        for before, token in zip(["", *tokens], tokens, strict=False)
        if not (len(token) == 1 and is_unspaced(token) and len(before) == 2 and before[1] == token)
    ]


def _joins(text: str, at: int) -> bool:
    """Whether a hyphen stands inside a word."""
    return at > 0 and not text[at - 1].isspace()


def _filter(field: str | None, value: str, *, negated: bool) -> Filter | None:
    if field not in FIELDS or not value:
        return None
    if field in {"after", "before"}:
        try:
            import datetime  # few queries name a day

            day = datetime.date.fromisoformat(value)
        except ValueError:
            return None
        # it may be written in another way, such as 20260101, and is compared as text
        return Filter(field, (day.isoformat(),), negated)
    values = tuple(part for part in (_LIST.split(value) if field != "path" else [value]) if part)
    return Filter(field, values, negated) if values else None
