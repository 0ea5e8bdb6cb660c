"""A change set is checked and made as a whole; every attempt is in the audit."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import audit, history
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.recover import recover
from reme_cli.changeset.run import start_run
from reme_cli.config import Config
from reme_cli.errors import (
    AlreadyExists,
    Conflict,
    EdgesLost,
    NameCaptured,
    PathRefused,
    Refused,
    UnreadableNote,
)
from reme_cli.graph.conservation import E1, E2, Additive, Create, Data, Drop, EdgeKey, Restore, Retarget
from reme_cli.vault.stamp import ABSENT, stamp_of
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from reme_cli.changeset.edit import Applied
    from reme_cli.vault.link import Link

    Watched = Callable[[Callable[[int, str, str], None]], AbstractContextManager[list[str]]]

pytestmark = pytest.mark.usefixtures("impatient")


def put(vault: Vault, path: str, content: str | bytes) -> Path:
    place = vault.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return place


def apply(vault: Vault, edits: Iterable[Edit], *, together: bool = True) -> Applied:
    with start_run(vault, "test") as run:
        return ChangeSet(vault, run, edits, together=together).apply()


def audited(vault: Vault) -> list[tuple[str, str, str]]:
    return [(line.path, line.op, line.outcome) for line in audit.lines(vault)]


def test_every_byte_outside_the_edit_survives(vault: Vault) -> None:
    data = b"\xef\xbb\xbf---\r\nname: x # why\r\n---\r\n\r\nbody \xe6\xb1\x89\r\nno newline at the end"
    place = put(vault, "digest/a.md", data)
    note = vault.read("digest/a.md")
    apply(vault, [Edit("digest/a.md", note.text.replace("body", "BODY"), note.stamp, E1())])
    assert place.read_bytes() == data.replace(b"body", b"BODY")


def test_applied_tells_stamps_and_edges(vault: Vault) -> None:
    put(vault, "digest/b.md", "b")
    applied = apply(vault, [Edit("digest/a.md", "is_a:: [[b]]", ABSENT, Create(), unit="u", note="why")])
    edit = applied.edits[0]
    assert (edit.op, edit.outcome, edit.before, edit.after) == (
        "create",
        "written",
        ABSENT,
        stamp_of(b"is_a:: [[b]]"),
    )
    assert edit.edges_added == (EdgeKey("digest/b.md", "is_a"),)
    line = next(audit.lines(vault))
    assert (line.unit, line.reason, line.edges_added) == ("u", "why", ("is_a:: [[digest/b.md]]",))
    assert line.after == edit.after


def test_the_mode_is_kept(vault: Vault) -> None:
    place = put(vault, "a.md", "x")
    place.chmod(0o640)
    apply(vault, [Edit("a.md", "y", stamp_of(b"x"), E1())])
    assert stat.S_IMODE(place.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_is_kept(vault: Vault) -> None:
    place = put(vault, "a.md", "x")
    os.chown(place, 12345, 54321)
    place.chmod(0o4755)
    apply(vault, [Edit("a.md", "y", stamp_of(b"x"), E1())])
    status = place.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (12345, 54321, 0o4755)


def test_a_note_that_is_a_symlink_is_written_through(vault: Vault) -> None:
    real = put(vault, "shared/real.md", "x")
    (vault.root / "a.md").symlink_to(real)
    apply(vault, [Edit("a.md", "y", stamp_of(b"x"), E1())])
    assert (vault.root / "a.md").is_symlink()
    assert real.read_text() == "y"
    with pytest.raises(PathRefused):
        apply(vault, [Edit("a.md", None, stamp_of(b"y"), Drop(frozenset()))])


def test_a_symlink_out_of_the_vault_is_refused(vault: Vault, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("x")
    (vault.root / "out").symlink_to(outside)
    for path, expected in (("out/a.md", stamp_of(b"x")), ("out/new.md", ABSENT)):
        with pytest.raises(PathRefused):
            apply(vault, [Edit(path, "y", expected, E1())])
    assert sorted(place.name for place in outside.iterdir()) == ["a.md"]
    assert (outside / "a.md").read_text() == "x"


@pytest.mark.parametrize(
    "path",
    [
        "../a.md",
        "/etc/a.md",
        "a/../../b.md",
        "",
        "metadata/audit/a.md",
        ".obsidian/a.md",
        "digest/.a.md",
        "CON.md",
    ],
)
def test_a_path_that_is_no_place_for_a_note_is_refused_and_audited(vault: Vault, path: str) -> None:
    with pytest.raises(PathRefused):
        apply(vault, [Edit(path, "x", ABSENT, Create())])
    assert audited(vault) == [(path, "create", "refused")]


def test_an_old_odd_name_can_be_edited(vault: Vault) -> None:
    put(vault, "what?.md", "x")
    assert apply(vault, [Edit("what?.md", "y", stamp_of(b"x"), E1())]).wrote


def test_a_stamp_that_moved_is_a_conflict(vault: Vault) -> None:
    place = put(vault, "a.md", "by hand")
    with pytest.raises(Conflict, match="changed since"):
        apply(vault, [Edit("a.md", "y", stamp_of(b"x"), E1(), unit="u")])
    with pytest.raises(Conflict, match="gone"):
        apply(vault, [Edit("b.md", "y", stamp_of(b"x"), E1())])
    assert place.read_text() == "by hand"
    assert audited(vault) == [("a.md", "replace", "conflicted"), ("b.md", "replace", "conflicted")]
    assert audit.units_landed(vault) == {}


def test_a_create_is_exclusive(vault: Vault) -> None:
    place = put(vault, "a.md", "first")
    with pytest.raises(AlreadyExists):
        apply(vault, [Edit("a.md", "second", ABSENT, Create())])
    assert place.read_text() == "first"


def test_a_create_that_loses_the_race_leaves_the_winner(vault: Vault, watched: Watched) -> None:
    place = vault.root / "new/a.md"

    def act(number: int, call: str, path: str) -> None:
        if call == "rename_new" and path == str(place):
            place.write_text("first")

    with watched(act), pytest.raises(AlreadyExists):
        apply(vault, [Edit("new/a.md", "second", ABSENT, Create())])
    assert [path.name for path in place.parent.iterdir()] == ["a.md"]
    assert place.read_text() == "first"


def test_a_rule_violation_is_refused_named_and_audited(vault: Vault) -> None:
    put(vault, "a.md", "[[b]]")
    with pytest.raises(EdgesLost) as caught:
        apply(vault, [Edit("a.md", "", stamp_of(b"[[b]]"), E1())])
    assert caught.value.missing == ("[[b]]",)
    assert audited(vault) == [("a.md", "replace", "refused")]
    assert "[[b]]" in (next(audit.lines(vault)).reason or "")


def test_nothing_to_change_is_skipped_and_lands_its_unit(vault: Vault) -> None:
    put(vault, "a.md", "x")
    applied = apply(vault, [Edit("a.md", "x", stamp_of(b"x"), E1(), unit="u")])
    assert not applied.wrote
    assert audited(vault) == [("a.md", "replace", "skipped")]
    assert set(audit.units_landed(vault)) == {"u"}


def test_all_or_none(vault: Vault) -> None:
    put(vault, "parent.md", "[[s]]")
    edits = [
        Edit("new/deep/child.md", "text", ABSENT, Create(), unit="c"),
        Edit("parent.md", "[[new/deep/child.md]]", stamp_of(b"[[s]]"), E2(), unit="p"),
    ]
    with pytest.raises(EdgesLost):
        apply(vault, edits)
    assert vault.note_paths() == ("parent.md",)
    assert not (vault.root / "new").exists()
    assert audited(vault) == [
        ("new/deep/child.md", "create", "rolled-back"),
        ("parent.md", "replace", "refused"),
    ]
    assert audit.units_landed(vault) == {}


def test_a_conflict_in_the_middle_takes_everything_back(vault: Vault, watched: Watched) -> None:
    for name in "ab":
        put(vault, f"{name}.md", "old\n")
    place = vault.root / "b.md"
    edits = [
        Edit("new/c.md", "new\n", ABSENT, Create()),
        *(Edit(f"{name}.md", "new\n", stamp_of(b"old\n"), E1()) for name in "ab"),
    ]

    def act(number: int, call: str, path: str) -> None:
        if call == "exchange" and path == str(place) and place.read_text() == "old\n":
            place.write_text("by hand\n")

    with watched(act), pytest.raises(Conflict, match=r"b\.md: the note changed"):
        apply(vault, edits)
    assert {path: vault.read(path).text for path in vault.note_paths()} == {
        "a.md": "old\n",
        "b.md": "by hand\n",
    }
    assert not (vault.root / "new").exists()
    assert audited(vault) == [
        ("new/c.md", "create", "rolled-back"),
        ("a.md", "replace", "rolled-back"),
        ("b.md", "replace", "conflicted"),
    ]


def test_what_a_person_edits_during_the_rollback_stays(vault: Vault, watched: Watched) -> None:
    for name in "ab":
        put(vault, f"{name}.md", "old\n")
    first, second = vault.root / "a.md", vault.root / "b.md"

    def act(number: int, call: str, path: str) -> None:
        if call == "exchange" and path == str(second) and second.read_text() == "old\n":
            second.write_text("by hand\n")
            first.write_text(first.read_text() + "by hand\n")

    edits = [
        Edit("c.md", "new\n", ABSENT, Create()),
        Edit("a.md", "[[c]]\n", stamp_of(b"old\n"), E1()),
        Edit("b.md", "[[c]]\n", stamp_of(b"old\n"), E1()),
    ]
    with watched(act), pytest.raises(Conflict):
        apply(vault, edits)
    assert {path: vault.read(path).text for path in vault.note_paths()} == {
        "a.md": "[[c]]\nby hand\n",
        "b.md": "by hand\n",
        "c.md": "new\n",  # a note links to it by now
    }
    assert audited(vault) == [
        ("c.md", "create", "written"),
        ("a.md", "replace", "written"),
        ("b.md", "replace", "conflicted"),
    ]


def test_each_on_its_own(vault: Vault) -> None:
    for name in "ab":
        put(vault, f"{name}.md", "old")
    applied = apply(
        vault,
        [Edit("b.md", "new", stamp_of(b"other"), E1()), Edit("a.md", "new", stamp_of(b"old"), E1())],
        together=False,
    )
    assert [(edit.path, edit.outcome) for edit in applied.edits] == [
        ("b.md", "conflicted"),
        ("a.md", "written"),
    ]
    assert vault.read("b.md").text == "old"


def test_delete_and_move(vault: Vault) -> None:
    put(vault, "digest/a.md", "[[b]]")
    put(vault, "digest/b.md", "[[a]]")
    renames = (("digest/a.md", "digest/sub/c.md"),)
    apply(
        vault,
        [
            Edit("digest/sub/c.md", "[[b]]", ABSENT, Retarget(renames, moved_from="digest/a.md")),
            Edit("digest/b.md", "[[c]]", stamp_of(b"[[a]]"), Retarget(renames)),
            Edit("digest/a.md", None, stamp_of(b"[[b]]"), Retarget(renames)),
        ],
    )
    assert vault.note_paths() == ("digest/b.md", "digest/sub/c.md")
    assert {line.op for line in audit.lines(vault)} == {"create", "replace", "delete"}


def test_a_delete_gives_back_what_was_saved_meanwhile(vault: Vault, watched: Watched) -> None:
    place = put(vault, "a.md", "old")

    def act(number: int, call: str, path: str) -> None:
        if call == "rename_new" and place.exists() and place.read_text() == "old":
            place.write_text("by hand")

    with watched(act), pytest.raises(Conflict):
        apply(vault, [Edit("a.md", None, stamp_of(b"old"), Drop(frozenset()))])
    assert place.read_text() == "by hand"


# -- captured names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "link", ["[[jwt]]", "[[JWT]]", "[x](jwt.md)", "![[jwt#top|shown]]", "---\nup: '[[jwt]]'\n---\n"]
)
def test_a_create_may_not_capture_a_link(vault: Vault, link: str) -> None:
    put(vault, "digest/wiki/other/jwt.md", "here")
    put(vault, "digest/wiki/source.md", link)
    with pytest.raises(NameCaptured, match=r"digest/wiki/source\.md:"):
        apply(vault, [Edit("digest/wiki/jwt.md", "x", ABSENT, Create())])
    assert audited(vault) == [("digest/wiki/jwt.md", "create", "refused")]


def test_a_link_that_meant_nothing_may_get_its_target(vault: Vault) -> None:
    put(vault, "digest/source.md", "[[jwt]]")
    assert apply(vault, [Edit("digest/wiki/jwt.md", "x", ABSENT, Create())]).wrote


def test_a_link_that_keeps_its_target_is_not_captured(vault: Vault) -> None:
    put(vault, "digest/jwt.md", "here")
    put(vault, "digest/source.md", "[[jwt]] [[digest/jwt.md]]")
    assert apply(vault, [Edit("digest/wiki/jwt.md", "x", ABSENT, Create())]).wrote


def test_an_attachment_is_not_captured_either(vault: Vault) -> None:
    put(vault, "img/plan.canvas", "x")
    put(vault, "a.md", "![[plan.canvas]]")
    with pytest.raises(NameCaptured):
        apply(vault, [Edit("plan.canvas.md", "x", ABSENT, Create())])


def test_a_link_that_the_same_set_rewrites_may_not_be_captured(vault: Vault) -> None:
    """Among the names after the change, the old `[[jwt]]` means the new note: E1 alone would accept this loss."""
    put(vault, "digest/wiki/other/jwt.md", "here")
    put(vault, "digest/wiki/source.md", "[[jwt]]")
    create = Edit("digest/wiki/jwt.md", "x", ABSENT, Create())
    rewrite = Edit("digest/wiki/source.md", "[[digest/wiki/jwt.md]]", stamp_of(b"[[jwt]]"), E1())
    with pytest.raises(NameCaptured):
        apply(vault, [create, rewrite])


def test_a_move_may_spell_out_a_link_that_it_would_capture(vault: Vault) -> None:
    put(vault, "digest/wiki/other/jwt.md", "here")
    put(vault, "digest/wiki/source.md", "[[jwt]]")
    put(vault, "old.md", "x")
    renames = (("old.md", "digest/wiki/jwt.md"),)
    move = [
        Edit("digest/wiki/jwt.md", "x", ABSENT, Retarget(renames, moved_from="old.md")),
        Edit("old.md", None, stamp_of(b"x"), Retarget(renames)),
    ]
    with pytest.raises(NameCaptured):
        apply(vault, move)
    spelled = Edit("digest/wiki/source.md", "[[other/jwt]]", stamp_of(b"[[jwt]]"), Retarget(renames))
    assert apply(vault, [*move, spelled]).wrote


def test_an_inbound_lookup_replaces_the_scan_of_the_disk(vault: Vault) -> None:
    put(vault, "digest/other/jwt.md", "here")
    asked: list[str] = []

    def inbound(path: str) -> list[tuple[str, Link]]:
        asked.append(path)
        return []

    with start_run(vault, "test") as run:
        create = Edit("digest/wiki/jwt.md", "x", ABSENT, Create())
        ChangeSet(vault, run, [create], inbound=inbound).apply()
    assert asked == ["digest/wiki/jwt.md"]


# -- the rest ------------------------------------------------------------------------------------------------------------


def test_data_files_are_written_by_compare_and_swap_too(vault: Vault) -> None:
    path = "daily/2026-06-20/interests.yaml"
    apply(vault, [Edit(path, "topics: []\n", ABSENT, Data())])
    with pytest.raises(AlreadyExists):
        apply(vault, [Edit(path, "topics: []\n", ABSENT, Data())])
    apply(vault, [Edit(path, "topics: [x]\n", stamp_of(b"topics: []\n"), Data())])
    assert (vault.root / path).read_text() == "topics: [x]\n"


def test_restore_accepts_only_a_text_of_the_history(vault: Vault) -> None:
    put(vault, "a.md", "new")
    with pytest.raises(Refused, match="not an earlier text"):
        apply(vault, [Edit("a.md", "invented", stamp_of(b"new"), Restore())])
    history.keep(vault, b"old")
    assert apply(vault, [Edit("a.md", "old", stamp_of(b"new"), Restore())]).wrote


def test_a_file_that_is_not_utf8_is_never_rewritten(vault: Vault) -> None:
    place = put(vault, "a.md", b"\xff\xfe")
    with pytest.raises(UnreadableNote):
        apply(vault, [Edit("a.md", "x", stamp_of(b"\xff\xfe"), E1())])
    assert place.read_bytes() == b"\xff\xfe"


def test_a_folder_of_that_name_is_told(vault: Vault) -> None:
    (vault.root / "a.md").mkdir()
    with pytest.raises(UnreadableNote, match="folder"):
        apply(vault, [Edit("a.md", "x", ABSENT, Create())])


def test_a_text_that_is_not_unicode_is_refused(vault: Vault) -> None:
    with pytest.raises(Refused, match="not valid Unicode at character 1"):
        apply(vault, [Edit("a.md", "x\ud800", ABSENT, Create())])


def test_one_file_has_one_edit(vault: Vault) -> None:
    edit = Edit("a.md", "x", ABSENT, Create())
    with pytest.raises(ValueError, match="two edits"):
        apply(vault, [edit, edit])


def test_a_dry_run_shows_the_diff_and_writes_nothing(vault: Vault) -> None:
    put(vault, "a.md", "one\r\ntwo")
    with start_run(vault, "test") as run:
        changes = ChangeSet(
            vault,
            run,
            [
                Edit("a.md", "one\r\ntwo\n", stamp_of(b"one\r\ntwo"), Additive("\n")),
                Edit("b.md", "x\n", ABSENT, Create()),
            ],
        )
        assert changes.check() == ()
        assert changes.diff() == (
            "--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n one\r\n-two\n\\ No newline at end of file\n+two\n"
            "--- /dev/null\n+++ b/b.md\n@@ -0,0 +1 @@\n+x\n"
        )
    assert sorted(path.name for path in vault.root.iterdir()) == ["a.md"]


def test_names_spelled_in_another_normal_form_are_the_same_note(vault: Vault) -> None:
    place = put(vault, "digest/Ame\u0301lie.md", "x")
    path = "digest/Amélie.md"
    assert vault.note_paths() == (path,)
    with pytest.raises(AlreadyExists):
        apply(vault, [Edit(path, "y", ABSENT, Create())])
    apply(vault, [Edit(path, "y", stamp_of(b"x"), E1())])
    assert place.read_text() == "y"
    assert len(list(place.parent.iterdir())) == 1


def test_twenty_megabytes_are_no_trouble(vault: Vault) -> None:
    text = ("word " * 20 + "\n") * 200_000
    place = put(vault, "a.txt", text)
    apply(vault, [Edit("a.txt", text + "end\n", stamp_of(text.encode()), Data())])
    assert place.stat().st_size == len(text) + 4
    recover(Vault(vault.root, Config()))
