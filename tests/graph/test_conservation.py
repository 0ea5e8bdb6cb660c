"""Each rule accepts and refuses exactly what it should."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.errors import EdgesLost
from reme_cli.graph.conservation import (
    E1,
    E2,
    Additive,
    Block,
    Create,
    Data,
    Drop,
    EdgeKey,
    Restore,
    Retarget,
    Upgrade,
    change_of,
    edge_keys,
    moved_edges,
)
from reme_cli.vault.resolve import Names

if TYPE_CHECKING:
    from reme_cli.graph.conservation import Change, Rule

NOTES = ("digest/wiki/a.md", "digest/wiki/b.md", "digest/wiki/c.md", "daily/2026-06-20.md")
FILES = ("img/plan.png",)
HERE = "digest/wiki/note.md"


@dataclass(frozen=True)
class Around:
    before: Names
    after: Names


def around(*, added: tuple[str, ...] = (), removed: tuple[str, ...] = ()) -> Around:
    names = Names((*NOTES, HERE), FILES)
    return Around(names, names.with_changes(added=added, removed=removed))


def accepts(rule: Rule, before: str | None, after: str | None, *, names: Around | None = None) -> bool:
    change = change_of(HERE, before, after)
    try:
        rule.check(change, names or around(), [change])
    except EdgesLost:
        return False
    return True


def missing(rule: Rule, before: str | None, after: str | None) -> tuple[str, ...]:
    change = change_of(HERE, before, after)
    with pytest.raises(EdgesLost) as caught:
        rule.check(change, around(), [change])
    return caught.value.missing


# -- keys ---------------------------------------------------------------------------------------------------------


def test_keys_are_targets_with_predicates() -> None:
    text = "[[a]] is_a:: x\nIs-A:: [[b|shown]], [c](c.md)\n![[plan.png]] [[nowhere]] [[#here]] [[https://x.org]]\n"
    assert edge_keys(HERE, text, around().after) == {
        EdgeKey("digest/wiki/a.md", None),
        EdgeKey("digest/wiki/b.md", "is_a"),
        EdgeKey("digest/wiki/c.md", "is_a"),
        EdgeKey("img/plan.png", None),
        EdgeKey("nowhere", None),
    }


def test_a_key_reads_as_a_link() -> None:
    assert str(EdgeKey("digest/wiki/a.md", None)) == "[[digest/wiki/a.md]]"
    assert str(EdgeKey("digest/wiki/a.md", "is_a")) == "is_a:: [[digest/wiki/a.md]]"


def test_moved_edges_are_those_that_come_and_those_that_go() -> None:
    added, dropped = moved_edges(
        change_of(HERE, "[[a]] [[b]]", "[[digest/wiki/b.md]] [[c]] [[a2]]"), around()
    )
    assert added == (EdgeKey("a2", None), EdgeKey("digest/wiki/c.md", None))
    assert dropped == (EdgeKey("digest/wiki/a.md", None),)


# -- E1 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[a]]", "[[a]] and [[b]]"),
        ("[[a]]", "[[digest/wiki/a.md|A]]"),
        ("[[a#x]] [[a]]", "[[a]]"),
        ("[[a]] text", "text [A](a.md)"),
        ("is_a:: [[a]]", "(Is-A:: [[a]])"),
        ("---\nis_a: '[[a]]'\n---\n", "is_a:: [[a]]"),
        ("![[plan.png]]", "[plan](../../img/plan.png)"),
        ("[[nowhere]]", "[[nowhere.md]]"),
        ("`[[a]]`", "nothing"),
        ("", ""),
    ],
)
def test_e1_accepts(before: str, after: str) -> None:
    assert accepts(E1(), before, after)


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ("[[a]] [[b]]", "[[b]]", "[[digest/wiki/a.md]]"),
        ("[[a]]", "is_a:: [[a]]", "[[digest/wiki/a.md]]"),
        ("is_a:: [[a]]", "[[a]]", "is_a:: [[digest/wiki/a.md]]"),
        ("is_a:: [[a]]", "extends:: [[a]]", "is_a:: [[digest/wiki/a.md]]"),
        ("[[a]]", "`[[a]]`", "[[digest/wiki/a.md]]"),
        ("[[a]]", "```\n[[a]]", "[[digest/wiki/a.md]]"),
        ("[[a]]", "<!-- [[a]] -->", "[[digest/wiki/a.md]]"),
        ("![[plan.png]]", "", "[[img/plan.png]]"),
        ("[[nowhere]]", "nowhere", "[[nowhere]]"),
        ("---\nup: '[[a]]'\n---\n[[a]]", "[[a]]", "up:: [[digest/wiki/a.md]]"),
    ],
)
def test_e1_refuses_and_names_what_is_missing(before: str, after: str, lost: str) -> None:
    assert missing(E1(), before, after) == (lost,)


def test_both_texts_are_resolved_after_the_change() -> None:
    """A link that gets its target by the same change set is no other link than before."""
    names = around(added=("digest/wiki/new.md",))
    assert accepts(E1(), "[[new]]", "[[digest/wiki/new.md]]", names=names)
    assert not accepts(E1(), "[[new]]", "[[digest/wiki/new.md]]")


TARGETS = st.sampled_from(("a", "b", "digest/wiki/b.md", "c", "nowhere", "plan.png", "2026-06-20"))
LINKS = st.lists(
    st.tuples(TARGETS, st.sampled_from((None, "is_a", "Is-A", "up"))).map(
        lambda link: f"[{link[1]}:: [[{link[0]}]]]" if link[1] else f"[[{link[0]}]]"
    ),
    max_size=5,
)


@given(before=LINKS, after=LINKS)
def test_e1_is_exactly_inclusion(before: list[str], after: list[str]) -> None:
    old, new = "word ".join(before), "word ".join(after)
    included = edge_keys(HERE, old, around().after) <= edge_keys(HERE, new, around().after)
    assert accepts(E1(), old, new) == included


# -- E2 -----------------------------------------------------------------------------------------------------------


def split(parent: tuple[str, str], children: dict[str, str]) -> tuple[str, ...]:
    """What a split loses; nothing where it is accepted."""
    changes: list[Change] = [change_of(HERE, *parent)]
    changes += [change_of(path, None, text) for path, text in children.items()]
    try:
        E2().check(changes[0], around(added=tuple(children)), changes)
    except EdgesLost as error:
        return error.missing
    return ()


def test_e2_accepts_what_a_child_carries() -> None:
    children = {"digest/procedure/x.md": "is_a:: [[b]]", "digest/wiki/y.md": "![[plan.png]]"}
    assert split(("[[a]] ![[plan.png]]\nis_a:: [[b]]", "[[a]] [[digest/procedure/x.md]]"), children) == ()


def test_e2_refuses_what_nobody_carries() -> None:
    children = {"digest/procedure/x.md": "[[b]]"}
    assert split(("[[a]]\nis_a:: [[b]]", "[[digest/procedure/x.md]]"), children) == (
        "[[digest/wiki/a.md]]",
        "is_a:: [[digest/wiki/b.md]]",
    )


def test_e2_resolves_a_relative_link_from_the_child() -> None:
    """`b.md` in a child of another folder is another path, but the same note by its name; `./b.md` is not."""
    assert split(("[b](b.md)", ""), {"digest/procedure/x.md": "[b](b.md)"}) == ()
    assert split(("[b](./b.md)", ""), {"digest/procedure/x.md": "[b](./b.md)"}) == ("[[digest/wiki/b.md]]",)


def test_e2_does_not_count_another_note_that_is_merely_edited() -> None:
    parent, other = change_of(HERE, "[[a]]", ""), change_of("digest/wiki/b.md", "[[a]]", "[[a]] x")
    with pytest.raises(EdgesLost):
        E2().check(parent, around(), [parent, other])


@given(before=LINKS, after=LINKS, child=LINKS)
def test_e2_is_exactly_inclusion_in_the_union(before: list[str], after: list[str], child: list[str]) -> None:
    path = "digest/wiki/child.md"
    names = around(added=(path,)).after
    old, new, other = "word ".join(before), "word ".join(after), "word ".join(child)
    union = edge_keys(HERE, new, names) | edge_keys(path, other, names)
    assert (split((old, new), {path: other}) == ()) == (edge_keys(HERE, old, names) <= union)


# -- additive -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("see jwt rotation", "see [[digest/wiki/a.md|jwt rotation]]"),
        ("see a [[b]]", "see [[a]] [[b]]"),
        ("a\r\n\r\nb", "[[a]]\r\n\r\nb"),
    ],
)
def test_additive_accepts_link_markup(before: str, after: str) -> None:
    assert accepts(Additive(), before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("see a", "see [[a|A]]"),
        ("see a", "see  [[a]]"),
        ("see a\n", "see [[a]]"),
        ("see a", "see [[a]] too"),
        ("see a\r\n", "see [[a]]\n"),
        ("[[b|a]]", "[[a]]"),
        ("[[b]]", "b"),
    ],
)
def test_additive_refuses_everything_else(before: str, after: str) -> None:
    assert not accepts(Additive(), before, after)


def test_additive_with_a_line_accepts_exactly_that_line() -> None:
    line = "See also [[a]].\n"
    assert accepts(Additive(line), "# x\n\ntext\n", f"# x\n\n{line}text\n")
    assert accepts(Additive(line), "text\n", f"text\n{line}")
    assert accepts(Additive(line), line, line + line)
    assert not accepts(Additive(line), "text\n", f"text!\n{line}")
    assert not accepts(Additive(line), "text\n", f"text\n{line}{line}")
    assert not accepts(Additive(line), "text\n", "text\n")
    assert not accepts(Additive("```\n"), "[[a]]\n", "```\n[[a]]\n"), "the line hides a link"


# -- upgrade ------------------------------------------------------------------------------------------------------

A = EdgeKey("digest/wiki/a.md", None)
A_IS = EdgeKey("digest/wiki/a.md", "is_a")
B = EdgeKey("digest/wiki/b.md", None)


def test_upgrade_accepts_exactly_the_named_edge() -> None:
    assert accepts(Upgrade(A, A_IS), "[[a]] [[b]]", "is_a:: [[a]]\n\n[[b]]")
    assert accepts(Upgrade(A, A_IS), "[[a]] [[b]]", "[[a]] [[b]] (is_a:: [[a]])")


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        (Upgrade(A, A_IS), "[[a]] [[b]]", "(is_a:: [[a]])"),
        (Upgrade(A, A_IS), "[[a]] [[b]]", "is_a:: [[a]], [[b]]"),
        (Upgrade(A, A_IS), "[[a]] [[b]]", "[[a]] [[b]]"),
        (Upgrade(A, A_IS), "[[a]]", "extends:: [[a]]"),
        (Upgrade(A, A_IS), "[[b]]", "[[b]] (is_a:: [[a]])"),
        (Upgrade(A, EdgeKey("digest/wiki/b.md", "is_a")), "[[a]]", "is_a:: [[b]]"),
    ],
)
def test_upgrade_refuses(rule: Upgrade, before: str, after: str) -> None:
    assert not accepts(rule, before, after)


# -- retarget -----------------------------------------------------------------------------------------------------

MOVED = Retarget((("digest/wiki/a.md", "digest/procedure/a2.md"),))
AFTER_MOVE = around(added=("digest/procedure/a2.md",), removed=("digest/wiki/a.md",))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[a]] [[b]]", "[[a2]] [[b]]"),
        ("is_a:: [[digest/wiki/a.md|A]]", "is_a:: [[digest/procedure/a2.md|A]]"),
        ("[A](a.md) ![[a]]", "[A](../procedure/a2.md) ![[a2]]"),
        ("[[b]]", "[[b]]"),
    ],
)
def test_retarget_accepts_a_one_to_one_renaming(before: str, after: str) -> None:
    assert accepts(MOVED, before, after, names=AFTER_MOVE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[a]] [[b]]", "[[a2]]"),
        ("[[a]]", "[[a]]"),
        ("[[a]]", "[[b]]"),
        ("[[a]] [[a]]", "[[a2]]"),
        ("[[a]]", "[[a2]] [[b]]"),
        ("is_a:: [[a]]", "[[a2]]"),
    ],
)
def test_retarget_refuses_what_is_not_one_to_one(before: str, after: str) -> None:
    assert not accepts(MOVED, before, after, names=AFTER_MOVE)


def test_a_short_link_that_follows_the_move_needs_no_edit() -> None:
    names = around(added=("digest/procedure/a.md",), removed=("digest/wiki/a.md",))
    rule = Retarget((("digest/wiki/a.md", "digest/procedure/a.md"),))
    assert accepts(rule, "[[a]]", "[[a]]", names=names)


def test_a_broken_link_is_retargeted_by_its_literal_target() -> None:
    rule = Retarget((("digest/wiki/aa", "digest/wiki/a.md"),))
    assert accepts(rule, "[[digest/wiki/aa.md]]", "[[digest/wiki/a.md]]")
    assert not accepts(rule, "[[other]]", "[[digest/wiki/a.md]]")


def moves(old_text: str, new_text: str) -> bool:
    old, new = "digest/wiki/a.md", "digest/procedure/a2.md"
    created, deleted = change_of(new, None, new_text), change_of(old, old_text, None)
    renames = ((old, new),)
    try:
        Retarget(renames, moved_from=old).check(created, AFTER_MOVE, [created, deleted])
        Retarget(renames).check(deleted, AFTER_MOVE, [created, deleted])
    except EdgesLost:
        return False
    return True


def test_a_moved_note_keeps_its_links() -> None:
    assert moves("[b](b.md) [[#x]] [[a]]", "[b](../wiki/b.md) [[#x]] [[a2]]")
    assert moves("[b](./b.md)", "[b](../wiki/b.md)")
    assert not moves("[b](./b.md)", "[b](./b.md)")
    assert not moves("[[b]]", "")


def test_a_note_may_not_vanish_under_retarget() -> None:
    deleted = change_of("digest/wiki/a.md", "text", None)
    with pytest.raises(EdgesLost):
        MOVED.check(deleted, AFTER_MOVE, [deleted])


# -- create, block, drop, restore, data ------------------------------------------------------------------------------


def test_create_accepts_links_that_resolve() -> None:
    assert accepts(Create(), None, "[[a]] ![[plan.png]] [[#x]] <https://x.org> [[https://x.org]]")


@pytest.mark.parametrize("text", ["[[nowhere]]", "![[nowhere.png]]", "is_a:: [x](gone.md)"])
def test_create_refuses_links_that_do_not(text: str) -> None:
    assert len(missing(Create(), None, text)) == 1


def test_a_part_may_have_the_broken_links_of_the_note_it_is_taken_from() -> None:
    whole = change_of("digest/wiki/whole.md", "[[nowhere]]\nis_a:: [[gone]]", "[[a]]")
    part = change_of(HERE, None, "[[nowhere]] [[gone]]")
    with pytest.raises(EdgesLost) as caught:
        Create(part_of=whole.path).check(part, around(), [whole, part])
    assert caught.value.missing == ("[[gone]]",), "with another predicate it is another link"
    with pytest.raises(EdgesLost) as caught:
        Create().check(part, around(), [whole, part])
    assert len(caught.value.missing) == 2


def block_span(text: str) -> tuple[int, int] | None:
    start, end = text.find("<!-- start -->\n"), text.find("<!-- end -->\n")
    return None if start < 0 or end < start else (start, end + len("<!-- end -->\n"))


BLOCK = Block(block_span)
DAY = "[[a]]\n\n<!-- start -->\n\n[[b]]\n\n<!-- end -->\n\ntext\n"


def test_block_may_change_and_come() -> None:
    assert accepts(BLOCK, DAY, DAY.replace("[[b]]", "[[c]]"))
    assert accepts(BLOCK, "[[a]]\n\n\ntext\n", DAY.replace("\n\ntext", "\n\ntext"))
    assert accepts(BLOCK, None, "<!-- start -->\n\n[[b]]\n\n<!-- end -->\n")


def test_block_leaves_the_rest_alone() -> None:
    assert not accepts(BLOCK, DAY, DAY.replace("text", "test"))
    assert not accepts(BLOCK, DAY, DAY + "\n")
    assert not accepts(BLOCK, DAY, DAY.replace("[[a]]", "[[c]]"))


def test_block_may_not_hide_links_below_it() -> None:
    before = DAY + "[[c]]\n"
    fence = before.replace("[[b]]\n\n<!-- end -->", "```\n\n<!-- end -->")
    assert not accepts(BLOCK, before, fence)


def test_drop_lets_exactly_the_named_edges_go() -> None:
    rule = Drop(frozenset({EdgeKey("nowhere", None)}))
    assert accepts(rule, "[[nowhere]] [[a]]", "nowhere [[a]]")
    assert accepts(rule, "[[nowhere]] [[a]]", "[[nowhere]] [[a]] x")
    assert not accepts(rule, "[[nowhere]] [[a]]", "nowhere a")
    assert not accepts(rule, "is_a:: [[nowhere]]", "nowhere")
    assert not accepts(Drop(frozenset()), "[[nowhere]]", "nowhere")


def test_drop_names_a_note_that_the_set_removes_by_its_path() -> None:
    names = around(removed=("digest/wiki/a.md",))
    rule = Drop(frozenset({EdgeKey("digest/wiki/a.md", None)}))
    assert accepts(rule, "[[a]] [[b]]", "a [[b]]", names=names)
    assert not accepts(rule, "[[a]] [[b]]", "a b", names=names)


def test_deleting_a_note_drops_its_edges_which_must_be_named() -> None:
    assert accepts(Drop(frozenset({A})), "[[a]]", None)
    assert not accepts(Drop(frozenset()), "[[a]]", None)
    assert not accepts(E1(), "[[a]]", None)


def test_restore_has_no_edge_rule() -> None:
    assert accepts(Restore(), "[[a]]", "")


def test_data_is_for_files_that_are_no_notes() -> None:
    change = change_of("daily/2026-06-20/interests.yaml", "a: '[[x]]'", "b: 1")
    Data().check(change, around(), [change])
    assert not accepts(Data(), "x", "y")
