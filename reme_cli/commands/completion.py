"""`reme completion`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from typer._completion_shared import get_completion_script

from reme_cli.commands.parameter import Argument
from reme_cli.commands.session import Session

EXAMPLES = (
    "reme completion bash >> ~/.bashrc",
    "reme completion zsh > ~/.zfunc/_reme",
    "reme completion fish > ~/.config/fish/completions/reme.fish",
)


class Shell(StrEnum):
    """The shells that commands can be completed in."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    POWERSHELL = "powershell"


def completion(
    session: Session,
    shell: Annotated[Shell, Argument(metavar="SHELL", help="bash, zsh, fish or powershell.")],
) -> None:
    """Print the script that completes commands in your shell.

    Prints only; put the output where your shell reads it, as in the examples.
    """
    script = get_completion_script(prog_name="reme", complete_var="_REME_COMPLETE", shell=shell.value)
    if session.json:
        session.terminal.json({"schema": 1, "shell": shell.value, "script": script})
    else:
        session.terminal.text(script + "\n")
