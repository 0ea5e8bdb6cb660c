"""A note as it was read: its path, its exact text, and the stamp of its bytes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.errors import FrontmatterError
from reme_cli.vault.paths import stem_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reme_cli.vault.stamp import Stamp


class Note(NamedTuple):
    """One reading of a note. `text.encode()` is the file's bytes, a BOM and all line endings included."""

    path: str
    """Vault-relative POSIX path with `.md`, in NFC."""
    text: str
    stamp: Stamp

    @property
    def frontmatter(self) -> Mapping[str, object]:
        """The frontmatter's mapping; empty without a block. Raises `FrontmatterError` with `path:line`."""
        try:
            return _mapping_in(self.text)
        except FrontmatterError as error:
            raise FrontmatterError(
                error.what, line=error.line, where=f"{self.path}:{error.line}", hint=error.hint
            ) from error

    @property
    def body(self) -> str:
        """The text behind the frontmatter block and behind a BOM."""
        from reme_cli.vault.frontmatter import split  # as below

        block = split(self.text)
        return self.text[block.body_start :] if block else self.text.removeprefix("\ufeff")

    @property
    def name(self) -> str:
        """The frontmatter's `name`, else the file name without `.md`."""
        return one_line(self._known().get("name")) or stem_of(self.path)

    @property
    def description(self) -> str:
        """The frontmatter's `description` on one line; empty where there is none."""
        return one_line(self._known().get("description"))

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names of the note, from `aliases` (or `alias`): a list, or one string."""
        known = self._known()
        return aliases_of(known.get("aliases", known.get("alias")))

    @property
    def tags(self) -> tuple[str, ...]:
        """The frontmatter's `tags` (or `tag`) without `#`: a list, or one string parted by commas or spaces."""
        known = self._known()
        return tags_of(known.get("tags", known.get("tag")))

    @property
    def kind(self) -> str | None:
        """The frontmatter's `kind`."""
        return one_line(self._known().get("kind")) or None

    def _known(self) -> Mapping[str, object]:
        """The frontmatter, or nothing where its YAML is broken: lint reports that, reading goes on."""
        try:
            return self.frontmatter
        except FrontmatterError:
            return {}


@lru_cache(maxsize=1)  # whoever asks a note for its name asks for its description next
def _mapping_in(text: str) -> Mapping[str, object]:
    from reme_cli.vault.frontmatter import read  # a search shows notes without reading their frontmatter

    return read(text)


def one_line(value: object) -> str:
    """A scalar as text on one line, outer space removed; empty for everything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def aliases_of(value: object) -> tuple[str, ...]:
    """The names in a frontmatter value: every scalar of a list, or one string. In order, without repetition."""
    values = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(alias for alias in map(one_line, values) if alias))


def tags_of(value: object) -> tuple[str, ...]:
    """The tags in a frontmatter value, without `#`. In order, without repetition."""
    if isinstance(value, list):
        words = [one_line(item) for item in value]
    else:
        words = re.split(r"[,\s]+", one_line(value))
    return tuple(dict.fromkeys(tag for tag in (word.lstrip("#").strip() for word in words) if tag))
