"""The values that the stages hand over."""

from __future__ import annotations

from dataclasses import replace

from reme_cli.dream.unit import Quote, Source, Topic, new_unit
from reme_cli.vault.stamp import stamp_of

A = Source("daily/2026-06-20/a.md", stamp_of(b"a"))
B = Source("daily/2026-06-20/b.md", stamp_of(b"b"))


def test_a_units_id_depends_on_what_it_says_and_on_what_was_read() -> None:
    unit = new_unit("JWT", "wiki", "Rotate keys.", [B, A, A])
    assert unit.paths == (A.path, B.path)
    assert (
        new_unit("JWT", "wiki", "Rotate keys.", [A, B], keywords=["k"], quotes=[Quote("q", A.path)]).id
        == unit.id
    )
    others = [
        new_unit("JWTs", "wiki", "Rotate keys.", [A, B]),
        new_unit("JWT", "personal", "Rotate keys.", [A, B]),
        new_unit("JWT", "wiki", "Rotate.", [A, B]),
        new_unit("JWT", "wiki", "Rotate keys.", [A]),
        new_unit("JWT", "wiki", "Rotate keys.", [A, replace(B, stamp=stamp_of(b"changed"))]),
    ]
    assert len({unit.id, *(other.id for other in others)}) == 6


def test_a_topics_mark_tells_any_edit() -> None:
    topic = Topic("Key rotation", "due", A.path, ("jwt",), (A.path,))
    edits = [
        replace(topic, title="Key rotation!"),
        replace(topic, reason=""),
        replace(topic, evidence=B.path),
        replace(topic, keywords=("jwt", "keys")),
        replace(topic, paths=()),
    ]
    assert replace(topic).mark == topic.mark
    assert len({topic.mark, *(edit.mark for edit in edits)}) == 6
