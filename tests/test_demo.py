"""The demo vault: sound as it is shipped, and worth showing once it is dreamed."""

from __future__ import annotations

import datetime as dt

import pytest
import yaml

from reme_cli.config import Config
from reme_cli.dream.extractive.composition import body_of
from reme_cli.dream.extractive.quotation import MARKER, essence, occurs
from reme_cli.dream.options import DreamOptions
from reme_cli.dream.pipeline import dream
from reme_cli.resources import resource
from reme_cli.template import fill
from reme_cli.vault.resolve import Names
from reme_cli.vault.vault import Vault
from reme_cli.vault.wikilink import scan

DAYS = [dt.date(2026, 6, 11) + dt.timedelta(days) for days in range(10)]


@pytest.fixture(scope="module")
def demo() -> Vault:
    return Vault(resource("vault_template", "demo"), Config())


def test_every_day_has_a_page(demo: Vault) -> None:
    paths = demo.note_paths()
    assert [day for day in DAYS if f"daily/{day}.md" not in paths] == []
    assert {demo.day(path) for path in paths if path.startswith("daily/")} == set(DAYS)


def test_every_link_of_the_demo_means_one_note(demo: Vault) -> None:
    names = Names(demo.note_paths())
    for path in demo.note_paths():
        for link in scan(demo.read(path).text).links:
            found = names.resolve(link, path)
            assert found.path is not None, (path, link.target)
            assert not found.ambiguous, (path, link.target)


def test_the_digest_notes_of_the_demo_are_as_reme_would_write_them(demo: Vault) -> None:
    digest = [path for path in demo.note_paths() if demo.layer(path) == "digest"]
    assert 3 <= len(digest) <= 5
    for path in digest:
        note = demo.read(path)
        assert note.frontmatter["name"]
        assert note.description
        assert demo.bucket(path)
        links = scan(note.text).links
        assert [link for link in links if link.predicate == "derived_from"]
        assert all(link.target in demo.note_paths() for link in links)


def test_the_demo_is_in_two_languages(demo: Vault) -> None:
    daily = [demo.read(path).text for path in demo.note_paths() if demo.layer(path) == "daily"]
    chinese = [text for text in daily if sum("\u4e00" <= character <= "\u9fff" for character in text) > 60]
    assert len(daily) >= 25
    assert len(chinese) >= 4


def unlinked(text: str) -> str:
    """A text with what its wikilinks show in their place."""
    for link in reversed(scan(text).links):
        if link.kind == "wikilink":
            text = text[: link.start] + (link.alias or link.target) + text[link.end :]
    return text


@pytest.fixture(scope="module")
def dreamed(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    root = tmp_path_factory.mktemp("demo") / "memory"
    fill(root, {}, demo=True)
    vault = Vault(root, Config())
    report = dream(vault, DreamOptions(tuple(DAYS), engine="extractive"))
    assert (report.exit_code, report.errors, report.warnings) == (0, (), ())
    return vault


def test_dreaming_the_demo(dreamed: Vault, demo: Vault) -> None:
    shipped = {path: demo.read(path).text for path in demo.note_paths()}
    names = Names(dreamed.note_paths())
    new = [path for path in dreamed.note_paths() if path.startswith("digest/") and path not in shipped]
    grown = [
        path for path in shipped if path.startswith("digest/") and dreamed.read(path).text != shipped[path]
    ]
    assert len(new) >= 15
    assert grown == ["digest/wiki/idempotency-key.md"]
    assert {dreamed.bucket(path) for path in new} == {"procedure", "personal", "wiki"}

    sources = {path: essence(text) for path, text in shipped.items()}
    for path in [*new, *grown]:
        text = dreamed.read(path).text
        links = scan(text).links
        assert all(names.resolve(link, path).path == link.target for link in links)
        said = [MARKER.sub("", line) for line in body_of(text).splitlines() if line.strip()]
        assert said
        assert all(any(occurs(line, source) for source in sources.values()) for line in said)

    # the thread of the fortnight: one note, three days
    rotation = dreamed.read("digest/procedure/rotating-the-jwt-signing-key.md")
    assert [link.target[6:16] for link in scan(rotation.text).links if link.predicate == "derived_from"] == [
        "2026-06-11", "2026-06-16", "2026-06-19",
    ]  # fmt: skip
    # resources are what they were, and so are daily bodies, but for links around what they mention
    for path, text in shipped.items():
        if path.startswith("resource/"):
            assert dreamed.read(path).text == text
        elif path.startswith("daily/") and path.count("/") == 2:
            assert unlinked(dreamed.read(path).text) == unlinked(text)

    again = dream(dreamed, DreamOptions(tuple(DAYS), engine="extractive"))
    assert sum(day.changed for day in again.days) == 0
    assert again.units == ()


def test_the_topics_of_the_demo(dreamed: Vault) -> None:
    files = sorted((dreamed.root / "daily").glob("*/interests.yaml"))
    topics = [topic for file in files for topic in yaml.safe_load(file.read_text(encoding="utf-8"))["topics"]]
    titles = {topic["title"] for topic in topics}
    assert {"JWT signing key", "Circuit breaker", "对账差异", "Partner API"} <= titles
    assert len(titles) == len(topics)
    for topic in topics:
        assert (dreamed.root / topic["evidence"]).is_file()
        assert topic["paths"]
