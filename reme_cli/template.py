"""What `reme init` puts into a folder: the shipped template, fitted to the vault that is already there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reme_cli import interrupt
from reme_cli.changeset.difference import unified_diff
from reme_cli.changeset.state import place_new
from reme_cli.config.load import load_config
from reme_cli.errors import UsageError
from reme_cli.resources import resource
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reme_cli.config import Config

KEEP = ".gitkeep"
"""An empty file that lets git keep an empty folder."""

ONLY_IN_A_NEW_VAULT = frozenset({"README.md", ".github/workflows/lint.yml"})
"""In a vault with notes, one would be one more note, which links may come to mean; the other would fail for what nobody has
looked at yet."""


@dataclass(frozen=True, slots=True)
class Made:
    """What `fill` made: vault-relative paths in order, and all of it as a unified diff.

    `was_new` says whether the folder held nothing before, or nothing but what `git init` makes.
    """

    root: Path
    paths: tuple[str, ...]
    diff: str
    was_new: bool


def fill(folder: Path, env: Mapping[str, str], *, demo: bool = False, dry_run: bool = False) -> Made:
    """Makes `folder` a vault: adds what is missing of the template, and of the sample notes if `demo`.

    Never overwrites, and changes nothing in a complete vault, nor on a `dry_run`. Raises `UsageError` where `folder` is a file, or sample
    notes would be mixed with others; `PathRefused` where a symlink would take a file out of the vault; `ConfigError`,
    `VaultUnwritable`.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError("is a file, not a folder", where=str(folder), hint="Name a folder, existing or not.")
    root = Path(os.path.realpath(folder))
    config = load_config(root, env).config
    was_new = not _holds_anything(root, but=frozenset({".git"}))
    files = dict(_template_files(config, was_new=was_new))
    if demo:
        samples = dict(_files_below(resource("vault_template", "demo")))
        _refuse_mixture(root, config, samples)
        files.update((_renamed(path, config), data) for path, data in samples.items())
    missing = {path: data for path, data in sorted(files.items()) if not _is_there(root, path)}
    vault = Vault(root, config)
    for path in missing:
        vault.locate(path)  # refuses a symlink that leads out, before anything is made
    with interrupt.deferred():  # where some of it is there, the folder is no new one any more
        made = {
            path: data
            for path, data in missing.items()
            if dry_run or place_new(root, tuple(path.split("/")), data)
        }
    return Made(root, tuple(made), "".join(_new_file(path, data) for path, data in made.items()), was_new)


def _new_file(path: str, data: bytes) -> str:
    """The diff of a file that is made; of an empty one, the lines that name it."""
    return unified_diff(path, None, data.decode()) or f"--- /dev/null\n+++ b/{path}\n"


def _template_files(config: Config, *, was_new: bool) -> Iterator[tuple[str, bytes]]:
    """The template's files with their bytes; the folders bear the vault's own names, the buckets are its own."""
    for path, data in _files_below(resource("vault_template")):
        is_bucket = path.startswith("digest/")
        if path.startswith("demo/") or is_bucket or (path in ONLY_IN_A_NEW_VAULT and not was_new):
            continue
        yield _renamed(path, config), data
    for bucket in config.digest.buckets:
        yield f"{config.folders.digest}/{bucket}/{KEEP}", b""


def _renamed(path: str, config: Config) -> str:
    """The template's path with the names that this vault gives to the layers' folders."""
    first, slash, rest = path.partition("/")
    names = {
        "daily": config.folders.daily,
        "resource": config.folders.resource,
        "digest": config.folders.digest,
        "metadata": config.folders.metadata,
    }
    return names.get(first, first) + slash + rest if slash else path


def _files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    for place in sorted(folder.rglob("*")):
        if place.is_file():
            yield place.relative_to(folder).as_posix(), place.read_bytes()


def _is_there(root: Path, path: str) -> bool:
    """Whether the file is there, or is a `.gitkeep` of a folder that needs none."""
    place = root / path
    if place.name == KEEP:
        return _holds_anything(place.parent)
    return os.path.lexists(place)


def _holds_anything(folder: Path, *, but: frozenset[str] = frozenset()) -> bool:
    """Whether this is a folder with an entry of another name than those."""
    if not folder.is_dir():
        return False
    with os.scandir(folder) as entries:
        return any(entry.name not in but for entry in entries)


def _refuse_mixture(root: Path, config: Config, samples: Mapping[str, bytes]) -> None:
    """Raises `UsageError` where some sample notes are missing among notes of the user's own."""
    if not root.is_dir() or all(os.path.lexists(root / _renamed(path, config)) for path in samples):
        return
    own = (
        set(Vault(root, config).note_paths())
        - {_renamed(path, config) for path in samples}
        - ONLY_IN_A_NEW_VAULT
    )
    if own:
        raise UsageError(
            f"holds notes already, such as {min(own)}: sample notes would be mixed with them",
            where=str(root),
            hint="Choose a new folder for the demo, or leave out `--demo`.",
        )
