"""What the operating system refuses is told, and leaves the vault as it was; what it cannot do is done otherwise."""

from __future__ import annotations

import errno
import os
import resource
import signal
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import audit, system
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.lock import vault_lock
from reme_cli.changeset.recover import recover
from reme_cli.changeset.run import start_run
from reme_cli.changeset.state import place_new, read_state, write_state
from reme_cli.errors import AlreadyExists, Conflict, PathRefused, VaultUnwritable
from reme_cli.graph.conservation import E1, Create
from reme_cli.vault.stamp import ABSENT, stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from reme_cli.vault.vault import Vault

    Watched = Callable[[Callable[[int, str, str], None]], AbstractContextManager[list[str]]]

pytestmark = pytest.mark.usefixtures("impatient")

PATHS = {"a.md": "old\n", "digest/b.md": "old\n"}


def work(vault: Vault) -> None:
    with start_run(vault, "test") as run:
        edits = [Edit(path, "new\n", stamp_of(b"old\n"), E1()) for path in PATHS]
        ChangeSet(vault, run, [*edits, Edit("new/c.md", "new\n", ABSENT, Create())]).apply()


def fill(vault: Vault) -> None:
    for path, text in PATHS.items():
        (vault.root / path).parent.mkdir(exist_ok=True)
        (vault.root / path).write_text(text)


def texts(vault: Vault) -> dict[str, str]:
    return {path: vault.read(path).text for path in vault.note_paths()}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_a_refused_call_is_told_and_nothing_is_half_done(
    vault: Vault, watched: Watched, number: int, tmp_path: Path
) -> None:
    """Each system call of the writer fails in turn."""
    fill(vault)
    with watched(lambda *_: None) as calls:
        work(vault)
    for failing in range(1, len(calls) + 1):
        for place in sorted(vault.root.rglob("*"), reverse=True):
            place.rmdir() if place.is_dir() else place.unlink()
        fill(vault)

        def act(at: int, call: str, path: str, failing: int = failing) -> None:
            if at == failing and call != "look":
                raise OSError(number, os.strerror(number), path)

        told = None
        with watched(act):
            try:
                work(vault)
            except VaultUnwritable as error:
                told = error
        recover(vault)
        new = dict.fromkeys([*PATHS, "new/c.md"], "new\n")
        assert texts(vault) in (PATHS, new), failing
        assert [path for path in vault.root.rglob("*") if path.name.endswith(".tmp")] == []
        written = [line for line in audit.lines(vault) if line.outcome == "written"]
        assert len(written) == (3 if texts(vault) == new else 0)
        if told is not None:
            assert told.where
            assert told.hint


def test_a_note_that_the_system_protects_is_refused_and_forgotten(vault: Vault, watched: Watched) -> None:
    """As with `chattr +i`: a temporary can be made beside it, but it cannot be replaced."""
    fill(vault)
    protected = str(vault.root / "digest/b.md")

    def act(number: int, call: str, path: str) -> None:
        if path == protected and call in {"exchange", "link", "rename", "rename_new"}:
            raise OSError(errno.EPERM, "Operation not permitted", path)

    with (
        watched(act),
        pytest.raises(VaultUnwritable, match=r"digest/b\.md: cannot be written: the system forbids"),
    ):
        work(vault)
    assert texts(vault) == PATHS
    assert [path for path in vault.root.rglob("*") if path.name.endswith(".tmp")] == []
    assert list((vault.root / "metadata/journal").iterdir()) == []
    assert sorted((line.path, line.outcome) for line in audit.lines(vault)) == [
        ("a.md", "rolled-back"),
        ("digest/b.md", "refused"),
        ("new/c.md", "rolled-back"),
    ]


def test_a_file_size_limit_is_told(vault: Vault) -> None:
    """A real refusal by the kernel, in the middle of writing."""
    fill(vault)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with start_run(vault, "test") as run:
        edit = Edit("a.md", os.urandom(50_000).hex(), stamp_of(b"old\n"), E1())
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
        try:
            with pytest.raises(VaultUnwritable, match="larger than the system allows"):
                ChangeSet(vault, run, [edit]).apply()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert texts(vault) == PATHS
    assert [path for path in vault.root.rglob("*") if path.name.endswith(".tmp")] == []


def test_a_vault_that_cannot_be_written_can_still_be_read(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(vault)
    real = os.open

    def refuse(path: str, flags: int, *rest: int, **more: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(errno.EROFS, "Read-only file system", path)
        return real(path, flags, *rest, **more)

    journal = vault.root / "metadata/journal"
    journal.mkdir(parents=True)
    (journal / "abc.tmp").touch()
    monkeypatch.setattr(os, "open", refuse)
    assert recover(vault).postponed
    with pytest.raises(VaultUnwritable, match="read-only"):
        work(vault)
    assert texts(vault) == PATHS


def test_an_interrupted_set_that_cannot_be_finished_keeps_nobody_from_writing(
    vault: Vault, killed_at: Callable[[int, Callable[[], None]], bool], watched: Watched
) -> None:
    fill(vault)
    with vault_lock(vault):
        pass  # the first one does more, and is not what is measured
    with watched(lambda *_: None) as calls:
        work(vault)
    for path in [*PATHS, "new/c.md"]:
        (vault.root / path).write_text("old\n")
    (vault.root / "new/c.md").unlink()
    exchange = calls.index("exchange") + 1
    assert killed_at(exchange, lambda: work(vault))
    stuck = str(vault.root / "digest")

    def act(number: int, call: str, path: str) -> None:
        if path.startswith(stuck):
            raise OSError(errno.EROFS, "Read-only file system", path)

    with watched(act):
        assert recover(vault).postponed
        with start_run(vault, "test") as run:
            ChangeSet(vault, run, [Edit("other.md", "x\n", ABSENT, Create())]).apply()
    assert texts(vault)["other.md"] == "x\n"
    assert not recover(vault).postponed
    assert texts(vault)["digest/b.md"] == "new\n"


# -- without renameat2 -----------------------------------------------------------------------------------------------


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that knows no `renameat2`."""
    monkeypatch.setattr(system, "_renameat2", lambda: None)


@pytest.mark.usefixtures("plain")
def test_without_exchange_everything_works_as_well(vault: Vault, watched: Watched) -> None:
    fill(vault)
    work(vault)
    assert texts(vault) == dict.fromkeys([*PATHS, "new/c.md"], "new\n")
    with start_run(vault, "test") as run:
        with pytest.raises(AlreadyExists):
            ChangeSet(vault, run, [Edit("a.md", "x", ABSENT, Create())]).apply()
        with pytest.raises(Conflict):
            ChangeSet(vault, run, [Edit("a.md", "x", stamp_of(b"old\n"), E1())]).apply()

        def act(number: int, call: str, path: str) -> None:
            if call == "exchange":
                (vault.root / "digest/b.md").write_text("by hand\n")

        edits = [Edit(path, "newer\n", stamp_of(b"new\n"), E1()) for path in PATHS]
        with watched(act), pytest.raises(Conflict):
            ChangeSet(vault, run, edits).apply()
    assert texts(vault) == {"a.md": "new\n", "digest/b.md": "by hand\n", "new/c.md": "new\n"}
    assert [path for path in vault.root.rglob("*") if path.name.endswith(".tmp")] == []


@pytest.mark.usefixtures("plain")
def test_without_exchange_a_kill_is_survived_too(
    vault: Vault, killed_at: Callable[[int, Callable[[], None]], bool]
) -> None:
    for number in range(1, 300):
        for place in sorted(vault.root.rglob("*"), reverse=True):
            place.rmdir() if place.is_dir() else place.unlink()
        fill(vault)
        died = killed_at(number, lambda: work(vault))
        recover(vault)
        assert texts(vault) in (PATHS, dict.fromkeys([*PATHS, "new/c.md"], "new\n"))
        assert [path for path in vault.root.rglob("*") if path.name.endswith(".tmp")] == []
        if not died:
            return


@pytest.mark.usefixtures("plain")
def test_without_exchange_a_late_write_into_the_old_file_comes_back(vault: Vault) -> None:
    fill(vault)
    with (vault.root / "a.md").open("a") as late:
        work(vault)
        late.write("late\n")
    assert [rescue.path for rescue in recover(vault).rescued] == ["a.md"]


# -- metadata on another file system ---------------------------------------------------------------------------------


def test_metadata_may_be_on_another_file_system(vault: Vault, watched: Watched) -> None:
    held = str(vault.root / "metadata/history/held")

    def act(number: int, call: str, path: str) -> None:
        # renames between the two are refused; within metadata they work
        if call == "rename_new" and path.startswith(held):
            raise OSError(errno.EXDEV, "Invalid cross-device link", path)

    fill(vault)
    with watched(act):
        with (vault.root / "a.md").open("a") as late:
            work(vault)
            late.write("late\n")
        [rescue] = recover(vault).rescued
    assert (vault.root / rescue.copy).read_text() == "old\nlate\n"
    assert [path for path in vault.root.rglob("*") if path.name.endswith(".tmp")] == []


def test_a_refused_text_that_somebody_opened_is_not_dropped_there_either(
    vault: Vault, watched: Watched
) -> None:
    held = str(vault.root / "metadata/history/held")
    place = vault.root / "a.md"
    exchanges = 0
    opened: list[int] = []

    def act(number: int, call: str, path: str) -> None:
        nonlocal exchanges
        if call == "rename_new" and path.startswith(held):
            raise OSError(errno.EXDEV, "Invalid cross-device link", path)
        exchanges += call == "exchange"
        if call == "exchange" and exchanges == 1:
            place.write_text("by hand\n")
        if call == "exchange" and exchanges == 2:
            # what stands at the path for an instant is reme's text
            opened.append(os.open(place, os.O_WRONLY | os.O_APPEND))

    fill(vault)
    with watched(act), start_run(vault, "test") as run, pytest.raises(Conflict):
        ChangeSet(vault, run, [Edit("a.md", "new\n", stamp_of(b"old\n"), E1())]).apply()
    os.write(opened[0], b"late\n")
    os.close(opened[0])
    [rescue] = recover(vault).rescued
    assert (vault.root / rescue.copy).read_text() == "new\nlate\n"
    assert place.read_text() == "by hand\n"


# -- state files -------------------------------------------------------------------------------------------------------


def test_state_files(vault: Vault, tmp_path: Path) -> None:
    place = ("queue", "jobs.json")
    assert read_state(vault, place) is None
    write_state(vault, place, b"1")
    write_state(vault, place, b"2")
    assert read_state(vault, place) == b"2"
    (vault.root / "metadata/out").symlink_to(tmp_path)
    with pytest.raises(PathRefused):
        write_state(vault, ("out", "x"), b"x")


def test_a_state_file_that_cannot_be_replaced_is_told(vault: Vault) -> None:
    (vault.root / "metadata/queue/jobs.json").mkdir(parents=True)
    with pytest.raises(VaultUnwritable, match="a folder has this name"):
        write_state(vault, ("queue", "jobs.json"), b"1")
    with vault_lock(vault):
        assert list((vault.root / "metadata/journal").iterdir()) == []


def test_place_new_never_overwrites(tmp_path: Path) -> None:
    assert place_new(tmp_path, ("daily", "README.md"), b"1")
    assert not place_new(tmp_path, ("daily", "README.md"), b"2")
    assert (tmp_path / "daily/README.md").read_bytes() == b"1"


def test_a_killed_init_is_finished_by_the_next(
    tmp_path: Path, killed_at: Callable[[int, Callable[[], None]], bool]
) -> None:
    for number in range(1, 20):
        root = tmp_path / str(number)

        def init(root: Path = root) -> None:
            place_new(root, ("README.md",), b"whole")

        died = killed_at(number, init)
        place_new(root, ("README.md",), b"whole")
        assert [path.name for path in root.iterdir()] == ["README.md"]
        assert (root / "README.md").read_bytes() == b"whole"
        if not died:
            return


@pytest.mark.parametrize("path", ["digest/wiki", "digest"])
def test_a_file_where_a_folder_should_be_is_told_as_such(vault: Vault, path: str) -> None:
    place = vault.root / path
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(b"mine")
    with start_run(vault, "test") as run, pytest.raises(VaultUnwritable, match="a file, not a folder"):
        ChangeSet(vault, run, [Edit("digest/wiki/new.md", "x", ABSENT, Create())]).apply()
    assert place.read_bytes() == b"mine"


def test_each_folder_is_flushed_once_before_the_audit_tells_of_it(vault: Vault) -> None:
    fill(vault)
    calls: list[tuple[str, str]] = []

    def watch(call: str, path: object) -> None:
        calls.append((call, os.path.relpath(str(path), vault.root)))

    system.watchers.append(watch)
    try:
        with start_run(vault, "test") as run:
            edits = [Edit(path, "new\n", stamp_of(b"old\n"), E1()) for path in PATHS]
            edits += [Edit(f"digest/{n}.md", f"{n}\n", ABSENT, Create()) for n in range(40)]
            ChangeSet(vault, run, edits).apply()
    finally:
        system.watchers.remove(watch)
    flushed = [path for call, path in calls if call == "fsync_folder" and "journal" not in path]
    assert len(flushed) == len(set(flushed))
    kept = {path.parent for path in vault.metadata("history").glob("??/*.z")}
    assert {os.path.relpath(folder, vault.root) for folder in kept} <= set(flushed)
    last = max(at for at, (call, _) in enumerate(calls) if call in {"exchange", "rename_new"})
    told = calls.index(("append", f"metadata/audit/{os.listdir(vault.metadata('audit'))[0]}"))
    assert {path for call, path in calls[last:told] if call == "fsync_folder"} == {".", "digest"}
