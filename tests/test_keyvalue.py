"""`key=value` ≡ `--key value`, whatever the spelling and the order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.commands.app import command_table, load_command, parameter_of
from reme_cli.commands.table import COMMANDS, find_row
from reme_cli.errors import UsageError
from reme_cli.keyvalue import Parameter, read_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.commands.table import Row

DATE = Parameter(("date",))
TOPIC_COUNT = Parameter(("topic-count",))
DRY_RUN = Parameter(("dry-run",), letters=("n",), flag=True)
FOLLOW_UP = Parameter(("follow-up",), negations=("no-follow-up",), flag=True)
QUERY = Parameter(("query",), positional=True, variadic=True)
NOTE = Parameter(("note",), positional=True)

OPTIONS = (DATE, TOPIC_COUNT, DRY_RUN, FOLLOW_UP)
SEARCH = (QUERY, DATE, TOPIC_COUNT)


def arguments(line: Sequence[str], parameters: Sequence[Parameter] = OPTIONS) -> list[str]:
    return read_line(line, parameters).arguments()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["date=today"], ["--date=today"]),
        (["--date", "today"], ["--date=today"]),
        (["--date=today"], ["--date=today"]),
        (["topic_count=5"], ["--topic-count=5"]),
        (["topic-count=5"], ["--topic-count=5"]),
        (["--topic_count=5"], ["--topic-count=5"]),
        (["--topic_count", "5"], ["--topic-count=5"]),
        (["date=a=b"], ["--date=a=b"]),
        (["--date", "a=b"], ["--date=a=b"]),
        (["--date", "--dry-run"], ["--date=--dry-run"]),
        (["date="], ["--date="]),
        (["date=-3"], ["--date=-3"]),
        (["date=two\nlines"], ["--date=two\nlines"]),
        (["dry_run=true"], ["--dry-run"]),
        (["dry_run=no"], []),
        (["--dry-run=1"], ["--dry-run"]),
        (["-n"], ["--dry-run"]),
        (["no_follow_up=true"], ["--no-follow-up"]),
        (["follow_up=false"], ["--no-follow-up"]),
        (["--no-follow-up"], ["--no-follow-up"]),
        (["no_follow_up=off"], ["--follow-up"]),
    ],
)
def test_every_spelling_of_an_option(line: list[str], expected: list[str]) -> None:
    assert arguments(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["a=b"], ["--", "a=b"]),
        (["date=today", "a=b", "c"], ["--date=today", "--", "a=b", "c"]),
        (["query=x y", "z"], ["--", "x y", "z"]),
        (["--", "date=today", "--dry-run"], ["--", "date=today", "--dry-run"]),
        (["token", "-rotation"], ["--", "token", "-rotation"]),
        (["-"], ["--", "-"]),
        (["topic_cuont=5"], ["--", "topic_cuont=5"]),
        (["---\ndate: 2026-06-20\n---\nAcme=x"], ["--", "---\ndate: 2026-06-20\n---\nAcme=x"]),
        (["-- said Mia"], ["--", "-- said Mia"]),
        (["--date=two words"], ["--date=two words"]),
    ],
)
def test_free_text_eats_only_known_keys(line: list[str], expected: list[str]) -> None:
    assert arguments(line, SEARCH) == expected


def test_a_named_positional_has_its_own_place() -> None:
    parameters = (NOTE, Parameter(("target",), positional=True), DATE)
    assert arguments(["target=b", "date=1", "a"], parameters) == ["--date=1", "--", "a", "b"]
    assert arguments(["-x"], parameters) == ["--", "-x"]


@pytest.mark.parametrize(
    ("line", "parameters", "what", "hint"),
    [
        (["topic_cuont=5"], OPTIONS, "unknown key `topic_cuont`", "Did you mean `topic_count=`?"),
        (["--topic-cuont", "5"], OPTIONS, "unknown option `--topic-cuont`", "Did you mean `--topic-count`?"),
        (["--topic-cuont"], SEARCH, "unknown option `--topic-cuont`", "Did you mean `--topic-count`?"),
        (
            ["zzz=1"],
            OPTIONS,
            "unknown key `zzz`",
            "Known here: `date`, `topic_count`, `dry_run`, `follow_up`.",
        ),
        (["today"], OPTIONS, "unexpected `today`", None),
        (["-x"], OPTIONS, "unknown option `-x`", None),
        (["--date"], OPTIONS, "`--date` needs a value", "Write `date=…`."),
        (["dry_run=maybe"], OPTIONS, "`dry_run` is either `true` or `false`, not `maybe`", None),
        (
            ["a", "topic_cuont=2"],
            (NOTE, TOPIC_COUNT),
            "unknown key `topic_cuont`",
            "Did you mean `topic_count=`?",
        ),
        (["note=a", "note=b"], (NOTE,), "`note` is given twice", None),
    ],
)
def test_what_a_command_does_not_take(
    line: list[str], parameters: Sequence[Parameter], what: str, hint: str | None
) -> None:
    with pytest.raises(UsageError) as refused:
        read_line(line, parameters)
    assert refused.value.what == what
    if hint:
        assert refused.value.hint == hint


values = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@given(st.data())
def test_any_mix_of_spellings_means_the_same(data: st.DataObject) -> None:
    """A line is written twice in random spellings and orders of its options: both read alike."""
    options = data.draw(st.dictionaries(st.sampled_from([DATE, TOPIC_COUNT]), values, max_size=2))
    flags = data.draw(st.sets(st.sampled_from([DRY_RUN])))
    words = data.draw(
        st.lists(values.filter(lambda word: "=" not in word and not word.startswith("-")), max_size=3)
    )

    def spell() -> list[str]:
        parts: list[list[str]] = []
        for parameter, value in options.items():
            key = data.draw(st.sampled_from([parameter.spellings[0], parameter.name]))
            forms = [[f"{key}={value}"], [f"--{key}={value}"], [f"--{key}", value]]
            parts.append(data.draw(st.sampled_from(forms)))
        parts += [
            data.draw(st.sampled_from([["--dry-run"], ["dry_run=true"], ["-n"], ["--dry_run=yes"]]))
            for _ in flags
        ]
        mixed = data.draw(st.permutations([*parts, None] if words else parts))
        if data.draw(st.booleans()):
            return [word for part in mixed for word in (words if part is None else part)]
        return [
            *(word for part in mixed if part is not None for word in part),
            *(["--", *words] if words else []),
        ]

    parameters = (QUERY, DATE, TOPIC_COUNT, DRY_RUN)
    first, second = read_line(spell(), parameters), read_line(spell(), parameters)
    assert first.positionals == second.positionals == tuple(words)
    given_values = {given.parameter: given.value for given in first.options}
    assert given_values == {given.parameter: given.value for given in second.options}
    assert given_values == {**options, **dict.fromkeys(flags)}


@given(
    st.lists(
        st.sampled_from(["date=1", "--date", "1", "--", "x", "a=b", "-n", "--dry_run", "query=q"]), max_size=6
    )
)
def test_the_one_form_is_its_own_form(line: list[str]) -> None:
    parameters = (QUERY, DATE, DRY_RUN)
    try:
        once = arguments(line, parameters)
    except UsageError:
        return
    assert arguments(once, parameters) == once


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_commands_answer_to_both_spellings(row: Row) -> None:
    name = row.name
    assert find_row(name.replace("_", "-")) is find_row(name.replace("-", "_")) is row


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_every_parameter_of_a_command_has_one_key(row: Row) -> None:
    """No two parameters of a command, nor one of `reme` itself, share a key."""
    command = load_command(row)
    shared = [parameter_of(parameter) for parameter in command_table().params]
    keys = [
        spelling
        for parameter in [*map(parameter_of, command.params), *shared]
        for spelling in (*parameter.spellings, *parameter.negations, *parameter.letters)
    ]
    assert len(keys) == len(set(keys))
