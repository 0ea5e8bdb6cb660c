"""The edge check of a split says what E-2 says, for any note taken apart in any way."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from reme_cli.config import Config
from reme_cli.graph.conservation import EdgeKey
from reme_cli.maintain.split_checks import edges_stay
from reme_cli.maintain.split_draft import Part, Split
from reme_cli.vault.note import Note
from reme_cli.vault.resolve import Names
from reme_cli.vault.stamp import stamp_of
from reme_cli.vault.vault import Vault

PARENT: Final = "digest/wiki/parent.md"
NOTES: Final = (PARENT, "digest/wiki/a.md", "daily/2026-06-20.md", "资料/乙.md")
FILES: Final = ("digest/wiki/p.png",)

EDGES: Final[dict[str, list[tuple[str, str | None]]]] = {
    "See [[a]].": [("digest/wiki/a.md", None)],
    "is_a:: [[A|other]]": [("digest/wiki/a.md", "is_a")],
    "- is_a:: [[a]], [[2026-06-20]]": [("digest/wiki/a.md", "is_a"), ("daily/2026-06-20.md", "is_a")],
    "[shown](a.md#part)": [("digest/wiki/a.md", None)],
    "![[p.png]]": [("digest/wiki/p.png", None)],
    "![shown](p.png)": [("digest/wiki/p.png", None)],
    "derived_from:: [[daily/2026-06-20.md]]": [("daily/2026-06-20.md", "derived_from")],
    "> 见[[资料/乙|乙]]。": [("资料/乙.md", None)],
    "| [[a\\|cell]] | [[gone]] |\n|---|---|": [("digest/wiki/a.md", None), ("gone", None)],
    "[[gone.md]]": [("gone", None)],
    "supports:: [[gone]]": [("gone", "supports")],
    "`[[a]]` and <https://example.org>": [],
    "```\n[[a]]\n```": [],
    "[[#Here]]": [],
    "Nothing at all.": [],
}
"""Texts, and the edges in them."""
PIECES: Final = {text: frozenset(EdgeKey(*key) for key in keys) for text, keys in EDGES.items()}

pieces = st.lists(st.sampled_from(sorted(PIECES)), max_size=6)


def text_of(chosen: list[str], newline: str) -> str:
    """A note of these pieces."""
    return "\n\n".join([*chosen, ""]).replace("\n", newline)


@given(
    parent=pieces,
    rest=st.lists(pieces, min_size=1, max_size=4),
    newline=st.sampled_from(["\n", "\r\n"]),
    data=st.data(),
)
def test_it_says_what_e2_says(
    parent: list[str], rest: list[list[str]], newline: str, data: st.DataObject
) -> None:
    # most of the note, in some order, in some places
    for piece in data.draw(st.permutations(parent)):
        if data.draw(st.integers(0, 4)):
            rest[data.draw(st.integers(0, len(rest) - 1))].append(piece)
    overview, *parts = rest
    names = Names(NOTES, FILES)
    paths = [f"digest/wiki/part-{number}.md" for number in range(len(parts))]
    text = text_of(parent, newline)
    split = Split(
        Vault(Path(), Config()),
        Note(PARENT, text, stamp_of(text.encode())),
        text_of(overview, newline),
        tuple(Part(path, "n", "d", text_of(part, newline)) for path, part in zip(paths, parts, strict=True)),
        names,
        names.with_changes(added=paths),
    )
    had = {key for piece in parent for key in PIECES[piece]}
    kept = {key for each in rest for piece in each for key in PIECES[piece]}
    problems = list(edges_stay(split))
    assert (not problems) == (had <= kept)
    assert {edge for problem in problems for edge in problem.edges} == {str(key) for key in had - kept}
    assert {key for key, places in split.edges().items() if not places} == had - kept
