"""Every error a user can cause, with its exit code.

    RemeError
    ├── UsageError              2  wrong command line
    ├── ConfigError             2  vault.yaml or REME_* is wrong
    │   └── VaultNotFound       2
    ├── NoteError               2  a note cannot be read as one
    │   ├── NoteNotFound        2
    │   ├── AmbiguousNote       2  a name that several notes have
    │   ├── UnreadableNote      2  not UTF-8, too large, not a regular file
    │   └── FrontmatterError    2  its YAML cannot be read, or not be edited in place
    ├── VaultUnwritable         2  disk full, read-only, no permission
    ├── Busy                    1  another run holds the lock; try again
    ├── Refused                 4  a write that reme will not make
    │   ├── PathRefused         4  outside the vault, reserved, not portable
    │   ├── Conflict            4  the note changed since it was read
    │   ├── AlreadyExists       4  a create found the name taken
    │   ├── EdgesLost           4  an edge rule was violated
    │   └── NameCaptured        4  a create would change what an existing link resolves to
    └── ModelError              3  no model, or it cannot be used
        ├── ModelNotConfigured  3
        ├── ModelRejected       3  wrong key, unknown model: no retry will help
        ├── ModelUnreachable    3  network, 429, 5xx, timeout after all retries
        ├── ModelReplyUnusable  1  empty, cut off, prose, wrong schema twice
        └── BudgetReached       1  the run's token or cost limit

An error says what is wrong, where, and how to mend it. It is raised in the core and caught once, in `cli.py`.
"""

from __future__ import annotations

from typing import ClassVar


class RemeError(Exception):
    """An error with a message for the user: what, optionally where (`file:line`), optionally how to mend it."""

    exit_code: ClassVar[int] = 2

    def __init__(self, what: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        located = f"{self.where}: {self.what}" if self.where else self.what
        return f"{located}\n{self.hint}" if self.hint else located

    @property
    def one_line(self) -> str:
        """The whole message without line breaks, for a list of warnings or a record."""
        located = f"{self.where}: {self.what}" if self.where else self.what
        return " ".join((f"{located}. {self.hint}" if self.hint else located).splitlines())


class UsageError(RemeError):
    """The command line is wrong."""


class ConfigError(RemeError):
    """`vault.yaml` or a `REME_*` variable has an unknown key, a wrong type or an impossible value."""


class VaultNotFound(ConfigError):
    """No vault at the place given, nor upwards from the working directory."""


class NoteError(RemeError):
    """A note cannot be read as one."""


class NoteNotFound(NoteError):
    """No note at this path."""


class AmbiguousNote(NoteError):
    """A name that several notes have; `candidates` are the paths of all of them."""

    def __init__(self, what: str, *, candidates: tuple[str, ...], hint: str | None = None) -> None:
        super().__init__(what, hint=hint)
        self.candidates = candidates


class UnreadableNote(NoteError):
    """The file is not valid UTF-8, too large, or not a regular file."""


class FrontmatterError(NoteError):
    """The frontmatter cannot be read, or not be edited in place; `line` is the 1-based line in the note."""

    def __init__(
        self, what: str, *, line: int = 1, where: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(what, where=where or f"line {line}", hint=hint)
        self.line = line


class VaultUnwritable(RemeError):
    """The operating system refuses a write: disk full, read-only file system, no permission."""


class Busy(RemeError):
    """Another reme process holds the lock."""

    exit_code = 1


class Refused(RemeError):
    """A write that reme will not make."""

    exit_code = 4


class PathRefused(Refused):
    """The path leaves the vault, is reserved, or may not be written by this flow."""


class Conflict(Refused):
    """The note changed between the read and the write."""


class AlreadyExists(Refused):
    """A create found its path taken."""


class EdgesLost(Refused):
    """The new text violates its edge rule; `missing` names the edges."""

    def __init__(
        self,
        what: str,
        *,
        missing: tuple[str, ...] = (),
        where: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(what, where=where, hint=hint)
        self.missing = missing


class NameCaptured(Refused):
    """A create would change what an existing link resolves to."""


class ModelError(RemeError):
    """No model is configured, or it cannot be used."""

    exit_code = 3


class ModelNotConfigured(ModelError):
    """The command needs a model and `llm.model` is empty."""


class ModelRejected(ModelError):
    """The provider refuses for good: wrong key, unknown model, no permission."""


class ModelUnreachable(ModelError):
    """No answer after all retries: network, rate limit, server error, timeout."""


class ModelReplyUnusable(ModelError):
    """The answer stayed empty, cut off, prose, or of the wrong shape after one retry."""

    exit_code = 1


class BudgetReached(ModelError):
    """The run's token or cost limit is reached; what is left is retried by the next run."""

    exit_code = 1
