"""Search by meaning, from the nearest passages to what the command prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config
from reme_cli.index.index import Index
from reme_cli.search import semantic
from reme_cli.search.coverage import making
from reme_cli.search.query import spoken
from reme_cli.search.semantic import semantic_candidates
from reme_cli.vault.vault import Vault
from tests.scripted_model import FAULTS, KEY, embeddings, failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Outcome
    from tests.search.embedded import Embedded


def test_the_nearest_passage_of_each_note(embedded: Embedded) -> None:
    embedded.cover()
    found = embedded.near("cheap to run")
    assert (found[0].path, found[0].passage) == ("digest/wiki/gateway.md", 1)
    assert len({note.path for note in found}) == len(found)
    assert 0.5 < found[0].cosine <= 1.001


def test_chinese(embedded: Embedded) -> None:
    embedded.cover()
    assert embedded.near("数据库迁移备份")[0].path == "digest/wiki/database.md"


def test_only_what_is_allowed_comes_into_question(embedded: Embedded) -> None:
    embedded.cover()
    allowed = {"daily/2026-06-20.md", "digest/wiki/database.md"}
    assert embedded.near("gateway tokens about", allowed=allowed)[0].path == "daily/2026-06-20.md"
    assert embedded.near("gateway tokens", allowed=set()) == []


def test_the_same_content_in_two_places_is_two_hits(embedded: Embedded) -> None:
    embedded.write({"copy.md": (embedded.root / "digest/wiki/gateway.md").read_text()})
    embedded.cover()
    assert [note.path for note in embedded.near("gateway tokens", 2)] == ["copy.md", "digest/wiki/gateway.md"]


def test_a_query_is_paid_for_once(embedded: Embedded) -> None:
    embedded.cover()
    first = embedded.near("gateway tokens")
    again = embedded.near("gateway tokens")
    assert [note.path for note in again] == [note.path for note in first]
    assert embedded.newly_sent(1) == ["gateway tokens"]


def test_only_what_a_query_says_is_sent(embedded: Embedded) -> None:
    embedded.cover()
    embedded.near('gateway "rotates tokens" -lunch layer:digest https://x.org')
    assert embedded.newly_sent(1) == ["gateway rotates tokens https://x.org"]
    assert spoken("-draft tag:idea") == ""
    assert embedded.near("-draft tag:idea") == []
    assert len(embedded.server.requests) == 2


def test_a_query_as_long_as_a_conversation_is_sent_in_pieces_and_not_whole(embedded: Embedded) -> None:
    embedded.cover()
    found = embedded.near("We talked about how the gateway rotates its tokens. " * 400)
    assert found[0].path == "digest/wiki/gateway.md"
    assert len(embedded.newly_sent(1)) == 8


def test_without_a_model_nothing_is_done(embedded: Embedded) -> None:
    with Index.open(Vault(embedded.root, Config())) as index:
        assert semantic_candidates(index, "gateway", 10) is None
    assert not (embedded.root / "metadata/cache/vectors.db").exists()


# vectors that are missing ----------------------------------------------------------------------------------------------


def test_a_search_makes_a_few_that_are_missing(embedded: Embedded) -> None:
    assert embedded.near("cheap to run")[0].path == "digest/wiki/gateway.md"
    embedded.write({"new.md": "brand new words\n"})
    assert embedded.near("brand new")[0].path == "new.md"
    assert embedded.warnings == []


def test_many_are_left_to_reme_index(embedded: Embedded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "MOST_MADE", 3)
    assert embedded.near("cheap to run") == []
    assert embedded.server.requests == ()
    assert embedded.warnings == ["vectors: 4 passages have none yet; `reme index` makes them"]


def test_many_notes_are_not_even_read(embedded: Embedded, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded.cover()
    monkeypatch.setattr(semantic, "MOST_READ", 1)
    embedded.write({"a.md": "first\n", "b.md": "second\n"})
    assert embedded.near("gateway tokens")[0].path == "digest/wiki/gateway.md"
    assert embedded.warnings == ["vectors: 2 notes have none yet; `reme index` makes them"]


def test_a_search_does_not_wait_for_whoever_makes_them(embedded: Embedded) -> None:
    with embedded.open() as index, making(index.vault, "index", wait=True):
        assert embedded.near("cheap to run") == []
    assert embedded.server.requests == ()
    assert len(embedded.warnings) == 1


def test_a_text_that_was_refused_is_not_offered_by_every_search(embedded: Embedded) -> None:
    embedded.answer = lambda request: (
        failure(400, "no") if "## Cost\n\nIt is cheap to run." in request.inputs else embeddings(request)
    )
    embedded.near("gateway tokens")
    before = len(embedded.server.requests)
    embedded.near("gateway tokens")
    assert len(embedded.server.requests) == before


# faults -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["server_error", "wrong_key", "rate_limited", "reset", "broken_body"])
def test_a_fault_is_one_line_and_no_error(embedded: Embedded, fault: str) -> None:
    embedded.answer = lambda _: FAULTS[fault]
    assert embedded.near("gateway") == []
    (line,) = embedded.warnings
    assert line.startswith("searched by words and links only: embedding.model: ")
    assert KEY not in line
    assert "\n" not in line


def test_a_known_query_is_answered_although_a_new_passage_cannot_be_made(embedded: Embedded) -> None:
    embedded.near("gateway tokens")
    embedded.write({"new.md": "brand new words\n"})
    embedded.answer = lambda _: FAULTS["server_error"]
    assert embedded.near("gateway tokens")[0].path == "digest/wiki/gateway.md"
    (line,) = embedded.warnings
    assert line.startswith("vectors: embedding.model: no answer from")


def test_a_query_of_another_length_sends_the_reader_to_reme_index(embedded: Embedded) -> None:
    embedded.cover()
    embedded.answer = lambda request: embeddings(request, 32)
    assert embedded.near("gateway tokens") == []
    (line,) = embedded.warnings
    assert "have 32 numbers now, those that were made 64; `reme index` makes them again" in line
    assert embedded.cover().vectors == 4
    assert embedded.near("gateway tokens")[0].path == "digest/wiki/gateway.md"


def test_a_server_elsewhere_is_not_sent_a_query(embedded: Embedded) -> None:
    embedded.configure(api_base="https://vectors.example.org/v1")
    assert embedded.near("gateway") == []
    assert "REME_EMBEDDING__API_BASE" in embedded.warnings[0]


# the commands --------------------------------------------------------------------------------------------------------


def test_a_search_finds_what_shares_no_word_with_the_query(
    embedded: Embedded, reme: Callable[..., Outcome]
) -> None:
    # to this model, `sparkle` and `lunch` are the same word
    embedded.answer = lambda request: embeddings(
        type(request)(
            request.number,
            request.path,
            request.headers,
            {**request.body, "input": [text.replace("sparkle", "lunch") for text in request.inputs]},
        )
    )
    assert reme("index", vault=embedded.root).code == 0
    found = reme("search", "sparkle", "--json", vault=embedded.root)
    assert found.code == 0, found.err
    (hit, *_) = found.json["hits"]
    assert hit["path"] == "daily/2026-06-20.md"
    assert hit["parts"]["similarity"] > 0.3
    assert reme("search", "sparkle layer:digest", "--json", vault=embedded.root).code in {0, 1}
    assert all(
        other["path"].startswith("digest/")
        for other in reme("search", "sparkle layer:digest", "--json", vault=embedded.root).json["hits"]
    )


def test_words_and_links_are_found_without_the_server(
    embedded: Embedded, reme: Callable[..., Outcome]
) -> None:
    reme("index", vault=embedded.root)
    plain = reme("search", "gateway", "--files-only", vault=embedded.root)
    embedded.server.close()
    embedded.write({"vault.yaml": (embedded.root / "vault.yaml").read_text()})
    found = reme("search", "gateway rotates", "--files-only", vault=embedded.root)
    assert found.code == plain.code == 0
    assert found.out.splitlines()[0] == "digest/wiki/gateway.md"
    assert found.err.count("\n") == 1
    assert found.err.startswith("reme: warning: searched by words and links only: ")


def test_index_tells_what_was_made_and_what_it_cost(embedded: Embedded, reme: Callable[..., Outcome]) -> None:
    told = reme("index", vault=embedded.root)
    assert told.code == 0
    assert told.out.splitlines()[1].startswith("4 vectors, 4 of them new; 1 call, ")
    assert told.out.endswith("tokens, price unknown\n")
    again = reme("index", "--json", vault=embedded.root).json["vectors"]
    assert again == {
        "texts": 4,
        "made": 0,
        "missing": 0,
        "refused": 0,
        "calls": 0,
        "tokens": 0,
        "cost": 0.0,
        "problem": None,
    }


def test_index_keeps_the_vectors_when_it_rebuilds(embedded: Embedded, reme: Callable[..., Outcome]) -> None:
    reme("index", vault=embedded.root)
    assert reme("index", "--rebuild", "--json", vault=embedded.root).json["vectors"]["made"] == 0


@pytest.mark.parametrize(("fault", "code"), [("wrong_key", 3), ("server_error", 3), ("unknown_model", 3)])
def test_index_exits_as_the_table_says(
    embedded: Embedded, reme: Callable[..., Outcome], fault: str, code: int
) -> None:
    embedded.answer = lambda _: FAULTS[fault]
    told = reme("index", vault=embedded.root)
    assert told.code == code
    assert "4 passages without one" in told.out
    assert told.err.startswith("reme: error: embedding.model: ")
    assert KEY not in told.err + told.out
    told = reme("index", "--json", vault=embedded.root)
    assert told.code == code
    assert told.json["vectors"]["missing"] == 4
    assert told.json["vectors"]["problem"].startswith("embedding.model: ")


def test_a_budget_that_is_reached_is_half_the_work(embedded: Embedded, reme: Callable[..., Outcome]) -> None:
    (embedded.root / "vault.yaml").write_text(
        f"embedding: {{model: openai/e, api_base: '{embedded.server.url}', batch: 1, budget: {{tokens: 20}}}}\n"
    )
    told = reme("index", vault=embedded.root)
    assert told.code == 1
    assert "embedding.budget.tokens" in told.err


def test_status_tells_how_far_the_vectors_go(embedded: Embedded, reme: Callable[..., Outcome]) -> None:
    told = reme("status", vault=embedded.root)
    assert "vectors     0; 3 notes not read yet: `reme index` makes them\n" in told.out
    reme("index", vault=embedded.root)
    assert "vectors     4\n" in reme("status", vault=embedded.root).out
    assert reme("status", "--json", vault=embedded.root).json["index"]["vectors"] == {
        "texts": 4,
        "missing": 0,
        "unread": 0,
    }
    assert embedded.server.requests[1:] == ()


def test_without_a_model_nothing_is_told_of_vectors(embedded: Embedded, reme: Callable[..., Outcome]) -> None:
    (embedded.root / "vault.yaml").write_text("")
    assert "vector" not in reme("index", vault=embedded.root).out
    assert reme("index", "--json", vault=embedded.root).json["vectors"] is None
    assert "vectors" not in reme("status", vault=embedded.root).out
