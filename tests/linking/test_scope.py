"""A note that a symlink puts into another layer is not worked on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.linking.scope import scope_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault


def test_symlinks_do_not_change_the_layer(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"digest/a.md": "A\n", "digest/é.md": "É\n", "resource/b.md": "B\n"})
    (vault.root / "digest/note.md").symlink_to(vault.root / "resource/b.md")
    (vault.root / "digest/ñ.md").symlink_to(vault.root / "resource/b.md")
    (vault.root / "digest/folder").symlink_to(vault.root / "resource", target_is_directory=True)
    (vault.root / "digest/other.md").symlink_to(vault.root / "digest/a.md")
    paths = ("a", "é", "note", "ñ", "folder/b", "other")
    scope = scope_of(vault, [f"digest/{path}.md" for path in paths], None)
    assert scope.paths == ["digest/a.md", "digest/other.md", "digest/é.md"]
