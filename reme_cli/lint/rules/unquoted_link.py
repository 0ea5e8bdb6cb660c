"""A wikilink stands in the frontmatter without quotes.

## Why

To YAML, square brackets are lists: `up: [[Home]]` is a list in a list, and `related: [[A]], [[B]]` cannot be read at
all. reme finds the link all the same; Obsidian, Dataview and every reader of YAML do not.

## Bad

```markdown
---
up: [[Home]]
related: [[A]], [[B|the other]]
---
```

## Good

```markdown
---
up: "[[Home]]"
related: ["[[A]]", "[[B|the other]]"]
---
```

## Fix

Safe: quotes are put around each link, and brackets around several on one line. Where the YAML would still be broken
afterwards, nothing is proposed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from reme_cli.errors import FrontmatterError
from reme_cli.lint.excerpt import cut
from reme_cli.lint.finding import Fix, Problem, Replacement
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex
from reme_cli.vault import frontmatter
from reme_cli.vault.inline import WIKILINK
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey
    from reme_cli.vault.frontmatter import Block

_NUMBER: Final = regex(r"[-+]?[\d_.]+(?:[eE][-+]?\d+)?")
# A value that begins with a link, behind `key:`, behind `-`, or behind both.
_VALUE: Final = regex(
    r"^(?P<before>[ \t]*(?:-[ \t]+)*(?:[^\s\"'#&*!|>%@`\[\]{},:-][^\n\"'#:]*:[ \t]+)?)(?P<value>!?\[\[[^\r\n]*)",
    re.MULTILINE,
)
_COMMENT: Final = regex(r"[ \t]+#.*")
_BETWEEN: Final = regex(r"[ \t]*[,;，、]?[ \t]*")


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    block = subject.block
    if block is None or subject.text.find("[[", block.yaml_start, block.yaml_end) < 0:
        return
    found = _unquoted(subject, block) if subject.properties else _breaking(subject.text, block)
    for start, end, written in found:
        yield Problem(
            subject.path,
            start,
            end,
            {"link": cut(subject.text[start:end]), "written": cut(written)},
            fix=Fix((Replacement(subject.path, start, end, written),)),
        )


def _unquoted(subject: Subject, block: Block) -> Iterator[tuple[int, int, str]]:
    """Links that valid YAML reads as lists: where they stand, and how to write them."""
    text = subject.text
    document = text[block.yaml_start : block.yaml_end]
    links = {link.start: link.end for link in subject.scan.links if link.kind == "frontmatter"}
    for first, last in _lists_in_lists(document):
        start, end = block.yaml_start + first, block.yaml_start + last
        if links.get(start) == end:
            yield start, end, _quoted(text[start:end])


def _lists_in_lists(document: str) -> Iterator[tuple[int, int]]:
    """The places of `[[…]]` with nothing but plain text in it, numbers excepted."""
    for node in _nodes(document):
        inner = node.value[0] if node.id == "sequence" and len(node.value) == 1 else None
        if (
            inner is not None
            and inner.id == "sequence"
            and inner.flow_style
            and document.startswith("[[", node.start_mark.index)
            and inner.end_mark.index + 1 == node.end_mark.index
            and _is_plain(inner)
        ):
            yield node.start_mark.index, node.end_mark.index


def _nodes(document: str) -> Iterator[Any]:
    """The values of a YAML document, in source order; none where the parser that tells places does not take it."""
    import yaml  # only where a block holds brackets

    try:
        root = yaml.compose(document, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return
    pending: list[Any] = [root] if root is not None else []
    while pending:
        node = pending.pop()
        yield node
        if node.id == "sequence":
            pending.extend(reversed(node.value))
        elif node.id == "mapping":
            pending.extend(value for _, value in reversed(node.value))


def _is_plain(inner: Any) -> bool:
    if not inner.value or any(item.id == "sequence" for item in inner.value):
        return False
    if any(item.id == "scalar" and item.style is not None for item in inner.value):
        return False
    return not all(item.id == "scalar" and _NUMBER.fullmatch(item.value) for item in inner.value)


def _breaking(text: str, block: Block) -> Iterator[tuple[int, int, str]]:
    """Values that begin with a link and make the YAML invalid, if it is valid once all of them are quoted."""
    document = text[block.yaml_start : block.yaml_end]
    values = []
    for found in _VALUE.finditer(document):
        value = _COMMENT.sub("", found["value"]).rstrip()
        if WIKILINK.match(value, value.startswith("!")) is None:
            continue
        start = found.start("value")
        values.append((start, start + len(value), _as_value(value)))
    if not values or not _is_valid(mended := _with(document, values)):
        return
    # what looks like a value may be a line of a longer text
    places = {node.start_mark.index for node in _nodes(mended)}
    shift, real = 0, []
    for start, end, written in values:
        if start + shift in places:
            real.append((start, end, written))
        shift += len(written) - (end - start)
    mended = _with(document, real)
    # a stray quotation mark makes the scanner see other keys
    if _is_valid(mended) and _links(mended) == _links(document):
        for start, end, written in real:
            yield block.yaml_start + start, block.yaml_start + end, written


def _with(document: str, values: list[tuple[int, int, str]]) -> str:
    for start, end, written in reversed(values):
        document = document[:start] + written + document[end:]
    return document


def _is_valid(document: str) -> bool:
    try:
        frontmatter.read(f"---\n{document}---\n")
    except FrontmatterError:
        return False
    return True


def _links(document: str) -> list[tuple[str, str | None]]:
    return [(link.target, link.predicate) for link in scan(f"---\n{document}---\n").links]


def _as_value(value: str) -> str:
    """Links with nothing but commas between them as a list of texts; everything else as one text."""
    links = [found[0] for found in WIKILINK.finditer(value)]
    others = WIKILINK.split(value)[::2]
    if len(links) > 1 and all(_BETWEEN.fullmatch(part) for part in others):
        return f"[{', '.join(map(_quoted, links))}]"
    return _quoted(value)


def _quoted(value: str) -> str:
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    escaped = value.replace("'", "''")
    return f"'{escaped}'"


RULE = Rule(
    code="F007",
    slug="unquoted-link",
    severity="warning",
    messages={
        "default": {
            "en": "YAML reads `{link}` as lists; write `{written}`",
            "zh": "YAML 会把 `{link}` 读成列表；请写成 `{written}`",
        }
    },
    check_note=_check_note,
)
