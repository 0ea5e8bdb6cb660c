"""The fixes of the link rules on notes that nobody wrote: nothing crashes, what a fix mends is gone, the rest stays."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.config import Config
from reme_cli.graph.conservation import edge_keys
from reme_cli.index.index import Index
from reme_cli.lint.check import Inquiry
from reme_cli.lint.fix import mended
from reme_cli.lint.rules import RULES
from reme_cli.lint.survey import Survey
from reme_cli.vault.resolve import Names
from reme_cli.vault.vault import Vault
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Mapping

LINK_RULES = tuple(rule for rule in RULES if rule.code.startswith("L"))
SPELLING_RULES = tuple(rule for rule in RULES if rule.code in {"L002", "L003", "L006"})
NOW = dt.datetime(2026, 6, 20, 12, tzinfo=dt.UTC)
NOTES = {
    "digest/wiki/Tea.md": "---\naliases: [green tea, 绿茶]\n---\n# Brewing\ntext ^b1\n",
    "digest/wiki/x/plan.md": "x\n",
    "plan.md": "x\n",
    "sub/very long note name.md": "x\n",
    "sub/c#, (odd) %20 [name].md": "---\naliases: [odd one]\n---\nx\n",
    "sub/p q.png": "x\n",
}
TARGETS = (
    "tea", "Tea", "Tea.md", "TEA#Brewing", "green tea", "绿茶", "plan", "x/plan", "sub/very long note name",
    "old/very long note name", "very long note nam", "odd one", "gone", "gone#x", "sub/", "..", "../plan.md", "p q.png",
    "P Q.PNG", "q.png", "https://x.org", "{{x}}", "#Brewing", "digest/wiki/Tea.md", "Node.js", "a, b", "", "#", "a|b",
)  # fmt: skip
FORMS = (
    "[[{}]]", "[[{}|shown]]", "[[{}\\|s]]", "![[{}]]", "![[{}|300]]", "[t]({})", "[*t* `c`](<{}> \"ti\")", "![t]({})",
    "[t|u](<{}#Brewing>)", "derivedFrom:: [[{}]]", "(see-also:: [[{}]])", "[seeAlso:: [[{}]]]", "[[{}]", "`[[{}]]`",
    "| [[{}]] | x |\n|---|---|\n", "\n[[{}]] | x\n", "\n[[{}]]\n|---|---|\n", "[[{}|\nx]]", "\\[[{}]]", "[x [[{}]] y](plan.md)", "> - [[ {} ]]",
    "[by name][r]\n\n[r]: <{}>\n",
)  # fmt: skip
PROPERTIES = (
    "",
    '---\nup: "[[{}]]"\n---\n',
    "---\nseeAlso: '[[{}]]'\nlist:\n  - [[{}]]\n---\n",
    "\ufeff",
    "---\n- [[{}\n---\n",
)

pieces = st.builds(str.replace, st.sampled_from(FORMS), st.just("{}"), st.sampled_from(TARGETS))
texts = st.builds(
    lambda head, target, parts, newline: (head.replace("{}", target) + "".join(parts)).replace("\n", newline),
    st.sampled_from(PROPERTIES),
    st.sampled_from(TARGETS),
    st.lists(pieces | st.sampled_from((" ", "\n", "\n\n", "一", "😀", "%%", "`", "$")), max_size=12),
    st.sampled_from(("\n", "\r\n")),
)


@settings(max_examples=40, deadline=None)
@given(text=texts, path=st.sampled_from(("n.md", "digest/wiki/n.md", "sub/n.md")))
def test_a_mended_note_has_nothing_left_to_mend(text: str, path: str) -> None:
    with TemporaryDirectory() as folder:
        vault = vault_with(Path(folder), {**NOTES, path: text})
        for unsafe in (False, True):
            with Index.open(vault) as index:
                done = mended(Survey(vault, index, NOW), Inquiry(LINK_RULES), unsafe=unsafe)
            # a link may not go where that makes another one mean something else
            refused = {left.finding.code for left in done.left}
            assert not refused or unsafe
            assert [
                finding
                for finding in done.remaining
                if finding.fix is not None and (unsafe or finding.fix.is_safe) and finding.code not in refused
            ] == []


@settings(max_examples=25, deadline=None)
@given(text=texts, path=st.sampled_from(("n.md", "digest/wiki/n.md")))
def test_a_link_that_is_spelled_anew_leads_to_the_same_note_and_nothing_else_changes(
    text: str, path: str
) -> None:
    with TemporaryDirectory() as folder:
        vault = vault_with(Path(folder), {**NOTES, path: text})
        with Index.open(vault) as index:
            survey = Survey(vault, index, NOW)
            new = mended(survey, Inquiry(SPELLING_RULES)).texts.get(path, text)
            assert edge_keys(path, new, survey.names) == edge_keys(path, text, survey.names)
            assert len(scan(new).links) == len(scan(text).links)
            assert between_links(new) == between_links(text)


def test_links_to_a_note_that_the_change_renamed_get_its_new_name(tmp_path: Path) -> None:
    text = (
        'x: [[old name]], [[Old Name#h|it]], ![[old name]], [o](sub/old%20name.md#h "t"), [[sub/old name]]\n'
    )
    vault = vault_with(tmp_path, {"a.md": text, "digest/wiki/b.md": "[[old name]]\n", "new/best.md": "# h\n"})
    before = Names(["a.md", "digest/wiki/b.md", "sub/old name.md"])
    with Index.open(vault) as index:
        survey = Survey(vault, index, NOW, before=before, renames={"sub/old name.md": "new/best.md"})
        done = mended(survey, Inquiry(LINK_RULES))
    assert {finding.message for finding in done.made if finding.path == "digest/wiki/b.md"} == {
        "no note `old name` any more: it is now `new/best.md`; link to that"
    }
    assert done.texts == {
        "a.md": 'x: [[best]], [[best#h|it]], ![[best]], [o](new/best.md#h "t"), [[new/best]]\n',
        "digest/wiki/b.md": "[[new/best.md|best]]\n",
    }


def vault_with(root: Path, files: Mapping[str, str]) -> Vault:
    for name, content in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode())
    return Vault(root, Config())


def between_links(text: str) -> list[str]:
    """What stands before, between and behind the links and their targets, which may stand in a definition below."""
    spans = {(link.start, link.end) for link in scan(text).links}
    spans |= {(link.target_start, link.target_end) for link in scan(text).links}
    parts, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            parts.append(text[at:start])
        at = max(at, end)
    return [*parts, text[at:]]
