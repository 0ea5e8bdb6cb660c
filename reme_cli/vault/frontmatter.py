"""The YAML block at the head of a note: found, read, and edited in place.

An edit replaces the spans of the named keys and leaves every other byte alone; a YAML writer would sort keys, drop
comments and change quotes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from reme_cli.errors import FrontmatterError
from reme_cli.regex import regex
from reme_cli.vault.plain_yaml import read_plain
from reme_cli.vault.yaml_text import emit, emit_pair, is_filled, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["TEXT_KEYS", "Block", "emit", "read", "split", "update"]

_Event: TypeAlias = Any
"""A `yaml.Event`; the stubs do not know that a parsed event always has marks."""

TEXT_KEYS: Final = frozenset({"name", "description", "aliases", "alias", "tags", "tag", "kind"})
"""Top-level keys whose scalars are always text: `name: 1.10` is the name `1.10`."""

_OPENING: Final = regex(r"\ufeff?---[ \t]*(?:\r\n|\n|\r)")
_CLOSING: Final = regex(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")
_NEWLINE: Final = regex(r"\r\n|\n|\r")
_COLON: Final = regex(r"[ \t]*:")
_KEEPS_BLANK_LINES: Final = regex(r"[^\r\n#]*[|>][0-9]?\+")


class Block(NamedTuple):
    """Where the frontmatter stands; all are character offsets into the note's text."""

    start: int
    """At the opening `---`, behind a BOM."""
    yaml_start: int
    yaml_end: int
    """`text[yaml_start:yaml_end]` is the YAML with its last line ending, without the lines of dashes."""
    body_start: int
    """Behind the closing line and its line ending."""


def split(text: str) -> Block | None:
    """Where the frontmatter block stands: from `---` on the first line to the next `---` or `...` line; else `None`."""
    opening = _OPENING.match(text)
    if opening is None:
        return None
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return None
    return Block(1 if text[0] == "\ufeff" else 0, opening.end(), closing.start(), closing.end())


def read(text: str) -> dict[str, object]:
    """The frontmatter's mapping; empty without a block or with an empty one.

    Raises `FrontmatterError` with the line in the note where the YAML is broken, is no mapping, repeats a key, or is
    nested or multiplied by aliases beyond all reason.
    """
    block = split(text)
    return _parse(text[block.yaml_start : block.yaml_end]) if block else {}


def _parse(document: str) -> dict[str, object]:
    return parse(document, text_keys=TEXT_KEYS, first_line=2)


def update(text: str, values: Mapping[str, object]) -> str:
    """The note's text with these top-level keys set, or deleted where the value is `None`.

    Only the spans of their values change; a new key goes to the block's end, a new block to the text's head. Raises
    `FrontmatterError` where the YAML is broken or cannot be edited in place; nothing is ever rewritten.
    """
    block = split(text)
    if block is None:
        return _with_new_block(text, values)
    document = text[block.yaml_start : block.yaml_end]
    plain = read_plain(document, TEXT_KEYS)
    before = _parse(document) if plain is None else plain
    newline = _newline_of(text)
    # to add a key to a plain block no place in it is needed, and the parser that tells places is slow
    is_added = plain is not None and before.keys().isdisjoint(values)
    if is_added and (lines := _plain_lines(values, newline)):
        return text[: block.yaml_end] + lines + text[block.yaml_end :]
    pairs = {} if is_added else {pair.key: pair for pair in _pairs(document)}
    indent = next((pair.indent for pair in pairs.values()), "")
    edits: list[tuple[int, int, str]] = []
    for key, value in values.items():
        if key in pairs:
            edits.append(_edit(document, pairs[key], value, newline))
        elif value is not None:
            line = _laid_out(emit_pair(key, value), indent, newline, first=True)
            edits.append((len(document), len(document), line + newline))
    edited = document
    for start, end, replacement in sorted(edits, key=lambda edit: edit[0], reverse=True):
        edited = edited[:start] + replacement + edited[end:]
    return text[: block.yaml_start] + _checked(edited, before, values) + text[block.yaml_end :]


def _plain_lines(values: Mapping[str, object], newline: str) -> str | None:
    """Lines that add texts to a plain block, with no need to read all of it again: it is read line by line. `None` where
    they are not certain to say this."""
    added = {key: value for key, value in values.items() if value is not None}
    lines = "".join(emit_pair(key, value) + newline for key, value in added.items())
    is_text = all(isinstance(value, str) for value in added.values())
    return lines if is_text and read_plain(lines, TEXT_KEYS) == added else None


def _with_new_block(text: str, values: Mapping[str, object]) -> str:
    lines = [emit_pair(key, value) for key, value in values.items() if value is not None]
    if not lines:
        return text
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    block = "\n".join(("---", *lines, "---", "")).replace("\n", _newline_of(text))
    return bom + block + text[len(bom) :]


def _checked(edited: str, before: Mapping[str, object], values: Mapping[str, object]) -> str:
    """The edited YAML, after a reading that proves it: an anchor that went may have been used elsewhere."""
    after = _parse(edited)
    set_keys = {key for key, value in values.items() if value is not None}
    others_kept = all(after.get(key) == value for key, value in before.items() if key not in values)
    texts_set = all(after.get(key) == values[key] for key in set_keys if isinstance(values[key], str))
    keys = (before.keys() - values.keys()) | set_keys
    whole = split(f"---\n{edited}---\n")
    closed_early = whole is None or whole.yaml_end != len(edited) + len("---\n")
    if closed_early or not others_kept or not texts_set or after.keys() != keys:
        raise _uneditable()
    return edited


def _uneditable() -> FrontmatterError:
    return FrontmatterError("the frontmatter cannot be edited in place", hint="Edit it by hand.")


class _Pair(NamedTuple):
    """A top-level key and its value; offsets into the YAML."""

    key: str
    indent: str
    start: int
    """Of the line that the key is on."""
    value_start: int | None
    """Behind the colon; `None` where the key is written as `? key`, so that the whole pair is replaced."""
    inline_start: int | None
    """Of a value that is a scalar, an alias or in brackets; `None` for block lines."""
    in_brackets: bool
    end: int
    """Behind the value's last character that is no comment and no line ending."""


def _edit(document: str, pair: _Pair, value: object, newline: str) -> tuple[int, int, str]:
    """The span to replace, and with what."""
    if value is None:
        line_end = _NEWLINE.search(document, pair.end)
        return pair.start, line_end.end() if line_end else len(document), ""
    if pair.value_start is None:
        return pair.start, pair.end, _laid_out(emit_pair(pair.key, value), pair.indent, newline, first=True)
    if is_filled(value) and not (pair.in_brackets and isinstance(value, list | tuple)):
        lines = emit_pair("k", value).removeprefix("k:")
        return pair.value_start, pair.end, _laid_out(lines, pair.indent, newline)
    start = pair.value_start if pair.inline_start is None else pair.inline_start
    space = " " if document[start - 1] == ":" else ""
    return start, pair.end, space + emit(value, flow=True)


def _laid_out(lines: str, indent: str, newline: str, *, first: bool = False) -> str:
    """Emitted lines as the block indents and ends them; `first`: the first line stands alone, not behind its key."""
    head, *rest = lines.split("\n")
    return newline.join((indent + head if first else head, *(line and indent + line for line in rest)))


def _newline_of(text: str) -> str:
    first = _NEWLINE.search(text)
    return first[0] if first else "\n"


def _pairs(document: str) -> Iterator[_Pair]:
    """The top-level pairs in order; the YAML must be one that `read` accepts."""
    import yaml  # only where frontmatter is edited

    try:
        events = [
            event
            for event in yaml.parse(document, Loader=yaml.SafeLoader)
            if isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent)
        ]
    except yaml.YAMLError as error:
        # the parser in C, which reads, takes tabs between words; the one that tells places does not
        raise _uneditable() from error
    if not events:
        return
    if getattr(events[0], "flow_style", False):
        raise FrontmatterError(
            "the frontmatter is one mapping in braces", line=2, hint="Write one key per line, without braces."
        )
    position = 1
    while position < len(events) - 1:
        end = _value_end(events, position + 1)
        yield _pair(document, events[position], events[position + 1 : end])
        position = end


def _value_end(events: list[_Event], start: int) -> int:
    """The index behind the events of the one value that starts here."""
    import yaml  # only where frontmatter is edited

    depth = 0
    for position in range(start, len(events)):
        depth += isinstance(events[position], yaml.CollectionStartEvent)
        depth -= isinstance(events[position], yaml.CollectionEndEvent)
        if depth == 0:
            return position + 1
    return len(events)


def _pair(document: str, key: _Event, value: list[_Event]) -> _Pair:
    import yaml  # only where frontmatter is edited

    key_start = key.start_mark.index
    start = max(document.rfind("\n", 0, key_start), document.rfind("\r", 0, key_start)) + 1
    before_key = document[start:key_start]
    colon = _COLON.match(document, key.end_mark.index)
    first = value[0]
    is_collection = isinstance(first, yaml.CollectionStartEvent)
    in_brackets = is_collection and bool(first.flow_style)
    block_lines = not in_brackets if is_collection else getattr(first, "style", None) in {"|", ">"}
    end = max(_content_end(document, event) for event in value)
    if is_collection and not in_brackets:  # a comment behind the last item is the item's
        line_end = _NEWLINE.search(document, end)
        end = line_end.start() if line_end else len(document)
    return _Pair(
        key=key.value,
        indent=before_key[: len(before_key) - len(before_key.lstrip(" "))],
        start=start,
        value_start=colon.end() if colon and not before_key.strip() else None,
        inline_start=None if block_lines else first.start_mark.index,
        in_brackets=in_brackets,
        end=end,
    )


def _content_end(document: str, event: _Event) -> int:
    """Where the event's own text ends; 0 for block collections, whose marks reach to the next key."""
    import yaml  # only where frontmatter is edited

    start: int = event.start_mark.index
    end: int = event.end_mark.index
    if isinstance(event, yaml.CollectionStartEvent):
        return 0
    if isinstance(event, yaml.CollectionEndEvent):
        return end if document[start:end] in {"]", "}"} else 0
    if getattr(event, "style", None) not in {"|", ">"}:
        return end
    span = document[start:end]
    if _KEEPS_BLANK_LINES.match(span):  # `|+`: blank lines at the end are content
        return start + len(span) - (2 if span.endswith("\r\n") else span.endswith(("\n", "\r")))
    line_end = _NEWLINE.search(span, len(span.rstrip()))
    return start + (line_end.start() if line_end else len(span))
