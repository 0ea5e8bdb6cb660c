"""`key=value` ≡ `--key value`, in either spelling, for every command.

A line is brought into one form before it is parsed: options as `--name=value`, then `--`, then the positionals in
their order. What a command takes comes from its parameters; nothing here knows a particular command.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.errors import UsageError
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_KEY_VALUE = regex(r"([A-Za-z][A-Za-z0-9_-]*)=(.*)", re.DOTALL)
# no option has a space in its name: a pasted note may begin with `---`
_OPTION = regex(r"--[^\s=]*(?:=|$)")
NAMES_SHOWN = 8
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


class Parameter(NamedTuple):
    """One thing a command takes. `spellings` hold no dashes in front and `-` for `_`; the first is what is shown."""

    spellings: tuple[str, ...]
    negations: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    flag: bool = False
    positional: bool = False
    variadic: bool = False
    optional: bool = False
    """Whether an option may stand without its value, which is then empty."""

    @property
    def name(self) -> str:
        """The key as a person writes it before `=`."""
        return self.spellings[0].replace("-", "_")


class Given(NamedTuple):
    """One option that was given; `value` is `None` for a flag."""

    parameter: Parameter
    spelling: str
    value: str | None = None

    def __str__(self) -> str:
        return f"--{self.spelling}" + ("" if self.value is None else f"={self.value}")


class Line(NamedTuple):
    """A command line in its one form."""

    options: tuple[Given, ...] = ()
    positionals: tuple[str, ...] = ()

    def arguments(self) -> list[str]:
        """The line as Typer is to parse it."""
        return [str(given) for given in self.options] + (
            ["--", *self.positionals] if self.positionals else []
        )


class _Reading:
    """What was found so far."""

    __slots__ = ("named", "options", "texts")

    def __init__(self) -> None:
        self.options: list[Given] = []
        self.texts: list[str] = []
        self.named: dict[Parameter, list[str]] = {}


def read_line(arguments: Iterable[str], parameters: Sequence[Parameter]) -> Line:
    """The options and positionals of a command's arguments.

    A command with a positional takes every `word=text` whose word is none of its keys as text; a command without one
    refuses it. Raises `UsageError`, with the nearest key, for what the command does not take.
    """
    takes_text = any(parameter.positional for parameter in parameters)
    reading = _Reading()
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            reading.texts.extend(rest)
            break
        if _take_option(reading, argument, rest, parameters):
            continue
        if not takes_text and (pair := _KEY_VALUE.fullmatch(argument)):
            raise _unknown(pair[1], pair[1], parameters)
        if not takes_text and argument.startswith("-") and argument != "-":
            raise _unknown(argument, argument.lstrip("-"), parameters)
        reading.texts.append(argument)
    return Line(tuple(reading.options), _placed(reading, parameters))


def read_options(
    arguments: Iterable[str], parameters: Sequence[Parameter]
) -> tuple[tuple[Given, ...], tuple[str, ...]]:
    """The options that a line begins with, and the line from its first word on that is none.

    Raises `UsageError`, with the nearest key, for an option that is not among the parameters.
    """
    reading = _Reading()
    rest = iter(arguments)
    for argument in rest:
        if argument == "--" or not _take_option(reading, argument, rest, parameters):
            return tuple(reading.options), (argument, *rest)
    return tuple(reading.options), ()


def _take_option(
    reading: _Reading, argument: str, rest: Iterable[str], parameters: Sequence[Parameter]
) -> bool:
    """Whether this argument is an option, in any spelling, which is then noted. Raises `UsageError`."""
    letter = argument[1:] if len(argument) == 2 and argument[0] == "-" else ""
    by_letter = next((p for p in parameters if letter and letter in p.letters), None)
    pair = _KEY_VALUE.fullmatch(argument)
    if by_letter:
        _take(reading, by_letter, by_letter.spellings[0], None, rest, argument)
    elif _OPTION.match(argument):
        key, equals, value = argument[2:].partition("=")
        parameter, spelling = _find(key, parameters)
        if parameter is None:
            raise _unknown(f"--{key}", key, parameters)
        _take(reading, parameter, spelling, value if equals else None, rest, f"--{key}")
    elif pair and (found := _find(pair[1], parameters))[0] is not None:
        _take(reading, found[0], found[1], pair[2], rest, pair[1])
    else:
        return False
    return True


def _take(
    reading: _Reading,
    parameter: Parameter,
    spelling: str,
    value: str | None,
    rest: Iterable[str],
    shown: str,
) -> None:
    """Notes one parameter; a value that does not stand in the argument itself is the next argument."""
    if parameter.flag:
        wanted = True if value is None else _truth(value, shown)
        negated = spelling in parameter.negations
        if wanted != negated:
            reading.options.append(Given(parameter, parameter.spellings[0]))
        elif parameter.negations:
            reading.options.append(Given(parameter, parameter.negations[0]))
        return
    if value is None:
        value = "" if parameter.optional else next(iter(rest), None)
        if value is None:
            raise UsageError(f"`{shown}` needs a value", hint=f"Write `{parameter.name}=…`.")
    if parameter.positional:
        reading.named.setdefault(parameter, []).append(value)
    else:
        reading.options.append(Given(parameter, parameter.spellings[0], value))


def _placed(reading: _Reading, parameters: Sequence[Parameter]) -> tuple[str, ...]:
    """The positionals in their order: a named one has its own place, the others fill what is left."""
    texts = list(reading.texts)
    placed: list[str] = []
    missing: Parameter | None = None
    for parameter in parameters:
        if not parameter.positional:
            continue
        values = list(reading.named.get(parameter, ()))
        if parameter.variadic:
            values += texts
            texts = []
        elif len(values) > 1:
            raise UsageError(f"`{parameter.name}` is given twice")
        elif not values and texts:
            values = [texts.pop(0)]
        if values and missing:
            raise UsageError(f"`{missing.name}` is missing")
        if not values:
            missing = missing or parameter
        placed += values
    if texts:
        pair = _KEY_VALUE.fullmatch(texts[0])
        if pair and _find(pair[1], parameters)[0] is None:
            raise _unknown(pair[1], pair[1], parameters)
        raise UsageError(f"unexpected `{texts[0]}`", hint=_known(parameters))
    return tuple(placed)


def _find(key: str, parameters: Iterable[Parameter]) -> tuple[Parameter, str] | tuple[None, str]:
    spelling = key.replace("_", "-")
    for parameter in parameters:
        if spelling in parameter.spellings or spelling in parameter.negations:
            return parameter, spelling
    return None, spelling


def mistyped_key(text: str, parameters: Sequence[Parameter]) -> UsageError | None:
    """What to tell of a text that names nothing and looks like a mistyped `key=value`; `None` where no key is near."""
    pair = _KEY_VALUE.fullmatch(text)
    return _unknown(pair[1], pair[1], parameters) if pair and _nearest(pair[1], parameters) else None


def _truth(value: str, shown: str) -> bool:
    if value.lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    raise UsageError(f"`{shown}` is either `true` or `false`, not `{value}`")


def _unknown(shown: str, key: str, parameters: Sequence[Parameter]) -> UsageError:
    dashes = "--" if shown.startswith("-") else ""
    close = _nearest(key, parameters)
    what = f"unknown option `{shown}`" if dashes else f"unknown key `{shown}`"
    if not close:
        return UsageError(what, hint=_known(parameters))
    nearest = f"--{close}" if dashes else f"{close.replace('-', '_')}="
    return UsageError(what, hint=f"Did you mean `{nearest}`?")


def _nearest(key: str, parameters: Iterable[Parameter]) -> str | None:
    import difflib  # only a line that is refused needs it

    names = [
        spelling for parameter in parameters for spelling in (*parameter.spellings, *parameter.negations)
    ]
    return next(iter(difflib.get_close_matches(key.replace("_", "-").lower(), names, 1, 0.6)), None)


def _known(parameters: Iterable[Parameter]) -> str:
    names = [parameter.name for parameter in parameters if parameter.name != "help"]
    more = ", …" if len(names) > NAMES_SHOWN else ""
    return "Known here: " + ", ".join(f"`{name}`" for name in names[:NAMES_SHOWN]) + more + "."
