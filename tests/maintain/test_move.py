"""Moving notes, files and folders: every link leads where it led."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from benchmarks.move import contents, meanings, moved_and_undone, open_vault, under
from reme_cli.changeset import system
from reme_cli.changeset.recover import recover
from reme_cli.changeset.run import start_run
from reme_cli.changeset.undo import undo
from reme_cli.errors import AlreadyExists, Conflict, NoteNotFound, PathRefused, Refused
from reme_cli.maintain.move import move, plan_move
from reme_cli.maintain.place import destination, existing

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.maintain.move import Move
    from reme_cli.vault.vault import Vault
    from tests.conftest import Outcome

    MakeVault = Callable[..., Path]
    Reme = Callable[..., Outcome]

HERE = Path(__file__).parent
BLOCK = re.compile(r"^~~~ (before|after) ([^\n]+)\n(.*?)^~~~$", re.MULTILINE | re.DOTALL)


def moved(vault: Vault, old: str, new: str) -> Move:
    """The move of what a person writes so."""
    place = existing(vault, old, vault.root)
    with start_run(vault, "maintain mv") as run:
        return move(vault, place, destination(vault, new, place), run)


class Case(NamedTuple):
    """A section of moves.md."""

    title: str
    old: str
    new: str
    before: dict[str, bytes]
    after: dict[str, bytes]


def raw(text: str) -> bytes:
    """The bytes of a file of a case."""
    return text.replace("␍", "\r").replace("<BOM>", "\ufeff").encode()


def cases() -> list[Case]:
    """The sections of moves.md."""
    found = []
    for section in (HERE / "moves.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        files: dict[str, dict[str, bytes]] = {"before": {}, "after": {}}
        for part, path, text in BLOCK.findall(section):
            files[part][path] = raw(text)
        line = re.search(r"^mv: (.+) → (.+)$", section, re.MULTILINE)
        assert line, section
        found.append(Case(section.partition("\n")[0], line[1], line[2], files["before"], files["after"]))
    return found


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.title)
def test_case(make_vault: MakeVault, case: Case) -> None:
    root = make_vault(case.before)
    vault = open_vault(root)
    known, meant = contents(root), meanings(vault)
    done = moved(vault, case.old, case.new)
    renames = {**done.notes, **done.files}
    expected = {path: data for path, data in case.before.items() if path not in renames} | case.after
    now = {path: data for path, data in contents(root).items() if not path.endswith("/")}
    assert {path: data.decode() for path, data in now.items() if path != "vault.yaml"} == {
        path: data.decode() for path, data in expected.items()
    }
    assert meanings(vault) == under(renames, meant)
    undo(vault)
    assert contents(root) == known


@pytest.mark.parametrize("name", ["foam-docs", "oldwinter-zh"])
def test_people_s_vaults_mean_the_same_afterwards(shared: Path, tmp_path: Path, name: str) -> None:
    """A small run of benchmarks/move.py."""
    root = tmp_path / "vault"
    chance = random.Random(name)
    notes = sorted((shared / "vaults" / name).rglob("*.md"))
    for place in chance.sample(notes, min(len(notes), 60)):
        target = root / place.relative_to(shared / "vaults" / name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(place, target)
    outcome = moved_and_undone(root, notes=9, folders=3, seed=7)
    assert outcome.is_right, outcome
    assert outcome.moved >= 10


def test_a_note_and_its_index_need_not_agree(make_vault: MakeVault) -> None:
    """What is on disk counts: a link that was written after the index was made is found."""
    from reme_cli.index.index import Index

    vault = open_vault(make_vault({"a.md": "# A\n", "b.md": "No link.\n"}))
    Index.open(vault).close()
    (vault.root / "b.md").write_text("See [[a]].\n")
    moved(vault, "a.md", "c")
    assert (vault.root / "b.md").read_text() == "See [[c]].\n"


def test_attachments_move_with_their_folder_and_keep_their_bytes(make_vault: MakeVault) -> None:
    picture = bytes(range(256)) * 4000
    files = {
        "project/notes/a.md": "![shot](../img/one.png) and ![[two.png]]\n",
        "project/img/one.png": picture,
        "project/img/two.png": picture[::-1],
        "project/.hidden": "stays",
        "index.md": "![[project/img/one.png]] ![](project/img/two.png)\n",
    }
    root = make_vault(files)
    vault = open_vault(root)
    known = contents(root)
    inode = (root / "project/img/one.png").stat().st_ino
    done = moved(vault, "project/", "archive/2026")
    assert sorted(done.files.values()) == ["archive/2026/img/one.png", "archive/2026/img/two.png"]
    assert done.left == ("project/.hidden",)
    assert (root / "archive/2026/img/one.png").stat().st_ino == inode
    assert (root / "archive/2026/img/one.png").read_bytes() == picture
    assert (root / "index.md").read_text() == (
        "![[archive/2026/img/one.png]] ![](archive/2026/img/two.png)\n"
    )
    assert (root / "archive/2026/notes/a.md").read_text() == files["project/notes/a.md"]
    assert not (root / "project/notes").exists()
    undo(vault)
    assert contents(root) == known
    undo(vault)
    assert (root / "archive/2026/img/one.png").read_bytes() == picture


def test_a_note_that_cannot_be_read_moves_as_it_is(make_vault: MakeVault) -> None:
    root = make_vault({"old/latin.md": b"caf\xe9 [[b]]\n", "b.md": "[[old/latin]]\n"})
    done = moved(open_vault(root), "old", "new")
    assert done.unread == ("old/latin.md",)
    assert (root / "new/latin.md").read_bytes() == b"caf\xe9 [[b]]\n"
    assert (root / "b.md").read_text() == "[[new/latin]]\n"


IGNORING = {
    "vault.yaml": 'ignore: ["drafts/"]\n',
    "a.md": "[b](b.md)\n",
    "b.md": "[[a]] [[drafts/plan]]\n",
    "drafts/plan.md": "[b](../b.md)\n",
}


def test_what_was_ignored_becomes_a_note(make_vault: MakeVault) -> None:
    root = make_vault(IGNORING)
    vault = open_vault(root)
    known = contents(root)
    done = moved(vault, "drafts/plan.md", "plan")
    assert done.notes == {"drafts/plan.md": "plan.md"}
    assert (root / "plan.md").read_text() == "[b](b.md)\n"
    assert (root / "b.md").read_text() == "[[a]] [[plan]]\n"
    assert vault.note_paths() == ("a.md", "b.md", "plan.md")
    undo(vault)
    assert contents(root) == known | {"drafts/": b""}


def test_a_file_that_became_a_note_since_is_moved_back(make_vault: MakeVault) -> None:
    """What is ignored moves as a file; of a rename that an undo takes back nothing is asked."""
    root = make_vault({"vault.yaml": 'ignore: ["old/", "new/"]\n', "old/plan.md": "[[x]]\n"})
    moved(open_vault(root), "old", "new")
    (root / "vault.yaml").write_text("")
    undo(open_vault(root))
    assert (root / "old/plan.md").read_text() == "[[x]]\n"


def test_a_link_that_led_nowhere_is_told_when_it_leads_to_the_new_name(make_vault: MakeVault) -> None:
    vault = open_vault(make_vault({"a.md": "# A\n", "b.md": "[[plan]] and [[a]]\n", "c.md": "[[plan]]\n"}))
    done = moved(vault, "a.md", "plan.md")
    assert [(each.source, each.link.target, each.target) for each in done.adopted] == [
        ("b.md", "plan", "plan.md"),
        ("c.md", "plan", "plan.md"),
    ]
    assert (vault.root / "b.md").read_text() == "[[plan]] and [[plan]]\n"


def test_the_mode_of_a_note_is_kept(make_vault: MakeVault) -> None:
    root = make_vault({"a.md": "# A\n"})
    (root / "a.md").chmod(0o600)
    moved(open_vault(root), "a.md", "b.md")
    assert (root / "b.md").stat().st_mode & 0o777 == 0o600


def test_five_thousand_links_are_one_change(make_vault: MakeVault) -> None:
    """As many as stand in few notes: what is costly is a note, not a link."""
    lines = "".join(f"- see [[hub]] {number}\n" for number in range(1000))
    root = make_vault({"hub.md": "# Hub\n", **{f"n{number}.md": lines for number in range(5)}})
    done = moved(open_vault(root), "hub.md", "center.md")
    assert done.links == 5000
    assert "hub" not in (root / "n4.md").read_text()


REFUSALS = [
    ("a.md", "b.md", AlreadyExists),
    ("a.md", "a.md", Refused),
    ("a.md", "../x.md", PathRefused),
    ("a.md", "what?.md", PathRefused),
    ("a.md", ".git/x.md", PathRefused),
    ("a.md", "metadata/x.md", PathRefused),
    ("folder", "folder/inside", Refused),
    ("folder", "b.md", AlreadyExists),
    ("digest", "knowledge", PathRefused),
    ("metadata", "m", PathRefused),
    ("a.md", "prompts/a.md", PathRefused),
    ("folder", "web/node_modules", PathRefused),
    ("a.md", "templates/", PathRefused),
    ("folder", "templates", PathRefused),
    ("a.md", "a.excalidraw.md", PathRefused),
    ("pic.png", "prompts/pic.png", PathRefused),
    ("vault.yaml", "settings.yaml", PathRefused),
]


@pytest.mark.parametrize(
    ("old", "new", "error"), REFUSALS, ids=lambda value: getattr(value, "__name__", value)
)
def test_refusals_change_nothing(make_vault: MakeVault, old: str, new: str, error: type[Exception]) -> None:
    files = {
        "a.md": "[[b]]\n",
        "b.md": "x\n",
        "folder/c.md": "x\n",
        "digest/d.md": "x\n",
        "metadata/x": "",
        "pic.png": b"",
        "vault.yaml": "ignore: [templates/, '*.excalidraw.md']\n",
    }
    root = make_vault(files)
    known = contents(root)
    with pytest.raises(error):
        moved(open_vault(root), old, new)
    assert contents(root) == known


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("digest/wiki/a.md", "digest/a.md", ("digest",)),
        ("digest/wiki/a.md", "digest/wik/deep/a.md", ("digest/wik",)),
        ("digest/wiki", "digest/concepts", ("digest/concepts",)),
        ("b.md", "digest/other/", ("digest/other",)),
        ("digest/other/c.md", "digest/others/c.md", ()),
        ("digest/wiki/a.md", "digest/procedure/", ()),
        ("digest/wiki/a.md", "daily/a.md", ()),
        ("digest/wiki/pic.png", "digest/pic.png", ()),
    ],
)
def test_a_folder_that_is_no_bucket_is_named(
    make_vault: MakeVault, old: str, new: str, told: tuple[str, ...]
) -> None:
    files = {"digest/wiki/a.md": "x\n", "digest/wiki/pic.png": b"", "digest/other/c.md": "x\n", "b.md": "x\n"}
    assert moved(open_vault(make_vault(files)), old, new).in_no_bucket == told


NO_BUCKET = (
    "is no bucket of the digest; these are: procedure, personal, wiki (`digest.buckets` in vault.yaml)"
)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("a.md", "c.md", "1 note to move, 1 link in 1 note to rewrite\n"),
        ("pic.png", "shot.png", "1 file to move, 1 link in 1 note to rewrite\n"),
        ("folder", "other", "1 note and 2 other files to move, 0 links in 0 notes to rewrite\n"),
        (
            "a.md",
            "digest/wik/",
            f"reme: warning: digest/wik/ {NO_BUCKET}\n1 note to move, 0 links in 0 notes to rewrite\n",
        ),
        ("b", "b.md", "reme: error: b.md: has this path already\n"),
        (
            "folder/bb.md",
            "c.md",
            "reme: error: folder/bb.md: there is no such note or folder\n      Did you mean `folder/b-b.md`?\n",
        ),
    ],
)
def test_what_the_command_tells(make_vault: MakeVault, reme: Reme, old: str, new: str, told: str) -> None:
    files = {
        "a.md": "x\n",
        "b.md": "[[a]] ![[pic.png]]\n",
        "pic.png": b"",
        "folder/b-b.md": "x\n",
        "folder/1.png": b"",
        "folder/2.png": b"",
    }
    assert reme("maintain", "mv", old, new, "--dry-run", vault=make_vault(files)).err == told


def test_what_names_a_path_without_a_link_is_told(make_vault: MakeVault) -> None:
    topics = """topics:
- title: keys
  paths: [daily/2026-06-20/keys.md, xdaily/2026-06-20/keys.md, 'daily/2026-06-20/keys.md']
- title: other
  paths:
  - daily/2026-06-20/keys.md.bak
  - daily/2026-06-20/über.md
"""
    files = {
        "vault.yaml": "lint: {per_path: {'keys.md': [L001], 'daily/': [L001], 'b/': [L001]}}\n",
        "daily/2026-06-20/interests.yaml": topics,
        "daily/interests.yaml": "daily/2026-06-20/keys.md",
        "daily/2026-06-20/keys.md": "x\n",
        "daily/2026-06-20/über.md": "x\n",
    }
    vault = open_vault(make_vault(files))
    place = existing(vault, "daily/2026-06-20/keys.md", vault.root)
    path = "daily/2026-06-20/interests.yaml"
    assert plan_move(vault, place, "daily/2026-06-20/locks.md").unfollowed == (
        (path, 3, "daily/2026-06-20/keys.md"),
        (path, 3, "daily/2026-06-20/keys.md"),
        ("vault.yaml", None, "lint.per_path.keys.md"),
    )
    assert {each.names for each in plan_move(vault, place, "b/keys.md").unfollowed if each.line is None} == {
        "lint.per_path.daily/",
        "lint.per_path.b/",
    }
    other = existing(vault, "daily/2026-06-20/über.md", vault.root)
    assert plan_move(vault, other, "daily/2026-06-20/u.md").unfollowed == (
        (path, 7, "daily/2026-06-20/über.md"),
    )


class _KilledError(BaseException):
    """The process ends here."""


FILES = {
    "a/one.md": "---\nname: one\n---\n![[x.png]]\n",
    "a/x.png": b"\x89PNG\xff",
    "b.md": "[[a/one]] [x](a/x.png)\n",
}


@pytest.mark.parametrize("how", ["killed", "refused"])
def test_at_every_write_all_is_moved_or_nothing(make_vault: MakeVault, how: str) -> None:
    """The process is killed at, or the system refuses, each of its writes in turn."""
    whole = make_vault(FILES, name="whole")
    before = contents(whole)
    moved(open_vault(whole), "a", "z/new")
    after = contents(whole)
    outcomes = set()
    for step in range(1, 1000):
        root = make_vault(FILES, name=f"{how}-{step}")
        vault = open_vault(root)
        calls = 0

        def watch(call: str, path: str, step: int = step) -> None:
            nonlocal calls
            calls += call != "look"
            if calls == step:
                raise _KilledError if how == "killed" else OSError(28, "No space left on device", path)

        system.watchers.append(watch)
        try:
            moved(vault, "a", "z/new")
            ended = "moved"
        except (_KilledError, Exception):  # noqa: BLE001 - whatever it is, the vault is looked at
            ended = "stopped"
        finally:
            system.watchers.remove(watch)
        reached = calls >= step
        recover(vault)
        now = contents(root)
        assert now in (before, after), (step, ended)
        outcomes.add(now == after)
        shutil.rmtree(root)
        if not reached:
            break
    assert outcomes == {True, False}


def test_a_save_in_between_is_kept_and_the_move_planned_anew(make_vault: MakeVault) -> None:
    root = make_vault({"a.md": "# A\n", "b.md": "[[a]]\n"})
    saves = 0

    def save(call: str, path: str) -> None:
        nonlocal saves
        if call == "open" and "b.md" not in path and path.endswith(".tmp") and not saves:
            saves += 1
            (root / "b.md").write_text("Mine. [[a]]\n")

    system.watchers.append(save)
    try:
        moved(open_vault(root), "a.md", "c.md")
    finally:
        system.watchers.remove(save)
    assert saves == 1
    assert (root / "b.md").read_text() == "Mine. [[c]]\n"


def test_what_somebody_else_moved_meanwhile_is_gone(make_vault: MakeVault) -> None:
    vault = open_vault(make_vault({"a.md": "# A\n"}))
    place = existing(vault, "a.md", vault.root)
    moved(vault, "a.md", "b.md")
    with pytest.raises(NoteNotFound):
        plan_move(vault, place, "c.md")


def test_a_note_that_never_rests_is_a_conflict(make_vault: MakeVault) -> None:
    root = make_vault({"a.md": "# A\n", "b.md": "[[a]]\n"})
    number = 0

    def save(call: str, path: str) -> None:
        nonlocal number
        if call == "exchange":
            number += 1
            (root / "b.md").write_text(f"{number} [[a]]\n")

    system.watchers.append(save)
    try:
        with pytest.raises(Conflict):
            moved(open_vault(root), "a.md", "c.md")
    finally:
        system.watchers.remove(save)
    assert (root / "a.md").exists()
    assert not (root / "c.md").exists()
    assert (root / "b.md").read_text() == f"{number} [[a]]\n"


def test_the_diff_is_one_that_git_takes(make_vault: MakeVault) -> None:
    vault = open_vault(make_vault(FILES))
    place = existing(vault, "a", vault.root)
    diff = plan_move(vault, place, "z").diff()
    assert "rename from a/x.png\nrename to z/x.png\n" in diff
    assert "rename from a/one.md\nrename to z/one.md\n" in diff
    assert "--- a/b.md\n+++ b/b.md\n" in diff
