"""Words that occur everywhere and tell nothing: left out of a query that has other words."""

from __future__ import annotations

from typing import Final

from reme_cli.index.tokenize import tokens_of

_ENGLISH: Final = """
a about after again all also am an and any are as at be because been before being both but by can could did do does doing
don down each few for from further had has have having he her here hers him his how i if in into is it its itself just me
more most my no nor not now of off on once only or other our ours out over own same she should so some such than that the
their theirs them then there these they this those through to too under until up very was we were what when where which
while who whom whose why will with would you your yours s t
"""
_CHINESE: Final = """
的 了 是 在 和 与 也 就 都 而 及 或 之 其 吗 呢 吧 啊 什么 怎么 怎样 如何 哪个 哪些 哪里 为什么 多少 几个 是否 以及 因为 所以 但是 如果 这个 那个
这些 那些 我们 你们 他们 她们 它们 一个 一些 可以 没有 不是 就是 还是 已经 的是 了解
"""

# A stop word of two characters is one pair; longer ones would leave pairs that are no words.
_STOPWORDS: Final = frozenset(token for word in _ENGLISH.split() for token in tokens_of(word)) | frozenset(
    word for word in _CHINESE.split() if len(word) <= 2
)


def is_stopword(token: str) -> bool:
    """Whether a token is a stop word."""
    return token in _STOPWORDS
