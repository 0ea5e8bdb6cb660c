"""Running text is what a reader sees as text, less headings and links."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reme_cli.vault.running_text import running_text
from reme_cli.vault.wikilink import prose_spans, scan

PIECES = st.sampled_from(
    [
        *(
            "word",
            " ",
            "\n",
            "\n\n",
            "\r\n",
            "# ",
            "- ",
            "> ",
            "    ",
            "`",
            "```\n",
            "$",
            "$$",
            "%%",
            "<!--",
            "-->",
            "<b>",
        ),
        *(
            "[[a]]",
            "[[a|b]]",
            "![[a]]",
            "[x](y.md)",
            "[",
            "]",
            "(",
            ")",
            "[^1]",
            "[^1]: ",
            "| a | b |\n|---|---|\n",
            "---\n",
            "https://x.y ",
        ),
    ]
)


@given(st.lists(PIECES, max_size=20).map("".join))
def test_it_is_the_prose_without_headings_and_links(text: str) -> None:
    spans = running_text(text, range(len(text)))
    links = [(link.start, link.end) for link in scan(text).links if link.kind != "frontmatter"]
    headings = [(heading.start, heading.end) for heading in scan(text).headings]
    running = {place for start, end, _ in spans for place in range(start, end)}
    prose = {place for start, end in prose_spans(text) for place in range(start, end)}
    outside = {place for start, end in (*links, *headings) for place in range(start, end)}
    words = {place for place in range(len(text)) if text.startswith("word"[:1], place)}
    assert not running & outside & words
    assert running & words <= prose
    # nothing but links to places outside of the vault makes a difference else
    if "](" not in text:
        assert prose & words - outside == running & words


@given(st.lists(PIECES, max_size=20).map("".join), st.integers(0, 80))
def test_one_place_is_read_as_all_are(text: str, place: int) -> None:
    def holds(wanted: list[int]) -> bool:
        return any(start <= place < end for start, end, _ in running_text(text, wanted))

    if text.startswith("w", place):
        assert holds([place]) == holds(list(range(len(text))))
