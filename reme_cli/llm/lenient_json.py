"""JSON objects in text that a model wrote, syntax errors that have only one reading forgiven."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_STARTS = 64
"""So many opening braces are tried before the text counts as prose."""
MAX_DEPTH = 100
"""Deeper nesting is no answer but an attack on the parser."""

_STRICT = json.JSONDecoder(strict=False)
_SPACE = re.compile(r"(?:\s|(?://|#)[^\n]*(?![^\n])|/\*.*?\*/)+", re.DOTALL)
_NUMBER = re.compile(r"-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?(?![\w.])")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_NOT_TEXT = re.compile(r"[\ud800-\udfff\x00]")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CLOSING_QUOTES = {'"': '"', "'": "'", "“": "”"}


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects, in order; what only looks like one is passed over.

    Code points that no file can hold, lone surrogates and NUL, come out as U+FFFD. An object that is never closed is no
    object, but the ones inside it are: the caller's schema tells them apart.
    """
    at = text.find("{")
    starts = 0
    while at >= 0 and starts < MAX_STARTS:
        starts += 1
        try:
            value, end = _object(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        yield value
        at = text.find("{", end)


def whole_object(text: str) -> dict[str, Any] | None:
    """The object that `text` is, with nothing but white space around it; `None` for anything else."""
    stripped = text.strip()
    if not stripped.startswith("{"):
        return None
    try:
        value, end = _object(stripped, 0)
    except (ValueError, RecursionError):
        return None
    return value if end == len(stripped) else None


def _object(text: str, at: int) -> tuple[dict[str, Any], int]:
    """The object that starts at `at`, and where it ends. Raises `ValueError` or `RecursionError` if there is none."""
    try:
        value, end = _STRICT.raw_decode(text, at)
    except json.JSONDecodeError:
        value, end = _Reader(text, at).read()
    return _clean(value, 0), end


class _Reader:
    """Reads one value by recursive descent; raises `ValueError` where it finds no reading."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at
        self._depth = 0

    def read(self) -> tuple[Any, int]:
        return self._value(), self._at

    def _value(self) -> Any:
        self._skip_space()
        char = self._peek()
        if char == "{":
            return self._nested(self._members)
        if char == "[":
            return self._nested(self._elements)
        if char in _CLOSING_QUOTES:
            return self._string(char)
        if (number := _NUMBER.match(self._text, self._at)) is not None:
            self._at = number.end()
            return json.loads(number.group())
        word = self._bare_word()
        if word not in _WORDS:
            raise ValueError(word)
        return _WORDS[word]

    def _nested(self, read: Any) -> Any:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ValueError("too deep")
        self._at += 1
        value = read()
        self._depth -= 1
        return value

    def _members(self) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while not self._closes("}"):
            quote = self._peek()
            name = self._string(quote) if quote in _CLOSING_QUOTES else self._bare_word()
            self._skip_space()
            if self._peek() not in ":：":
                raise ValueError("no colon")
            self._at += 1
            members[name] = self._value()
            self._separator("}")
        return members

    def _elements(self) -> list[Any]:
        elements: list[Any] = []
        while not self._closes("]"):
            elements.append(self._value())
            self._separator("]")
        return elements

    def _closes(self, bracket: str) -> bool:
        self._skip_space()
        if self._peek() != bracket:
            return False
        self._at += 1
        return True

    def _separator(self, bracket: str) -> None:
        """One comma, which may stand before the closing bracket but nowhere be missing."""
        self._skip_space()
        char = self._peek()
        if char in ",，":
            self._at += 1
        elif char != bracket:
            raise ValueError("no comma")

    def _string(self, quote: str) -> str:
        """A quoted string; a quote inside that is followed by no separator belongs to the text."""
        closing = _CLOSING_QUOTES[quote]
        parts: list[str] = []
        self._at += 1
        while True:
            char = self._peek()
            self._at += 1
            if char == "\\":
                parts.append(self._escape())
            elif char == closing and self._ends_string():
                return "".join(parts)
            else:
                parts.append(char)

    def _ends_string(self) -> bool:
        following = self._text[self._at : self._at + 80].lstrip()
        return following == "" or following[0] in ",:}]，：/#"

    def _escape(self) -> str:
        char = self._peek()
        self._at += 1
        if char == "u":
            digits = self._text[self._at : self._at + 4]
            self._at += 4
            return chr(int(digits, 16))
        return _ESCAPES.get(char, char)

    def _bare_word(self) -> str:
        word = _WORD.match(self._text, self._at)
        if word is None:
            raise ValueError("no value")
        self._at = word.end()
        return word.group()

    def _skip_space(self) -> None:
        if (space := _SPACE.match(self._text, self._at)) is not None:
            self._at = space.end()

    def _peek(self) -> str:
        if self._at >= len(self._text):
            raise ValueError("cut off")
        return self._text[self._at]


def _clean(value: Any, depth: int) -> Any:
    """The value without what cannot be written. Raises `ValueError` where it is nested too deep."""
    if depth > MAX_DEPTH:
        raise ValueError("too deep")
    if isinstance(value, str):
        # Surrogate pairs that were escaped one by one become the character they mean; lone ones cannot be encoded.
        return _NOT_TEXT.sub("\ufffd", value.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    if isinstance(value, list):
        return [_clean(element, depth + 1) for element in value]
    if isinstance(value, dict):
        return {_clean(name, depth): _clean(element, depth + 1) for name, element in value.items()}
    return value
