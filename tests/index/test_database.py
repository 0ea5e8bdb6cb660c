"""Whatever state the index file is in, the answers are right."""

from __future__ import annotations

import os
import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset.run import start_run
from reme_cli.errors import Busy
from reme_cli.index import database, reading, schema
from reme_cli.index.index import Index
from tests.index.contents import contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.vault.vault import Vault

FILES = {f"n{number}.md": f"# Note {number}\n[[n{number + 1}]] some words\n" * 20 for number in range(30)}


@pytest.fixture
def vault(vault_of: Callable[..., Vault]) -> Vault:
    return vault_of(FILES)


def _index_file(vault: Vault) -> Path:
    return vault.root / "metadata" / "cache" / database.FILE


def _rewrite(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def rewrite(file: Path) -> None:
        file.write_bytes(change(file.read_bytes()))

    return rewrite


def _run_sql(*statements: str) -> Callable[[Path], None]:
    def run(file: Path) -> None:
        connection = sqlite3.connect(file, isolation_level=None)
        for statement in statements:
            connection.execute(statement)
        connection.close()

    return run


def _replace_by_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


DAMAGE: dict[str, Callable[[Path], None]] = {
    "no database at all": _rewrite(lambda data: b"# not a database\n" * 4096),
    "cut in half": _rewrite(lambda data: data[: len(data) // 2]),
    "cut within the first page": _rewrite(lambda data: data[:700]),
    "header overwritten": _rewrite(lambda data: b"\0" * 100 + data[100:]),
    "first page overwritten": _rewrite(lambda data: data[:100] + b"\xa5" * 3996 + data[4096:]),
    "everything behind the first page overwritten": _rewrite(
        lambda data: data[:4096] + b"\xa5" * (len(data) - 4096)
    ),
    "an older schema": _run_sql("PRAGMA user_version = 1", "DROP TABLE links"),
    "a newer schema": _run_sql(
        f"PRAGMA user_version = {schema.SCHEMA + 1}", "ALTER TABLE notes ADD COLUMN mood TEXT"
    ),
    "a database of another program": _run_sql(
        "PRAGMA application_id = 7", "CREATE TABLE mine (x)", "CREATE VIEW seen AS SELECT * FROM mine"
    ),
    "a table lost": _run_sql("DROP TABLE passages"),
    "the full text lost": _run_sql("DROP TABLE fulltext"),
    "a column lost": _run_sql("ALTER TABLE notes RENAME COLUMN problem TO trouble"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_built_again_with_one_line_of_warning(vault: Vault, damage: str) -> None:
    with Index.open(vault) as index:
        right = contents(index)
    DAMAGE[damage](_index_file(vault))
    (vault.root / "n0.md").write_text("# Note 0 changed\n", encoding="utf-8")
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        again = contents(index)
    assert len(warnings) == 1, warnings
    assert "building it again" in warnings[0]
    assert [row[0] for row in again["notes"]] == [row[0] for row in right["notes"]]
    assert len(again["links"]) == len(right["links"]) - 20
    quiet: list[str] = []
    with Index.open(vault, warn=quiet.append) as index:
        assert contents(index) == again
    assert quiet == []


def test_damage_that_only_a_question_meets_is_mended_then(vault: Vault) -> None:
    for file in vault.root.glob("*.md"):
        os.utime(file, ns=(0, 10**18))
    with Index.open(vault) as index:
        right = contents(index)
    _run_sql("DROP TABLE passages")(_index_file(vault))
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert warnings == []  # nothing was to be refreshed
        assert len(index.passages("n0.md")) == 20
        assert len(warnings) == 1
        assert contents(index) == right


def test_a_text_that_is_not_utf_8_is_damage_too(vault: Vault) -> None:
    for file in vault.root.glob("*.md"):
        os.utime(file, ns=(0, 10**18))
    with Index.open(vault) as index:
        right = contents(index)
    _run_sql(
        "UPDATE names SET text = CAST(x'C328' AS TEXT)", "UPDATE notes SET name = CAST(x'C328' AS TEXT)"
    )(_index_file(vault))
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert index.notes()[0].name == "Note 0"
        assert len(warnings) == 1
        assert "building it again" in warnings[0]
        assert contents(index) == right


def test_an_empty_file_is_an_index_not_yet_begun(vault: Vault) -> None:
    _index_file(vault).parent.mkdir(parents=True)
    _index_file(vault).touch()
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert len(index.notes()) == 30
    assert warnings == []


def test_a_folder_in_its_place_is_worked_around(vault: Vault) -> None:
    Index.open(vault).close()
    _replace_by_folder(_index_file(vault))
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert len(index.notes()) == 30
    assert "in memory" in warnings[-1]


def test_a_log_of_another_database_is_not_replayed(vault: Vault) -> None:
    Index.open(vault).close()
    file = _index_file(vault)
    file.with_name(f"{database.FILE}-wal").write_bytes(os.urandom(9000))
    file.write_bytes(b"junk" * 100)
    with Index.open(vault) as index:
        assert len(index.notes()) == 30


def test_a_symlinked_cache_folder_is_not_followed_out_of_the_vault(vault: Vault, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (vault.root / "metadata").mkdir()
    (vault.root / "metadata" / "cache").symlink_to(outside)
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert len(index.notes()) == 30
    assert list(outside.iterdir()) == []
    assert len(warnings) == 1


@pytest.mark.parametrize("suffix", ["", "-wal", "-journal"])
def test_a_symlinked_index_file_is_not_followed(vault: Vault, tmp_path: Path, suffix: str) -> None:
    precious = tmp_path / "precious"
    precious.write_bytes(b"")
    Index.open(vault).close()
    link = _index_file(vault).with_name(database.FILE + suffix)
    link.unlink(missing_ok=True)
    link.symlink_to(precious)
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert len(index.notes()) == 30
    assert precious.read_bytes() == b""
    assert not link.is_symlink()
    assert len(warnings) == 1


def test_a_vault_that_cannot_be_written_is_indexed_in_memory(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert len(index.notes()) == 30
        assert index.links_from("n0.md")[0].note == "n1.md"
    assert len(warnings) == 1
    assert "Read-only" in warnings[0]


def test_a_file_that_cannot_be_written_is_done_without(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    Index.open(vault).close()
    ordinary = database.connected

    def read_only(place: str) -> sqlite3.Connection:
        connection = ordinary(place)
        if place != ":memory:":
            connection.execute("PRAGMA query_only = ON")
        return connection

    monkeypatch.setattr(database, "connected", read_only)
    (vault.root / "new.md").write_text("[[n1]]", encoding="utf-8")
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert len(index.notes()) == 31
    assert len(warnings) == 1


def test_another_process_that_never_ends_its_refresh_is_an_error_that_says_so(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    Index.open(vault).close()
    monkeypatch.setattr(database, "_BUSY_SECONDS", 0.05)
    other = sqlite3.connect(_index_file(vault), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    (vault.root / "new.md").write_text("new", encoding="utf-8")
    try:
        with pytest.raises(Busy):
            Index.open(vault)
    finally:
        other.close()


def test_a_forgotten_index_is_built_again(vault: Vault) -> None:
    Index.open(vault).close()
    database.forget(vault)
    assert _index_file(vault).read_bytes() == b""
    database.forget(vault)
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert index.refreshed.added == 30
    assert warnings == []


@pytest.mark.parametrize("gone", ["metadata/cache/index.db", "metadata/cache"])
def test_a_deleted_index_is_built_again_with_one_line(vault: Vault, gone: str) -> None:
    Index.open(vault).close()
    with start_run(vault, "test") as run:
        run.record("n1.md", "skipped")
    place = vault.root / gone
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert index.refreshed.added == 30
    assert warnings == ["index: there is no index.db; building it"]


def test_the_first_index_of_a_vault_is_built_without_a_word(vault: Vault) -> None:
    warnings: list[str] = []
    Index.open(vault, warn=warnings.append).close()
    assert warnings == []


def test_a_folder_that_another_process_has_just_made_is_not_one_that_lost_its_index(vault: Vault) -> None:
    (vault.root / "metadata" / "cache").mkdir(parents=True)
    warnings: list[str] = []
    Index.open(vault, warn=warnings.append).close()
    assert warnings == []
    assert (vault.root / "metadata/cache/.gitignore").read_text() == "*\n"


def test_a_symlink_to_nothing_is_not_followed(vault: Vault, tmp_path: Path) -> None:
    place = vault.root / "metadata/cache/index.db"
    place.parent.mkdir(parents=True)
    place.symlink_to(tmp_path / "elsewhere.db")
    Index.open(vault, warn=lambda _: None).close()
    assert not (tmp_path / "elsewhere.db").exists()
    assert not place.is_symlink()


def test_a_read_only_vault_is_indexed_from_the_rows_it_has(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in vault.root.glob("*.md"):
        os.utime(file, ns=(0, 10**18))
    with Index.open(vault) as index:
        right = contents(index)

    def refuse(*_: object) -> None:
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    def no_reading(*_: object) -> None:
        raise AssertionError("a note was read")

    monkeypatch.setattr(database, "_opened", refuse)
    monkeypatch.setattr(reading, "read_document", no_reading)
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        assert contents(index) == right
    assert len(warnings) == 1
    assert "in memory" in warnings[0]
