"""A line that is read without Typer means what Typer makes of it, or is left to Typer."""

from __future__ import annotations

import contextlib
import functools
import io
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reme_cli import cli
from reme_cli.commands import app
from reme_cli.commands.direct import read_directly
from reme_cli.commands.parameter import declared
from reme_cli.commands.session import Session, everywhere
from reme_cli.commands.table import COMMANDS, function_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reme_cli.commands.parameter import Declared
    from reme_cli.commands.table import Row

Call = tuple[str, dict[str, object]]

VALUES = (
    "",
    "5",
    " 7",
    "0",
    "-1",
    "x",
    "out",
    "json",
    "JSON",
    "bash",
    "a=b",
    "--",
    "--json",
    "-h",
    "true",
    "no",
    "数据",
)
FREE = (*VALUES, "two words", "-draft", "tag:idea", "--limit=3", "-v", "-q", "--nonsense", "limitt=3", "-0")


def every_key() -> list[str]:
    """Every key of every command, without its dashes."""
    functions = [everywhere, *map(function_of, COMMANDS)]
    parameters = [one.parameter for function in functions for one in declared(function)]
    keys = {key for one in parameters for key in (*one.spellings, *one.negations)}
    return sorted(keys | {"help", "version"})


@st.composite
def one_word(draw: st.DrawFn) -> list[str]:
    """An option or a text in any form, right or wrong; an option's value may be a word of its own."""
    key = draw(st.sampled_from(every_key()))
    key = draw(st.sampled_from([key, key.replace("-", "_")]))
    value = draw(st.sampled_from(VALUES))
    free = draw(st.sampled_from(FREE))
    return draw(
        st.sampled_from([[f"{key}={value}"], [f"--{key}={value}"], [f"--{key}", value], [f"--{key}"], [free]])
    )


words = st.lists(one_word(), max_size=4).map(lambda found: [word for part in found for word in part])
names = st.sampled_from(
    [*(row.name for row in COMMANDS), "graph_query", "auto-dream", "search", "search", "serach"]
)
lines = st.tuples(words, names, words).map(lambda line: [*line[0], line[1], *line[2]])


def taken(session: Session) -> tuple[object, ...]:
    """The options that a session holds."""
    return session.vault, session.json, session.terminal.quiet, session.terminal.verbose


def typer_calls(line: Sequence[str], session: Session) -> list[Call]:
    """The calls that Typer makes for a line, of commands that do nothing."""
    calls: list[Call] = []

    def recorder(row: Row) -> Callable[..., int]:
        function = function_of(row)

        @functools.wraps(function)
        def record(called_with: Session, **values: object) -> int:
            assert called_with is session
            calls.append((row.name, values))
            return 0

        return record

    def declared_by(function: Callable[..., object]) -> tuple[Declared, ...]:
        return declared(getattr(function, "__wrapped__", function))

    with (
        mock.patch.object(app, "function_of", recorder),
        mock.patch.object(app, "declared", declared_by),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.suppress(Exception),  # a mistake in the line; `cli` tells of it
    ):
        cli._run_with_typer(list(line), session)
    return calls


@given(lines)
@example(["search", "help=no", "x"])
@example(["version=1", "search", "x"])
@example(["--vault", "a", "search", "vault=b", "x", "--", "--vault", "c"])
@example(["search", "limit=3", "--limit", "4", "a=b", "--query=c"])
@example(["auto_dream", "no_wait=off", "--no-follow-up", "follow_up=yes"])
@example(["log", "run=a", "b"])
@example(["lint", "daily/", "a.md", "select=L", "--select", "P001,F", "paths=b.md"])
@example(["lint", "--changed", "main", "format=sarif"])
@example(["lint", "changed=main", "--fail-on=never", "--no-ignore"])
@example(["lint", "--changed"])
@example(["maintain", "mv", "a.md", "--dry-run", "new=b.md"])
@example(["--vault", "a", "MAINTAIN", "rm", "a.md", "--json"])
@example(["maintain", "--json", "mv", "a.md", "b.md"])
@example(["maintain"])
def test_it_means_what_typer_makes_of_it(line: list[str]) -> None:
    session, typer_session = Session(), Session()
    call = read_directly(line, session)
    calls = typer_calls(line, typer_session)
    if call is None:
        assert taken(session) == taken(Session()), "nothing is taken from a line that is left to Typer"
    else:
        assert calls == [(next(row.name for row in COMMANDS if function_of(row) is call.func), call.keywords)]
        assert call.args == (session,)
        assert taken(session) == taken(typer_session)


@pytest.mark.parametrize(
    "line",
    [
        ["search", "token rotation"],
        ["--vault", "v", "--json", "search", "a", "-draft", "limit=3", "layer=digest", "files_only=true"],
        ["search", "数据库", "--vault=v", "-q"],
        ["index", "--rebuild"],
        ["status"],
        ["graph_query", "gateway", "type=derived_from", "direction=both", "depth=3", "--verbose"],
        ["auto_dream", "date=yesterday", "engine=extractive", "--no-wait", "--dry-run"],
        ["undo"],
        ["lint"],
        ["lint", "daily/", "a.md", "select=L,P", "--ignore", "L006", "format=github", "--fix"],
        ["lint", "--changed", "--baseline=known.json"],
        ["lint", "--changed=origin/main", "fail_on=error"],
    ],
    ids=" ".join,
)
def test_ordinary_lines_are_read(line: list[str]) -> None:
    assert read_directly(line, Session()) is not None


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["--help"],
        ["--version"],
        ["search"],
        ["search", "-h"],
        ["search", "x", "limit=0"],
        ["serach", "x"],
    ],
    ids=" ".join,
)
def test_help_and_mistakes_are_left_to_typer(line: list[str]) -> None:
    assert read_directly(line, Session()) is None


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_typer_takes_what_the_signature_declares(row: Row) -> None:
    of_typer = [app.parameter_of(parameter) for parameter in app.load_command(row).params]
    assert of_typer == [one.parameter for one in declared(function_of(row))]


def test_typer_takes_what_every_command_takes() -> None:
    of_typer = [
        app.parameter_of(parameter) for parameter in app.command_table().params if parameter.expose_value
    ]
    assert of_typer == [one.parameter for one in declared(everywhere)]
