"""Chinese words of two characters: whether a search finds a note that has them."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.config import Config
from reme_cli.errors import NoteError
from reme_cli.index.index import Index
from reme_cli.search.search import search
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from pathlib import Path

STANDING_ALONE = re.compile(r"(?<![\u4e00-\u9fff])[\u4e00-\u9fff]{2}(?![\u4e00-\u9fff])")
WORDS = 500
MOST_NOTES = 10
SEED = 7


class Looked(NamedTuple):
    """What looking for the words gave."""

    words: int
    missed: list[str]


def looked_for(root: Path) -> Looked:
    """Looks for words of two characters that few notes have.

    A word is taken from where it stands alone, between characters of no other kind: as a name, a tag, an item of a list. So it
    is one, without a dictionary. It counts as found when a note whose text has the characters is among the first ten.
    """
    vault = Vault(root, Config())
    texts = {}
    for path in vault.note_paths():
        try:
            texts[path] = vault.read(path).text
        except NoteError:
            continue
    candidates = {word for text in texts.values() for word in STANDING_ALONE.findall(text)}
    having = {word: {path for path, text in texts.items() if word in text} for word in candidates}
    rare = sorted(word for word, paths in having.items() if len(paths) <= MOST_NOTES)
    words = random.Random(SEED).sample(rare, min(WORDS, len(rare)))
    with Index.open(vault) as index:
        missed = [word for word in words if not {hit.path for hit in search(index, word)} & having[word]]
    return Looked(len(words), missed)
