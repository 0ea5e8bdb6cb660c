"""The rules on content take any text: what they find is in it, and they find it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from reme_cli.lint.rule import message_of
from reme_cli.lint.rules import RULES
from reme_cli.lint.survey import Subject
from reme_cli.vault.note import Note
from reme_cli.vault.stamp import stamp_of
from tests.lint.test_block_fix import survey_of

if TYPE_CHECKING:
    import pytest

CONTENT = [rule for rule in RULES if rule.code[0] in "DC" and rule.check_note is not None]
PIECES = st.sampled_from(
    [
        "---\n", "---\n", "claims:\n", "- id: a\n", "- {id: b, confidence: 0.1}\n", "  evidence: x\n", "confidence: 0.2\n",
        "claims: [{text: x}, [y]]\n", "contradicts: '[[b]]'\n", "resolved: {no}\n", "> [!conflict] {a} `b`\n", "> Resolved: x\n",
        "> > [!conflict|resolved]\n", "contradicts:: [[b]]", " (resolved:: now)\n", "## Open questions\n", "- [ ] ? why\n",
        "* [?] {who}\n", "Q: when?\n", "A: now\n", "问：谁？\n", "```\n", "<!--", "-->", "%%", "    ", "\r", "\n", "\r\n", "\t", "\ufeff",
        "<!-- reme:day:start -->", "<!-- reme:day:end -->\n", "# h\n", "1) ~~x~~\n", "\u2028", "\0", "&a *a\n",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=30)


def test_any_text(tmp_path_factory: pytest.TempPathFactory) -> None:
    survey = survey_of(tmp_path_factory.mktemp("vault"))

    @given(TEXTS, st.sampled_from(["digest/wiki/a.md", "daily/2026-06-20.md", "a.md"]))
    def check(text: str, path: str) -> None:
        for rule in CONTENT:
            assert rule.check_note is not None
            note = Note(path, text, stamp_of(text.encode()))
            found = [list(rule.check_note(Subject(note, survey.vault.layer(path)), survey)) for _ in range(2)]
            assert found[0] == found[1]
            for problem in found[0]:
                assert 0 <= problem.start <= problem.end <= len(text)
                assert all("\n" not in message_of(rule, problem, language) for language in ("en", "zh"))

    check()
    survey.index.close()
