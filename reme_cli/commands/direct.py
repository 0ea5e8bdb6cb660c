"""Reading an ordinary line without Typer, which takes longer to import than most commands take to answer.

A line that this reads means what Typer makes of it (tests/commands/test_direct.py holds them equal). Whatever it does not
know for sure, such as `--help` or a mistake, is not read, and Typer answers it.
"""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from reme_cli.commands.parameter import declared
from reme_cli.commands.session import everywhere
from reme_cli.commands.table import function_of, row_at
from reme_cli.errors import UsageError
from reme_cli.keyvalue import Parameter, read_line, read_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.commands.parameter import Declared
    from reme_cli.commands.session import Session
    from reme_cli.keyvalue import Given

_HELP = Parameter(("help",), letters=("h",), flag=True)


def read_directly(arguments: Sequence[str], session: Session) -> partial[int | None] | None:
    """The call that a line asks for, the session having taken its options; `None`, and no change, for Typer's lines."""
    shared = [one.parameter for one in declared(everywhere)]
    try:
        before, rest = read_options(arguments, shared)
        row, behind = row_at(rest)
        if row is None:
            return None
        function = function_of(row)
        own = declared(function)
        line = read_line(behind, [*(one.parameter for one in own), _HELP, *shared])
        values = _values(own, line.options, line.positionals)
    except (UsageError, ValueError):
        return None
    if any(given.parameter == _HELP for given in line.options):
        return None
    for given in (*before, *line.options):
        if given.parameter in shared:
            session.take(given.parameter.name, given.value)
    return partial(function, session, **values)


def _values(
    own: Sequence[Declared], options: Sequence[Given], positionals: Sequence[str]
) -> dict[str, object]:
    """The values of a command's parameters. Raises `ValueError` for what is none, is missing, or is too much."""
    given = {option.parameter: option for option in options}  # the last one counts
    left = list(positionals)
    values: dict[str, object] = {}
    for one in own:
        parameter = one.parameter
        if parameter.variadic and left:
            values[one.name], left = left, []
        elif parameter.positional and left:
            values[one.name] = _value(one, left.pop(0))
        elif parameter.flag and parameter in given:
            values[one.name] = given[parameter].spelling not in parameter.negations
        elif one.takes_several and parameter in given:
            values[one.name] = [option.value for option in options if option.parameter == parameter]
        elif (option := given.get(parameter)) and option.value is not None:
            values[one.name] = _value(one, option.value)
        elif one.default:
            values[one.name] = one.default[0]
        else:
            raise ValueError(f"{one.name} is missing")
    if left:
        raise ValueError(f"{left[0]} has no place")
    return values


def _value(one: Declared, text: str) -> object:
    """A text as a value of the parameter's type."""
    kind = one.kind
    if kind is str:
        return text
    if kind is int:
        number = int(text)
        smallest = getattr(one.form, "min", None)
        if smallest is not None and number < smallest:
            raise ValueError(f"{one.name} is less than {smallest}")
        return number
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind(text.lower())
    raise ValueError(f"{one.name} is of no type that is read here")
