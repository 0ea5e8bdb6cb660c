"""The database of vectors: what it finds, keeps and forgets, and in what state it may be found."""

from __future__ import annotations

import math
import os
import random
import sqlite3
from typing import TYPE_CHECKING

import pytest

from reme_cli.index import vectors as vectors_module
from reme_cli.index.pieces import Piece, digest_of
from reme_cli.index.vectors import Place, Vectors
from reme_cli.vault.stamp import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.index.vectors import Space
    from reme_cli.vault.vault import Vault

MODEL = "openai/test"
WAY = "1 400"


@pytest.fixture
def vault(vault_of: Callable[..., Vault]) -> Vault:
    made = vault_of({})
    made.metadata("cache").mkdir(parents=True)
    return made


@pytest.fixture
def place(vault: Vault) -> Path:
    return vault.metadata("cache", "vectors.db")


def opened(vault: Vault, warnings: list[str] | None = None) -> Vectors:
    return Vectors.open(vault, (warnings if warnings is not None else []).append)


def unit(*numbers: float) -> tuple[float, ...]:
    length = math.hypot(*numbers)
    return tuple(number / length for number in numbers)


def fill(vectors: Vectors, texts: dict[str, tuple[float, ...]]) -> Space:
    """Notes and vectors of these texts, one note for each."""
    vectors.settle_cut(WAY)
    vectors.put_cut({Stamp(text): [Piece(0, text, digest_of(text))] for text in texts})
    space = vectors.enter_space(MODEL, 0, len(next(iter(texts.values()))))
    vectors.keep(space, {digest_of(text): vector for text, vector in texts.items()})
    return space


def test_the_nearest_come_first(vault: Vault) -> None:
    texts = {"east": unit(1, 0, 0), "north": unit(0, 1, 0), "north-east": unit(1, 1, 0)}
    with opened(vault) as vectors:
        space = fill(vectors, texts)
        found = vectors.nearest(space, unit(1, 0.2, 0), 2)
    assert [digest for _, digest in found] == [digest_of("east"), digest_of("north-east")]
    assert found[0][0] == pytest.approx(1 / math.hypot(1, 0.2), abs=0.001)


def test_only_the_texts_in_question_are_compared(vault: Vault) -> None:
    with opened(vault) as vectors:
        space = fill(vectors, {"east": unit(1, 0), "north": unit(0, 1)})
        among = vectors.texts_in({Stamp("north")})
        assert [digest for _, digest in vectors.nearest(space, unit(1, 0.1), 5, among)] == [
            digest_of("north")
        ]


def test_signs_choose_well_what_is_compared_exactly(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(4)
    texts = {f"text {n}": unit(*(chance.gauss(0.2, 1) for _ in range(256))) for n in range(1000)}
    wanted = {f"text {n}" for n in range(0, 1000, 100)}
    with opened(vault) as vectors:
        space = fill(vectors, texts)
        for text in sorted(wanted):
            query = unit(*(number + chance.gauss(0, 0.05) for number in texts[text]))
            exact = vectors.nearest(space, query, 5)
            with monkeypatch.context() as patched:
                patched.setattr(vectors_module, "EXACT_PRODUCTS", 100 * 256)
                chosen = vectors.nearest(space, query, 5)
            assert exact[0] == chosen[0]
            assert exact[0][1] == digest_of(text)
            assert len(set(exact) & set(chosen)) >= 3


def test_a_text_that_stands_twice_is_missing_once(vault: Vault) -> None:
    piece = Piece(0, "same", digest_of("same"))
    with opened(vault) as vectors:
        vectors.put_cut({Stamp("a"): [piece, piece._replace(passage=3)], Stamp("b"): [piece]})
        assert vectors.missing(None) == {piece.digest}
        assert vectors.texts() == 1
        assert vectors.places(piece.digest) == [
            Place(Stamp("a"), 0),
            Place(Stamp("a"), 3),
            Place(Stamp("b"), 0),
        ]
        assert vectors.holders({piece.digest}) == ["a", "b"]


def test_what_stands_nowhere_any_more_is_forgotten(vault: Vault, place: Path) -> None:
    with opened(vault) as vectors:
        space = fill(vectors, {"gone": unit(1, 0), "kept": unit(0, 1)})
        vectors.note_refused(MODEL, [digest_of("gone")])
        vectors.prune({Stamp("gone")})
        assert [digest for _, digest in vectors.nearest(space, unit(1, 1), 5)] == [digest_of("kept")]
        assert vectors.refused(MODEL) == set()
    with sqlite3.connect(place) as file:
        assert file.execute("SELECT count(*) FROM numbers").fetchone() == (1,)
    file.close()


def test_the_space_is_the_one_that_the_model_used_last(vault: Vault) -> None:
    with opened(vault) as vectors:
        assert vectors.space(MODEL, 0) is None
        short = fill(vectors, {"a": unit(1, 0)})
        long = vectors.enter_space(MODEL, 0, 3)
        assert vectors.space(MODEL, 0) == long
        assert vectors.missing(long) == {digest_of("a")}
        assert vectors.enter_space(MODEL, 0, 2) == short
        assert vectors.missing(short) == set()
        assert vectors.space(MODEL, 256) is None
        vectors.leave_others(short)
        assert vectors.enter_space(MODEL, 0, 3).id != short.id


def test_another_way_of_cutting_keeps_the_vectors(vault: Vault) -> None:
    with opened(vault) as vectors:
        vectors.settle_cut(WAY)
        space = fill(vectors, {"a": unit(1, 0)})
        vectors.settle_cut(WAY)
        assert vectors.cut_stamps(WAY) == {"a"}
        assert vectors.cut_stamps("1 200") == set()
        vectors.settle_cut("1 200")
        assert vectors.cut_stamps("1 200") == set()
        assert len(vectors.nearest(space, unit(1, 0), 5)) == 1


def test_queries_are_kept_to_a_number(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "QUERIES_KEPT", 3)
    with opened(vault) as vectors:
        space = vectors.enter_space(MODEL, 0, 2)
        for text in "abcde":
            vectors.keep_query(space, digest_of(text), unit(1, 2))
        known = [text for text in "abcde" if vectors.query(space, digest_of(text))]
    assert known == ["c", "d", "e"]


# the file ---------------------------------------------------------------------------------------------------------


def test_vectors_are_there_for_the_next_process(vault: Vault) -> None:
    with opened(vault) as vectors:
        space = fill(vectors, {"a": unit(1, 0)})
    with opened(vault) as vectors:
        assert vectors.is_kept
        assert vectors.missing(space) == set()


@pytest.mark.parametrize(
    "content",
    [b"no database" * 1000, b"", "foreign", "another version"],
    ids=["noise", "empty", "foreign", "version"],
)
def test_a_file_that_will_not_do_is_begun_anew(vault: Vault, place: Path, content: bytes | str) -> None:
    if isinstance(content, bytes):
        place.write_bytes(content)
    else:
        with sqlite3.connect(place) as file:
            file.execute("CREATE TABLE other (x)")
            if content == "another version":
                file.execute(f"PRAGMA application_id = {0x72656D76}")
                file.execute("PRAGMA user_version = 99")
        file.close()
    warnings: list[str] = []
    with opened(vault, warnings) as vectors:
        fill(vectors, {"a": unit(1, 0)})
    assert len(warnings) == (1 if content else 0)
    with opened(vault, warnings) as vectors:
        assert vectors.cut_stamps(WAY) == {"a"}


def test_damage_that_shows_later_is_mended_with_one_line(vault: Vault, place: Path) -> None:
    warnings: list[str] = []
    with opened(vault, warnings) as vectors:
        fill(vectors, {"a": unit(1, 0)})
    with sqlite3.connect(place) as file:
        file.execute("DROP TABLE pieces")
    file.close()
    with opened(vault, warnings) as vectors:
        assert vectors.missing(None) == set()
        fill(vectors, {"b": unit(1, 0)})
    assert len(warnings) == 1
    assert "have to be made again" in warnings[0]


def test_a_symlink_is_not_followed(vault: Vault, place: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.db"
    elsewhere.write_bytes(b"")
    place.symlink_to(elsewhere)
    with opened(vault) as vectors:
        fill(vectors, {"a": unit(1, 0)})
    assert elsewhere.read_bytes() == b""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_read(vault: Vault, place: Path) -> None:
    with opened(vault) as vectors:
        space = fill(vectors, {"a": unit(1, 0)})
    place.parent.chmod(0o555)
    try:
        with opened(vault) as vectors:
            assert not vectors.is_kept
            assert len(vectors.nearest(space, unit(1, 0), 5)) == 1
    finally:
        place.parent.chmod(0o755)


def test_without_a_folder_there_is_memory(vault_of: Callable[..., Vault]) -> None:
    with opened(vault_of({})) as vectors:
        assert not vectors.is_kept
        fill(vectors, {"a": unit(1, 0)})
        assert vectors.texts() == 1
