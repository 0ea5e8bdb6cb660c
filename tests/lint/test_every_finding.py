"""A vault with every finding there is, told in every format: `tests/vaults/every_finding/` and the files in `every_finding/`.

`REWRITE_TRANSCRIPTS=1` (`make transcripts`) writes the files anew; read the diff.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest

from reme_cli.config.load import load_config
from reme_cli.index.index import Index
from reme_cli.lint.check import in_order
from reme_cli.lint.few import check_few
from reme_cli.lint.moment import moment_of
from reme_cli.lint.request import Lint, Request
from reme_cli.lint.rules import RULES
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

HERE = Path(__file__).parent
GOLDEN = HERE / "every_finding"
REWRITING = bool(os.environ.get("REWRITE_TRANSCRIPTS"))
NOW = "2026-06-20"

DAYS = {"digest/wiki/rotation-v1.md": 100, "digest/wiki/token.md": 45}
"""How long ago notes were changed, if not two days ago. Neither git nor a copy keeps the time of a file, so it is set here."""

FORMATS = {
    "report.txt": ("--format=text",),
    "report.json": ("--format=json",),
    "github.txt": ("--format=github",),
    "report.sarif": ("--format=sarif",),
    "report.md": ("--format=markdown",),
    "statistics.txt": ("--statistics",),
    "fix.diff": ("--diff",),
    "unsafe-fix.diff": ("--diff", "--unsafe-fixes"),
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = Path(shutil.copytree(HERE.parent / "vaults" / "every_finding", tmp_path / "vault"))
    if not {"Plan.md", "plan.md"} <= {place.name for place in (root / "drafts").iterdir()}:
        pytest.skip("this file system does not tell `a` from `A`")
    for place in root.rglob("*"):
        days = DAYS.get(place.relative_to(root).as_posix(), 2)
        then = dt.datetime.fromisoformat(f"{NOW}T12:00:00+00:00") - dt.timedelta(days=days)
        os.utime(place, (then.timestamp(), then.timestamp()))
    return root


def told(reme: Reme, vault: Path, *options: str) -> Outcome:
    return reme("lint", f"--now={NOW}", *options, vault=vault)


def without_pages(log: str) -> str:
    """A SARIF log without what changes with every word of the documentation, and with every version."""
    value = json.loads(log)
    driver = value["runs"][0]["tool"]["driver"]
    driver["version"] = "0"
    for rule, known in zip(driver["rules"], RULES, strict=True):
        assert rule.pop("help") == {"text": known.page, "markdown": known.page}
        assert rule.pop("shortDescription") == {"text": known.summary}
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def test_every_rule_finds_something(reme: Reme, vault: Path) -> None:
    found = {each["code"] for each in told(reme, vault, "--json").json["findings"]}
    assert {rule.code for rule in RULES} - found == set()


@pytest.mark.parametrize("name", FORMATS)
def test_as_told(reme: Reme, vault: Path, name: str) -> None:
    outcome = told(reme, vault, *FORMATS[name])
    assert outcome.code == 1
    out = outcome.out if name != "report.sarif" else without_pages(outcome.out)
    if REWRITING:
        GOLDEN.mkdir(exist_ok=True)
        (GOLDEN / name).write_text(out, encoding="utf-8")
    assert out == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["report.txt", "report.json", "report.md"])
def test_twice_and_in_a_process_of_its_own_it_is_the_same(
    reme: Reme, reme_process: Reme, vault: Path, name: str
) -> None:
    expected = told(reme, vault, *FORMATS[name]).out
    assert told(reme, vault, *FORMATS[name]).out == expected
    assert told(reme_process, vault, *FORMATS[name]).out == expected


def test_in_chinese(reme: Reme, vault: Path) -> None:
    (vault / "vault.yaml").write_text(
        (vault / "vault.yaml").read_text().replace("language: en", "language: zh")
    )
    outcome = told(reme, vault, "--format=markdown")
    if REWRITING:
        (GOLDEN / "report.zh.md").write_text(outcome.out, encoding="utf-8")
    assert outcome.out == (GOLDEN / "report.zh.md").read_text(encoding="utf-8")


def test_the_json_is_what_the_schema_says(reme: Reme, vault: Path) -> None:
    schema = json.loads((HERE.parent.parent / "docs/schemas/lint.schema.json").read_text())
    for options in (
        (),
        ("--statistics",),
        ("--diff",),
        ("--fix", "--dry-run"),
        ("--explain=all",),
        ("--fix",),
    ):
        jsonschema.validate(told(reme, vault, "--json", *options).json, schema)


def test_the_sarif_is_what_the_standard_says(reme: Reme, vault: Path) -> None:
    """The schema is the one that OASIS publishes, as in the npm package @microsoft/jest-sarif 1.0.0-beta.0."""
    schema = json.loads((HERE / "schemas" / "sarif-2.1.0-rtm.5.json").read_text())
    for options in ((), ("--fix", "--dry-run", "--unsafe-fixes")):
        log = told(reme, vault, "--format=sarif", *options)
        if not options:
            jsonschema.validate(log.json, schema)
    log = told(reme, vault, "--format=sarif").json
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [rule.code for rule in RULES]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    marks = [result["partialFingerprints"]["reme/v1"] for result in run["results"]]
    assert len(set(marks)) == len(marks)


def test_a_finding_is_where_it_says(reme: Reme, vault: Path) -> None:
    """The characters between the two places are those of the link that the message is about."""
    for each in told(reme, vault, "--json", "--select=L001").json["findings"]:
        line = (vault / each["path"]).read_text(encoding="utf-8").split("\n")[each["line"] - 1]
        assert line[each["col"] - 1 : each["end_col"] - 1].startswith(("[[", "[")), each


def test_fixes_mend_all_that_they_can_and_then_there_is_nothing_to_fix(reme: Reme, vault: Path) -> None:
    planned = told(reme, vault, "--diff").out
    assert told(reme, vault, "--fix", "--dry-run").out == planned
    done = told(reme, vault, "--fix", "--json")
    assert done.json["fixed"] > 0
    assert not [each for each in done.json["findings"] if each["fixable"]]
    assert told(reme, vault, "--diff").out == ""
    assert told(reme, vault, "--diff").code == 0
    assert told(reme, vault, "--fix", "--json").json["fixed"] == 0


def test_a_few_notes_have_the_findings_of_the_whole_report(vault: Path) -> None:
    """Each note alone, and all but those that git ignores."""
    (vault / ".git").mkdir()
    (vault / ".gitignore").write_text("daily/\n")
    opened = Vault(vault, load_config(vault, {}, None).config)
    now = moment_of(opened, NOW)
    with Index.open(opened) as index:
        whole = Lint(index, Request(here=vault), now).report(with_fixes=True).findings
        paths = index.stamps()
        files = {finding.path for finding in whole} - paths.keys()  # such as vault.yaml, which are no notes
        expected = [finding for finding in whole if finding.path not in files]
        alone = [finding for path in paths for finding in check_few(index, [path], now).findings]
        together = check_few(index, paths, now)
    assert len(expected) > 40
    assert any(path.startswith("daily/") for path in paths)
    assert list(in_order(alone)) == expected
    assert list(together.findings) == expected
    assert together.notes == sum(not path.startswith("daily/") for path in paths)
