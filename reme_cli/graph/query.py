"""Which note a person means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.vault.paths import NOTE_SUFFIX, fold, nfc

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def find_notes(text: str, notes: Collection[str], titles: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The notes that a person may mean by this text, sorted; one if it is a note's path, with or without `.md`.

    Else those whose path ends in it at a folder boundary, and those with such a title. `titles` are pairs of a name or
    alias and the note's path, looked at only when needed. Case and Unicode form make no difference, but a path
    as it is spelled wins over one in another case.
    """
    wanted = nfc(text.strip()).removeprefix("/").removeprefix("./")
    folded = fold(wanted)
    spellings = {folded, folded + NOTE_SUFFIX}
    exact = sorted(path for path in notes if fold(path) in spellings)
    if exact:
        spelled = [path for path in exact if path in {wanted, wanted + NOTE_SUFFIX}]
        return tuple(spelled[:1] or exact)
    tails = tuple("/" + spelling for spelling in spellings)
    short = {path for path in notes if fold(path).endswith(tails)}
    titled = {path for title, path in titles if fold(title.strip()) == folded}
    return tuple(sorted(short | titled))
