"""An undo brings back what a run changed, except where somebody has written since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import audit, history
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.run import start_run
from reme_cli.changeset.undo import LeftAlone, run_diff, undo
from reme_cli.errors import UsageError
from reme_cli.graph.conservation import E1, Create, Drop
from reme_cli.vault.stamp import ABSENT, stamp_of

if TYPE_CHECKING:
    from reme_cli.vault.vault import Vault

pytestmark = pytest.mark.usefixtures("impatient")


def texts(vault: Vault) -> dict[str, str]:
    return {path: vault.read(path).text for path in vault.note_paths()}


def write(vault: Vault, **notes: str | None) -> str:
    """One run that gives notes these texts (`None`: deletes them); gives its id."""
    with start_run(vault, "test") as run:
        edits = []
        for name, text in notes.items():
            place = vault.root / f"{name}.md"
            before = stamp_of(place.read_bytes()) if place.exists() else ABSENT
            rule = Create() if before == ABSENT else E1() if text is not None else Drop(frozenset())
            edits.append(Edit(f"{name}.md", text, before, rule))
        ChangeSet(vault, run, edits).apply()
    return run.id


def test_undo_restores_creates_edits_and_deletes(vault: Vault) -> None:
    write(vault, a="a\n", b="b\n")
    before = texts(vault)
    run = write(vault, a="A\n", b=None, c="C\n")
    undone = undo(vault)
    assert (undone.run, undone.restored, undone.left) == (run, ("a.md", "b.md", "c.md"), ())
    assert texts(vault) == before


def test_an_undo_can_be_undone(vault: Vault) -> None:
    write(vault, a="a\n")
    write(vault, a="A\n", b="B\n")
    after = texts(vault)
    first = undo(vault)
    second = undo(vault)
    assert second.run == first.by
    assert texts(vault) == after


def test_any_run_can_be_named_by_the_beginning_of_its_id(vault: Vault) -> None:
    first = write(vault, a="a\n")
    write(vault, b="b\n")
    assert undo(vault, first).restored == ("a.md",)
    assert list(texts(vault)) == ["b.md"]
    with pytest.raises(UsageError, match="no run `x`"):
        undo(vault, "x")
    with pytest.raises(UsageError, match="begins the names of"):
        undo(vault, "2")


def test_a_file_edited_since_is_left_alone_and_reported(vault: Vault) -> None:
    write(vault, a="a\n", b="b\n")
    write(vault, a="A\n", b="B\n")
    (vault.root / "a.md").write_text("by hand\n")
    undone = undo(vault)
    assert undone.restored == ("b.md",)
    assert undone.left == (LeftAlone("a.md", "the note changed since it was read"),)
    assert texts(vault) == {"a.md": "by hand\n", "b.md": "b\n"}


def test_a_run_that_wrote_a_file_twice_is_taken_back_whole(vault: Vault) -> None:
    write(vault, a="0\n")
    with start_run(vault, "test") as run:
        for text in ("1\n", "2\n", "3\n"):
            note = vault.read("a.md")
            ChangeSet(vault, run, [Edit("a.md", text, note.stamp, E1())]).apply()
    undo(vault)
    assert texts(vault) == {"a.md": "0\n"}


def test_a_persons_save_between_two_writes_of_the_run_stays(vault: Vault) -> None:
    write(vault, a="0\n")
    with start_run(vault, "test") as run:
        ChangeSet(vault, run, [Edit("a.md", "1\n", stamp_of(b"0\n"), E1())]).apply()
        (vault.root / "a.md").write_text("by hand\n")
        ChangeSet(vault, run, [Edit("a.md", "by hand\n2\n", stamp_of(b"by hand\n"), E1())]).apply()
    undone = undo(vault)
    assert texts(vault) == {"a.md": "by hand\n"}
    assert [left.path for left in undone.left] == ["a.md"]


def test_what_was_pruned_is_reported(vault: Vault) -> None:
    write(vault, a="a\n")
    run = write(vault, a="A\n")
    history.prune(vault, days=-1)
    undone = undo(vault)
    assert undone.restored == ()
    assert undone.left == (LeftAlone("a.md", "its earlier text is no longer in the history"),)
    assert run_diff(vault, run) == "# a.md: no longer in the history\n"


def test_a_dry_run_shows_and_writes_nothing(vault: Vault) -> None:
    write(vault, a="a\n", b="b\n")
    run = write(vault, a="A\n", b="B\n", c="C\n")
    (vault.root / "b.md").write_text("by hand\n")
    before, lines = texts(vault), list(audit.lines(vault))
    shown = undo(vault, dry_run=True)
    assert (shown.run, shown.restored) == (run, ("a.md", "c.md"))
    assert [left.path for left in shown.left] == ["b.md"]
    assert shown.diff == (
        "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-A\n+a\n--- a/c.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-C\n"
    )
    assert (texts(vault), list(audit.lines(vault))) == (before, lines)


def test_the_diff_of_a_run(vault: Vault) -> None:
    write(vault, a="a\n")
    run = write(vault, a="A\n", b="B")
    assert run_diff(vault, run) == (
        "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-a\n+A\n"
        "--- /dev/null\n+++ b/b.md\n@@ -0,0 +1 @@\n+B\n\\ No newline at end of file\n"
    )


def test_nothing_to_undo(vault: Vault) -> None:
    with pytest.raises(UsageError, match="no run has written"):
        undo(vault)
