"""What a note is known to be about."""

from __future__ import annotations

import pytest

from reme_cli.predicates.note_self import called, may_be_meeting, note_self


@pytest.mark.parametrize(
    ("path", "properties", "title", "kind"),
    [
        ("people/mia.md", {}, "", "person"),
        ("crm/Companies/acme.md", {}, "", "organisation"),
        ("x/acme.md", {"type": "Company"}, "", "organisation"),
        ("people/acme.md", {"kind": "startup"}, "", "organisation"),
        ("x/gateway.md", {"type": "project"}, "", "thing"),
        ("x/gateway.md", {"type": "note"}, "", ""),
        ("人物/张三.md", {}, "", "person"),
        ("x/board meeting q1.md", {}, "", "meeting"),
        ("x/q1.md", {}, "Weekly sync", "meeting"),
        ("x/q1.md", {"title": "1:1 Mia + Tom"}, "", "meeting"),
        ("x/q1.md", {}, "Demo Day W28", "meeting"),
        ("x/q1.md", {}, "Interview with Mia", "meeting"),
        ("x/q1.md", {}, "需求评审会", "meeting"),
        ("x/all-hands.md", {}, "", "meeting"),
        ("x/data sync engine.md", {}, "", ""),
        ("x/phone calls api.md", {}, "", ""),
        ("x/ten minutes soup.md", {}, "", ""),
    ],
)
def test_the_kind_of_a_note(path: str, properties: dict[str, object], title: str, kind: str) -> None:
    assert note_self(path, properties, (), title).kind == kind
    if kind == "meeting":  # the cheap look must not miss what the careful one finds
        assert may_be_meeting(called(path, properties, (), title))


@pytest.mark.parametrize(
    "stem",
    ["2025-01-02", "2025-01-02 Thursday", "2025-W03", "2025年1月2日", "20250102", "02.01.2025", "2025-01"],
)
def test_the_page_of_a_day_is_about_no_one_thing(stem: str) -> None:
    assert not note_self(f"daily/{stem}.md", {}, (), "").is_subject


@pytest.mark.parametrize("stem", ["mia", "2025-01-02 kickoff with acme", "Q1 2025", "v2", "1984"])
def test_other_notes_are(stem: str) -> None:
    assert note_self(f"x/{stem}.md", {}, (), "").is_subject


def test_a_note_is_called_by_the_words_of_its_names() -> None:
    named = note_self("companies/acme-labs-50.md", {"title": "Acme Labs"}, ("AL",), "The Acme Labs company")
    assert {"acme", "labs", "al"} <= named.words
    assert "company" not in named.words
    assert note_self("公司/星辰.md", {}, ("星辰科技",), "").han == ("星辰科技", "星辰")
    assert note_self("meetings/2025-1-2 x.md", {}, (), "").date == "2025-01-02"
