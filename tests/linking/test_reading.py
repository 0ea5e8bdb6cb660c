"""Where the mentions of a note stand in its file."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from reme_cli.index.index import Index
from reme_cli.linking import mentions
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


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("**Feedback loop** is of a Café crème.\n", {"PROPER"}),
        ("**Other**: some Café crème.\n", {"PROPER", "LABELLED"}),
        ("**Other** than the **Feedback loop**: some Café crème.\n", {"PROPER"}),
        ("**Feedback loop**\n\nA **thing**: some Café crème.\n", {"PROPER", "LABELLED"}),
    ],
)
def test_the_note_s_own_name_is_no_label(vault_of: Callable[..., Vault], text: str, flags: set[str]) -> None:
    assert flags_of(vault_of({**NAMED, "digest/loop.md": f"---\nname: Feedback loop\n---\n{text}"})) == flags


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("See the Green Café crème today.\n", {"PROPER", "LONGER"}),
        ("See the Café crème Maker today.\n", {"PROPER", "LONGER"}),
        ("See the Barista Café crème today.\n", {"PROPER"}),
        ("See the Café crème Barista today.\n", {"PROPER"}),
        ("See the Barista Café crème Maker today.\n", {"PROPER", "LONGER"}),
        ("See the Green Café crème Barista today.\n", {"PROPER", "LONGER"}),
        ("- Green Café crème Barista today.\n", {"PROPER"}),
    ],
)
def test_beside_another_note_s_name_it_is_no_part_of_a_longer_one(
    vault_of: Callable[..., Vault], text: str, flags: set[str]
) -> None:
    barista = "---\nname: Barista\n---\n"
    assert flags_of(vault_of({**NAMED, "digest/b.md": barista, "digest/loop.md": text})) == flags


def flags_of(vault: Vault) -> set[str]:
    """How the mention of Café crème in the note stands."""
    with Index.open(vault) as index:
        survey = Survey(vault, index)
    number = survey.lexicon.numbers["café crème"]
    (stand,) = (each.flags for each in survey.readings["digest/loop.md"].mentions() if each.number == number)
    return {name for name in ("PROPER", "LABELLED", "LONGER") if stand & getattr(mentions, name)}
