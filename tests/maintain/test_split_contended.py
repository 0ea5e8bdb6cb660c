"""A note is split while four writers add to it and an editor saves it: nobody's text is lost."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.recover import recover
from reme_cli.changeset.run import start_run
from reme_cli.errors import Conflict
from reme_cli.graph.conservation import E1
from tests.maintain.test_division import FILES, PARENT, TEXT
from tests.maintain.test_split import splitting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.vault.vault import Vault

    VaultOf = Callable[..., Vault]

WRITERS = 4
WRITES = 6


def everything(vault: Vault) -> str:
    """The text of all notes, conflict copies among them."""
    return "\n".join(place.read_text() for place in sorted(vault.root.rglob("*.md")))


def adding(vault: Vault, number: int, begin: threading.Barrier, told: list[str]) -> None:
    """One of reme's own writers: each line that it acknowledges is on disk."""
    dice = random.Random(number)
    begin.wait()
    with start_run(vault, f"writer {number}") as run:
        for count in range(WRITES):
            line = f"reme{number}x{count} wrote this line."
            while True:
                note = vault.read(PARENT)
                with contextlib.suppress(Conflict):
                    edit = Edit(PARENT, f"{note.text}\n{line}\n", note.stamp, E1())
                    ChangeSet(vault, run, [edit]).apply()
                    break
            told.append(line)
            time.sleep(dice.uniform(0, 0.01))


def appending(place: Path, begin: threading.Barrier, told: list[str]) -> None:
    """An editor that appends, now and then with a file that it opened earlier."""
    dice = random.Random(9)
    begin.wait()
    for count in range(2 * WRITES):
        line = f"editor{count} wrote this line."
        with place.open("a") as file:
            time.sleep(dice.choice([0, 0.004]))
            file.write(f"\n{line}\n")
        told.append(line)
        time.sleep(dice.uniform(0, 0.01))


@pytest.mark.parametrize("round_", range(4))
def test_nobodys_text_is_lost(vault_of: VaultOf, round_: int) -> None:
    vault = vault_of(FILES)
    begin = threading.Barrier(WRITERS + 2)
    told: list[str] = []
    threads = [
        threading.Thread(target=adding, args=(vault, number, begin, told)) for number in range(WRITERS)
    ]
    threads.append(threading.Thread(target=appending, args=(vault.root / PARENT, begin, told)))
    for thread in threads:
        thread.start()
    begin.wait()
    time.sleep(0.015 * round_)
    statuses = {
        outcome.status for outcome in splitting(vault, PARENT, engine="extractive", force=True).outcomes
    }
    for thread in threads:
        thread.join()
    if "split" not in statuses:
        # who is overtaken too often leaves it
        assert statuses == {"refused"}
        assert splitting(vault, PARENT, engine="extractive", force=True).parts
    recover(vault)  # whatever the editor held open for longer than the last run waited for it
    text = everything(vault)
    assert len(told) == (WRITERS + 2) * WRITES
    assert [line for line in told if line not in text] == []
    assert [line for line in TEXT.splitlines() if line not in text] == []


@pytest.mark.parametrize("round_", range(4))
def test_an_editor_that_saves_what_it_has_in_memory(vault_of: VaultOf, round_: int) -> None:
    vault = vault_of(FILES)
    place = vault.root / PARENT
    saved = [TEXT]
    begin = threading.Barrier(2)

    def saving() -> None:
        begin.wait()
        for count in range(8):
            saved.append(f"{saved[-1]}\nsave{count} of the editor.\n")
            beside = place.with_name(".tokens.md.swp")
            beside.write_text(saved[-1])
            beside.replace(place)
            time.sleep(0.01)

    editor = threading.Thread(target=saving)
    editor.start()
    begin.wait()
    time.sleep(0.02 * round_)
    splitting(vault, PARENT, engine="extractive", force=True)
    editor.join()
    text = everything(vault)
    assert [line for line in saved[-1].splitlines() if line not in text] == []
