"""`--dry-run` writes nothing: not a note, not a line of audit, not the state of reme. Only the derived index may be refreshed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.commands.app import load_command
from reme_cli.commands.table import COMMANDS
from reme_cli.config import Config
from reme_cli.maintain.queue import queue_follow_ups
from reme_cli.vault.vault import Vault
from tests.maintain import test_division

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

# every command with the option, a line that would write something, and what then stands in its output
LINES = {
    "auto_dream": ("date=2026-06-20 engine=extractive", "+++ b/digest/"),
    "auto_link": ("threshold=eager", "[[digest/wiki/broker.md|broker]]"),
    "lint": ("--fix", "+++ b/daily/2026-06-20/c.md\n"),
    "maintain mv": ("daily/2026-06-20/b.md archive/c.md", "rename to archive/c.md\n"),
    "maintain rm": ("daily/2026-06-20/b.md --unlink", "--- a/daily/2026-06-20/b.md\n"),
    "maintain run": ("", "[[digest/wiki/jwt-rotation.md|JWT rotation]]"),
    "maintain split": (
        "digest/wiki/tokens.md engine=extractive --force",
        "+++ b/digest/wiki/tokens-storage.md\n",
    ),
    "undo": ("", "--- a/"),
    "init": ("", "+++ b/resource/.gitkeep\n"),
}

TEXT = (
    "# Gateway\n\nThe gateway rotates its signing keys every seven days, and keeps the old key for a day.\n"
)


def tree(root: Path) -> dict[str, tuple[int, bytes | None]]:
    """Everything below a folder but the derived index, with times and bytes."""
    return {
        place.relative_to(root).as_posix(): (
            place.stat().st_mtime_ns if place.is_file() else 0,
            place.read_bytes() if place.is_file() else None,
        )
        for place in root.rglob("*")
        if place.name != "metadata" and "metadata/cache" not in place.as_posix()
    }


def test_every_command_that_has_it_is_tried() -> None:
    having = [row.name for row in COMMANDS if any(p.name == "dry_run" for p in load_command(row).params)]
    # `watch` does not end by itself: tests/watch/test_watcher.py
    assert sorted(having) == sorted([*LINES, "watch"])


CASES = [
    ("auto_dream", False),
    ("auto_dream", True),
    ("auto_link", False),
    ("lint", False),
    ("maintain split", False),
    ("maintain run", False),
    ("maintain mv", False),
    ("maintain mv", True),
    ("maintain rm", True),
    ("undo", True),
    ("init", False),
    ("init", True),
]


@pytest.mark.parametrize(
    ("name", "dreamed"), CASES, ids=[f"{name} after a run" if dreamed else name for name, dreamed in CASES]
)
def test_nothing_is_written(reme: Reme, make_vault: Callable[..., Path], name: str, dreamed: bool) -> None:
    notes = {"daily/2026-06-19/a.md": TEXT, "daily/2026-06-20/b.md": TEXT.replace("gateway", "broker")}
    if name == "maintain run":
        notes["digest/wiki/jwt-rotation.md"] = "---\nname: JWT rotation\n---\nKeys.\n"
        notes["digest/wiki/gateway.md"] = "The gateway needs JWT rotation.\n"
    if name == "auto_link":
        notes["digest/wiki/broker.md"] = (
            "---\nname: Message broker\naliases: [broker]\n---\nIt keeps messages.\n"
        )
    if name == "maintain split":
        notes[test_division.PARENT] = test_division.TEXT
    vault = make_vault(notes)
    if name == "lint":
        (vault / "daily/2026-06-20/c.md").write_text("See [[B]].\n")
    if name == "maintain run":
        queue_follow_ups(Vault(vault, Config()), ["digest/wiki/jwt-rotation.md"], "r1")
    if dreamed:
        assert reme("auto_dream", "date=2026-06-19", "engine=extractive", vault=vault).code == 0
    before = tree(vault)
    line, shown = LINES[name]
    outcome = reme(*name.split(), *line.split(), "--dry-run", vault=vault)
    assert outcome.code == 0, outcome.err
    assert shown in outcome.out
    assert tree(vault) == before
