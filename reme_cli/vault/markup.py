"""The HTML and autolinks that CommonMark recognises, as patterns."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from reme_cli.regex import regex

_ATTRIBUTE: Final = (
    r"""(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*"))?)"""
)
_OPEN_OR_CLOSE_TAG: Final = rf"<[A-Za-z][A-Za-z0-9-]*{_ATTRIBUTE}*\s*/?>|</[A-Za-z][A-Za-z0-9-]*\s*>"
_BLOCK_NAMES: Final = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li"
    "|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot"
    "|th|thead|title|tr|track|ul"
)


class HtmlBlock(NamedTuple):
    """One of CommonMark's seven kinds of HTML block; matched against a line from its first character on."""

    opening: re.Pattern[str]
    closing: re.Pattern[str] | None
    """What its last line holds; `None`: it ends before a blank line."""
    ends_paragraph: bool


HTML_BLOCKS: Final = (
    HtmlBlock(
        regex(r"<(?a:script|pre|style|textarea)(?=\s|>|\Z)", re.IGNORECASE),
        regex(r"</(?a:script|pre|style|textarea)>", re.IGNORECASE),
        ends_paragraph=True,
    ),
    HtmlBlock(regex("<!--"), regex("-->"), ends_paragraph=True),
    HtmlBlock(regex(r"<\?"), regex(r"\?>"), ends_paragraph=True),
    HtmlBlock(regex("<![A-Za-z]"), regex(">"), ends_paragraph=True),
    HtmlBlock(regex(r"<!\[CDATA\["), regex(r"\]\]>"), ends_paragraph=True),
    HtmlBlock(regex(rf"</?(?a:{_BLOCK_NAMES})(?=\s|/?>|\Z)", re.IGNORECASE), None, ends_paragraph=True),
    HtmlBlock(regex(rf"(?:{_OPEN_OR_CLOSE_TAG})\s*\Z"), None, ends_paragraph=False),
)

TAG: Final = regex(_OPEN_OR_CLOSE_TAG)
"""An open or a closing tag, possibly over several lines."""
DELIMITED_HTML: Final = (
    ("<!--", regex(r"<!---?>"), "-->"),
    ("<![CDATA[", None, "]]>"),
    ("<?", None, "?>"),
)
"""Inline HTML that runs to a terminator: how it opens, what else is a whole one, how it closes."""
DECLARATION_OPENING: Final = regex(r"<![A-Za-z]")
"""Of inline HTML that runs to a `>`."""
AUTOLINK: Final = regex(
    r"[a-zA-Z][a-zA-Z0-9+.\-]{1,31}:[^<>\x00-\x20]*\n?\Z"
    r"|[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\n?\Z"
)
"""What stands between the pointed brackets of an autolink; the reference allows a newline behind it."""

BARE_URL: Final = regex(r"://(?:[A-Za-z0-9/=&%#+@~$-]|[_.,;:!?'*()](?!!?\[\[)|\[\[[^\[\]\n]*\]\])+", re.ASCII)
"""A URL in running text from its colon on. A wikilink's brackets are part of it where nothing sets them off."""
