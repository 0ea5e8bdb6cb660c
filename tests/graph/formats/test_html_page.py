"""The HTML page, in a real browser."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from reme_cli.graph.formats import html
from reme_cli.graph.row import Row
from reme_cli.graph.view import GraphView, NoteDetail, ViewNote
from tests.chromium import Chromium, find_chromium
from tests.graph.views import HOSTILE, hostile_view

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NO_BROWSER = (
    "no Chromium or Chrome is installed: `apt-get install chromium`, or any other way, makes this test run"
)


class TestText:
    """What can be said of the page without drawing it."""

    def data(self, page: str) -> Any:
        (block,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
        return json.loads(block)

    def test_hostile_names_arrive_as_they_are(self) -> None:
        view = hostile_view()
        details = {note.path: NoteDetail((note.name,), note.name) for note in view.notes}
        data = self.data(html.render(view, details, "</title><script>"))
        assert [note[1] for note in data["notes"]] == list(HOSTILE)
        assert [note[6] for note in data["notes"]] == list(HOSTILE)
        assert data["missing"] == list(HOSTILE)

    def test_there_are_just_its_own_three_scripts(self) -> None:
        page = html.render(hostile_view(), {}, "</title><script>alert(1)</script>")
        assert page.count("<script") == page.count("</script") == 3
        assert "<title>&lt;/title&gt;" in page

    def test_nothing_in_it_is_an_address_to_fetch(self) -> None:
        page = html.render(GraphView((), ()), {}, "x")
        assert not re.findall(r"""(?:src|href)=["'](?!data:,)""", page)
        assert "@" not in re.sub(r"@media", "", page.split("<script", 1)[0]), "every slot is filled"

    def test_the_licence_of_what_it_carries_is_in_it(self) -> None:
        assert "Permission to use, copy, modify" in html.render(GraphView((), ()), {}, "x")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """A browser for the tests of this module."""
    binary = find_chromium()
    if binary is None:
        pytest.skip(NO_BROWSER)
    with Chromium(binary, tmp_path_factory.mktemp("profile")) as running:
        yield running


def note(path: str, name: str, layer: str | None = None, bucket: str | None = None) -> ViewNote:
    return ViewNote(path, name, f"About {name}", layer, bucket)


def row(
    source: str, predicate: str | None, target: str, *, resolved: bool = True, implied: bool = False
) -> Row:
    return Row(1, source, predicate, target, resolved, implied, source, 4, 9)


NOTES = (
    note("digest/wiki/gateway.md", "Gateway", "digest", "wiki"),
    note("digest/personal/café.md", "Café Überblick", "digest", "personal"),
    note("daily/2026-06-20.md", "2026-06-20", "daily"),
    note("resource/rfc.md", "密钥轮换", "resource"),
    note("alone.md", "Alone"),
)
ROWS = (
    row("digest/wiki/gateway.md", "derived_from", "daily/2026-06-20.md"),
    row("digest/wiki/gateway.md", None, "resource/rfc.md"),
    row("digest/personal/café.md", "is_a", "digest/wiki/gateway.md", implied=True),
    row("daily/2026-06-20.md", None, "gone", resolved=False),
)
DETAILS = {"digest/wiki/gateway.md": NoteDetail(("infra", "密钥"), "It rotates <b>keys</b>.")}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the page of a small vault."""
    place = tmp_path_factory.mktemp("page") / "graph.html"
    place.write_text(html.render(GraphView(NOTES, ROWS), DETAILS, "Memory"), encoding="utf-8")
    return place


@pytest.fixture
def page(browser: Chromium, place: Path) -> Iterator[Chromium]:
    """The small page, freshly opened and arranged. At the end nothing may have gone wrong, nor been fetched."""
    browser.prefer("light")
    browser.open(place.as_uri())
    browser.wait("settled")
    yield browser
    assert browser.problems == []
    assert [
        address for address in browser.requests if not address.startswith(("file:", "blob:", "data:"))
    ] == []


def status(page: Chromium) -> str:
    return str(page.run("part('status').textContent"))


def preview(page: Chromium) -> str:
    return "" if page.run("part('preview').hidden") else str(page.run("part('preview').innerText"))


def place_of(page: Chromium, number: int) -> tuple[float, float]:
    x, y = page.run(f"toScreen({number})")
    return float(x), float(y)


def toggle(page: Chromium, group: str, value: str) -> None:
    page.run(f"document.querySelector('#{group} input[value=\"{value}\"]').click()")


class TestPage:
    def test_it_shows_what_there_is(self, page: Chromium) -> None:
        assert status(page) == "5 notes, 1 missing, 4 links"
        assert page.run("document.title") == "Memory"
        labels = page.run("[...document.querySelectorAll('#predicates label')].map(row => row.innerText)")
        assert [label.split() for label in labels] == [
            ["derived_from", "1"],
            ["is_a", "1"],
            ["no", "predicate", "2"],
        ]
        assert len(page.screenshot()) > 10_000

    def test_it_may_ask_the_network_for_nothing(self, page: Chromium) -> None:
        refused = page.run("fetch('http://localhost:9/x').then(() => 'fetched', () => 'refused')")
        assert refused == "refused"
        page.wait("true")
        assert any("Content Security Policy" in problem for problem in page.problems)
        page.problems.clear()
        page.requests.clear()

    def test_search(self, page: Chromium) -> None:
        page.press("/")
        page.type("cafe uber")
        assert page.run("[...part('found').children].map(row => row.firstChild.textContent)") == [
            "Café Überblick"
        ]
        assert page.run("[...marked.found]") == [1]
        page.press("Enter")
        assert "Café Überblick" in preview(page)
        assert page.run("part('search').value") == ""
        assert page.run("document.activeElement.id") == "graph"
        page.press("/")
        page.type("nothing like it")
        assert page.run("part('found').innerText") == "no note matches"
        page.press("Escape")
        assert page.run("[part('search').value, part('found').hidden, marked.found]") == ["", True, None]
        page.press("Escape")
        assert preview(page) == ""

    def test_search_by_arrow_keys(self, page: Chromium) -> None:
        page.press("/")
        page.type("about")
        assert page.run("search.found.length") == 5
        page.press("ArrowDown")
        page.press("ArrowDown")
        third = page.run("nodes[search.found[2]].name")
        assert page.run("part('search').getAttribute('aria-activedescendant')") == "found-2"
        page.press("Enter")
        assert page.run("nodes[marked.selected].name") == third

    def test_filters(self, page: Chromium) -> None:
        toggle(page, "layers", "daily")
        assert status(page) == "4 notes, 1 missing, 2 links shown"
        toggle(page, "kinds", "implied")
        assert status(page) == "4 notes, 1 missing, 1 link shown"
        toggle(page, "kinds", "missing")
        assert status(page) == "4 notes, 1 link shown"
        toggle(page, "layers", "daily")
        toggle(page, "predicates", "derived_from")
        assert status(page) == "5 notes, 1 link shown"
        toggle(page, "buckets", "wiki")
        assert status(page) == "4 notes, 0 links shown"
        toggle(page, "kinds", "unlinked")
        assert status(page) == "0 notes, 0 links shown"

    def test_a_click_on_a_note_opens_its_preview(self, page: Chromium) -> None:
        page.click(*place_of(page, 0))
        told = preview(page)
        for part in (
            "Gateway",
            "digest/wiki/gateway.md",
            "digest",
            "wiki",
            "#infra",
            "#密钥",
            "About Gateway",
        ):
            assert part in told
        assert "It rotates <b>keys</b>." in told, "text, not markup"
        assert "Links to (2)" in told
        assert "← is_a (implied)" in told
        page.run(
            "[...document.querySelectorAll('.links button')].find(b => b.innerText.includes('密钥')).click()"
        )
        assert "resource/rfc.md" in preview(page)
        assert page.run("marked.selected") == 3
        page.run("document.querySelector('#preview .close').click()")
        assert preview(page) == ""

    def test_pointing_at_a_note_lights_its_neighbours(self, page: Chromium) -> None:
        page.move(*place_of(page, 0))
        assert page.run("lit && [lit.note, [...lit.ends].sort(), lit.edges.size]") == [0, [1, 2, 3], 3]
        assert page.run("canvas.title") == "digest/wiki/gateway.md"
        page.move(400, 30)
        assert page.run("lit") is None

    def test_keys(self, page: Chromium) -> None:
        page.run("canvas.focus()")
        scale = page.run("view.scale")
        page.press("+")
        assert page.run("view.scale") > scale
        page.press("0")
        assert page.run("view.scale") == pytest.approx(scale)
        x = page.run("view.x")
        page.press("ArrowRight")
        assert page.run("view.x") > x
        page.run("select(0)")
        for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
            page.press(key)
        assert page.run("marked.selected") in range(6)
        page.press("Escape")
        assert page.run("marked.selected") == -1
        page.press("?")
        assert page.run("part('help').open")

    def test_a_drag_moves_the_view_and_a_note(self, page: Chromium) -> None:
        before = page.run("[view.x, view.y]")
        page.drag((600, 20), (700, 60))
        assert page.run("view.x") < before[0]
        x, y = place_of(page, 4)
        page.drag((x, y), (x + 50, y + 10))
        assert place_of(page, 4) == pytest.approx((x + 50, y + 10), abs=1)

    def test_light_and_dark(self, browser: Chromium, page: Chromium) -> None:
        ground = "getComputedStyle(document.body).backgroundColor"
        light = page.run(ground)
        browser.prefer("dark")
        page.wait("theme === 'dark'")
        assert page.run(ground) != light
        page.run("part('theme').click()")
        assert page.run(ground) == light

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_contrast(self, browser: Chromium, page: Chromium, scheme: str) -> None:
        """WCAG 2.2: text 4.5:1 (here 7:1), marks 3:1."""
        browser.prefer(scheme)
        page.wait(f"theme === '{scheme}'")
        colours = page.run(
            "(() => { const now = getComputedStyle(document.documentElement);"
            " const read = name => now.getPropertyValue(name).trim();"
            " return { ground: read('--ground'), panel: read('--panel'), texts: [read('--text'), read('--quiet')],"
            " marks: [...PALETTES[theme], GREYS[theme], read('--accent'), read('--control')] } })()"
        )
        for ground in (colours["ground"], colours["panel"]):
            assert all(contrast(text, ground) >= 7 for text in colours["texts"])
            assert {
                mark: contrast(mark, ground) for mark in colours["marks"] if contrast(mark, ground) < 3
            } == {}


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours `#rrggbb`: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""

    def luminance(colour: str) -> float:
        channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_hostile_notes_do_nothing(browser: Chromium, tmp_path: Path) -> None:
    view = hostile_view()
    place = tmp_path / "hostile.html"
    details = {note.path: NoteDetail(HOSTILE, note.name) for note in view.notes}
    place.write_text(html.render(view, details, HOSTILE[5]), encoding="utf-8")
    browser.open(place.as_uri())
    browser.wait("settled")
    for number, name in enumerate(HOSTILE):
        browser.run(f"select({number})")
        assert browser.run("document.querySelector('#preview h2').textContent") == name
    assert browser.run("document.querySelectorAll('#preview img, #side img, #preview script').length") == 0
    assert browser.run("document.title") == HOSTILE[5]
    assert browser.problems == []


def test_five_thousand_notes(browser: Chromium, tmp_path: Path) -> None:
    """They are drawn at once, and while the view moves a frame takes no new picture of them."""
    draw = random.Random(5)
    notes = tuple(note(f"digest/wiki/{n}.md", f"Note {n}", "digest", "wiki") for n in range(5000))
    rows = tuple(
        row(
            notes[draw.randrange(5000)].path,
            draw.choice([None, "is_a"]),
            notes[int(5000 * draw.random() ** 3)].path,
        )
        for _ in range(20_000)
    )
    place = tmp_path / "large.html"
    place.write_text(html.render(GraphView(notes, rows), {}, "Large"), encoding="utf-8")
    browser.open(place.as_uri())
    browser.wait("frames.full > 2")
    assert status(browser).startswith("5,000 notes, 20,000 links")
    # from now on the view comes to rest when this test says so: a slow machine takes longer for a frame than a rest is
    browser.run(
        "window.rest = null; window.setTimeout = then => { window.rest = then; return 0 }; clearTimeout(settling);"
        " touched = true; layout.onmessage = null; layout.terminate(); fit()"
    )
    browser.wait("taken.valid && !waiting")
    full = browser.run("frames.full")
    moved = browser.run(
        "new Promise(done => { const first = frames.moved; let left = 20; (function step() {"
        " view.x += 2; zoom(1.01); if (left-- > 0) requestAnimationFrame(step); else done(frames.moved - first); })() })"
    )
    assert moved >= 19
    assert browser.run("frames.full") == full
    browser.run("rest()")
    browser.wait(f"frames.full > {full}")  # and a sharp one follows where it comes to rest
