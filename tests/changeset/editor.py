"""A careless editor: it knows nothing of reme's lock, and saves in every way that editors do."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ACTIONS: Final = ("rename", "truncate", "append", "backup", "open", "write", "rewrite", "delete")


@dataclass
class Editor:
    """Edits one note. Each save keeps what the editor reads at that moment and adds a token of its own."""

    place: Path
    tokens: list[str] = field(default_factory=list)
    """What must survive: every token saved, unless the editor itself deleted it."""
    handle: int | None = None
    own_fault: bool = False
    """The editor itself took the file behind its handle out of the vault: what it writes there is lost by its own doing."""

    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def do(self, action: str) -> None:
        """One action, whole."""
        getattr(self, action)()

    def rename(self) -> None:
        """Saves as most editors do: a new file, renamed over the note."""
        text = self._read() + self._token("rename")
        beside = self.place.with_name(".editor.swp")
        beside.write_bytes(text)
        self._displace()
        beside.rename(self.place)

    def truncate(self) -> None:
        """Saves by rewriting the file in place."""
        text = self._read() + self._token("truncate")
        self.place.write_bytes(text)

    def append(self) -> None:
        """Saves by appending, as a shell's `>>` does."""
        with self.place.open("ab") as file:
            file.write(self._token("append"))

    def backup(self) -> None:
        """Saves as vim does with a backup: the old file is renamed away, a new one made."""
        text = self._read() + self._token("backup")
        aside = self.place.with_name(".editor.bak")
        self._displace()
        if self.place.exists():
            self.place.rename(aside)
        self.place.write_bytes(text)
        aside.unlink(missing_ok=True)

    def open(self) -> None:
        """Opens the note and keeps the handle."""
        if self.handle is None and self.place.exists():
            self.handle = os.open(self.place, os.O_RDWR | os.O_APPEND)
            self.own_fault = False

    def write(self) -> None:
        """Appends through the handle that was opened, perhaps long ago."""
        if self.handle is not None:
            os.write(self.handle, self._token("handle"))
            self._forget_if_own_fault()

    def rewrite(self) -> None:
        """Rewrites the file behind the handle, keeping what it holds."""
        if self.handle is not None:
            size = os.fstat(self.handle).st_size
            text = os.pread(self.handle, size, 0) + self._token("rewrite")
            os.ftruncate(self.handle, 0)
            os.write(self.handle, text)
            self._forget_if_own_fault()

    def delete(self) -> None:
        """Deletes the note, and with it every token that it holds."""
        text = self._read().decode()
        self.tokens = [token for token in self.tokens if token not in text]
        self._displace()
        self.place.unlink(missing_ok=True)

    def close(self) -> None:
        """Lets go of the handle."""
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None

    def _displace(self) -> None:
        if self.handle is not None and self.place.exists():
            self.own_fault |= os.path.samestat(self.place.stat(), os.fstat(self.handle))

    def _forget_if_own_fault(self) -> None:
        if self.own_fault:
            self.tokens.pop()

    def _read(self) -> bytes:
        return self.place.read_bytes() if self.place.exists() else b""

    def _token(self, how: str) -> bytes:
        token = f"<{how} {next(self._numbers)}>"
        self.tokens.append(token)
        return f"{token}\n".encode()


def texts_beside(place: Path) -> dict[str, str]:
    """Every visible file in the note's folder, the note and its conflict copies, with its text."""
    return {
        found.name: found.read_text()
        for found in sorted(place.parent.iterdir())
        if found.is_file() and not found.name.startswith(".")
    }
