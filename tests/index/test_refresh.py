"""Keeping up with the files: an index that followed every change equals one made afresh."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.config import Config
from reme_cli.errors import UnreadableNote
from reme_cli.index import intake, reading
from reme_cli.index.index import Index
from reme_cli.vault.vault import Vault
from tests.graph.link_graph import read_graph
from tests.index.contents import contents, graph_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.note import Note

PATHS = (
    "a.md",
    "A.md",
    "b.md",
    "x/a.md",
    "x/b.md",
    "x/y/a.md",
    "digest/wiki/b.md",
    "b.md.md",
    "caf\u00e9.md",
    "x/pic.png",
    "pic.png",
    "notes.txt",
)
TEXTS = (
    "",
    "[[a]] [[b]] ![[pic.png]]",
    "# Head\n[[x/a]] [t](../b.md) [u](a) [[b.md]]\n## Sub #tag\nmore words 数据库",
    "---\nname: N\naliases: [a, b]\nup: '[[a]]'\n---\nbody is_a:: [[café]]\n",
    "---\nbroken: [\n---\n[[../a]] [[./b]] [x](..) [[notes.txt]]",
    "A was founded by [[b]]. [[x/a]] and [[café]] advise [[b]], [[a]] depends on it.",
    b"\xff\xfe not text",
    "\ufeffrunning [[A#h|shown]] [[a/]] [[/x/b]] [[x/y/a.md]] [[https://a.md]]\r\n",
)
path = st.sampled_from(PATHS)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), path, st.sampled_from(TEXTS)),
        st.tuples(st.just("delete"), path),
        st.tuples(st.just("rename"), path, path),
        st.tuples(st.just("touch"), path),
        st.tuples(st.just("refresh")),
        st.tuples(st.just("update"), path),
    ),
    max_size=14,
)


def _apply(root: Path, index: Index, step: tuple[object, ...]) -> None:
    name, *rest = step
    if name == "refresh":
        index.refresh()
        return
    place = root / str(rest[0])
    if name == "update":
        if place.name.endswith(".md"):
            index.update([str(rest[0])])
    elif name == "write":
        place.parent.mkdir(parents=True, exist_ok=True)
        content = rest[1]
        place.write_bytes(content if isinstance(content, bytes) else str(content).encode())
    else:
        with suppress(FileNotFoundError):
            if name == "delete":
                place.unlink()
            elif name == "touch":
                os.utime(place, ns=(1, time.time_ns() - 10**12))
            else:
                target = root / str(rest[1])
                target.parent.mkdir(parents=True, exist_ok=True)
                place.rename(target)


@settings(max_examples=settings().max_examples // 3)  # each makes several files of SQLite
@given(steps)
def test_incremental_equals_rebuilt(steps: list[tuple[object, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "vault")
        root.mkdir()
        vault = Vault(root, Config())
        with Index.open(vault) as index:
            for step in steps:
                _apply(root, index, step)
            index.refresh()
            incremental = contents(index)
            graph = graph_of(index)
        shutil.rmtree(root / "metadata")
        with Index.open(vault) as index:
            assert contents(index) == incremental
            assert graph_of(index) == graph


@pytest.mark.parametrize("name", ["foam-docs", "world-v1"])
def test_the_graph_is_the_one_on_disk(shared: Path, tmp_path: Path, name: str) -> None:
    # a copy, since the index is written into the vault
    vault = Vault(Path(shutil.copytree(shared / "vaults" / name, tmp_path / name)), Config())
    with Index.open(vault) as index:
        assert graph_of(index) == read_graph(vault).graph


def test_nothing_is_read_again_when_nothing_changed(
    vault_of: Callable[..., Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    files: dict[str, str | bytes] = {f"{number}.md": f"note {number}" for number in range(19)}
    vault = vault_of(files | {"bad.md": b"\xff"})
    for file in vault.root.glob("*.md"):
        os.utime(file, ns=(0, 10**18))
    Index.open(vault).close()

    def no_reading(*_: object) -> None:
        raise AssertionError("a note was read")

    monkeypatch.setattr(reading, "read_document", no_reading)
    with Index.open(vault) as index:
        assert index.refreshed.unchanged
        assert index.refreshed.notes == 20


def test_a_touched_note_is_unchanged_and_believed_afterwards(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "same", "b.md": "other"})
    with Index.open(vault) as index:
        before = contents(index)
        os.utime(vault.root / "a.md", ns=(0, 10**18))
        assert index.refresh().unchanged
        assert contents(index) == before


def test_a_change_within_the_same_tick_is_seen(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "one"})
    with Index.open(vault) as index:
        status = (vault.root / "a.md").stat()
        (vault.root / "a.md").write_text("two", encoding="utf-8")
        os.utime(vault.root / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))  # same size, same time
        assert index.refresh().changed == 1


def test_an_old_time_of_change_is_believed(vault_of: Callable[..., Vault]) -> None:
    """What the guard above costs is bounded: an old file is not read again."""
    vault = vault_of({"a.md": "one"})
    os.utime(vault.root / "a.md", ns=(0, 10**18))
    with Index.open(vault) as index:
        (vault.root / "a.md").write_text("two", encoding="utf-8")
        os.utime(vault.root / "a.md", ns=(0, 10**18))
        assert index.refresh().unchanged


def test_update_sees_what_this_run_wrote(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "[[new]]"})
    with Index.open(vault) as index:
        assert index.links_from("a.md")[0].note is None
        (vault.root / "new.md").write_text("# New", encoding="utf-8")
        assert index.update(["new.md"]).added == 1
        assert index.links_from("a.md")[0].note == "new.md"
        (vault.root / "new.md").unlink()
        assert index.update(["new.md", "never.md"]).removed == 1
        assert index.links_from("a.md")[0].note is None


@pytest.fixture
def many_notes(vault_of: Callable[..., Vault]) -> Vault:
    files: dict[str, str | bytes] = {
        f"f{number % 7}/n{number}.md": f"# Note {number}\n[[n{number * 3 % 90}]] words {number} 数据\n"
        for number in range(90)
    }
    files["f0/bad.md"] = b"\xff"
    return vault_of(files)


def test_workers_give_what_one_process_gives(many_notes: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index.open(many_notes) as index:
        alone = contents(index)
    shutil.rmtree(many_notes.root / "metadata")
    monkeypatch.setattr(reading, "PARALLEL_BYTES", 0)
    monkeypatch.setattr(reading, "_usable_cores", lambda: 2)
    monkeypatch.setattr(reading, "read_document", None)  # this process must not read
    with Index.open(many_notes) as index:
        assert contents(index) == alone


@pytest.mark.parametrize("executable", ["/nonexistent/python", shutil.which("false"), shutil.which("cat")])
def test_workers_that_fail_are_done_without(
    many_notes: Vault, monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    with Index.open(many_notes) as index:
        alone = contents(index)
    shutil.rmtree(many_notes.root / "metadata")
    monkeypatch.setattr(reading, "PARALLEL_BYTES", 0)
    monkeypatch.setattr(reading, "_usable_cores", lambda: 2)
    monkeypatch.setattr(sys, "executable", executable)
    with Index.open(many_notes) as index:
        assert contents(index) == alone


def test_progress_reaches_the_end(many_notes: Vault) -> None:
    seen: list[tuple[int, int]] = []
    Index.open(many_notes, progress=lambda done, of: seen.append((done, of))).close()
    assert seen == [(done, 91) for done in range(1, 92)]


def test_a_build_in_bulk_equals_one_in_steps(many_notes: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index.open(many_notes) as index:
        stepwise = contents(index)
    shutil.rmtree(many_notes.root / "metadata")
    monkeypatch.setattr(intake, "MANY_NOTES", 5)
    with Index.open(many_notes) as index:
        assert contents(index) == stepwise
        assert index.read(lambda connection: connection.execute("PRAGMA journal_mode").fetchone()) == ("wal",)


def test_a_first_build_that_fails_leaves_nothing(many_notes: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(intake, "MANY_NOTES", 5)
    with monkeypatch.context() as patch:
        patch.setattr(intake, "put_note", fail)
        with pytest.raises(KeyboardInterrupt):
            Index.open(many_notes)
    with Index.open(many_notes) as index:
        assert index.refreshed.added == 91
        assert index.read(lambda connection: connection.execute("PRAGMA journal_mode").fetchone()) == ("wal",)


_REFRESH = """
import sys
from pathlib import Path
from reme_cli.config import Config
from reme_cli.index.index import Index
from reme_cli.vault.vault import Vault

def tell(done, total):
    if sys.argv[2:] == [str(done)]:
        print("waiting", flush=True)
        sys.stdin.read()

with Index.open(Vault(Path(sys.argv[1]), Config()), progress=tell, warn=print) as index:
    print(index.refreshed.notes)
"""


def _process(root: Path, *waits_at: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _REFRESH, str(root), *waits_at],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def test_processes_that_refresh_at_once(many_notes: Vault) -> None:
    processes = [_process(many_notes.root) for _ in range(4)]
    assert [process.communicate()[0] for process in processes] == ["91\n"] * 4
    with Index.open(many_notes) as index:
        together = contents(index)
    shutil.rmtree(many_notes.root / "metadata")
    with Index.open(many_notes) as index:
        assert contents(index) == together


def test_a_process_killed_while_it_refreshes_leaves_no_trace(many_notes: Vault) -> None:
    for done in (1, 30, 60, 90, 91):
        process = _process(many_notes.root, str(done))
        assert process.stdout
        assert process.stdout.readline() == "waiting\n"
        process.kill()
        process.communicate()
    warnings: list[str] = []
    with Index.open(many_notes, warn=warnings.append) as index:
        after = contents(index)
    assert warnings == []
    shutil.rmtree(many_notes.root / "metadata")
    with Index.open(many_notes) as index:
        assert contents(index) == after


_WARM_SEARCH = """
import sys
from pathlib import Path
from reme_cli.config import Config
from reme_cli.index.index import Index
from reme_cli.search.search import search
from reme_cli.vault.vault import Vault
with Index.open(Vault(Path(sys.argv[1]), Config())) as index:
    assert len(search(index, "words")) == 10
print(*sorted(sys.modules))
"""


def test_a_warm_search_imports_little(many_notes: Vault) -> None:
    for file in many_notes.root.glob("*/*.md"):
        os.utime(file, ns=(0, 10**18))
    (many_notes.root / "f0" / "bad.md").unlink()
    Index.open(many_notes).close()
    done = subprocess.run(
        [sys.executable, "-c", _WARM_SEARCH, str(many_notes.root)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    heavy = {"yaml", "frontmatter", "markdown_it", "pydantic", "rich", "litellm", "typer", "subprocess"}
    scanner = {"reme_cli.vault.wikilink", "reme_cli.index.intake", "reme_cli.index.workers"}
    assert (heavy | scanner).isdisjoint(done.stdout.split())


def test_names_follow_what_is_written(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": ""})
    with Index.open(vault) as index:
        assert index.names().notes == {"a.md"}
        (vault.root / "b.md").touch()
        index.update(["b.md"])
        assert index.names().notes == {"a.md", "b.md"}


def test_a_note_that_the_system_refused_is_tried_again(
    vault_of: Callable[..., Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = vault_of({"a.md": "text"})
    os.utime(vault.root / "a.md", ns=(0, 10**18))
    ordinary = Vault.read

    def refuse(self: Vault, path: str) -> Note:
        raise UnreadableNote("cannot be read: Permission denied", where=path) from PermissionError()

    monkeypatch.setattr(Vault, "read", refuse)
    with Index.open(vault) as index:
        note = index.note("a.md")
        assert note is not None
        assert note.problem == "cannot be read: Permission denied"
        monkeypatch.setattr(Vault, "read", ordinary)
        assert index.refresh().changed == 1
        assert len(index.passages("a.md")) == 1


def test_a_hub_that_thousands_of_links_lead_to_comes_and_goes(vault_of: Callable[..., Vault]) -> None:
    many: dict[str, str | bytes] = {f"{number}.md": "[[Hub]] [hub](hub.md)\n" * 50 for number in range(50)}
    vault = vault_of(many)
    with Index.open(vault) as index:
        for there in (False, True, False, True):
            if there:
                (vault.root / "hub.md").write_text("# Hub", encoding="utf-8")
            else:
                (vault.root / "hub.md").unlink(missing_ok=True)
            index.refresh()
            assert len(index.links_to("hub.md")) == (5_000 if there else 0)
            assert all((link.note == "hub.md") is there for link in index.links_from("7.md"))


def test_other_phrasings_make_the_rows_anew(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "[[b]] took [[c]] under her wing.", "b.md": "", "c.md": ""})
    with Index.open(vault) as index:
        assert index.implied() == ()
    added = Vault(vault.root, Config(predicates={"mentors": ("X took Y under her wing",)}))
    with Index.open(added) as index:
        (edge,) = index.implied()
        assert (edge.source, edge.predicate, edge.target, edge.path) == ("b.md", "mentors", "c.md", "a.md")
    with Index.open(vault) as index:
        assert index.implied() == ()


def test_implied_edges_follow_their_links(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {"a.md": "A was founded by [[b]]. [[b]] and [[gone]] advise [[c]].", "x/b.md": "", "c.md": ""}
    )
    with Index.open(vault) as index:
        assert {(edge.source, edge.target) for edge in index.implied()} == {
            ("x/b.md", "a.md"),
            ("x/b.md", "c.md"),
        }
        (vault.root / "b.md").write_text("")
        (vault.root / "gone.md").write_text("")
        index.refresh()
        assert {edge.source for edge in index.implied()} == {"b.md", "gone.md"}
        assert [edge.target for edge in index.implied(["gone.md"])] == ["c.md"]
        assert index.implied(["nowhere.md"]) == ()
        (vault.root / "a.md").unlink()
        index.refresh()
        assert index.implied() == ()
