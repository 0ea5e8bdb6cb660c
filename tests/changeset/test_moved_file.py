"""A file that is renamed as it is: to a free name only, the very file that was planned on, and back again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import audit, system
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.plan import stamp_at
from reme_cli.changeset.recover import recover
from reme_cli.changeset.run import start_run
from reme_cli.changeset.undo import run_diff, undo
from reme_cli.errors import AlreadyExists, Conflict, EdgesLost, PathRefused
from reme_cli.graph.conservation import Data
from reme_cli.vault.stamp import ABSENT, Stamp

if TYPE_CHECKING:
    from reme_cli.vault.vault import Vault

DATA = bytes(range(256))


class _KilledError(BaseException):
    """The process ends here."""


@pytest.fixture
def picture(vault: Vault) -> Vault:
    """A vault with one picture."""
    (vault.root / "img").mkdir()
    (vault.root / "img/a.png").write_bytes(DATA)
    return vault


def move(vault: Vault, source: str, path: str, stamp: Stamp | None = None) -> str:
    """Moves a file, and gives the name of the run."""
    expected = stamp_at(vault, source) if stamp is None else stamp
    with start_run(vault, "test") as run:
        edit = Edit(path, None, expected, Data(), source=source, folders=("img",))
        ChangeSet(vault, run, [edit]).apply()
    return run.id


def test_it_is_renamed_told_undone_and_redone(picture: Vault) -> None:
    inode = (picture.root / "img/a.png").stat().st_ino
    run = move(picture, "img/a.png", "new/deep/b.png")
    assert (picture.root / "new/deep/b.png").stat().st_ino == inode
    assert not (picture.root / "img").exists(), "it was left empty"
    (line,) = audit.lines_of(picture, run)
    assert (line.op, line.source, line.path, line.outcome) == (
        "move",
        "img/a.png",
        "new/deep/b.png",
        "written",
    )
    assert "rename from img/a.png\nrename to new/deep/b.png\n" in run_diff(picture, run)
    undone = undo(picture)
    assert undone.restored == ("img/a.png",)
    assert (picture.root / "img/a.png").read_bytes() == DATA
    assert not (picture.root / "new").exists()
    undo(picture)
    assert (picture.root / "new/deep/b.png").read_bytes() == DATA


def test_an_undo_leaves_alone_what_was_edited_since(picture: Vault) -> None:
    move(picture, "img/a.png", "b.png")
    (picture.root / "b.png").write_bytes(b"edited")
    done = undo(picture)
    assert (done.restored, [left.path for left in done.left]) == ((), ["img/a.png"])
    assert (picture.root / "b.png").read_bytes() == b"edited"


def test_what_is_refused(picture: Vault) -> None:
    (picture.root / "taken.png").write_bytes(b"mine")
    (picture.root / "note.md").write_text("[[x]]\n")
    (picture.root / "link.png").symlink_to("img/a.png")
    with pytest.raises(AlreadyExists):
        move(picture, "img/a.png", "taken.png")
    with pytest.raises(Conflict):
        move(picture, "img/a.png", "b.png", Stamp("0" * 64))
    with pytest.raises(Conflict):
        move(picture, "gone.png", "b.png", Stamp("0" * 64))
    with pytest.raises(EdgesLost):
        move(picture, "note.md", "other.md")
    with pytest.raises(PathRefused):
        move(picture, "link.png", "b.png")
    assert stamp_at(picture, "b.png") == ABSENT
    assert (picture.root / "taken.png").read_bytes() == b"mine"


@pytest.mark.parametrize("renames", [True, False], ids=["a rename", "a link and an unlink"])
def test_killed_anywhere_it_has_one_name_after_the_next_command(
    picture: Vault, monkeypatch: pytest.MonkeyPatch, renames: bool
) -> None:
    if not renames:
        monkeypatch.setattr(system, "_renameat2", lambda: None)
    ends = set()
    for step in range(1, 100):
        calls = 0

        def watch(call: str, path: str, step: int = step) -> None:
            nonlocal calls
            calls += call != "look"
            if calls == step:
                raise _KilledError

        system.watchers.append(watch)
        try:
            move(picture, "img/a.png", "new/b.png")
        except _KilledError:
            pass
        finally:
            system.watchers.remove(watch)
        recover(picture)
        names = [path for path in ("img/a.png", "new/b.png") if (picture.root / path).exists()]
        assert len(names) == 1, step
        assert (picture.root / names[0]).read_bytes() == DATA
        ends.add(names[0])
        if names == ["new/b.png"]:
            (picture.root / "img").mkdir(exist_ok=True)
            (picture.root / "new/b.png").rename(picture.root / "img/a.png")
        (picture.root / "new").rmdir() if (picture.root / "new").exists() else None
        if calls < step:
            break
    assert ends == {"img/a.png", "new/b.png"}
