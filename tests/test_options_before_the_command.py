"""The options of `reme` itself before the command's name, in every spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.errors import UsageError
from reme_cli.keyvalue import Parameter, read_options

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

VAULT = Parameter(("vault",))
JSON = Parameter(("json",), letters=("j",), flag=True)


@pytest.mark.parametrize(
    ("line", "options", "rest"),
    [
        ("vault=a json=yes status json=no", ["--vault=a", "--json"], ["status", "json=no"]),
        ("--vault a -j status", ["--vault=a", "--json"], ["status"]),
        ("--json=false status", [], ["status"]),
        ("vault=a=b", ["--vault=a=b"], []),
        ("other=1 --json", [], ["other=1", "--json"]),
        ("--json -- vault=a", ["--json"], ["--", "vault=a"]),
        ("-x", [], ["-x"]),
        ("", [], []),
    ],
)
def test_they_end_where_the_command_begins(line: str, options: list[str], rest: list[str]) -> None:
    found, others = read_options(line.split(), (VAULT, JSON))
    assert (list(map(str, found)), list(others)) == (options, rest)


@pytest.mark.parametrize(
    ("line", "message"), [("--valut a", "unknown option `--valut`"), ("--vault", "`--vault` needs a value")]
)
def test_what_is_wrong_is_named(line: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_options(line.split(), (VAULT, JSON))


def test_every_spelling_means_the_same(reme: Reme, make_vault: Callable[..., Path]) -> None:
    vault = make_vault({"a.md": ""})
    expected = reme("index", "--json", vault=vault)
    assert expected.code == 0
    expected = reme("index", "--json", vault=vault)
    for line in (
        [f"vault={vault}", "json=true", "index"],
        [f"--vault={vault}", "--json=yes", "index"],
        ["--vault", vault, "--json", "json=no", "index", "json=1"],
    ):
        assert reme(*line) == expected


def test_the_folder_of_init_has_the_name_its_help_shows(reme: Reme, tmp_path: Path) -> None:
    outcome = reme("init", f"dir={tmp_path / 'new'}", "--json")
    assert outcome.code == 0
    assert (tmp_path / "new" / "vault.yaml").is_file()


def test_a_known_key_after_two_dashes_is_not_called_unknown(reme: Reme) -> None:
    outcome = reme("auto_dream", "--", "date=today")
    assert outcome.code == 2
    assert "unexpected `date=today`" in outcome.err
