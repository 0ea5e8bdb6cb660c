"""What the notes of a vault are called, in every spelling that is the same name by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.linking.folding import fold_name, is_unspaced
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


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What many vaults call a note by its place, not by its subject.
_GENERIC: Final = _words(
    """
    404 about all and archive archives attachments changelog contents draft drafts faq file files folder home homepage inbox index
    journal license links list log main misc miscellaneous new note notes page pages readme scratch scratchpad start tag task tasks
    template test tmp temp todo todos untitled welcome
    关于 归档 附件 目录 索引 首页 主页 说明 草稿 模板 收件箱 收集箱 日记 日志 周记 月记 笔记 随笔 其他 其它 杂项 未命名 无标题 列表
    任务 待办 待办事项 标签 文件 链接 测试 示例
    """
) | frozenset({"daily note", "new note", "new notes", "start here", "todo list", "table of contents"})
_STOP: Final = _words(
    """
    a an and any are as at be been but by can could did do does for from get go had has have he her here him his how i if in into is it
    its just like may me might more most much must my no not now of off on one only or our out over own same she should so some such
    than that the their them then there these they this those through to too under up us very was we well were what when where which
    while who whom why will with would yes you your
    的 了 和 是 在 我 有 他 她 它 们 这 那 与 也 都 就 不 而 及 或 我们 你们 他们 她们 它们 自己 什么 怎么 如何 为什么 因为 所以 但是 如果 这个 那个
    这些 那些 可以 没有 一个 一些 一种 以及 或者 然后 其中 时候 现在 今年 去年 问题 方法 时间 东西 事情
    """
)

_LETTER: Final = regex(r"[^\W\d_]")
_DATE: Final = regex(
    r"\d{4}[ ./年]\d{1,2}(?:[ ./月]\d{1,2}日?)?|\d{6}(?:\d{2}(?:\d{4}(?:\d{2})?)?)?|\d{4}\s?w\d{1,2}|\d{4}\s?q[1-4]"
    r"|\d{4} week \d{1,2}|week \d{1,2}|第?\d+周|\d{1,2}月(?:\d{1,2}日)?|\d{4}年"
)
_QUALIFIER: Final = regex(r"\s*[(（]([^()（）]+)[)）]\s*\Z")
_DECORATION: Final = regex(r"[^\w(（\"'“‘《「『.@#$&+]+\s*(?=\w)")
_PREFIX_DATE: Final = regex(r"(?:\d{8,14}|\d{4}-\d{2}-\d{2})[\s_-]+(?=\D)")
_TRAILING_MARKS: Final = tuple("?!.,;:？！。，；：")
_LONGEST: Final = 120


def names_of(known: Iterable[tuple[str, str]]) -> list[Name]:
    """Every name of one note that may be looked for, each key once, under its strongest origin.

    `known` are the note's names in the index: kind and text.
    """
    plain: list[tuple[str, Origin]] = []
    for kind, text in known:
        origin: Origin = "alias" if kind == "alias" else "heading" if kind == "heading" else "name"
        plain.append((nfc(" ".join(text.split())), origin))
    derived = [variant for text in dict.fromkeys(text for text, _ in plain) for variant in _variants(text)]
    found: dict[str, Name] = {}
    for text, origin in sorted(dict.fromkeys(plain + derived), key=lambda name: ORIGINS.index(name[1])):
        key = fold_name(text)
        earlier = found.get(key)
        if earlier is None:
            if is_linkable(text, key):
                found[key] = Name(key, (text,), origin)
        elif origin != "plural" and text not in earlier.texts:
            found[key] = earlier._replace(texts=(*earlier.texts, text))
    return list(found.values())


def is_linkable(text: str, key: str) -> bool:
    """Whether a name says enough to be a mention wherever it stands: no generic name, date, number or single character."""
    bare = key.strip()
    if not 1 < len(bare) <= _LONGEST or "\n" in bare or key != bare:
        return False
    if bare in _GENERIC or bare in _STOP or _DATE.fullmatch(bare):
        return False
    letters = _LETTER.findall(bare)
    if not letters or "[[" in bare or "]]" in bare or "|" in bare:
        return False
    # two letters say nothing, unless they are a Chinese word, an abbreviation, or stand with a digit or a sign: `C#`
    return len(bare) > 2 or any(map(is_unspaced, bare)) or len(letters) < len(bare) or text.isupper()


def is_abbreviation(name: Name) -> bool:
    """Whether a name is so short that only its own capitals tell it from a word: `AI`, `GO`."""
    return len(name.key) == 2 and name.key.isalpha() and not is_unspaced(name.key[0])


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
