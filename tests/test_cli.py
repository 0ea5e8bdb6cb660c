"""The command line as a whole: table, help, errors, exit codes, streams, JSON."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import hypothesis
import jsonschema
import pytest
from hypothesis import strategies as st

import reme_cli
from reme_cli import errors
from reme_cli.commands.app import command_table, load_command, parameter_of
from reme_cli.commands.table import COMMANDS, Row
from reme_cli.keyvalue import read_line
from tests.conftest import PROJECT, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Reme = Callable[..., Outcome]

SCHEMAS = PROJECT / "docs" / "schemas"

NOTES = {
    "daily/2026-06-20/session.md": "# Session\n\nThe gateway rotates its tokens every week, see [[gateway]].\n",
    "daily/2026-06-21.md": "Nothing much.\n",
    "digest/wiki/gateway.md": "---\nname: Gateway\ndescription: The door\n---\n\nderived_from:: [[daily/2026-06-20/session.md]]\n",
    "digest/personal/网关.md": "网关的约定。\n",
    "daily/2026-06-20/interests.yaml": (
        "date: 2026-06-20\ntopic_count: 3\ndiversity_days: 7\ntopics:\n- title: Token rotation\n  reason: It recurs.\n"
        "  evidence: daily/2026-06-20/session.md\n  keywords: [token]\n  paths: [daily/2026-06-20/session.md]\n"
    ),
}


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    return make_vault(NOTES)


def check(value: Any, schema: str) -> None:
    """Fails unless the value is what the documented schema says."""
    document = json.loads((SCHEMAS / f"{schema}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    jsonschema.validate(value, document)


class TestTable:
    @pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
    def test_the_summary_is_the_first_line_of_the_help(self, row: Row) -> None:
        assert (load_command(row).help or "").splitlines()[0] == row.summary

    @pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
    def test_examples_are_right_command_lines(self, row: Row) -> None:
        """Every example is read by the command it is an example of."""
        import importlib
        import shlex

        command = load_command(row)
        module = importlib.import_module(f"reme_cli.commands.{row.module}")
        assert module.EXAMPLES
        for example in module.EXAMPLES:
            words = shlex.split(example)
            start = words.index("reme")
            behind = start + 1 + len(row.name.split())
            assert " ".join(words[start + 1 : behind]) == row.name
            line = [word for word in words[behind:] if word not in {">", ">>"} and not word.startswith("~/.")]
            parameters = [*map(parameter_of, command.params), *map(parameter_of, command_table().params)]
            read_line(line, parameters)

    def test_every_module_of_a_command_is_in_the_table(self) -> None:
        modules = {path.stem for path in (PROJECT / "reme_cli" / "commands").glob("[a-z]*.py")}
        assert modules - {
            "app",
            "direct",
            "graph_answers",
            "link_levels",
            "mention_lines",
            "parameter",
            "session",
            "table",
        } == {row.module for row in COMMANDS}

    @pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
    def test_help(self, reme: Reme, row: Row) -> None:
        shown = reme(*row.name.split(), "--help")
        assert shown.code == 0
        assert row.summary in shown.out
        assert "Examples:" in shown.out
        assert "--vault DIR" in shown.out
        assert reme(*row.name.replace("-", "_").split(), "-h").out == shown.out

    @pytest.mark.parametrize("line", [["maintain", "--help"], ["Maintain", "-h"], ["maintain"]], ids=" ".join)
    def test_help_of_a_group_lists_its_commands(self, reme: Reme, line: list[str]) -> None:
        shown = reme(*line)
        assert shown.code == (0 if line[1:] else 2)
        for row in COMMANDS:
            if row.name.startswith("maintain "):
                assert row.name.split()[1] in shown.out + shown.err

    def test_an_unknown_command_of_a_group(self, reme: Reme) -> None:
        outcome = reme("maintain", "chek")
        assert outcome.code == 2
        assert "there is no command `maintain chek`" in outcome.err
        assert "Did you mean `reme maintain check`?" in outcome.err

    def test_help_of_reme_lists_every_command(self, reme: Reme) -> None:
        shown = reme("--help")
        assert shown.code == 0
        for row in COMMANDS:
            assert f"  {row.name}" in shown.out
            assert row.summary in " ".join(shown.out.split())  # long ones are wrapped

    def test_without_a_command(self, reme: Reme) -> None:
        outcome = reme()
        assert (outcome.code, outcome.out) == (2, "")
        assert "Usage: reme" in outcome.err

    def test_an_unknown_command(self, reme: Reme) -> None:
        outcome = reme("serach", "x")
        assert outcome.code == 2
        assert outcome.err == "reme: error: there is no command `serach`\n      Did you mean `reme search`?\n"

    def test_the_page_of_all_commands_is_up_to_date(self) -> None:
        done = subprocess.run(
            [sys.executable, "docs/generate.py", "--check"],
            cwd=PROJECT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")


class TestVersion:
    def test_version(self, reme: Reme) -> None:
        assert reme("--version").out == f"reme {reme_cli.__version__}\n"

    def test_the_fast_path_equals_the_ordinary_parser(self, reme: Reme) -> None:
        """`--version` alone is answered without Typer; beside anything else Typer answers it."""
        fast = reme("--version")
        for line in (["-q", "--version"], ["--version", "search"], ["--vault", "x", "--version"]):
            assert reme(*line) == fast


class TestSharedOptions:
    def test_before_and_after_the_command(self, reme: Reme, vault: Path) -> None:
        expected = reme("config", f"vault={vault}", "--json")
        assert expected.code == 0
        assert reme("--vault", vault, "--json", "config") == expected
        assert reme("--vault=/nowhere", "config", "--vault", vault, "json=yes") == expected
        assert reme("config", "--json", "-q", vault=vault).err == ""

    def test_the_vault_from_the_environment(
        self, reme: Reme, vault: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("REME_VAULT", str(vault))
        assert reme("config", "--json").json["vault"] == os.path.realpath(vault)

    def test_the_vault_upwards(self, reme: Reme, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(vault / "digest" / "wiki")
        assert reme("config", "--json").json["vault"] == os.path.realpath(vault)

    def test_quiet_drops_remarks_only(self, reme: Reme, vault: Path) -> None:
        loud, quiet = reme("config", vault=vault), reme("config", "--quiet", vault=vault)
        assert loud.out == quiet.out
        assert loud.err
        assert not quiet.err


class TestErrors:
    def test_no_vault(self, reme: Reme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        outcome = reme("status")
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.splitlines() == [
            f"reme: error: {os.path.realpath(tmp_path)}: no vault here nor in any folder above",
            "      `reme init` makes one here; `--vault DIR` or REME_VAULT names another.",
        ]

    def test_no_such_vault(self, reme: Reme, tmp_path: Path) -> None:
        outcome = reme("status", vault=tmp_path / "none")
        assert outcome.code == 2
        assert "--vault names no folder" in outcome.err

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("timezon: UTC\n", "vault.yaml:1: unknown key `timezon`"),
            ("llm:\n\tmodel: x\n", "vault.yaml:2: the line is indented with a tab"),
            (
                "dream: {max_units: many}\n",
                "vault.yaml:1: `dream.max_units`: expected a whole number, found `many`",
            ),
        ],
        ids=["unknown key", "tab", "wrong type"],
    )
    @pytest.mark.parametrize("command", [["status"], ["search", "x"], ["auto_dream"], ["log"], ["init"]])
    def test_a_mistake_in_vault_yaml(
        self, reme: Reme, vault: Path, command: list[str], text: str, message: str
    ) -> None:
        (vault / "vault.yaml").write_text(text)
        outcome = reme(*command, vault=vault)
        assert (outcome.code, outcome.out) == (2, "")
        assert message in outcome.err
        assert len(outcome.err.splitlines()) <= 2

    @pytest.mark.parametrize(
        "date", ["2026-02-30", "../../x", "2026-06", "yesteryear", "2026-06-20..2026-06-19", "a/../b"]
    )
    @pytest.mark.parametrize("command", ["auto_dream", "proactive"])
    def test_dates(self, reme: Reme, vault: Path, command: str, date: str) -> None:
        before = sorted(vault.rglob("*"))
        outcome = reme(command, f"date={date}", vault=vault)
        assert (outcome.code, outcome.out) == (2, "")
        assert date in outcome.err or "range" in outcome.err
        assert sorted(vault.rglob("*")) == before

    def test_as_json(self, reme: Reme, tmp_path: Path) -> None:
        outcome = reme("status", "--json", vault=tmp_path / "none")
        check(outcome.json, "error")
        assert outcome.json["error"]["code"] == "vault-not-found"
        assert outcome.err

    @pytest.mark.parametrize(
        "line", [["status", "--json", "--nonsense"], ["status", "nonsense=1", "json=true"]]
    )
    def test_as_json_where_the_line_is_wrong(self, reme: Reme, line: list[str]) -> None:
        outcome = reme(*line)
        check(outcome.json, "error")
        assert (outcome.code, outcome.json["error"]["code"]) == (2, "usage-error")

    def test_a_wrong_choice(self, reme: Reme, vault: Path) -> None:
        outcome = reme("auto_dream", "engine=magic", vault=vault)
        assert outcome.code == 2
        assert "'llm', 'extractive'" in outcome.err
        assert len(outcome.err.splitlines()) == 2

    @pytest.fixture
    def failing(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
        """Lets the `config` command raise."""

        def fail(error: BaseException) -> None:
            def load(self: object, options: object = None) -> None:
                raise error

            monkeypatch.setattr("reme_cli.commands.session.Session.load", load)

        return fail

    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
    def test_an_unwritable_vault(
        self, reme: Reme, vault: Path, failing: Callable[[BaseException], None], number: int
    ) -> None:
        failing(OSError(number, os.strerror(number), str(vault / "x")))
        outcome = reme("config", vault=vault)
        assert outcome.code == errors.VaultUnwritable.exit_code
        assert f"{vault / 'x'}: cannot be written: {os.strerror(number)}" in outcome.err

    def test_a_mistake_of_reme(
        self, reme: Reme, vault: Path, failing: Callable[[BaseException], None]
    ) -> None:
        failing(ZeroDivisionError("division by zero"))
        outcome = reme("config", "--json", vault=vault)
        assert outcome.code == 70
        assert "Traceback" not in outcome.err
        assert outcome.err.startswith("reme: error: ZeroDivisionError: division by zero\n")
        assert outcome.json["error"]["code"] == "internal"
        assert "Traceback" in reme("config", "--verbose", vault=vault).err

    def test_no_traceback_without_verbose(self, reme: Reme, tmp_path: Path) -> None:
        assert "Traceback" not in reme("status", vault=tmp_path / "none").err
        assert "Traceback" in reme("status", "-v", vault=tmp_path / "none").err

    def test_interrupted(self, reme: Reme, vault: Path, failing: Callable[[BaseException], None]) -> None:
        failing(KeyboardInterrupt())
        outcome = reme("config", vault=vault)
        assert (outcome.code, outcome.out) == (130, "")
        assert "Traceback" not in outcome.err

    def test_every_error_has_its_documented_exit_code(self) -> None:
        def codes(kind: type[errors.RemeError]) -> set[int]:
            return {kind.exit_code}.union(*(codes(child) for child in kind.__subclasses__()))

        assert codes(errors.RemeError) == {1, 2, 3, 4}


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end differently on Windows")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("reme config | true", 0),
        ("FORCE_COLOR=1 reme config | true", 0),
        ("reme config >&-", 0),
        ("reme config >&- 2>&-", 0),
        ("reme --version >&-", 0),
        ("reme --nonsense 2>&-", 2),
        ("reme --nonsense 2>&1 | true", 2),
    ],
)
def test_a_closed_pipe_or_stream_ends_quietly(vault: Path, line: str, code: int) -> None:
    script = f'reme() {{ {sys.executable} -m reme_cli "$@"; }}; {line}; exit ${{PIPESTATUS[0]}}'
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "REME_VAULT": str(vault)}
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert (done.returncode, "rror" in done.stderr, "Traceback" in done.stderr) == (code, False, False)


READING = (
    ("search", "gateway"),
    ("status",),
    ("graph-query", "gateway"),
    ("log",),
    ("proactive", "date=2026-06-20"),
    ("config",),
    ("index",),
)


@pytest.mark.parametrize("line", READING, ids=lambda line: line[0])
def test_metadata_that_leads_out_of_the_vault_stops_no_reading(
    reme: Reme, vault: Path, tmp_path: Path, line: tuple[str, ...]
) -> None:
    before = reme(*line, vault=vault)
    shutil.rmtree(vault / "metadata", ignore_errors=True)
    outside = tmp_path / "outside"
    outside.mkdir()
    (vault / "metadata").symlink_to(outside)
    outcome = reme("--quiet", *line, vault=vault)
    assert outcome.code == before.code == 0, outcome.err
    reads_state = line[0] not in {"config", "proactive"}
    assert ("leads out of the vault" in outcome.err) == reads_state
    assert outcome.err.count("indexing in memory") == (reads_state and line[0] != "log")
    assert list(outside.iterdir()) == []
    assert reme("auto_dream", "date=2026-06-20", "engine=extractive", vault=vault).code == 4


def test_a_wrong_line_is_told_in_plain_words(reme: Reme, vault: Path) -> None:
    assert reme("log", "--limit", "x", vault=vault).err == (
        "reme: error: invalid value for '--limit': 'x' is not a whole number\n"
        "      `reme log --help` shows what it takes.\n"
    )
    assert reme("completion").err == (
        "reme: error: missing argument 'SHELL'. Choose from: bash, zsh, fish, powershell\n"
        "      `reme completion --help` shows what it takes.\n"
    )


def on_a_screen(columns: int, *arguments: str, vault: Path, **variables: str) -> str:
    """What `reme` prints on a terminal that is so wide."""
    import pty

    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "reme_cli", *arguments, "--vault", str(vault)]
    environment = {
        **os.environ, "PYTHONPATH": str(PROJECT), "TERM": "xterm", "COLUMNS": str(columns), **variables,
    }  # fmt: skip
    subprocess.run(command, stdout=follower, stderr=subprocess.DEVNULL, env=environment, check=True)
    os.close(follower)
    shown = b""
    with contextlib.suppress(OSError):  # how a terminal ends on Linux
        while piece := os.read(leader, 65536):
            shown += piece
    os.close(leader)
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal on Windows")
class TestScreens:
    """Paths and names of runs are never broken: where a table is too wide for the screen, each row takes two lines."""

    @pytest.mark.parametrize(
        ("columns", "variables", "expected"),
        [
            (60, {}, " 1  digest/wiki/gateway.md:6:16\n      derived_from → "),
            (60, {"NO_COLOR": "1"}, " 1  digest/wiki/gateway.md:6:16\n      derived_from → "),
            (200, {"NO_COLOR": "1"}, "\n    1  digest/wiki/gateway.md  derived_from  "),
            (60, {"TERM": "dumb"}, "\n    1  digest/wiki/gateway.md  derived_from  "),
        ],
    )
    def test_links(self, vault: Path, columns: int, variables: dict[str, str], expected: str) -> None:
        assert expected in on_a_screen(columns, "graph-query", "gateway", vault=vault, **variables)

    def test_runs(self, reme: Reme, vault: Path) -> None:
        assert reme("auto_dream", "date=2026-06-20", "engine=extractive", vault=vault).code == 0
        assert reme("undo", vault=vault).code == 0
        taken_back = reme("log", "--json", vault=vault).json["runs"][1]["run"]
        assert f"undo        1 written  undoes {taken_back}" in on_a_screen(120, "log", vault=vault)
        assert f"  undo\n    1 written, undoes {taken_back}\n" in on_a_screen(80, "log", vault=vault)


class TestCommands:
    """Each command on a small vault, with the JSON that its schema describes."""

    def test_init(self, reme: Reme, tmp_path: Path) -> None:
        outcome = reme("init", tmp_path / "new", "--json")
        check(outcome.json, "init")
        assert outcome.json["new"] is True
        assert "vault.yaml" in outcome.json["made"]
        assert reme("init", tmp_path / "new", "--json").json["made"] == []

    def test_config(self, reme: Reme, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REME_LLM__MODEL", "openai/x")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
        outcome = reme("config", "--json", vault=vault)
        check(outcome.json, "config")
        assert {"key": "llm.model", "value": "openai/x", "origin": "REME_LLM__MODEL"} in outcome.json[
            "settings"
        ]
        assert "sk-secret" not in outcome.out + outcome.err + reme("config", vault=vault).out

    def test_status(self, reme: Reme, vault: Path) -> None:
        outcome = reme("status", "--json", vault=vault)
        check(outcome.json, "status")
        assert outcome.json["notes"] == {
            "total": 4,
            "layers": {"digest": 2, "daily": 2, "resource": 0, "other": 0},
            "buckets": {"procedure": 0, "personal": 1, "wiki": 1},
        }
        assert outcome.json["dream"]["undreamed"] == {"2026-06-20": 1, "2026-06-21": 1}
        plain = reme("status", vault=vault)
        assert plain.code == 0
        assert "2 notes: 2026-06-21 (1), 2026-06-20 (1)" in plain.out

    def test_status_tells_a_damaged_catalog(self, reme: Reme, vault: Path) -> None:
        (vault / "metadata/file_catalog").mkdir(parents=True)
        (vault / "metadata/file_catalog/dream.json").write_text("{")
        outcome = reme("status", "--json", vault=vault)
        assert outcome.code == 0
        check(outcome.json, "status")
        assert "catalog" in outcome.json["problems"][0]

    def test_index(self, reme: Reme, vault: Path) -> None:
        first = reme("index", "--json", vault=vault).json
        check(first, "index")
        assert (first["notes"], first["added"], first["rebuilt"]) == (4, 4, False)
        assert reme("index", vault=vault).out == "4 notes: nothing changed\n"
        rebuilt = reme("index", "--rebuild", "--json", vault=vault).json
        assert (rebuilt["notes"], rebuilt["added"], rebuilt["rebuilt"]) == (4, 4, True)

    def test_search(self, reme: Reme, vault: Path) -> None:
        outcome = reme("search", "rotates tokens", "--json", vault=vault)
        check(outcome.json, "search")
        assert outcome.json["hits"][0]["path"] == "daily/2026-06-20/session.md"
        assert outcome.code == 0
        assert reme("search", "query=rotates tokens", "json=true", vault=vault).out == outcome.out
        assert reme("search", "rotates", "tokens", "--json", vault=vault).out == outcome.out

    def test_search_without_a_hit(self, reme: Reme, vault: Path) -> None:
        outcome = reme("search", "xyzzy", vault=vault)
        assert (outcome.code, outcome.out) == (1, "")
        assert reme("search", "xyzzy", "--json", vault=vault).json["hits"] == []

    def test_search_takes_any_text(self, reme: Reme, vault: Path) -> None:
        assert reme("search", "a=b", "--json", vault=vault).json["query"] == "a=b"
        assert reme("search", "--", "limit=3", "--json", vault=vault).code == 1
        assert reme("search", "tokens", "-gateway", vault=vault).code == 1

    def test_search_filters(self, reme: Reme, vault: Path) -> None:
        assert reme("search", "网关", "--files-only", vault=vault).out == "digest/personal/网关.md\n"
        assert (
            reme("search", "gateway", "layer=digest", "--files-only", vault=vault).out
            == "digest/wiki/gateway.md\n"
        )
        assert reme("search", "gateway", "after=2026-02-30", vault=vault).code == 2

    def test_graph_query(self, reme: Reme, vault: Path) -> None:
        outcome = reme("graph-query", "gateway", "direction=out", "depth=1", "--json", vault=vault)
        check(outcome.json, "graph-query")
        assert outcome.json["edges"] == [
            {
                "depth": 1,
                "source": "digest/wiki/gateway.md",
                "predicate": "derived_from",
                "target": "daily/2026-06-20/session.md",
                "resolved": True,
                "implied": False,
                "path": "digest/wiki/gateway.md",
                "line": 6,
                "col": 16,
            }
        ]
        assert [note["path"] for note in outcome.json["notes"]] == [
            "digest/wiki/gateway.md",
            "daily/2026-06-20/session.md",
        ]
        assert reme("graph_query", "Gateway", "format=json", vault=vault).out == outcome.out
        assert "derived_from" in reme("graph-query", "gateway", vault=vault).out
        assert reme("graph-query", "gateway", "type=caused_by", vault=vault).out == ""

    def test_graph_query_of_no_note_or_several(self, reme: Reme, make_vault: Callable[..., Path]) -> None:
        vault = make_vault({"a/x.md": "", "b/x.md": "", "gateway.md": ""})
        several = reme("graph-query", "x", vault=vault)
        assert several.code == 2
        assert "a/x.md, b/x.md" in several.err
        none = reme("graph-query", "gatewya", vault=vault)
        assert none.code == 2
        assert "Did you mean gateway.md" in none.err

    def test_proactive(self, reme: Reme, vault: Path) -> None:
        outcome = reme("proactive", "date=2026-06-20", "--json", vault=vault)
        check(outcome.json, "proactive")
        assert outcome.json["topics"][0]["title"] == "Token rotation"
        assert "Token rotation" in reme("proactive", "--date", "2026-06-20", vault=vault).out
        without = reme("proactive", "date=2026-06-20", "include_content=false", "--json", vault=vault).json
        assert without["content"] is None
        missing = reme("proactive", "date=2026-06-01", "--json", vault=vault)
        assert (missing.code, missing.json["skipped"]) == (0, True)

    def test_a_shell_completes(self, reme_process: Reme) -> None:
        env = {"_REME_COMPLETE": "complete_bash", "COMP_WORDS": "reme sta", "COMP_CWORD": "1"}
        assert reme_process(env=env).out.split() == ["status"]
        env = {
            "_REME_COMPLETE": "complete_bash",
            "COMP_WORDS": "reme auto_dream limit=1 --max",
            "COMP_CWORD": "3",
        }
        assert reme_process(env=env).out.split() == ["--max-units"]

    @pytest.mark.parametrize(
        ("typed", "names"),
        [
            ("auto", ["auto_dream", "auto_link"]),
            ("auto-dr", ["auto-dream"]),
            ("graph_", ["graph_query"]),
            ("graph", ["graph-query"]),
            ("x", []),
        ],
    )
    def test_a_shell_completes_a_command_as_it_is_spelled(
        self, reme_process: Reme, typed: str, names: list[str]
    ) -> None:
        env = {"_REME_COMPLETE": "complete_bash", "COMP_WORDS": f"reme {typed}", "COMP_CWORD": "1"}
        assert reme_process(env=env).out.split() == names

    def test_completion(self, reme: Reme) -> None:
        outcome = reme("completion", "bash", "--json")
        check(outcome.json, "completion")
        assert "_REME_COMPLETE" in reme("completion", "shell=zsh").out

    def test_log_and_undo_of_nothing(self, reme: Reme, vault: Path) -> None:
        log = reme("log", "--json", vault=vault)
        check(log.json, "log")
        assert log.json["runs"] == []
        assert reme("undo", vault=vault).code == 2
        assert reme("log", "20260101", vault=vault).code == 2


DAY = {
    "daily/2026-06-20/rotation.md": (
        "# Token rotation\n\nThe gateway rotates its signing keys every seven days, and keeps the old key for one day.\n\n"
        "## How to rotate by hand\n\n1. Create the new key in the vault.\n2. Publish it to the gateway.\n"
        "3. Wait until all instances have loaded it.\n4. Revoke the old key.\n"
    ),
}


class TestDream:
    """From daily notes to the digest and back, through the command line."""

    @pytest.fixture
    def vault(self, make_vault: Callable[..., Path]) -> Path:
        return make_vault(DAY)

    def dream(self, reme: Reme, vault: Path, *more: str) -> Outcome:
        return reme("auto_dream", "date=2026-06-20", "engine=extractive", *more, vault=vault)

    def test_a_dry_run_writes_nothing(self, reme: Reme, vault: Path) -> None:
        def files() -> dict[str, bytes]:
            found = (path for path in vault.rglob("*") if path.is_file() and "cache" not in path.parts)
            return {path.relative_to(vault).as_posix(): path.read_bytes() for path in found}

        before = files()
        outcome = self.dream(reme, vault, "--dry-run")
        assert outcome.code == 0, outcome.err
        assert "+++ b/digest/" in outcome.out
        assert {path for path in files() if not path.startswith("metadata/lock")} == set(before)
        as_json = self.dream(reme, vault, "--dry-run", "--json")
        check(as_json.json, "auto_dream")
        assert as_json.json["diff"] == outcome.out

    def test_there_and_back(self, reme: Reme, vault: Path) -> None:
        outcome = self.dream(reme, vault, "--json")
        assert outcome.code == 0, outcome.err
        check(outcome.json, "auto_dream")
        paths = {unit["path"] for unit in outcome.json["units"]}
        assert paths
        assert all((vault / path).is_file() for path in paths)

        log = reme("log", "--json", vault=vault).json
        check(log, "log")
        run = log["runs"][0]["run"]
        assert run == outcome.json["run"]
        shown = reme("log", run, "--json", vault=vault).json
        check(shown, "log-run")
        assert paths <= set(shown["paths"])
        assert f"+++ b/{min(paths)}" in reme("log", run, vault=vault).out
        check(reme("status", "--json", vault=vault).json, "status")

        preview = reme("undo", "--dry-run", "--json", vault=vault).json
        check(preview, "undo")
        assert preview["diff"]
        assert all((vault / path).is_file() for path in paths)
        undone = reme("undo", "--json", vault=vault)
        check(undone.json, "undo")
        assert (undone.code, undone.json["run"]) == (0, run)
        assert not any((vault / path).exists() for path in paths)

    def test_an_edited_file_is_left_alone(self, reme: Reme, vault: Path) -> None:
        written = self.dream(reme, vault, "--json").json["units"][0]["path"]
        with (vault / written).open("a", encoding="utf-8") as note:
            note.write("\nMine.\n")
        undone = reme("undo", vault=vault)
        assert undone.code == 4
        assert f"{written} is left alone" in undone.err
        assert "is taken back, but for 1 file; `reme undo` again brings it back" in undone.err
        assert "Mine." in (vault / written).read_text(encoding="utf-8")

    def test_an_undo_of_what_is_edited_takes_nothing_back(self, reme: Reme, vault: Path) -> None:
        (vault / "a.md").write_text("x\n", encoding="utf-8")
        assert reme("maintain", "mv", "a.md", "b.md", vault=vault).code == 0
        run = reme("log", "--json", vault=vault).json["runs"][0]["run"]
        (vault / "a.md").write_text("mine\n", encoding="utf-8")
        (vault / "b.md").write_text("mine too\n", encoding="utf-8")
        undone = reme("undo", vault=vault)
        assert undone.code == 4
        assert undone.err.endswith(f"nothing of {run} is taken back\n")
        assert not reme("log", "--json", vault=vault).json["runs"][-1]["undone"]

    def test_the_second_run_has_nothing_to_do(self, reme: Reme, vault: Path) -> None:
        self.dream(reme, vault)
        again = self.dream(reme, vault)
        assert (again.code, again.out) == (0, "")
        assert "nothing to dream" in again.err

    def test_without_a_model(self, reme: Reme, vault: Path) -> None:
        outcome = reme("auto_dream", "date=2026-06-20", vault=vault)
        assert outcome.code == 3
        assert "llm.model" in outcome.err
        assert "extractive" in outcome.err

    def test_options_are_checked_like_settings(self, reme: Reme, vault: Path) -> None:
        outcome = self.dream(reme, vault, "max_units=0")
        assert outcome.code == 2
        assert "--max-units: `dream.max_units`: must be at least 1, found `0`" in outcome.err


WORDS = st.sampled_from(
    [
        *(row.name for row in COMMANDS),
        *(
            "--json",
            "-q",
            "--dry-run",
            "--",
            "limit=1",
            "limit=x",
            "date=today",
            "date=..",
            "a=b",
            "--depth",
            "run=1",
        ),
        *(
            "note=x",
            "--nonsense",
            "-x",
            "",
            "=",
            "--=",
            "\udce4",
            "x\0y",
            "type=",
            "--vault",
            "vault=.",
            "demo=maybe",
        ),
    ]
)


@hypothesis.settings(
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow]
)
@hypothesis.given(st.lists(WORDS, max_size=5))
def test_any_line_ends_with_a_documented_exit_code(
    reme: Reme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    hypothesis.assume("init" not in line)
    hypothesis.assume("watch" not in line)  # ends only when it is told to
    outcome = reme(*line)
    assert outcome.code in {0, 1, 2, 3, 4}, outcome.err
    assert "Traceback" not in outcome.err
