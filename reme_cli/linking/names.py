"""What the notes of a vault are called, in every spelling that is the same name by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.linking.folding import fold_name, is_unspaced
from reme_cli.linking.generic import says_nothing
from reme_cli.regex import regex
from reme_cli.vault.paths import nfc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Origin = Literal["name", "alias", "heading", "variant", "plural", "learnt"]
"""Where a name is from: the note's `name`, title or file name; its aliases; its first heading; a rule; what people link it by."""
ORIGINS: Final[tuple[Origin, ...]] = ("name", "alias", "learnt", "heading", "variant", "plural")
"""In order of strength: of two origins the first counts."""


class Name(NamedTuple):
    """One name of a note."""

    key: str
    """As it is compared."""
    texts: tuple[str, ...]
    """As it is written, where the note writes it in several ways that are compared as equal."""
    origin: Origin


_LETTER: Final = regex(r"[^\W\d_]")
_QUALIFIER: Final = regex(r"\s*[(（]([^()（）]+)[)）]\s*\Z")
_DECORATION: Final = regex(r"[^\w(（\"'“‘《「『.@#$&+]+\s*(?=\w)")
_PREFIX_DATE: Final = regex(r"(?:\d{8,14}|\d{4}-\d{2}-\d{2})[\s_-]+(?=\D)")
_NO_FILE: Final = regex(r'[\\/:*?"<>|#^\[\]]')
_TRAILING_MARKS: Final = tuple("?!.,;:？！。，；：")
_LONGEST: Final = 120
_APART_TEXT: Final = """
    arm brain cloth color colour content custom damage good ground letter look manner mean minute moral pain people premise regard saving
    spirit term thank value wage work
    """
_APART: Final = frozenset(_APART_TEXT.split())
"""Nouns whose plural means something else, as grammars of English list them: values are not what has value, goods not the good."""


def names_of(known: Iterable[tuple[str, str]]) -> list[Name]:
    """Every name of one note that may be looked for, each key once, under its strongest origin.

    `known` are the note's names in the index: kind and text.
    """
    written = [(kind, nfc(" ".join(text.split()))) for kind, text in known]
    files = {_as_a_file(text) for kind, text in written if kind == "file"}
    plain: list[tuple[str, Origin]] = []
    for kind, text in written:
        if kind == "alias":
            plain.append((text, "alias"))
        else:
            is_another = kind == "heading" and _as_a_file(text) not in files
            plain.append((text, "heading" if is_another else "name"))
    derived = [variant for text in dict.fromkeys(text for text, _ in plain) for variant in _variants(text)]
    found: dict[str, Name] = {}
    for text, origin in sorted(dict.fromkeys(plain + derived), key=lambda name: ORIGINS.index(name[1])):
        key = fold_name(text)
        earlier = found.get(key)
        if earlier is None:
            if is_linkable(text, key):
                found[key] = Name(key, tuple(_in_a_sentence(text)), origin)
        elif origin != "plural" and text not in earlier.texts:
            texts = dict.fromkeys((*earlier.texts, *_in_a_sentence(text)))
            found[key] = earlier._replace(texts=tuple(texts))
    return list(found.values())


def is_linkable(text: str, key: str) -> bool:
    """Whether a name says enough to be a mention wherever it stands: no generic name, date, number or single character."""
    bare = key.strip()
    if not 1 < len(bare) <= _LONGEST or "\n" in bare or key != bare:
        return False
    if says_nothing(bare):
        return False
    if not _LETTER.search(bare) or "[[" in bare or "]]" in bare or "|" in bare:
        return False
    # two letters say nothing, unless they are a Chinese word, an abbreviation, or stand with a digit or a sign: `C#`
    return (
        len(bare) > 2
        or any(map(is_unspaced, bare))
        or len(_LETTER.findall(bare)) < len(bare)
        or text.isupper()
    )


def is_abbreviation(name: Name) -> bool:
    """Whether a name is so short that only its own capitals tell it from a word: `AI`, `GO`."""
    return len(name.key) == 2 and name.key.isalpha() and not is_unspaced(name.key[0])


def _in_a_sentence(text: str) -> Iterator[str]:
    """A name as it is written, and as it stands within a sentence: `Retry budget` has a capital only because it begins."""
    yield text
    first, space, rest = text.partition(" ")
    if space and len(first) > 1 and first[0].isupper() and text[1:].islower() and rest[:1].isalpha():
        yield text[0].lower() + text[1:]


def _as_a_file(text: str) -> str:
    """A name as it is compared, without what a file's name cannot hold: a heading may have it."""
    return fold_name(" ".join(_NO_FILE.sub(" ", text).split()))


def _variants(text: str) -> Iterator[tuple[str, Origin]]:
    """The spellings that a name has by rule."""
    bases = [text]
    if text.endswith((")", "）")) and (qualifier := _QUALIFIER.search(text)):
        short = text[: qualifier.start()]
        bases.append(short)
        if _abbreviates(qualifier[1], short):
            bases.append(qualifier[1])
    if not text[:1].isalnum() and (decoration := _DECORATION.match(text)):
        bases.append(text[decoration.end() :])
    if text[:1].isdigit() and (dated := _PREFIX_DATE.match(text)):
        bases.append(text[dated.end() :])
    if text.endswith(_TRAILING_MARKS):
        bases.append(text.rstrip("".join(_TRAILING_MARKS)))
    yield from ((base, "variant") for base in bases[1:])
    yield from ((other, "plural") for base in bases for other in _other_numbers(base))


def _abbreviates(short: str, name: str) -> bool:
    """Whether a short form is made of the first letters of a name's words: `LLM` of `Large Language Model`."""
    initials = "".join(word[0] for word in regex(r"\w+").findall(name))
    plain = short.removesuffix("s")
    return len(plain) > 1 and plain.isupper() and plain.lower() == initials.lower()


def _other_numbers(text: str) -> Iterator[str]:
    """The plural of an English name in the singular, and the other way round."""
    last = text.rsplit(" ", 1)[-1].rsplit("-", 1)[-1]
    word = last.lower()
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return
    stem = text[: len(text) - len(last)]
    if not stem and word.removesuffix("s") in _APART:
        return
    if word.endswith("ies") and len(word) > 4:
        yield stem + last[:-3] + "y"
    elif word.endswith(("ches", "shes", "sses", "xes", "zes")):
        yield stem + last[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is", "ics")):
        yield stem + last[:-1]
    elif word.endswith("y") and word[-2] not in "aeiou":
        yield stem + last[:-1] + "ies"
    elif word.endswith(("ch", "sh", "ss", "x", "z")):
        yield stem + last + "es"
    elif not word.endswith(("s", "ing", "ed", "ly")):
        yield stem + last + "s"
