"""A vault that `reme init` did not make keeps reme's own state out of git too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.changeset.lock import run_lock, vault_lock
from reme_cli.changeset.state import write_state
from reme_cli.config import Config
from reme_cli.resources import resource
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = resource("vault_template", "metadata", ".gitignore").read_bytes()


def test_the_first_write_brings_the_gitignore(tmp_path: Path) -> None:
    write_state(Vault(tmp_path, Config()), ("queue", "jobs.json"), b"[]")
    assert (tmp_path / "metadata/.gitignore").read_bytes() == SHIPPED


def test_so_does_the_first_run_lock(tmp_path: Path) -> None:
    with run_lock(Vault(tmp_path, Config()), "dream"):
        assert (tmp_path / "metadata/.gitignore").read_bytes() == SHIPPED


def test_a_persons_own_one_stays(tmp_path: Path) -> None:
    place = tmp_path / "metadata/.gitignore"
    place.parent.mkdir()
    place.write_bytes(b"mine\n")
    with vault_lock(Vault(tmp_path, Config())):
        pass
    assert place.read_bytes() == b"mine\n"


def test_one_that_was_removed_stays_away(tmp_path: Path) -> None:
    vault = Vault(tmp_path, Config())
    with vault_lock(vault):
        pass
    (tmp_path / "metadata/.gitignore").unlink()
    with vault_lock(vault):
        pass
    assert not (tmp_path / "metadata/.gitignore").exists()
