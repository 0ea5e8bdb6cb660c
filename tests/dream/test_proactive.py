"""A day's topics for whoever acts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.dream.proactive import as_json, proactive
from tests.dream.conftest import DAY

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault

PATH = "daily/2026-06-20/interests.yaml"
TEXT = "date: 2026-06-20\ntopics:\n- title: no\n  reason: It is red.\n  evidence: a.md\n  keywords: [x]\n  paths: [a.md]\n"


def test_the_topics_of_a_day(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({PATH: TEXT})
    told = as_json(proactive(vault, DAY))
    assert told == {
        "schema": 1,
        "date": "2026-06-20",
        "path": PATH,
        "topics": [
            {
                "title": "no",
                "reason": "It is red.",
                "evidence": "a.md",
                "keywords": ("x",),
                "paths": ("a.md",),
            }
        ],
        "content": TEXT,
        "skipped": False,
        "error": None,
        "summary": "1 topic for 2026-06-20",
    }
    assert proactive(vault, DAY, include_content=False).content is None


def test_a_day_without_a_file_is_skipped(vault_of: Callable[..., Vault]) -> None:
    found = proactive(vault_of({}), DAY)
    assert (found.skipped, found.exit_code, found.topics) == (True, 0, ())
    assert PATH in found.summary


@pytest.mark.parametrize("text", ["topics: [\n", "- just\n- a list\n", "topics: 3\n", b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_an_error(vault_of: Callable[..., Vault], text: str | bytes) -> None:
    found = proactive(vault_of({PATH: text}), DAY)
    assert (found.skipped, found.exit_code) == (False, 2)
    assert PATH in str(found.error)


@pytest.mark.parametrize("text", ["", "topics:\n", "topics: []\n", "topics:\n- reason: untitled\n"])
def test_a_file_without_valid_topics_is_an_empty_list(vault_of: Callable[..., Vault], text: str) -> None:
    found = proactive(vault_of({PATH: text}), DAY)
    assert (found.topics, found.exit_code, found.skipped) == ((), 0, False)


def test_a_link_out_of_the_vault_is_not_followed(vault_of: Callable[..., Vault], tmp_path: object) -> None:
    vault = vault_of({"daily/2026-06-20/a.md": "x\n"})
    (vault.root.parent / "outside.yaml").write_text(TEXT)
    (vault.root / PATH).symlink_to(vault.root.parent / "outside.yaml")
    assert proactive(vault, DAY).error
