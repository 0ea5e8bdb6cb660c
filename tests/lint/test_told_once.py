"""Of a missing source, which is a broken link too, one rule tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Outcome

NOTE = "derived_from:: [[daily/2026-06-19/session.md]], [the plan](../../resource/plan.pdf)\n\n[[gone]]{}\n"
PATH = "digest/wiki/a.md"


@pytest.fixture
def found(reme: Callable[..., Outcome], make_vault: Callable[..., Path]) -> Callable[..., list[str]]:
    def told(*options: str, note: str = NOTE.format(""), settings: str = "") -> list[str]:
        vault = make_vault({PATH: note, "vault.yaml": settings})
        outcome = reme("lint", "--json", "--select=L001,L010,P002", *options, vault=vault)
        return [f"{each['line']} {each['code']}" for each in outcome.json["findings"]]

    return told


def test_the_graver_rule_tells_where_it_is_run(found: Callable[..., list[str]]) -> None:
    assert found() == ["1 P002", "1 P002", "3 L001"]


def test_without_it_the_others_tell(found: Callable[..., list[str]]) -> None:
    assert found("--ignore=P002") == ["1 L001", "1 L010", "3 L001"]


def test_where_it_is_switched_off_the_others_tell(found: Callable[..., list[str]]) -> None:
    settings = "lint:\n  per_path:\n    digest/: [P002]\n"
    assert found(settings=settings) == ["1 L001", "1 L010", "3 L001"]
    comment = " <!-- reme-lint-disable missing-source -->\n"
    assert found(note=NOTE.format("").replace("\n", comment, 1)) == ["1 L001", "1 L010", "3 L001"]


def test_a_comment_for_another_rule_is_used_all_the_same(found: Callable[..., list[str]]) -> None:
    comment = " <!-- reme-lint-disable broken-link, missing-attachment -->\n"
    note = NOTE.format("").replace("\n", comment, 1)
    assert found("--select=N001", note=note) == ["1 P002", "1 P002", "3 L001"]
