"""The documentation: its links lead somewhere, its listing is the tree, and `make demo` is kind to who runs it."""

from __future__ import annotations

import importlib
import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

PROJECT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    page for pattern in ("*.md", "docs/**/*.md", "vault_template/*.md") for page in PROJECT.glob(pattern)
)


def links_of(page: Path) -> list[str]:
    """The destinations of a page's links and images."""
    tokens = [
        token for block in MarkdownIt().parse(page.read_text("utf-8")) for token in block.children or ()
    ]
    # markdown-it reads no tables by default, so that links in them stand in paragraphs like any other
    return [
        str(token.attrs.get("href") or token.attrs["src"])
        for token in tokens
        if token.type in {"link_open", "image"}
    ]


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    blocks = MarkdownIt().parse(page.read_text("utf-8"))
    titles = [
        following.content for block, following in itertools.pairwise(blocks) if block.type == "heading_open"
    ]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PROJECT).as_posix())
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    for link in links_of(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert target.is_relative_to(PROJECT), link
        if anchor:
            assert anchor in anchors_of(target), link


def test_links_are_found() -> None:
    assert "docs/writing.md" in links_of(PROJECT / "README.md")
    assert "docs/decisions/" in links_of(PROJECT / "README.md"), "those in tables, too"
    assert "when-a-provider-is-gone" not in anchors_of(PROJECT / "README.md")
    assert "for-agents-and-scripts" in anchors_of(PROJECT / "README.md")


def listing() -> list[str]:
    """The paths of the listing in docs/architecture.md; a name that is indented is in the folder above it."""
    text = (PROJECT / "docs" / "architecture.md").read_text("utf-8")
    block = text.split("```text\n", 1)[1].split("```", 1)[0]
    paths: list[str] = []
    parents: list[tuple[int, str]] = []
    for line in block.splitlines():
        name = line.split()[0]
        depth = len(line) - len(line.lstrip())
        parents = [(column, parent) for column, parent in parents if column < depth]
        path = "".join(parent for _, parent in parents) + name
        paths.append(path)
        if name.endswith("/"):
            parents.append((depth, name))
    return paths


def test_the_listing_of_the_architecture_is_the_tree() -> None:
    named = listing()
    assert [path for path in named if not (PROJECT / path).exists()] == []
    there = {
        f"reme_cli/{place.name}{'/' if place.is_dir() else ''}"
        for place in (PROJECT / "reme_cli").iterdir()
        # a wheel's resources and what Python makes are no part of the source
        if place.suffix in {"", ".py"} and not place.name.startswith("_")
    }
    assert there - set(named) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PROJECT).as_posix())
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    named = re.findall(r"\b(?:reme_cli|tests|benchmarks)/[\w/.-]*\w", page.read_text("utf-8"))
    assert [name for name in named if not (PROJECT / name).exists()] == []


def test_the_constants_of_the_extractive_engine_are_those_of_the_code() -> None:
    page = (PROJECT / "docs" / "extractive-engine.md").read_text("utf-8")
    rows = re.findall(r"(?m)^\| `([a-z_.]+)\.([A-Z_]+)` \| ([\d.]+) \|", page)
    assert len(rows) > 10
    for module, name, value in rows:
        code = importlib.import_module(f"reme_cli.dream.{module}")
        assert getattr(code, name) == float(value), name


@pytest.mark.skipif(shutil.which("sh") is None, reason="the demo is a shell script")
class TestDemo:
    """`docs/demo.sh`, which `make demo` runs."""

    @pytest.fixture
    def place(self, tmp_path: Path) -> Path:
        """A folder to run the demo in, with `reme` beside it."""
        binary = tmp_path / "bin" / "reme"
        binary.parent.mkdir()
        binary.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m reme_cli "$@"\n')
        binary.chmod(0o755)
        place = tmp_path / "place"
        place.mkdir()
        return place

    def demo(self, place: Path, folder: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PATH": f"{place.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(PROJECT),
            **variables,
        }
        script = [shutil.which("sh") or "sh", str(PROJECT / "docs" / "demo.sh"), folder]
        return subprocess.run(script, cwd=place, env=environment, capture_output=True, text=True, check=False)

    def test_it_shows_the_story_once_more(self, place: Path) -> None:
        own = place / "own"
        (own / "daily").mkdir(parents=True)
        (own / "daily" / "2026-06-12.md").write_text("# Mine\n")
        # as an earlier demo has left it
        (place / "vault").mkdir()
        (place / "vault" / ".made-by-make-demo").touch()
        (place / "vault" / "digest.md").write_text("old\n")
        # the settings of who looks on play no part, least of all where their own vault is
        shown = self.demo(place, "vault", REME_VAULT=str(own), REME_DREAM__MAX_UNITS="1")
        assert shown.returncode == 0, shown.stderr
        assert not (place / "vault" / "digest.md").exists()
        assert (place / "vault" / ".made-by-make-demo").exists()
        assert [path.relative_to(own).as_posix() for path in own.rglob("*")] == [
            "daily",
            "daily/2026-06-12.md",
        ]
        for told in (
            "create      digest/",
            "## Sources",
            "derived_from",
            "daily/2026-06-20/",
            'reme search "token rotation"',
            "auto_dream  ",
            "REME_LLM__MODEL",
        ):
            assert told in shown.stdout, told

    def test_it_touches_no_folder_that_is_not_its_own(self, place: Path) -> None:
        (place / "thesis").mkdir()
        (place / "thesis" / "chapter.md").write_text("years of work\n")
        refused = self.demo(place, "thesis")
        assert refused.returncode == 1
        assert "thesis is there already" in refused.stderr
        assert [path.name for path in (place / "thesis").iterdir()] == ["chapter.md"]
