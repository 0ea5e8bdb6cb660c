"""What is known of a whole vault before anything is decided about one note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.linking.forked import mapped
from reme_cli.linking.lexicon import lexicon_of
from reme_cli.linking.links import Links
from reme_cli.linking.pairs import Weigher
from reme_cli.linking.reading import Reader
from reme_cli.linking.spelling import misspelt
from reme_cli.linking.usage import Usage
from reme_cli.lint.collector import paused_collector

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reme_cli.index.index import Index
    from reme_cli.linking.reading import Reading
    from reme_cli.linking.shown import LinkRow
    from reme_cli.vault.vault import Vault


class Survey:
    """The names of a vault, what each note holds of them, and how the vault uses them."""

    def __init__(self, vault: Vault, index: Index) -> None:
        self.vault = vault
        self.index = index
        self.readings: dict[str, Reading] = {}
        with paused_collector():  # nearly all that is made here stays
            self._links = Links(index)
            self.lexicon = lexicon_of(vault, index, self._links)
            self.reader = Reader(vault, self.lexicon)
            paths = tuple(index.stamps())
            with mapped(self._read, paths) as readings:
                # while others read
                self.misspelt = misspelt(index, self.lexicon)
                """By note, the names that it may spell nearly right."""
                self.usage = Usage(self.lexicon, self._kept(paths, readings))
            self.weigher = Weigher(self.lexicon, self.usage, self.readings.get)

    def links(self, path: str) -> Sequence[LinkRow]:
        """The links of a note that may spell a name nearly right, in order."""
        return self._links.of(path)

    def _kept(self, paths: Iterable[str], readings: Iterable[Reading | None]) -> Iterator[Reading]:
        for path, reading in zip(paths, readings, strict=True):
            if reading is not None:
                self.readings[path] = reading
                yield reading
            if path not in self.misspelt:
                self._links.forget(path)

    def _read(self, path: str) -> Reading | None:
        return self.reader.read(path, self._links.of(path))

    def renew(self, path: str) -> Reading | None:
        """Reads a note again that was changed since; how the vault uses its names is not counted again."""
        self.index.update([path])
        self._links.renew(self.index, path)
        reading = self._read(path)
        if reading is None:
            self.readings.pop(path, None)
        else:
            self.readings[path] = reading
        self.weigher.forget()
        return reading
