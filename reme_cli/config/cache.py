"""The validated configuration, kept so that a hot command pays neither YAML nor validation.

Derived: a missing, foreign, stale or damaged file only means that `vault.yaml` is validated again. It lives in the
vault's `metadata/cache/` and is kept only where that folder is already there, so that reading the configuration of a
plain Obsidian vault leaves nothing behind.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

import reme_cli
from reme_cli.config.effective import Loaded, config_from, nested

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_METADATA_KEY = re.compile(rb"\bmetadata[\"']?[ \t]*:[ \t]*[\"']?([^\s\"',}#]+)")


def key_of(data: bytes | None, variables: Mapping[str, str]) -> str:
    """A digest of everything the configuration depends on: reme's version, the file's bytes, the variables."""
    parts = [
        reme_cli.__version__,
        None if data is None else hashlib.sha256(data).hexdigest(),
        dict(variables),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def load(root: Path, data: bytes | None, key: str) -> Loaded | None:
    """What `save` kept under this key; `None` where it kept nothing, or something else, or the file was altered."""
    # the metadata folder can be named in the very file whose result is looked up: a wrong guess is a miss
    guess = _METADATA_KEY.search(data or b"")
    try:
        folder = _folder(root, guess[1].decode() if guess else "metadata")
        entry = json.loads((folder / "config.json").read_bytes())
        if entry["key"] != key or entry["check"] != _check(entry):
            return None
        return Loaded(config_from(entry["config"]), entry["origins"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def save(root: Path, key: str, loaded: Loaded) -> None:
    """Keeps a validated configuration; does nothing where there is no cache folder or it cannot be written."""
    entry = {"key": key, "config": nested(loaded.config), "origins": dict(loaded.origins)}
    entry["check"] = _check(entry)
    from reme_cli import derived  # only where the configuration changed

    try:
        folder = _folder(root, loaded.config.folders.metadata)
        derived.replace(folder / "config.json", json.dumps(entry).encode())
    except OSError:
        return


def _folder(root: Path, metadata: str) -> Path:
    """The cache folder; `FileNotFoundError` where it is missing or leads out of the vault."""
    folder = (root / metadata / "cache").resolve(strict=True)
    if not folder.is_relative_to(root.resolve()):
        raise FileNotFoundError(folder)
    return folder


def _check(entry: Mapping[str, object]) -> str:
    parts = [entry["key"], entry["config"], entry["origins"]]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
