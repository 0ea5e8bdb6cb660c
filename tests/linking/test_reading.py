"""Where the mentions of a note stand in its file."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from reme_cli.index.index import Index
from reme_cli.linking.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault

NAMED = {
    "digest/cafe.md": "---\nname: Café crème\n---\n",
    "digest/loop.md": "---\nname: Feedback loop\n---\n",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A Feedback loop, a feedback loop.\n", ["Feedback loop", "feedback loop"]),
        ("---\r\ntags: [x]\r\n---\r\nA Feedback loop.\r\n", ["Feedback loop"]),
        ("\ufeffFeedback loop.\n", ["Feedback loop"]),
        ("See [[cafe|the long label]] and [[loop]], 🍀 Feedback loop.\n", ["Feedback loop"]),
        ("[[loop|Feedback loop]] and Café crème.\n", ["Café crème"]),
        (
            unicodedata.normalize("NFD", "é Café crème, [[cafe|é]] feedback loop\n"),
            [unicodedata.normalize("NFD", "Café crème"), "feedback loop"],
        ),
    ],
)
def test_places_are_those_of_the_file(vault_of: Callable[..., Vault], text: str, expected: list[str]) -> None:
    vault = vault_of({**NAMED, "digest/source.md": text})
    with Index.open(vault) as index:
        reading = Survey(vault, index).readings["digest/source.md"]
    whole = vault.read("digest/source.md").text
    assert [whole[start:end] for start, end in reading.places().values()] == expected


def test_headings_divide_a_note(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({**NAMED, "digest/source.md": "Text.\n# One\n\n#tag\n## Two\n##### Deep\n[[loop]]\n"})
    with Index.open(vault) as index:
        assert Survey(vault, index).readings["digest/source.md"].sections == 2
