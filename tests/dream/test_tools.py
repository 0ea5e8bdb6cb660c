"""The guarded tools: what they stage, and what they refuse in words that a model can act on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config
from reme_cli.dream.engine import Desk
from reme_cli.dream.tools import Workbench
from reme_cli.llm.reply import validate
from reme_cli.llm.tool import ToolRefused
from reme_cli.search.hit import NodeHit
from reme_cli.vault.resolve import Names
from reme_cli.vault.stamp import ABSENT
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SOURCE = "daily/2026-06-20/session.md"
OLD = "digest/wiki/jwt.md"
OLD_TEXT = f"---\nname: JWT\ndescription: Tokens.\nown: kept # comment\n---\n\nKeys rotate.\n\nis_a:: [[{SOURCE}]]\n\ntwice twice\n"
NEW = "digest/wiki/key-rotation.md"


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Vault:
    files = {SOURCE: "# Session\n\nline 3\n", OLD: OLD_TEXT, "digest/wiki/other.md": "---\nname: O\n---\nx\n"}
    return Vault(make_vault(files), Config())


class Caller:
    """Calls a workbench's tools as a model does."""

    def __init__(self, vault: Vault) -> None:
        hit = NodeHit(OLD, "JWT", "Tokens.", 1.5)
        self.bench = Workbench(
            vault, Desk((), vault.read, lambda query, limit: [hit][:limit], Names(vault.note_paths()))
        )
        self._tools = {tool.name: tool for tool in self.bench.tools()}

    def __call__(self, tool_name: str, /, **arguments: object) -> str:
        tool = self._tools[tool_name]
        return tool.run(validate(arguments, tool.arguments))


@pytest.fixture
def call(vault: Vault) -> Caller:
    return Caller(vault)


def new(path: str = NEW, **changes: str) -> dict[str, str]:
    return {
        "path": path,
        "name": "Key rotation",
        "description": "How.",
        "content": f"Do it.\n\n[[{SOURCE}]]",
        **changes,
    }


def test_the_tools_are_those_of_the_contract(call: Caller) -> None:
    assert [tool.name for tool in call.bench.tools()] == [
        "node_search",
        "read",
        "frontmatter_read",
        "write",
        "edit",
        "frontmatter_update",
    ]


def test_searching_and_reading_stage_nothing(call: Caller) -> None:
    assert f"{OLD} | JWT | Tokens. | 1.50" in call("node_search", query="jwt")
    assert "Keys rotate." in call("read", path=OLD)
    shown = call("read", path=SOURCE, start_line=3, end_line=9)
    assert "line 3" in shown
    assert "# Session" not in shown
    assert '"own": "kept"' in call("frontmatter_read", path=OLD)
    assert call.bench.staged is None


def test_a_write_is_staged_and_may_be_edited(call: Caller) -> None:
    call("write", **new())
    call("edit", path=NEW, old="Do it.", new="Do it now.")
    proposal = call.bench.proposal("REFINE")
    assert (proposal.action, proposal.path, proposal.expected) == ("CREATE", NEW, ABSENT)
    assert "Do it now." in proposal.text
    assert "Do it now." in call("read", path=NEW)


def test_an_edit_is_staged_on_what_was_read(call: Caller, vault: Vault) -> None:
    call("read", path=OLD)
    call("edit", path=OLD, old="Keys rotate.", new="Keys rotate daily.")
    call("frontmatter_update", path=OLD, values={"description": "2026-06-20"})
    proposal = call.bench.proposal("CORROBORATE")
    assert proposal.expected == vault.read(OLD).stamp
    assert proposal.action == "CORROBORATE"
    assert proposal.text == OLD_TEXT.replace("rotate.", "rotate daily.").replace("Tokens.", '"2026-06-20"')


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../../.bashrc", r"\.\."),
        ("/etc/x.md", "absolute"),
        ("digest/secret/x.md", "one of: procedure, personal, wiki"),
        ("daily/2026-06-20/x.md", "bucket"),
        (OLD, "exists"),
        ("digest/wiki/Key Rotation.md", r"key-rotation\.md"),
    ],
)
def test_a_write_elsewhere_is_refused(call: Caller, path: str, why: str) -> None:
    with pytest.raises(ToolRefused, match=why):
        call("write", **new(path))
    assert call.bench.staged is None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": " "}, "name"),
        ({"description": ""}, "description"),
        ({"content": " \n"}, "content"),
        ({"content": "---\nname: x\n---\nbody"}, "frontmatter"),
        ({"content": "see [[nowhere]]"}, r"\[\[nowhere\]\]"),
    ],
)
def test_a_write_that_makes_no_note_is_refused(call: Caller, changes: dict[str, str], why: str) -> None:
    with pytest.raises(ToolRefused, match=why):
        call("write", **new(**changes))


def test_a_second_target_is_refused(call: Caller) -> None:
    call("read", path=OLD)
    call("write", **new())
    for tool, arguments in (
        ("write", new("digest/wiki/second.md")),
        ("edit", {"path": OLD, "old": "Keys rotate.", "new": "x"}),
        ("frontmatter_update", {"path": OLD, "values": {"name": "x"}}),
    ):
        with pytest.raises(ToolRefused, match=NEW):
            call(tool, **arguments)
    assert call.bench.staged is not None
    assert call.bench.staged[0] == NEW


@pytest.mark.parametrize(
    ("old", "new_text", "why"),
    [
        ("absent", "x", "does not occur"),
        ("twice", "x", "occurs 2 times"),
        ("", "x", "does not occur"),
        ("Tokens.", "x", "does not occur"),  # in the frontmatter only
        (f"is_a:: [[{SOURCE}]]", "gone", rf"is_a:: \[\[{SOURCE}\]\]"),
        (f"is_a:: [[{SOURCE}]]", f"[[{SOURCE}]]", "is_a"),
        ("Keys rotate.", "see [[nowhere]]", "nowhere"),
    ],
)
def test_an_edit_that_may_not_be_is_refused(call: Caller, old: str, new_text: str, why: str) -> None:
    call("read", path=OLD)
    with pytest.raises(ToolRefused, match=why):
        call("edit", path=OLD, old=old, new=new_text)
    assert call.bench.staged is None


@pytest.mark.parametrize("path", [SOURCE, "digest/wiki/absent.md", OLD])
def test_only_a_digest_note_that_was_read_is_edited(call: Caller, path: str) -> None:
    with pytest.raises(ToolRefused, match=r"only digest notes|does not exist|Read digest"):
        call("edit", path=path, old="x", new="y")


@pytest.mark.parametrize("path", ["absent.md", "../x.md", "metadata/audit/x", "daily"])
def test_what_cannot_be_read_is_refused_with_the_reason(call: Caller, path: str) -> None:
    with pytest.raises(ToolRefused):
        call("read", path=path)


def test_a_name_must_stay_a_name(call: Caller) -> None:
    call("read", path=OLD)
    with pytest.raises(ToolRefused, match="name must be text"):
        call("frontmatter_update", path=OLD, values={"name": ""})


def test_a_long_note_is_shown_in_pieces_that_say_so(make_vault: Callable[..., Path]) -> None:
    lines = "".join(f"line {number} of a long note\n" for number in range(5000))
    vault = Vault(make_vault({"daily/2026-06-20/long.md": lines}), Config())
    shown = Caller(vault)("read", path="daily/2026-06-20/long.md")
    assert "of 5000" in shown
    assert "Ask for start_line=" in shown
    assert len(shown) < 60_000


def test_tool_answers_are_material(call: Caller) -> None:
    assert call("read", path=OLD).startswith("<<<MATERIAL ")
    assert json.dumps(OLD) in call("frontmatter_read", path=OLD)
