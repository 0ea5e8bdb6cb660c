"""Files of lint in the vault's `metadata/cache/`: kept only where that folder is already there.

Derived: a missing, foreign, stale or damaged file only means that what it held is found again.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import reme_cli
from reme_cli import derived
from reme_cli.errors import PathRefused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.vault.vault import Vault


class Parts(NamedTuple):
    """Texts one behind the other, each of a note."""

    sizes: dict[str, int]
    """In bytes, by path, in order."""
    data: bytes

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Parts:
        """These texts by path, in order of path."""
        encoded = {path: texts[path].encode(errors="surrogatepass") for path in sorted(texts)}
        return cls({path: len(part) for path, part in encoded.items()}, b"".join(encoded.values()))

    @property
    def text(self) -> str:
        """All of them."""
        return self.data.decode(errors="surrogatepass")

    def some(self, paths: Iterable[str]) -> dict[str, str]:
        """Those of these notes that have one."""
        wanted, found, place = set(paths), {}, 0
        for path, size in self.sizes.items():
            if path in wanted:
                found[path] = self.data[place : place + size].decode(errors="surrogatepass")
            place += size
        return found

    def with_some(self, paths: Iterable[str], texts: Mapping[str, str]) -> Parts:
        """The same, but of these notes just these texts."""
        replaced, pieces, place = set(paths), {}, 0
        view = memoryview(self.data)
        for path, size in self.sizes.items():
            if path not in replaced:
                pieces[path] = view[place : place + size]
            place += size
        for path, text in texts.items():
            pieces[path] = memoryview(text.encode(errors="surrogatepass"))
        paths = sorted(pieces)
        return Parts({path: len(pieces[path]) for path in paths}, b"".join(pieces[path] for path in paths))


def load(vault: Vault, name: str) -> Any:
    """What `save` kept under this name, for this configuration and this reme; `None` where it kept nothing else."""
    body = _read(vault, name)
    try:
        return None if body is None else json.loads(body)
    except (ValueError, RecursionError):
        return None


def save(vault: Vault, name: str, value: object) -> None:
    """Keeps a value that is JSON; does nothing where there is no folder for it or it cannot be written."""
    _write(vault, name, _json(value))


def load_parts(vault: Vault, name: str, mark: str) -> Parts | None:
    """The parts that `save_parts` kept under this name with this mark."""
    body = _read(vault, name)
    if body is None:
        return None
    head, _, data = body.partition(b"\n")
    try:
        known, sizes = json.loads(head)
    except ValueError:
        return None
    return Parts(sizes, data) if known == mark else None


def save_parts(vault: Vault, name: str, mark: str, parts: Parts) -> None:
    """Keeps parts, in a form that is read without a look at each of them."""
    _write(vault, name, _json([mark, parts.sizes]) + b"\n" + parts.data)


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass")


def _read(vault: Vault, name: str) -> bytes | None:
    """What is kept under this name, where it is whole and is for this configuration and this reme."""
    try:
        head, _, body = _place(vault, name).read_bytes().partition(b"\n")
        return body if head.decode() == _seal(vault, body) else None
    except (OSError, ValueError, PathRefused):
        return None


def _write(vault: Vault, name: str, body: bytes) -> None:
    try:
        derived.replace(_place(vault, name), _seal(vault, body).encode() + b"\n" + body)
    except (OSError, PathRefused):
        return


def _place(vault: Vault, name: str) -> Path:
    return vault.metadata("cache", name)


def _seal(vault: Vault, body: bytes) -> str:
    """A digest of the records and of all that they depend on besides the notes."""
    parts = (repr(vault.config).encode(), _code().encode(), body)
    return hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def _code() -> str:
    """What tells one state of the rules from another: the version, and the files of a checkout that is worked on."""
    stamps = [reme_cli.__version__]
    package = Path(reme_cli.__file__).parent
    for folder in ("lint", "lint/rules", "vault"):
        try:
            with os.scandir(package / folder) as entries:
                found = sorted((entry.name, entry.stat()) for entry in entries if entry.name.endswith(".py"))
        except OSError:
            continue  # no folder on disk: the version has to do
        stamps += [f"{name} {status.st_size} {status.st_mtime_ns}" for name, status in found]
    return "\n".join(stamps)
