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


def test_the_topics_of_a_day(make_dream_vault: Callable[..., Vault]) -> None:
    vault = make_dream_vault({PATH: TEXT})
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


def test_a_day_without_a_file_is_skipped(make_dream_vault: Callable[..., Vault]) -> None:
    found = proactive(make_dream_vault({}), DAY)
    assert (found.skipped, found.exit_code, found.topics) == (True, 0, ())
    assert PATH in found.summary


@pytest.mark.parametrize("text", ["topics: [\n", "- just\n- a list\n", "topics: 3\n", b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_an_error(
    make_dream_vault: Callable[..., Vault], text: str | bytes
) -> None:
    found = proactive(make_dream_vault({PATH: text}), DAY)
    assert (found.skipped, found.exit_code) == (False, 2)
    assert PATH in str(found.error)


@pytest.mark.parametrize("text", ["", "topics:\n", "topics: []\n", "topics:\n- reason: untitled\n"])
def test_a_file_without_valid_topics_is_an_empty_list(
    make_dream_vault: Callable[..., Vault], text: str
) -> None:
    found = proactive(make_dream_vault({PATH: text}), DAY)
    assert (found.topics, found.exit_code, found.skipped) == ((), 0, False)


def test_a_link_out_of_the_vault_is_not_followed(
    make_dream_vault: Callable[..., Vault], tmp_path: object
) -> None:
    vault = make_dream_vault({"daily/2026-06-20/a.md": "x\n"})
    (vault.root.parent / "outside.yaml").write_text(TEXT)
    (vault.root / PATH).symlink_to(vault.root.parent / "outside.yaml")
    assert proactive(vault, DAY).error
