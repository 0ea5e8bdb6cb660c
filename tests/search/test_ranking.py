"""What links, layers and other hits do to what a search gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.config import Config, SearchConfig
from reme_cli.index.fulltext import Filter
from reme_cli.index.index import Index
from reme_cli.search.search import search

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.vault.vault import Vault

    MakeVault = Callable[..., Vault]

FILLER = {f"filler{number}.md": f"filler {number}\n" for number in range(8)}


def found(vault: Vault, query: str, **options: object) -> list[str]:
    with Index.open(vault) as index:
        return [hit.path for hit in search(index, query, **options)]  # type: ignore[arg-type]  # limit, filters


LINKED = {
    "zebra.md": "Stripes.\n\nbelongs_to:: [[savanna]]\n",
    "savanna.md": "---\ntags: [place]\n---\nGrass and heat.\n\nbelongs_to:: [[africa]]\n",
    "africa.md": "A continent.\n",
    "draft.md": "a draft about grass, see [[zebra]]\n",
    **FILLER,
}


def test_links_add_notes_that_share_no_word(vault_of: MakeVault) -> None:
    paths = found(vault_of(LINKED), "zebra")
    assert paths[0] == "zebra.md"
    assert {"savanna.md", "africa.md"} <= set(paths[1:])
    assert not any(path.startswith("filler") for path in paths)


def test_conditions_hold_for_what_links_add(vault_of: MakeVault) -> None:
    vault = vault_of(LINKED)
    assert found(vault, "zebra -grass") == ["zebra.md", "africa.md"]
    assert found(vault, "zebra", filters=[Filter("tag", ("place",), negated=True)]) == [
        "zebra.md",
        "draft.md",
        "africa.md",
    ]
    assert found(vault, "tag:place") == ["savanna.md"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("tag:überblick", True),
        ("tag:Überblick/Zürich", True),
        ("tag:überblick/zür", False),
        ("tag:blick", False),
        ("kind:idée", True),
        ("kind:idee", False),
        ("path:ÜBER", True),
        ("path:Café*", True),
        ("path:café*", False),
        ("-kind:IDÉE", False),
        ("tag:UEBER,Überblick", True),
    ],
)
def test_conditions_do_not_look_at_case_or_form(
    vault_of: MakeVault, form: Literal["NFC", "NFD"], condition: str, holds: bool
) -> None:
    path, text = "Café Über.md", "---\ntags: [Überblick/Zürich]\nkind: Idée\n---\nzebra\n"
    vault = vault_of({normalize(form, path): normalize(form, text)})
    for asked in ("NFC", "NFD"):
        hits = found(vault, normalize(asked, f"zebra {condition}"))
        assert hits == ([path] if holds else [])


def test_a_phrase_is_what_a_note_must_have(vault_of: MakeVault) -> None:
    assert found(vault_of(LINKED), '"zebra"') == ["zebra.md", "draft.md"]


def test_the_phrase_of_a_sentence_is_what_a_note_should_have(vault_of: MakeVault) -> None:
    files = {"a.md": "She read Becoming Nicole aloud.\n", "b.md": "Nicole took a book away.\n", **FILLER}
    vault = vault_of(files)
    question = 'what did Nicole take away from the book "%s"?'
    assert found(vault, question % "becoming nicole") == ["a.md"]
    assert found(vault, question % "nothing is impossible") == ["b.md", "a.md"]
    assert found(vault, 'book "nothing is impossible"') == []


def test_what_only_links_add_says_so_in_its_parts(vault_of: MakeVault) -> None:
    with Index.open(vault_of(LINKED)) as index:
        hits = {hit.path: hit for hit in search(index, "stripes")}
    assert hits["savanna.md"].parts["relevance"] == 0 < hits["savanna.md"].parts["links"]
    assert (hits["savanna.md"].snippet, hits["savanna.md"].marks) == ("Grass and heat.", ())


def test_alpha_of_1_leaves_links_out(vault_of: MakeVault) -> None:
    vault = vault_of(LINKED, Config(search=SearchConfig(alpha=1.0)))
    assert found(vault, "stripes") == ["zebra.md"]


def test_inbound_links_decide_between_equals(vault_of: MakeVault) -> None:
    files = {"a.md": "same words\n", "b.md": "same words\n", "c.md": "[[b]]\n", **FILLER}
    assert found(vault_of(files), "same words")[:2] == ["b.md", "a.md"]
    without = Config(search=SearchConfig(centrality=0.0, alpha=1.0))
    assert found(vault_of(files, without), "same words") == ["a.md", "b.md"]


def test_layers_weigh(vault_of: MakeVault) -> None:
    files = {
        "daily/x.md": "zebra\n",
        "digest/wiki/x.md": "zebra\n",
        "resource/x.md": "zebra\n",
        **FILLER,
    }
    assert found(vault_of(files), "zebra") == ["digest/wiki/x.md", "daily/x.md", "resource/x.md"]
    config = Config(search=SearchConfig(layers={"digest": 0.1, "daily": 0.2, "resource": 0.3}))
    assert found(vault_of(files, config), "zebra") == [
        "resource/x.md",
        "daily/x.md",
        "digest/wiki/x.md",
    ]


def test_a_named_note_comes_before_notes_that_say_more(vault_of: MakeVault) -> None:
    talk = "the cost of vector stores and of everything else; vector vector stores stores cost\n"
    files = {"jwt-rotation.md": "seven days\n", "talk.md": f"{talk}jwt\n", **FILLER}
    assert found(vault_of(files), "cost of vector stores after JWT rotation")[0] == "jwt-rotation.md"


STATES = {
    "evolved_from:: [[old]]": "superseded by new.md",
    "supersedes:: [[old]]": "superseded by new.md",
    "contradicts:: [[old]]": "contradicted by new.md",
}


@pytest.mark.parametrize("link", STATES)
def test_a_note_that_another_hit_speaks_against_is_flagged(vault_of: MakeVault, link: str) -> None:
    with Index.open(
        vault_of({"old.md": "zebra stripes\n", "new.md": f"zebra dots\n\n{link}\n", **FILLER})
    ) as index:
        flags = {hit.path: hit.flags for hit in search(index, "zebra")}
        alone = search(index, "zebra", filters=[Filter("path", ("old",))])
    assert flags == {"old.md": (STATES[link],), "new.md": ()}
    assert [hit.flags for hit in alone] == [()]


def test_the_flag_is_told_from_the_other_end_too(vault_of: MakeVault) -> None:
    files = {"old.md": "zebra stripes\n\nsuperseded_by:: [[new]]\n", "new.md": "zebra dots\n", **FILLER}
    with Index.open(vault_of(files)) as index:
        assert {hit.path: hit.flags for hit in search(index, "zebra")} == {
            "old.md": ("superseded by new.md",),
            "new.md": (),
        }


PASSAGE = "The gateway rotates its signing keys every ninety days, and keeps the old key for one day.\n"


def test_passages_that_say_the_same_are_shown_once(vault_of: MakeVault) -> None:
    files = {
        "digest/wiki/keys.md": f"# Rotation\n\n{PASSAGE}",
        "daily/2026-06-20.md": f"# Saturday\n\n{PASSAGE}",
        "daily/2026-06-21.md": f"# Sunday\n\n{PASSAGE.replace('ninety', '30')}",
        **FILLER,
    }
    with Index.open(vault_of(files)) as index:
        hits = search(index, "signing keys")
    assert [(hit.path, hit.flags) for hit in hits] == [
        ("digest/wiki/keys.md", ("same passage in daily/2026-06-20.md",)),
        ("daily/2026-06-21.md", ()),
    ]


def test_what_is_shown_once_leaves_room_for_others(vault_of: MakeVault) -> None:
    files = {f"copy{number}.md": PASSAGE for number in range(5)} | {
        "other.md": "other keys of the gateway are rotated by hand, which takes four steps\n",
        **FILLER,
    }
    assert found(vault_of(files), "signing keys gateway", limit=2) == ["copy0.md", "other.md"]


@given(
    st.lists(
        st.sampled_from(["alpha", "beta", "数据库", "E-1", "c.md", "[[a]]", "-x", '"beta"']),
        min_size=1,
        max_size=6,
    )
)
def test_the_same_hits_however_the_index_came_about(
    two_indexes: tuple[Index, Index], words: list[str]
) -> None:
    hits = [search(index, " ".join(words)) for index in two_indexes]
    assert hits[0] == hits[1]


@pytest.fixture(scope="module")
def two_indexes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, Index]:
    """Of the same notes: built at once, and note by note in another order."""
    from reme_cli.vault.vault import Vault

    notes = {
        "a.md": "alpha, see [[b]] and contradicts:: [[c]]\n\ncontradicts:: [[c]]\n",
        "b.md": "beta 数据库\n\nevolved_from:: [[a]]\n",
        "c.md": "alpha beta E-1\n",
        "d.md": "beta\n",
        "e.md": "alpha [[d]]\n",
    }

    def build(root: Path, order: list[str], *, one_by_one: bool) -> Index:
        index = Index.open(Vault(root, Config()))
        for path in order:
            (root / path).write_text(notes[path], encoding="utf-8")
            if one_by_one:
                index.refresh()
        index.refresh()
        return index

    roots = [tmp_path_factory.mktemp("vault") for _ in range(2)]
    return (
        build(roots[0], sorted(notes), one_by_one=False),
        build(roots[1], sorted(notes, reverse=True), one_by_one=True),
    )


def test_a_conversation_as_a_query(vault_of: MakeVault) -> None:
    talk = " ".join(
        f"We spoke of word{number} and of thing{number % 7}, and then of other things."
        for number in range(400)
    )
    vault = vault_of({"a.md": "word399 thing3\n", **FILLER})
    assert len(talk) > 20_000
    assert found(vault, talk)[0] == "a.md"
