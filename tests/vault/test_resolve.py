"""Which file a link means: the contract's ladder, against a second, naive reading of it."""

from __future__ import annotations

import posixpath
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.vault.link import Link, LinkKind
from reme_cli.vault.resolve import Names, would_be_note

if TYPE_CHECKING:
    from reme_cli.config import LinkResolution


def link(target: str, kind: LinkKind = "wikilink") -> Link:
    return Link(kind, target, None, None, None, None, 0, 0, 0, 0, 1, 1)


@pytest.mark.parametrize(
    ("target", "source", "paths", "found"),
    [
        ("jwt", "n.md", ["digest/wiki/jwt.md"], "digest/wiki/jwt.md"),
        ("jwt.md", "n.md", ["digest/wiki/jwt.md"], "digest/wiki/jwt.md"),
        ("wiki/jwt", "n.md", ["digest/wiki/jwt.md"], "digest/wiki/jwt.md"),
        ("iki/jwt", "n.md", ["digest/wiki/jwt.md"], None),
        ("other/jwt", "n.md", ["digest/wiki/jwt.md"], None),
        ("DIGEST/Wiki/JWT", "n.md", ["digest/wiki/jwt.md"], "digest/wiki/jwt.md"),
        ("/jwt", "n.md", ["digest/wiki/jwt.md"], None),
        ("/digest/wiki/jwt", "a/n.md", ["digest/wiki/jwt.md", "a/digest/wiki/jwt.md"], "digest/wiki/jwt.md"),
        # the step decides before the case does: a path at the root in another case is an earlier step
        ("Note", "n.md", ["note.md", "x/Note.md"], "note.md"),
        ("Note", "n.md", ["a/note.md", "x/Note.md"], "x/Note.md"),
        # several hits: the source's folder, then the shortest, then the first
        ("t", "y/n.md", ["x/t.md", "y/t.md"], "y/t.md"),
        ("t", "z/n.md", ["xx/t.md", "y/t.md"], "y/t.md"),
        ("t", "z/n.md", ["y/t.md", "x/t.md"], "x/t.md"),
        ("t", "y/n.md", ["t.md", "y/t.md"], "t.md"),
        # only .md is ever added or taken away
        ("a.md", "n.md", ["a.md.md", "x/a.md"], "a.md.md"),
        ("a.md.md", "n.md", ["x/a.md"], None),
        ("v1.2 notes", "n.md", ["x/v1.2 notes.md"], "x/v1.2 notes.md"),
        ("pic", "n.md", ["pic.png"], None),
        ("pic.png", "n.md", ["i/pic.png.md", "i/pic.png"], "i/pic.png"),
        ("PIC.PNG", "n.md", ["i/pic.png"], "i/pic.png"),
        ("i/pic.png", "a/n.md", ["b/i/pic.png"], "b/i/pic.png"),
        ("digest", "n.md", ["digest/x.md"], None),
        # relative targets say where they are
        ("./y", "a/n.md", ["y.md", "a/y.md"], "a/y.md"),
        ("./y", "a/n.md", ["y.md"], None),
        ("../b/x", "a/n.md", ["b/x.md"], "b/x.md"),
        ("../../x", "a/n.md", ["x.md"], None),
        ("./B/X", "a/n.md", ["a/b/x.md"], "a/b/x.md"),
        ("a//b", "n.md", ["a/b.md"], None),
        # Unicode
        (unicodedata.normalize("NFD", "Café"), "n.md", ["x/Café.md"], "x/Café.md"),
        ("CAFÉ", "n.md", [unicodedata.normalize("NFD", "x/Café.md")], "x/Café.md"),
        ("STRASSE", "n.md", ["straße.md"], "straße.md"),
        ("机器学习", "n.md", ["知识/机器学习.md"], "知识/机器学习.md"),
    ],
)
def test_the_ladder(target: str, source: str, paths: list[str], found: str | None) -> None:
    names = Names(
        (path for path in paths if path.endswith(".md")), (path for path in paths if not path.endswith(".md"))
    )
    resolution = names.resolve(link(target), source)
    assert resolution.path == found
    assert resolution.is_note == (found is None or found.endswith(".md"))


@pytest.mark.parametrize(
    ("target", "source", "paths", "found"),
    [
        ("b.md", "p/n.md", ["b.md", "p/b.md"], "p/b.md"),
        ("b", "p/n.md", ["b.md", "p/b.md"], "p/b.md"),
        ("people/alice-1", "companies/acme.md", ["people/alice-1.md"], "people/alice-1.md"),
        ("/b.md", "p/n.md", ["b.md", "p/b.md"], "b.md"),
        ("../b.md", "p/n.md", ["b.md"], "b.md"),
        ("sub/../b.md", "p/n.md", ["p/b.md"], "p/b.md"),
        ("b.md", "p/n.md", ["q/b.md"], "q/b.md"),
        ("docs/", "p/n.md", ["p/docs.md"], None),
    ],
)
def test_a_markdown_link_is_relative_to_the_note_then_to_the_root(
    target: str, source: str, paths: list[str], found: str | None
) -> None:
    assert Names(paths).resolve(link(target, "markdown"), source).path == found


@pytest.mark.parametrize(
    ("target", "kind", "source", "paths", "candidates"),
    [
        ("t", "wikilink", "x/n.md", ["x/t.md", "y/t.md"], ["x/t.md", "y/t.md"]),
        ("t", "wikilink", "x/n.md", ["t.md", "x/t.md"], ["t.md", "x/t.md"]),
        ("a/t", "wikilink", "n.md", ["a/t.md", "b/a/t.md"], ["a/t.md", "b/a/t.md"]),
        ("T", "wikilink", "n.md", ["x/t.md", "y/t.md"], ["x/t.md", "y/t.md"]),
        ("Note", "wikilink", "n.md", ["x/Note.md", "a/note.md"], ["x/Note.md"]),
        # a full path, a place from the root and a relative place mean one note only
        ("a/t.md", "wikilink", "n.md", ["a/t.md", "b/a/t.md"], ["a/t.md"]),
        ("/t", "wikilink", "n.md", ["t.md", "b/t.md"], ["t.md"]),
        ("./t", "wikilink", "n.md", ["t.md", "b/t.md"], ["t.md"]),
        ("t.md", "markdown", "b/n.md", ["t.md", "b/t.md"], ["b/t.md"]),
        ("", "wikilink", "n.md", [], ["n.md"]),
        ("gone", "wikilink", "n.md", ["t.md"], []),
    ],
)
def test_a_short_link_is_ambiguous_when_another_note_would_match_too(
    target: str, kind: LinkKind, source: str, paths: list[str], candidates: list[str]
) -> None:
    resolution = Names(paths).resolve(link(target, kind), source)
    assert list(resolution.candidates) == candidates
    assert resolution.ambiguous == (len(candidates) > 1)


def test_the_case_is_reported() -> None:
    names = Names(["digest/wiki/jwt.md"])
    assert names.resolve(link("jwt"), "n.md").exact_case
    assert not names.resolve(link("JWT"), "n.md").exact_case
    assert not names.resolve(link("Digest/wiki/jwt.md"), "n.md").exact_case


def test_literal_resolution_takes_the_path_and_nothing_else() -> None:
    names = Names(["a/t.md", "p/t.md"], ["pic.png"], resolution="literal")
    assert names.resolve(link("a/t.md"), "n.md").path == "a/t.md"
    assert names.resolve(link("/a/t.md"), "n.md").path == "a/t.md"
    assert names.resolve(link("pic.png", "embed"), "n.md").path == "pic.png"
    for target in ("a/t", "t", "t.md"):
        assert names.resolve(link(target), "n.md").path is None
    assert names.resolve(link("t.md", "markdown"), "p/n.md").path == "p/t.md"


@pytest.mark.parametrize(
    ("target", "kind", "note"),
    [
        ("missing", "wikilink", True),
        ("missing.md", "image", True),
        ("v1.2", "wikilink", True),
        ("Node.js", "wikilink", True),
        ("Dr. Who", "embed", True),
        ("paper.pdf", "wikilink", False),
        ("session/abc.jsonl", "frontmatter", False),
        ("pic.PNG", "embed", False),
        ("src/main.py", "markdown", False),
        ("people/alice", "markdown", True),
        ("anything", "image", False),
        ("https://example.org", "wikilink", False),
        ("mailto:a@b.c", "wikilink", False),
        ("note: a title", "wikilink", True),
    ],
)
def test_what_a_missing_target_would_be(target: str, kind: LinkKind, note: bool) -> None:
    assert would_be_note(link(target, kind)) is note
    assert Names([]).resolve(link(target, kind), "n.md").is_note is note


def naive(target: str, kind: str, source: str, paths: set[str], resolution: str) -> str | None:
    """The contract's ladder, step by step over all paths."""

    def fold(text: str) -> str:
        return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())

    def best(hits: list[str]) -> str:
        return min(
            hits, key=lambda path: (posixpath.dirname(path) != posixpath.dirname(source), len(path), path)
        )

    target = unicodedata.normalize("NFC", target)
    extensions = [""] if resolution == "literal" else ["", ".md"]
    dotted = target.startswith(("./", "../"))
    places: list[str] = []
    if (kind == "markdown" and not target.startswith("/")) or dotted:
        relative = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if not relative.startswith("../") and not target.endswith("/"):
            places.append(relative)
    if not dotted:
        places.append(target.removeprefix("/"))
    for place in places:
        for extension in extensions:
            for form in (str, fold):
                if hits := [path for path in paths if form(path) == form(place + extension)]:
                    return best(hits)
    if dotted or target.startswith("/") or resolution == "literal":
        return None
    for form in (str, fold):
        for extension in extensions:
            tail = form("/" + target + extension)
            if hits := [path for path in paths if form("/" + path).endswith(tail)]:
                return best(hits)
    return None


COMPONENTS = st.sampled_from(
    ["a", "A", "b", "é", "É", "a.md", "t", "x.png", unicodedata.normalize("NFD", "é"), "ß", "ss"]
)
FOLDERS = st.lists(COMPONENTS, max_size=2).map("/".join)


def joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


NOTES = st.builds(joined, FOLDERS, COMPONENTS.map(lambda name: name + ".md"))
FILES = st.builds(joined, FOLDERS, st.sampled_from(["x.png", "X.png", "a", "é.pdf"]))
TARGETS = st.builds(
    lambda prefix, path, suffix: prefix + path + suffix,
    st.sampled_from(["", "", "", "./", "../", "/"]),
    NOTES.map(lambda path: path.removesuffix(".md")) | FILES,
    st.sampled_from(["", "", ".md", "/"]),
)


@given(
    notes=st.lists(NOTES, max_size=8),
    files=st.lists(FILES, max_size=3),
    targets=st.lists(TARGETS, min_size=1, max_size=4),
    source=NOTES,
    kind=st.sampled_from(["wikilink", "markdown"]),
    resolution=st.sampled_from(["obsidian", "literal"]),
    later=st.lists(NOTES | FILES, max_size=4),
    gone=st.lists(NOTES | FILES, max_size=4),
)
def test_names_agree_with_the_naive_reading_also_after_changes(
    notes: list[str],
    files: list[str],
    targets: list[str],
    source: str,
    kind: LinkKind,
    resolution: LinkResolution,
    later: list[str],
    gone: list[str],
) -> None:
    source = unicodedata.normalize("NFC", source)
    paths = {unicodedata.normalize("NFC", path) for path in (*notes, *files)}
    names = Names(notes, files, resolution=resolution)
    for target in targets:
        found = names.resolve(link(target, kind), source)
        assert found.path == naive(target, kind, source, paths, resolution)
        if found.path is not None:
            assert found.is_note == found.path.endswith(".md")
            assert (found.path in found.candidates) == found.is_note
        assert set(found.candidates) <= names.notes

    changed = names.with_changes(added=later, removed=gone)
    removed = {unicodedata.normalize("NFC", path) for path in gone}
    paths = (paths - removed) | {unicodedata.normalize("NFC", path) for path in later}
    assert changed.notes | changed.files == paths
    assert changed.notes == {path for path in paths if path.endswith(".md")}
    for target in targets:
        assert changed.resolve(link(target, kind), source).path == naive(
            target, kind, source, paths, resolution
        )


@given(
    notes=st.lists(NOTES, min_size=1, max_size=6),
    targets=st.lists(TARGETS, min_size=1, max_size=3),
    sources=st.lists(NOTES, min_size=1, max_size=3),
    resolution=st.sampled_from(["obsidian", "literal"]),
)
def test_what_was_resolved_before_makes_no_difference(
    notes: list[str], targets: list[str], sources: list[str], resolution: LinkResolution
) -> None:
    names = Names(notes, ["a/x.png"], resolution=resolution)
    for target in targets:
        for source in sources:
            for kind in ("wikilink", "markdown", "embed", "image"):
                asked = link(target, kind)
                fresh = Names(notes, ["a/x.png"], resolution=resolution)
                assert names.resolve(asked, source) == fresh.resolve(asked, source)
