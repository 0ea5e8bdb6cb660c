"""A pattern that is compiled late answers as one that is compiled at once."""

from __future__ import annotations

import re

import pytest

from reme_cli.regex import regex


def test_it_answers_as_a_compiled_pattern() -> None:
    late, early = regex(r"(?P<head>b)(c)?", re.IGNORECASE), re.compile(r"(?P<head>b)(c)?", re.IGNORECASE)
    text = "abC b"
    assert [found.span() for found in late.finditer(text)] == [found.span() for found in early.finditer(text)]
    assert late.sub(r"<\g<head>>", text) == early.sub(r"<\g<head>>", text)
    assert (late.pattern, late.groups) == (early.pattern, early.groups)
    assert late.fullmatch("bc") is not None
    assert late.match("a") is None


def test_it_is_compiled_when_it_is_asked() -> None:
    broken = regex("(")
    with pytest.raises(re.error):
        broken.search("")
