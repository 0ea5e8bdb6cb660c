"""What a command starts from: the options of `reme` itself, the vault, and where output goes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from reme_cli.commands.parameter import Option
from reme_cli.errors import PathRefused
from reme_cli.output import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from reme_cli.changeset.held import Rescue
    from reme_cli.config.effective import Loaded
    from reme_cli.index.index import Index
    from reme_cli.vault.vault import Vault

T = TypeVar("T")


class Session:
    """The options that every command takes, before or after its name."""

    __slots__ = ("json", "terminal", "vault")

    def __init__(self, vault: str | None = None) -> None:
        self.vault = vault
        self.json = False
        self.terminal = Terminal()

    def take(self, name: str, value: str | None) -> None:
        """Notes one of these options; `value` is `None` for a flag."""
        match name:
            case "vault":
                self.vault = value
            case "json":
                self.json = True
            case "quiet":
                self.terminal.quiet = True
            case "verbose":
                self.terminal.verbose = True
            case _:
                raise KeyError(name)

    # `reme --help` opens no vault: what that takes is imported when it is opened

    def root(self) -> Path:
        """The root of the vault. Raises `VaultNotFound`."""
        from reme_cli.vault.vault import find_root

        return find_root(self.vault, os.environ, Path.cwd())

    def load(self, options: Mapping[str, str | None] | None = None) -> Loaded:
        """The vault's configuration with the origin of every value; `options` are given on the command line."""
        from reme_cli.config.load import load_config

        return load_config(self.root(), os.environ, options)

    def open_vault(self, options: Mapping[str, str | None] | None = None) -> Vault:
        """The vault with its configuration, after an interrupted run has been completed or rolled back."""
        from reme_cli.vault.vault import Vault

        vault = Vault(self.root(), self.load(options).config)
        if is_interrupted(vault):
            from reme_cli.changeset.recover import recover

            self.tell_rescues(recover(vault).rescued)
        return vault

    def tell_rescues(self, rescued: Iterable[Rescue]) -> None:
        """Tells where the writer saved what another program wrote into a note at the same moment."""
        for rescue in rescued:
            self.terminal.warn(
                f"{rescue.path}: what another program wrote at the same moment is in {rescue.copy}"
            )

    def open_index(self, vault: Vault) -> Index:
        """The vault's index, refreshed, with progress on a terminal."""
        from reme_cli.index.index import Index

        with self.terminal.progress() as step:
            return Index.open(
                vault, progress=lambda done, total: step("indexing", done, total), warn=self.terminal.warn
            )

    def ask_index(
        self, vault: Vault, question: Callable[[Index], T], get_ready: Callable[[], object] = lambda: None
    ) -> T:
        """What a question to the vault's refreshed index gives; see `ahead.ask`."""
        from reme_cli.index.ahead import ask

        with self.terminal.progress() as step:
            return ask(
                vault,
                question,
                get_ready=get_ready,
                progress=lambda done, total: step("indexing", done, total),
                warn=self.terminal.warn,
            )


def is_interrupted(vault: Vault) -> bool:
    """Whether a run left something to complete. Looked up here, so that the writer is imported only where one did.

    A metadata folder that leads out of the vault is none of its own: no run left anything there, and none will.
    """
    for parts in (("journal",), ("history", "held")):
        try:
            if os.listdir(vault.metadata(*parts)):
                return True
        except (OSError, PathRefused):
            continue
    return False


def everywhere(
    session: Session,
    vault: Annotated[
        str | None,
        Option(
            "--vault",
            metavar="DIR",
            help="The vault. Default: REME_VAULT, else the nearest one from here upwards.",
        ),
    ] = None,
    json: Annotated[bool, Option("--json", help="Print the result as one JSON object.")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print only results, warnings and errors.")] = False,
    verbose: Annotated[
        bool, Option("--verbose", "-v", help="Print details too, and the traceback of an error.")
    ] = False,
) -> None:
    """Turns a folder of Markdown into a long-term memory that organises itself.

    You write daily notes; reme distils them into digest notes that link to each other and to their sources. The
    files are the memory: you can read and edit all of them, in any editor.
    """
    if vault is not None:
        session.take("vault", vault)
    for name, given in (("json", json), ("quiet", quiet), ("verbose", verbose)):
        if given:
            session.take(name, None)
