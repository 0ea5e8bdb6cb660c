"""Names that a case file cannot hold: in decomposed Unicode, or in another encoding."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reme_cli.config.load import load_config
from reme_cli.index.index import Index
from reme_cli.lint.check import Inquiry, check
from reme_cli.lint.rules import colliding_paths, unportable_name
from reme_cli.lint.survey import Survey
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from reme_cli.lint.rule import Language, Rule

COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


def found(root: Path, rule: Rule, language: Language = "en") -> list[str]:
    vault = Vault(root, load_config(root, {}).config)
    with Index.open(vault) as index:
        findings = check(
            Survey(vault, index, dt.datetime(2026, 6, 20, tzinfo=dt.UTC)), Inquiry((rule,), language)
        )
    return [f"{finding.path}:{finding.line}:{finding.col} {finding.message}" for finding in findings]


def write(root: Path, *names: str | bytes) -> None:
    """Files of exactly these names; where the system keeps others, the test has nothing to look at."""
    for name in names:
        raw = os.fsencode(name)
        place = os.path.join(os.fsencode(root), raw)
        Path(os.fsdecode(place)).parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(place, "wb") as file:
                file.write(b"x\n")
        except OSError:
            pytest.skip("the file system refuses the name")
        if os.path.basename(raw) not in os.listdir(os.path.dirname(place)):
            pytest.skip("the file system keeps names in another form")


def test_a_decomposed_name_is_told_once_a_folder(tmp_path: Path) -> None:
    write(tmp_path, f"{DECOMPOSED}/a.md", f"{DECOMPOSED}/b.md", f"{DECOMPOSED}.md", f"{COMPOSED}s.md")
    told = "the disk spells `{}` in decomposed Unicode (NFD), another name to git and Linux; rename it to NFC"
    assert found(tmp_path, unportable_name.RULE) == [
        f"{COMPOSED}.md:1:1 {told.format(f'{COMPOSED}.md')}",
        f"{COMPOSED}/a.md:1:1 {told.format(COMPOSED)}",
    ]
    assert found(tmp_path, unportable_name.RULE, "zh")[0] == (
        f"{COMPOSED}.md:1:1 磁盘上的 `{COMPOSED}.md` 是分解形式的 Unicode（NFD），对 git 和 Linux 是另一个名称；请改成 NFC"
    )


def test_a_name_that_is_not_utf8_is_told(tmp_path: Path) -> None:
    write(tmp_path, b"caf\xe9.md", "good.md")
    assert found(tmp_path, unportable_name.RULE) == [
        "caf\ufffd.md:1:1 the name `caf\ufffd.md` is not UTF-8, so reme leaves the file out; rename it"
    ]
    assert found(tmp_path, unportable_name.RULE, "zh") == [
        "caf\ufffd.md:1:1 名称 `caf\ufffd.md` 不是 UTF-8，reme 会跳过这个文件；请改名"
    ]


def test_two_forms_of_one_name_collide(tmp_path: Path) -> None:
    write(tmp_path, f"a/{DECOMPOSED}.md", f"a/{COMPOSED}.md")
    told = (
        "two names on disk differ only in their Unicode form (NFC, NFD), and reme takes one; rename the other"
    )
    assert found(tmp_path, colliding_paths.RULE) == [f"a/{COMPOSED}.md:1:1 {told}"]
    assert found(tmp_path, colliding_paths.RULE, "zh") == [
        f"a/{COMPOSED}.md:1:1 磁盘上有两个名称只有 Unicode 形式（NFC、NFD）不同，reme 只读取其中一个；请给另一个改名"
    ]
