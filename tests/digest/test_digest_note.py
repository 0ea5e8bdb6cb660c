"""What a digest note must be, and what is put in without asking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config
from reme_cli.digest import note as digest_note
from reme_cli.errors import PathRefused, Refused
from reme_cli.vault.resolve import Names
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SOURCE = "daily/2026-06-20/session.md"
NOTE = "digest/wiki/jwt-rotation.md"
OTHER = "digest/procedure/rotate-keys.md"
HEAD = "---\nname: JWT rotation\ndescription: When keys change.\n---\n\n"


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Vault:
    files = {
        SOURCE: "# Session\n",
        OTHER: "---\nname: Rotate keys\n---\nSteps.\n",
        "daily/2026-06-20/a#b.md": "x\n",
    }
    return Vault(make_vault(files), Config())


def names(vault: Vault) -> Names:
    return Names([*vault.note_paths(), NOTE])


def finished(vault: Vault, before: str | None, after: str, *sources: str) -> str:
    return digest_note.finished(vault, NOTE, before, after, sources or (SOURCE,), names(vault))


@pytest.mark.parametrize(
    "path",
    [
        "../../.bashrc",
        "/etc/passwd.md",
        "digest/../daily/x.md",
        "digest/secret/x.md",
        "digest/x.md",
        "digest/wiki/deep/x.md",
        "daily/2026-06-20/x.md",
        "digest/wiki/x.txt",
        "digest/wiki/.md",
        "digest/wiki/.hidden.md",
        "digest/wiki/aux.md",
        "digest/wiki/Not A Slug.md",
        "digest\\wiki\\x.md",
        "digest/wiki/x\0.md",
        f"digest/wiki/{'x' * 300}.md",
        "",
    ],
)
def test_a_new_note_goes_into_a_bucket_under_a_slug_or_nowhere(vault: Vault, path: str) -> None:
    with pytest.raises(PathRefused):
        digest_note.new_path(vault, path)


@pytest.mark.parametrize("path", [NOTE, "digest/procedure/密钥轮换.md", "digest/personal/a-b-2.md"])
def test_legal_new_paths(vault: Vault, path: str) -> None:
    assert digest_note.new_path(vault, path) == path


def test_the_slug_to_use_is_named(vault: Vault) -> None:
    with pytest.raises(PathRefused, match=r"Write to digest/wiki/jwt-rotation\.md"):
        digest_note.new_path(vault, "digest/wiki/JWT Rotation.md")


def test_missing_sources_are_appended_under_sources(vault: Vault) -> None:
    text = finished(vault, None, HEAD + "Keys change.\n")
    assert text == f"{HEAD}Keys change.\n\n## Sources\n\n- derived_from:: [[{SOURCE}]]\n"
    assert finished(vault, text, text) == text


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("密钥每九十天轮换一次，先发布新的公钥。\n", "来源"),
        ("密钥轮换见 [[digest/procedure/rotate-keys.md|轮换密钥]]。\n", "来源"),
        ("密钥每九十天轮换一次。\n\n## Sources\n", "Sources"),
        ("Keys change.\n\n## 来源\n", "来源"),
        ("Keys change; in Chinese 密钥.\n", "Sources"),
    ],
)
def test_sources_stand_under_the_heading_of_the_notes_language(vault: Vault, body: str, heading: str) -> None:
    text = finished(vault, None, HEAD + body)
    assert text.endswith(f"## {heading}\n\n- derived_from:: [[{SOURCE}]]\n")
    assert text.count("\n## ") == 1


def test_sources_are_appended_to_the_section_that_is_there(vault: Vault) -> None:
    before = f"{HEAD}Keys.\r\n\r\n## 来源\r\n\r\n- derived_from:: [[{OTHER}]]\r\n\r\n## Later\r\n\r\nmore\r\n"
    assert finished(vault, before, before) == before.replace(
        f"[[{OTHER}]]\r\n", f"[[{OTHER}]]\r\n- derived_from:: [[{SOURCE}]]\r\n"
    )


def test_a_source_that_no_wikilink_can_name_is_cited_by_a_markdown_link(vault: Vault) -> None:
    odd = "daily/2026-06-20/a#b.md"
    text = finished(vault, None, HEAD + "Keys.\n", odd)
    assert "derived_from:: [a#b.md](/daily/2026-06-20/a%23b.md)" in text
    assert digest_note.missing_sources(NOTE, text, [odd], names(vault)) == ()


def test_a_source_linked_in_any_way_is_not_appended_again(vault: Vault) -> None:
    text = f"{HEAD}As seen in [the session](/{SOURCE}).\n"
    assert finished(vault, None, text) == text


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("see [[rotate-keys]] now", f"see [[{OTHER}|Rotate keys]] now"),
        ("see [[Rotate-Keys#Steps|the steps]]", f"see [[{OTHER}|the steps]]"),
        (f"see [[{OTHER}|keys]]", f"see [[{OTHER}|keys]]"),
        ("related_to:: [[rotate-keys]]", f"related_to:: [[{OTHER}]]"),
        ("- [[rotate-keys]]", f"- [[{OTHER}]]"),
        ("see [[session#Notes]]", f"see [[{SOURCE}#Notes|session]]"),
        ("`[[rotate-keys]]` in code", "`[[rotate-keys]]` in code"),
    ],
)
def test_added_links_become_canonical(vault: Vault, written: str, canonical: str) -> None:
    body = f"{HEAD}{{}}\n\n- derived_from:: [[{SOURCE}]]\n"
    assert finished(vault, None, body.format(written)) == body.format(canonical)


def test_links_that_were_there_stay_as_they_are(vault: Vault) -> None:
    before = f"{HEAD}see [[rotate-keys]] and [[gone]].\n\n- derived_from:: [[{SOURCE}]]\n"
    after = before.replace("see", "now see")
    assert finished(vault, before, after) == after


def test_added_links_that_lead_nowhere_are_named(vault: Vault) -> None:
    with pytest.raises(Refused, match=r"\[\[nowhere\]\], !\[\[missing\.png\]\]"):
        finished(vault, None, HEAD + "see [[nowhere]] and ![[missing.png]]\n")


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("Keys.\n", "no name"),
        ("---\nname: x\n---\nKeys.\n", "no description"),
        ("---\nname: ''\ndescription: y\n---\nKeys.\n", "no name"),
        ("---\nname: [\n---\nKeys.\n", "broken"),
        (HEAD + "```\nan open fence\n", "cannot be cited"),
    ],
)
def test_what_a_note_lacks_is_said(vault: Vault, text: str, lacking: str) -> None:
    with pytest.raises(Refused, match=lacking):
        finished(vault, None, text)


@pytest.mark.parametrize(
    "title", ["no", "2026-06-20", "a: b", "# x", "'", '"', "[[x]]", "{{name}}", "- y", "密钥", "null"]
)
def test_a_title_that_looks_like_yaml_stays_a_string(title: str) -> None:
    from reme_cli.vault import frontmatter

    head = frontmatter.read(digest_note.compose(title, f"About {title}", "body"))
    assert head == {"name": title, "description": f"About {title}"}


def test_a_persons_note_without_name_or_description_may_be_updated(vault: Vault) -> None:
    before = f"Keys.\n\n[[{SOURCE}]]\n"
    assert finished(vault, before, before + "More.\n") == before + "More.\n"
    broken = f"---\nname: [\n---\n{before}"
    assert finished(vault, broken, broken + "More.\n") == broken + "More.\n"


@pytest.mark.parametrize(
    ("head", "why"),
    [("---\nname: x\n---\n", "description away"), ("---\nname: [\n---\n", "breaks the frontmatter")],
)
def test_what_a_note_has_is_not_taken_away(vault: Vault, head: str, why: str) -> None:
    body = f"Keys.\n\n[[{SOURCE}]]\n"
    with pytest.raises(Refused, match=why):
        finished(vault, HEAD + body, head + body)
