"""What a command takes, as its function's signature says it.

    def search(session: Session, query: Annotated[list[str], Argument(…)], limit: Annotated[int, Option(…)] = 10) -> int

The signature is the only place where a parameter is written down. `direct` reads an ordinary line by it; `app` makes
Typer's command of it, for everything else: help, mistakes, completion. Nothing here imports Typer.
"""

from __future__ import annotations

from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from reme_cli.keyvalue import Parameter

if TYPE_CHECKING:
    from collections.abc import Callable


class Option(NamedTuple):
    """How a parameter is given as `--name value` or `name=value`, and what help says of it."""

    spelling: str | None = None
    """`--name` of a flag, or `--name/--no-name`; else the parameter's own name."""
    letter: str | None = None
    """`-n`, for short."""
    help: str = ""
    metavar: str | None = None
    """What help calls the value; in brackets where the option may stand without one, which is then empty."""
    min: int | None = None
    show_default: bool = True


class Argument(NamedTuple):
    """How help names a parameter that is given by its place, and what it says of it."""

    metavar: str
    help: str
    show_default: bool = True


class Declared(NamedTuple):
    """One parameter of a command's function behind the first, which is the session."""

    name: str
    type: Any
    """`str`, `int`, `bool`, `list[str]` or a `StrEnum`; or one of them `| None`."""
    form: Option | Argument
    default: tuple[object, ...]
    """The default value, alone; empty for a parameter that must be given."""

    @property
    def kind(self) -> Any:
        """The type of a value that is given."""
        kinds = [kind for kind in get_args(self.type) if kind is not type(None)]
        return kinds[0] if isinstance(self.type, UnionType) and len(kinds) == 1 else self.type

    @property
    def takes_several(self) -> bool:
        """Whether every value that is given counts, not only the last one."""
        return get_origin(self.kind) is list

    @property
    def parameter(self) -> Parameter:
        """How it is spelled on a command line."""
        name = self.name.replace("_", "-")
        if isinstance(self.form, Argument):
            return Parameter((name,), positional=True, variadic=self.takes_several)
        spelling, _, negation = (self.form.spelling or f"--{name}").partition("/")
        return Parameter(
            (spelling.removeprefix("--"),),
            (negation.removeprefix("--"),) if negation else (),
            (self.form.letter[1:],) if self.form.letter else (),
            flag=self.type is bool,
            optional=is_optional(self.form.metavar),
        )


def is_optional(metavar: str | None) -> bool:
    """Whether an option whose value help names so may stand without it, as in `--changed [REV]`."""
    return (metavar or "").startswith("[")


def declared(function: Callable[..., object]) -> tuple[Declared, ...]:
    """The parameters of a command's function, as its signature says."""
    hints = get_type_hints(function, include_extras=True)
    # not by `inspect`, whose import takes longer than reading a line
    names = function.__code__.co_varnames[1 : function.__code__.co_argcount]
    defaults = function.__defaults__ or ()
    optional = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    found = []
    for name in names:
        if get_origin(hints[name]) is not Annotated:
            raise TypeError(f"{function.__name__}: `{name}` is neither an Option nor an Argument")
        kind, form = get_args(hints[name])
        found.append(Declared(name, kind, form, (optional[name],) if name in optional else ()))
    return tuple(found)
