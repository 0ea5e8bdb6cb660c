"""Parts of a file are read and replaced by path as a table of texts would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.config import Config
from reme_cli.lint.cache_file import Parts, load_parts, save_parts
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from pathlib import Path

paths = st.sampled_from(("a.md", "b/c.md", "笔记.md", "é.md", "\U0001f375.md"))
tables = st.dictionaries(paths, st.text(max_size=8))


@given(tables, st.sets(paths), tables)
@settings(max_examples=100)
def test_parts_are_a_table(before: dict[str, str], replaced: set[str], texts: dict[str, str]) -> None:
    parts = Parts.of(before)
    assert parts.text == "".join(before[path] for path in sorted(before))
    assert parts.some(replaced) == {path: before[path] for path in sorted(before) if path in replaced}
    new = {path: text for path, text in texts.items() if path in replaced}
    kept = {path: text for path, text in before.items() if path not in replaced}
    assert parts.with_some(replaced, new) == Parts.of(kept | new)


def test_parts_of_another_mark_are_none(tmp_path: Path) -> None:
    vault = Vault(tmp_path, Config())
    (tmp_path / "metadata/cache").mkdir(parents=True)
    parts = Parts.of({"a.md": "one\ntwo", "笔记.md": "三\udc80"})
    save_parts(vault, "lint-x.json", "this", parts)
    assert load_parts(vault, "lint-x.json", "this") == parts
    assert load_parts(vault, "lint-x.json", "that") is None
