"""The reference for the scanner: the same answer from markdown-it-py, slowly and sharing no code with it.

CommonMark with tables, strikethrough and footnotes; wikilinks, comments, math, bare URLs and `$$` blocks are rules of
our own against markdown-it's interface. Every rule that matches is recorded with its place in the run of text.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

BLANKS = "\t\n\v\f\r \xa0\u1680\u202f\u205f\u3000\u2028\u2029" + "".join(map(chr, range(0x2000, 0x200B)))
HOLES = {"backticks", "autolink", "html_inline", "comment", "math", "url", "footnote_ref"}


KEY = r"""\"[^\"]+\"|'[^']+'|(?!-\s)[^\s#\[\]{}\"'&*!|>%@`,:].*?"""


class ReferenceLink(NamedTuple):
    kind: str
    target: str
    anchor: str | None
    alias: str | None
    predicate: str | None
    line: int


class ReferenceHeading(NamedTuple):
    level: int
    text: str
    line: int


@dataclass
class Event:
    """A rule that matched, with what it consumed of the run of text."""

    rule: str
    start: int
    end: int
    href: str = ""
    label: str = ""
    label_end: int = 0


def read(text: str) -> tuple[list[ReferenceLink], list[ReferenceHeading]]:
    """The links and headings of a note."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    lines = text.split("\n")
    links: list[ReferenceLink] = []
    body = 0
    if lines[0].rstrip(" \t") == "---":
        for number, line in enumerate(lines[1:], 1):
            if line.rstrip(" \t") in {"---", "..."}:
                links = frontmatter_links(lines[1:number])
                body = number + 1
                break
    found, headings = read_body("\n".join(lines[body:]), body + 1)
    return links + found, headings


def frontmatter_links(lines: list[str]) -> list[ReferenceLink]:
    links, key = [], None
    for number, line in enumerate(lines, 2):
        if found := re.match(rf"({KEY})[ \t]*:+([ \t]|$|(?=[\"']|!?\[\[))", line):
            key = found[1].strip("\"' \t:")
        for content in wikilinks(without_comment(line)):
            target, anchor, alias = parts(content)
            predicate = key and key.lower().replace("-", "_")
            links.append(ReferenceLink("frontmatter", target, anchor, alias, predicate, number))
    return links


def without_comment(line: str) -> str:
    """The line up to a `#` behind white space and outside quotation marks and wikilinks."""
    quote, before = "", ""
    place = 0
    while place < len(line):
        mark = line[place]
        if not quote and (content := wikilink_at(line, place)) is not None:
            place += len(content) + 4
            before = "]"
            continue
        if quote:
            place += quote == '"' and mark == "\\"
            quote = "" if mark == quote else quote
        elif mark in "\"'" and before in set("-:,[{") and mark in line[place + 1 :]:
            quote = mark
        elif mark == "#" and (place == 0 or line[place - 1] in " \t"):
            return line[:place]
        before = mark if mark.strip() else before
        place += 1
    return line


def wikilinks(line: str) -> list[str]:
    found, place = [], 0
    while (place := line.find("[[", place)) >= 0:
        content = wikilink_at(line, place)
        if content is not None:
            found.append(content)
            place += len(content) + 4
        else:
            place += 1
    return found


def wikilink_at(text: str, place: int, end: int | None = None) -> str | None:
    """What stands between the brackets of the wikilink that begins here."""
    if not text.startswith("[[", place) or text.startswith("[[[", place):
        return None
    close = text.find("]]", place + 2, end)
    content = text[place + 2 : close]
    if close < 0 or "[[" in content or "\n" in content:
        return None
    target, anchor, _ = parts(content)
    return content if target or (anchor and anchor.strip(BLANKS + "#")) else None


def parts(content: str) -> tuple[str, str | None, str | None]:
    pieces = re.split(r"\\?\|", content, maxsplit=1)
    alias = pieces[1].strip(BLANKS) if len(pieces) == 2 else ""
    halves = pieces[0].split("#", 1)
    return halves[0].strip(BLANKS), halves[1].strip(BLANKS) if len(halves) == 2 else None, alias or None


def read_body(body: str, first_line: int) -> tuple[list[ReferenceLink], list[ReferenceHeading]]:
    markdown = parser()
    env: dict[str, Any] = {"events": [], "base": 0}
    tokens = markdown.parse(body, env)
    links: list[ReferenceLink] = []
    headings: list[ReferenceHeading] = []
    for before, token in itertools.pairwise(tokens):
        if token.type != "inline":
            continue
        assert token.map is not None
        line = block_line = first_line + token.map[0]
        # what is trimmed from the start of a run may hold line endings
        line += token.meta.get("trimmed_lines", 0)
        heading = before.type == "heading_open"
        if heading and not token.meta.get("in_comment"):
            text = (
                " ".join(token.content.strip(BLANKS).split("\n"))
                if before.markup in {"=", "-"}
                else token.content
            )
            if "\n" in token.content:
                text = re.sub(f"[{BLANKS}]+", " ", token.content)
            headings.append(ReferenceHeading(int(before.tag[1]), text.strip(BLANKS), block_line))
        is_lines = before.type == "paragraph_open" or (heading and before.markup in {"=", "-"})
        links += links_of(token.content, token.meta["events"], line, is_lines)
    return links, headings


def links_of(content: str, events: list[Event], line: int, is_lines: bool) -> list[ReferenceLink]:
    found = []
    mask = masked(content, events)
    for event in sorted(events, key=lambda event: event.start):
        if event.rule in {"wikilink", "embed"}:
            target, anchor, alias = parts(event.label)
        elif event.rule in {"link", "image"}:
            href = event.href.strip()
            if re.match(r"[a-zA-Z][a-zA-Z0-9+.\-]*:|//", href):
                continue
            path, mark, fragment = href.partition("#")
            target, anchor = decoded(path).strip(BLANKS), decoded(fragment).strip(BLANKS) if mark else None
            alias = re.sub(f"[{BLANKS}]+", " ", event.label.strip(BLANKS)) or None
            if not target and not anchor:
                continue
        else:
            continue
        kind = {"link": "markdown"}.get(event.rule, event.rule)
        predicate = predicate_at(content, mask, events, event.start, is_lines)
        at = line + content.count("\n", 0, event.start)
        found.append(ReferenceLink(kind, target, anchor, alias, predicate, at))
    return found


def decoded(path: str) -> str:
    try:
        return unquote(path, errors="strict")
    except UnicodeDecodeError:
        return path


NAME = r"[^\W\d_](?:\w|-)*"


def predicate_at(content: str, mask: str, events: list[Event], place: int, is_lines: bool) -> str | None:
    best: tuple[int, str] | None = None
    line_start = content.rfind("\n", 0, place) + 1
    line_end = content.find("\n", place)
    line_end = len(content) if line_end < 0 else line_end
    for opening in re.finditer(rf"[\[(](?=[ \t]*({NAME})::(?:[ \t]|!?\[|$))", content[line_start:line_end]):
        start = line_start + opening.start()
        if start >= place or mask[start] != content[start]:
            continue
        depth = 0
        for number in range(start, line_end):
            depth += (
                {"[": 1, "(": 1, "]": -1, ")": -1}.get(mask[number], 0)
                if mask[number] in pair(content[start])
                else 0
            )
            if mask[number] == "\n":
                break
            if depth == 0:
                if number > place and (best is None or start > best[0]):
                    best = (start, opening[1])
                break
    if best is None and is_lines:
        found = re.match(
            rf"[{BLANKS}]*(?:\[[^\]\n]\][ \t]+)?({NAME})::(?=[ \t]|!?\[|$)", content[line_start:line_end]
        )
        if found and line_start + found.end() <= place:
            at = line_start + found.start(1)
            if not any(event.rule in HOLES and event.start <= at < event.end for event in events):
                best = (line_start, found[1])
    return best[1].lower().replace("-", "_") if best else None


def pair(opening: str) -> str:
    return "[]" if opening == "[" else "()"


def masked(content: str, events: list[Event]) -> str:
    """The content with everything overwritten whose brackets pair with none outside."""
    mask = list(content)
    for event in events:
        if event.rule in HOLES | {"wikilink", "embed", "escape"}:
            start, end = event.start, event.end
        elif event.rule in {"link", "image"}:
            start, end = event.label_end + 1, event.end
        else:
            continue
        for place in range(start, min(end, len(mask))):
            mask[place] = "\n" if mask[place] == "\n" else "\0"
    return "".join(mask)


# the parser


def parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"maxNesting": 150})
    markdown.enable(["table", "strikethrough"]).use(footnote_plugin, move_to_end=False)
    # destinations as they are written: encoding is for HTML
    vars(markdown)["normalizeLink"] = lambda url: url
    inline = markdown.inline.ruler
    inline.before("link", "wikilink", wikilink_rule)
    inline.before("escape", "math", math_rule)
    inline.before("escape", "comment", comment_rule)
    inline.before("escape", "url", url_rule)
    inline.at(
        "link", shortcut_after_failure(next(rule.fn for rule in inline.__rules__ if rule.name == "link"))
    )
    for rule in list(inline.__rules__):
        if rule.name in HOLES | {"link", "image", "wikilink", "escape", "footnote_inline"}:
            inline.at(rule.name, recorded(rule.name, rule.fn))
    markdown.block.ruler.before("fence", "math_block", math_block_rule, {"alt": []})
    for block_rule in list(markdown.block.ruler.__rules__):
        if block_rule.name in {"paragraph", "lheading"}:
            markdown.block.ruler.at(
                block_rule.name, with_trimmed_lines(block_rule.fn), {"alt": block_rule.alt}
            )
    markdown.core.ruler.at("inline", inline_core)
    return markdown


def inline_core(state: StateCore) -> None:
    """Parses each run of text; a comment that stays open goes on into the next one."""
    runs = [token for token in state.tokens if token.type == "inline"]
    open_comment = False
    for number, token in enumerate(runs):
        events: list[Event] = []
        state.env["events"] = events
        state.env["later"] = any("%%" in later.content for later in runs[number + 1 :])
        state.env["open"] = False
        token.meta["in_comment"] = open_comment
        token.meta["events"] = events
        token.children = []
        start = 0
        if open_comment:
            close = token.content.find("%%")
            start = close + 2 if close >= 0 else len(token.content)
            events.append(Event("comment", 0, start))
            state.env["open"] = close < 0
        state.env["base"] = start
        state.md.inline.parse(token.content[start:], state.md, state.env, token.children)
        open_comment = state.env["open"]


def with_trimmed_lines(rule: Callable[..., bool]) -> Callable[..., bool]:
    def run(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
        if not rule(state, start_line, end_line, silent):
            return False
        text = state.getLines(start_line, state.line, state.blkIndent, False)
        state.tokens[-2].meta["trimmed_lines"] = text[: len(text) - len(text.lstrip(BLANKS))].count("\n")
        return True

    return run


def recorded(name: str, rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    def run(state: StateInline, silent: bool) -> bool:
        place, count = state.pos, len(state.tokens)
        events: list[Event] = state.env["events"]
        known, base = len(events), state.env["base"]
        if (
            name == "footnote_inline"
            and state.src[place] == "^"
            and wikilink_at(state.src, place + 1, state.posMax)
        ):
            return False
        label_end = -1
        if not silent and name in {"link", "image"} and state.src[place] == ("[" if name == "link" else "!"):
            label_start = place + (0 if name == "link" else 1)
            if state.src.startswith("[", label_start):
                label_end = state.md.helpers.parseLinkLabel(state, label_start, name == "link")
        if name in {"image", "footnote_inline"}:
            state.env["base"] = base + place + 2
        matched = (
            html_comment(state, silent)
            if name == "html_inline" and state.src.startswith("<!--", place)
            else rule(state, silent)
        )
        state.env["base"] = base
        if not matched or silent:
            return matched
        if name == "image":
            # a description is shown without its links
            del events[known:]
        event = Event(name, base + place, base + state.pos)
        if name in {"link", "image"}:
            token = next(token for token in state.tokens[count:] if token.type in {"link_open", "image"})
            event.href = str(token.attrs["href" if name == "link" else "src"])
            event.label = state.src[place + (1 if name == "link" else 2) : label_end]
            event.label_end = base + label_end
        if name == "wikilink":
            embed = state.src[place] == "!"
            event.rule = "embed" if embed else "wikilink"
            event.label = state.src[place + 2 + embed : state.pos - 2]
        if name != "footnote_inline":
            events.append(event)
        return matched

    return run


def shortcut_after_failure(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """The link rule as CommonMark has it where a `(` behind the label begins no destination.

    The label alone may then be a reference. markdown-it looks for a further label behind the place of failure.
    """

    def run(state: StateInline, silent: bool) -> bool:
        start, end = state.pos, state.posMax
        label_end = state.md.helpers.parseLinkLabel(state, start, True) if state.src[start] == "[" else -1
        if label_end < 0 or not state.src.startswith("(", label_end + 1, end):
            return rule(state, silent)
        references = state.env.pop("references", None)
        is_inline = rule(state, True)
        state.pos = start
        if references is not None:
            state.env["references"] = references
        if is_inline:
            return rule(state, silent)
        state.posMax = label_end + 1
        matched = rule(state, silent)
        state.posMax = end
        return matched

    return run


def html_comment(state: StateInline, silent: bool) -> bool:
    """An HTML comment as CommonMark 0.31 has it; markdown-it-py's pattern does not see the end of `--->`."""
    src, place = state.src, state.pos
    short = next((short for short in ("<!-->", "<!--->") if src.startswith(short, place)), None)
    close = src.find("-->", place + 4, state.posMax)
    if short is None and close < 0:
        return False
    if not silent:
        state.push("html_inline", "", 0)
    state.pos = place + len(short) if short else close + 3
    return True


def wikilink_rule(state: StateInline, silent: bool) -> bool:
    embed = state.src.startswith("![[", state.pos)
    content = wikilink_at(state.src, state.pos + embed, state.posMax)
    if content is None or state.src[state.pos] not in "![":
        return False
    if not silent:
        state.push("wikilink", "", 0)
    state.pos += len(content) + 4 + embed
    return True


def comment_rule(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("%%", state.pos):
        return False
    close = state.src.find("%%", state.pos + 2, state.posMax)
    if close >= 0:
        state.pos = close + 2
    elif state.env["later"]:
        state.pos = state.posMax
        state.env["open"] = state.env["open"] or not silent
    else:
        if not silent:
            state.append_pending("%%")
        state.pos += 2
        state.env["plain"] = True
        return True
    if not silent:
        state.push("comment", "", 0)
    return True


def math_rule(state: StateInline, silent: bool) -> bool:
    src, place = state.src, state.pos
    if src[place] != "$":
        return False
    if src.startswith("$$", place):
        close = src.find("$$", place + 2, state.posMax)
        if close < 0:
            if not silent:
                state.append_pending("$$")
            state.pos += 2
            state.env["plain"] = True
            return True
        state.pos = close + 2
    else:
        close = place + 1
        if close >= state.posMax or src[close].isspace():
            return False
        while close < state.posMax and src[close] != "$":
            close += 2 if src[close] == "\\" else 1
        if close >= state.posMax or src[close - 1].isspace() or src[close + 1 : close + 2].isdigit():
            return False
        state.pos = close + 1
    if not silent:
        state.push("math", "", 0)
    return True


URL = re.compile(r"(?:[A-Za-z0-9/=&%#+@~$-]|[_.,;:!?'*()](?!!?\[\[)|\[\[[^\[\]\n]*\]\])+", re.ASCII)


def url_rule(state: StateInline, silent: bool) -> bool:
    src, place = state.src, state.pos
    if not src.startswith("://", place) or not re.search(
        r"(?:\A|[^A-Za-z0-9])(?:http|https|ftp)\Z", src[:place]
    ):
        return False
    found = URL.match(src, place + 3, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("url", "", 0)
    state.pos = found.end()
    return True


def math_block_rule(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    if state.is_code_block(start_line):
        return False

    def line_text(number: int) -> str:
        return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]

    if not line_text(start_line).startswith("$$"):
        return False
    rest, number = line_text(start_line)[2:], start_line
    while "$$" not in rest:
        number += 1
        if number >= end_line or (state.sCount[number] < state.blkIndent and not state.isEmpty(number)):
            return False
        rest = line_text(number)
    if rest.partition("$$")[2].strip(" \t"):
        return False
    if not silent:
        state.line = number + 1
        token: Token = state.push("math_block", "", 0)
        token.map = [start_line, state.line]
    return True
