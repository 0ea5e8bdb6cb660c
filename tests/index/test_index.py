"""What an index answers."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config, LinksConfig
from reme_cli.index.index import Index
from reme_cli.index.rows import IndexedNote, Passage
from reme_cli.search.search import node_search
from reme_cli.vault.note import Note
from reme_cli.vault.stamp import stamp_of
from tests.graph.link_graph import read_graph
from tests.index.contents import graph_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault

ACME = """---
name: Acme
description: A company
aliases: [ACME Corp, 阿克梅]
tags: [company, area/work]
kind: organisation
created: 2026-01-02
---
# Acme Corporation

Founded by [[Mia]]. #startup

## People

- works_at:: [[people/mia.md|Mia]]
- see ![[logo.png]] and [[nobody]] and `[[code]]`
"""


def test_a_note_with_all_it_says(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"digest/wiki/acme.md": ACME, "people/mia.md": "# Mia\n", "logo.png": b"\x89PNG"})
    with Index.open(vault) as index:
        assert index.refreshed.added == 2
        assert index.note("digest/wiki/acme.md") == IndexedNote(
            path="digest/wiki/acme.md",
            stamp=stamp_of(ACME.encode()),
            name="Acme",
            description="A company",
            layer="digest",
            bucket="wiki",
            kind="organisation",
            date="2026-01-02",
            frontmatter="ok",
            problem=None,
        )
        assert index.aliases("digest/wiki/acme.md") == ("ACME Corp", "阿克梅")
        assert index.tags("digest/wiki/acme.md") == ("area/work", "company", "startup")
        assert [
            (link.link.target, link.link.predicate, link.note, link.file)
            for link in index.links_from("digest/wiki/acme.md")
        ] == [
            ("Mia", None, "people/mia.md", None),
            ("people/mia.md", "works_at", "people/mia.md", None),
            ("logo.png", None, None, "logo.png"),
            ("nobody", None, None, None),
        ]
        assert [(link.source, link.link.line) for link in index.links_to("people/mia.md")] == [
            ("digest/wiki/acme.md", 11),
            ("digest/wiki/acme.md", 15),
        ]
        assert [link.link.target for link in index.links_to("logo.png")] == ["logo.png"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("---\nname: Given\ntitle: Titled\n---\n# Headed\n", "Given"),
        ("---\ntitle: Titled\n---\n# Headed\n", "Titled"),
        ("---\nname: file\ntitle: Titled\n---\n", "file"),
        ("---\nname: [a]\ntitle: ''\n---\n## Below\n\n# Headed\n", "Headed"),
        ("---\nname: [\n---\n# Headed\n", "Headed"),
        ("Text\n", "file"),
    ],
)
def test_what_a_note_is_shown_as(vault_of: Callable[..., Vault], text: str, name: str) -> None:
    with Index.open(vault_of({"a/file.md": text})) as index:
        note = index.note("a/file.md")
        assert note
        assert note.name == name


def test_link_spans_are_those_of_the_text(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": ACME})
    with Index.open(vault) as index:
        for found in index.links_from("a.md"):
            assert ACME[found.link.target_start : found.link.target_end] == found.link.target


def test_passages_are_bounded_by_headings(vault_of: Callable[..., Vault]) -> None:
    text = "---\na: b\n---\nintro\n\n# One\r\ntext\n## Two\n"
    with Index.open(vault_of({"a.md": text})) as index:
        passages = index.passages("a.md")
    assert passages == (
        Passage(0, "", 4, 5, 13, 20),
        Passage(1, "One", 6, 7, 20, 32),
        Passage(2, "Two", 8, 8, 32, 39),
    )
    assert "".join(text[passage.start : passage.end] for passage in passages) == text[13:]


def test_find_by_path_short_name_and_alias(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {
            "digest/wiki/acme.md": ACME,
            "a/twin.md": "",
            "b/twin.md": "",
            "b/Only.md": "",
            "Acme.md": "",
        }
    )
    with Index.open(vault) as index:
        found = {
            name: index.find_notes(name)
            for name in (
                "digest/wiki/acme.md",
                "digest/wiki/acme",
                "acme corp",
                "阿克梅",
                "twin",
                "b/twin",
                "only",
                "Acme",
                "none",
            )
        }
    assert found == {
        "digest/wiki/acme.md": ("digest/wiki/acme.md",),
        "digest/wiki/acme": ("digest/wiki/acme.md",),
        "acme corp": ("digest/wiki/acme.md",),
        "阿克梅": ("digest/wiki/acme.md",),
        "twin": ("a/twin.md", "b/twin.md"),
        "b/twin": ("b/twin.md",),
        "only": ("b/Only.md",),
        "Acme": ("Acme.md",),
        "none": (),
    }


def test_inbound_gives_every_link_that_a_new_note_could_capture(vault_of: Callable[..., Vault]) -> None:
    files = {
        "a.md": "[[Thing]] [[x/thing.md]] [t](../y/THING.md) [[thing#h|t]] [[other]] [[nothing]]",
        "y/thing.md": "[[#self]]",
        "z/note.md": "[up](..)",
    }
    with Index.open(vault_of(files)) as index:
        assert [(source, link.target) for source, link in index.inbound("new/thing.md")] == [
            ("a.md", "Thing"),
            ("a.md", "x/thing.md"),
            ("a.md", "../y/THING.md"),
            ("a.md", "thing"),
        ]


def test_literal_resolution_is_kept_to(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {"a.md": "[[b]] [[x/b.md]]", "x/b.md": ""}, Config(links=LinksConfig(resolution="literal"))
    )
    with Index.open(vault) as index:
        assert [link.note for link in index.links_from("a.md")] == [None, "x/b.md"]
    # another configuration of the same vault, the same file of the index
    with Index.open(type(vault)(vault.root, Config())) as index:
        assert [link.note for link in index.links_from("a.md")] == ["x/b.md", "x/b.md"]


def test_notes_by_layer_in_order_of_path(vault_of: Callable[..., Vault]) -> None:
    paths = ["daily/2026-06-20/b.md", "digest/personal/z.md", "digest/wiki/a.md", "loose.md", "resource/r.md"]
    with Index.open(vault_of(dict.fromkeys(reversed(paths), "text"))) as index:
        assert [note.path for note in index.notes()] == paths
        assert [note.path for note in index.notes("digest")] == ["digest/personal/z.md", "digest/wiki/a.md"]
        daily = index.notes("daily")[0]
        assert (daily.date, daily.bucket) == ("2026-06-20", None)


def test_a_note_that_cannot_be_read_is_there_with_the_reason(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"bad.md": b"caf\xe9", "a.md": "[[bad]]", "yaml.md": "---\na: [\n---\n# Body\n"})
    with Index.open(vault) as index:
        bad = index.note("bad.md")
        assert bad is not None
        assert bad.problem is not None
        assert "UTF-8" in bad.problem
        assert [link.note for link in index.links_from("a.md")] == ["bad.md"]
        broken = index.note("yaml.md")
        assert broken is not None
        assert broken.frontmatter == "broken"
        assert [passage.heading for passage in index.passages("yaml.md")] == ["Body"]
        (vault.root / "bad.md").write_bytes("café".encode())
        assert index.refresh().changed == 1
        mended = index.note("bad.md")
        assert mended is not None
        assert mended.problem is None


def test_names_on_disk_in_another_normal_form(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"Cafe\u0301.md": "# Café", "a.md": "[[Café]]"})
    with Index.open(vault) as index:
        assert [note.path for note in index.notes()] == ["Caf\u00e9.md", "a.md"]
        assert [link.note for link in index.links_from("a.md")] == ["Caf\u00e9.md"]
        assert index.note("Cafe\u0301.md") == index.note("Caf\u00e9.md")


def test_threads_share_an_index(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({f"digest/wiki/n{number}.md": f"[[n{number + 1}]]" for number in range(20)})
    failures: list[object] = []
    with Index.open(vault) as index:

        def work(number: int) -> None:
            for round_ in range(5):
                path = f"digest/wiki/n{number}.md"
                (vault.root / path).write_text(f"[[n{number + 1}]] round{round_}", encoding="utf-8")
                index.update([path])
                if len(index.links_from(path)) != 1 or len(index.notes("digest")) != 20:
                    failures.append((number, round_))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures


def test_the_index_file_is_private_to_the_metadata_folder(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "x"})
    Index.open(vault).close()
    made = {
        os.path.relpath(os.path.join(folder, name), vault.root)
        for folder, _, names in os.walk(vault.root)
        for name in names
    }
    assert made == {"a.md", "vault.yaml", "metadata/cache/index.db", "metadata/cache/.gitignore"}


def test_what_is_supposed_is_in_the_imagined_index_only(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"digest/wiki/a.md": "[[b]]", "c.md": "[[a]]"})
    with Index.open(vault) as index:
        imagined = index.imagined()
        text = "# The orchard\n\n[[c]]"
        imagined.suppose(Note("digest/wiki/b.md", text, stamp_of(text.encode())))
        assert [hit.path for hit in node_search(imagined, "orchard")] == ["digest/wiki/b.md"]
        assert "digest/wiki/b.md" in imagined.names().notes
        assert [link.source for link in imagined.links_to("digest/wiki/b.md")] == ["digest/wiki/a.md"]
        imagined.close()
        assert node_search(index, "orchard") == []
        assert index.note("digest/wiki/b.md") is None
    assert not (vault.root / "digest/wiki/b.md").exists()


def test_a_link_that_names_no_file_is_in_the_graph_as_broken(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "[up](..) and [[#here]] and [[https://example.org/]]"})
    with Index.open(vault) as index:
        occurrences = list(graph_of(index).occurrences())
    assert occurrences == list(read_graph(vault).graph.occurrences())
    assert [occurrence.link.target for occurrence in occurrences] == [".."]
