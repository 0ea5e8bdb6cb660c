"""Links that no note may get are told from the others, in a few looks at the note however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset.run import start_run
from reme_cli.index.index import Index
from reme_cli.linking import refusal
from reme_cli.linking.l1_mentions import LinkOptions, link_mentions

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.linking.refusal import Links
    from reme_cli.linking.report import L1Report
    from reme_cli.linking.survey import Survey
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault

SOURCE = "digest/wiki/source.md"
COUNT = 300


def vault_with(vault_of: Callable[..., Vault], odd: dict[int, str], paragraph: str, text: str = "") -> Vault:
    """A vault in which one note names as many others as `COUNT`, those of these numbers in files of odd names."""
    names = [f"Zorbl{number} Quix" for number in range(COUNT)]
    notes = {
        f"digest/wiki/{odd.get(number, '')}{number}.md": f"---\nname: {name}\n---\nText.\n"
        for number, name in enumerate(names)
    }
    return vault_of({**notes, SOURCE: text + "".join(paragraph.format(name) for name in names)})


def link(vault: Vault) -> L1Report:
    with Index.open(vault) as index, start_run(vault, "auto_link l1") as run:
        return link_mentions(vault, index, [SOURCE], LinkOptions(threshold="eager", dry_run=True), run)


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many links each text had that was tried."""
    tried: list[int] = []
    is_refused = refusal._is_refused

    def counted(survey: Survey, note: Note, links: Links) -> bool:
        tried.append(len(links))
        return is_refused(survey, note, links)

    monkeypatch.setattr(refusal, "_is_refused", counted)
    return tried


PRICE = "It costs $x and {} is here.\n\n"
"""The `$` of a file's name makes math of what stands between."""


@pytest.mark.parametrize("count", [1, COUNT // 2, COUNT])
def test_those_that_are_read_as_none_are_found_at_once(
    vault_of: Callable[..., Vault], tries: list[int], count: int
) -> None:
    vault = vault_with(vault_of, dict.fromkeys(range(COUNT - count, COUNT), "a$b"), PRICE)
    report = link(vault)
    assert [each.reason for each in report.left] == ["forbidden"] * count
    assert {each.targets[0] for each in report.left} == {
        f"digest/wiki/a$b{number}.md" for number in range(COUNT - count, COUNT)
    }
    assert len(report.linked) == COUNT - count
    assert tries == [COUNT, COUNT - count][: 1 + (count < COUNT)]


def test_what_a_faulty_one_closes_is_not_at_fault(vault_of: Callable[..., Vault], tries: list[int]) -> None:
    vault = vault_with(vault_of, {250: "a`b"}, "The {}, ", "We ` see.\n\nAnd ` also: ")
    report = link(vault)
    forbidden = [each.targets for each in report.left if each.reason == "forbidden"]
    assert forbidden == [("digest/wiki/a`b250.md",)]
    assert len(tries) == 2


def test_each_closes_what_the_one_before_left_open(vault_of: Callable[..., Vault], tries: list[int]) -> None:
    vault = vault_with(vault_of, dict.fromkeys(range(10, COUNT), "a%%b"), "Here is {}.\n\n", "%% open\n\n")
    report = link(vault)
    assert len(report.linked) == 10
    assert len(report.left) == COUNT - 10
    assert len(tries) <= 10


def test_others_are_found_by_halves(
    vault_of: Callable[..., Vault], tries: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those whose fault is not seen where they stand; two of them break the rule together only, and both are taken out."""
    vault = vault_with(vault_of, dict.fromkeys(range(COUNT), "a&b"), "Here is {}.\n\n")
    faulty = [{17}, {150}, {201, 202}]

    def is_refused(survey: Survey, note: Note, links: Links) -> bool:
        tries.append(len(links))
        numbers = {int(link.target.removeprefix("digest/wiki/a&b")[:-3]) for link in links.values()}
        return any(fault <= numbers for fault in faulty)

    monkeypatch.setattr(refusal, "_is_refused", is_refused)
    report = link(vault)
    assert sorted(each.targets[0] for each in report.left) == [
        f"digest/wiki/a&b{number}.md" for number in (150, 17, 201, 202)
    ]
    assert len(tries) < 60
