"""Vault-relative paths as text: which are safe, which are portable, and how a title becomes a file name."""

from __future__ import annotations

import os
import re
import unicodedata
from typing import Final, Literal

from reme_cli.errors import PathRefused
from reme_cli.regex import regex

NOTE_SUFFIX: Final = ".md"

MAX_COMPONENT_BYTES: Final = 255
"""NAME_MAX of every common file system."""
MAX_PATH_BYTES: Final = 4096
"""PATH_MAX of Linux."""
MAX_SLUG_CHARS: Final = 80
MAX_SLUG_BYTES: Final = 200
"""Leaves room for `.md` and for the name of a temporary file beside the note."""

_WINDOWS_NAMES: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"}
)
_WINDOWS_CHARACTERS: Final = frozenset('<>:"|?*\\')
# Line separators and bidirectional controls make a name that reads as another one.
_DECEPTIVE: Final = regex("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
_SURROGATE: Final = regex("[\ud800-\udfff]")
# Not NFKC, which would also take Thai vowels and ligatures apart.
_HALF_WIDTH: Final = {full: full - 0xFEE0 for full in range(0xFF01, 0xFF5F)}
_NOT_IN_WORD: Final = regex(r"[^a-z0-9]+")
_DRIVE: Final = regex(r"[A-Za-z]:")
_PLAIN_PATH: Final = regex(r"(?:[A-Za-z0-9_][A-Za-z0-9_. -]{0,199}/){0,9}[A-Za-z0-9_][A-Za-z0-9_. -]{0,199}")
"""What most paths are, of which none is refused, unless it is to be portable."""

Flaw = Literal["control", "reserved", "ending", "beginning", "device", "mark"]
_FLAWS: Final[dict[Flaw, str]] = {
    "control": "contains a control character",
    "reserved": 'contains one of `<>:"|?*\\`, which Windows reserves',
    "ending": "ends in a dot or a space, which Windows drops",
    "beginning": "begins with a space, which a wikilink drops",
    "device": "is a device name on Windows",
    "mark": "cannot be linked: `#`, `[[` and `]]` have a meaning in a wikilink",
}


def nfc(text: str) -> str:
    """The text in Unicode normalisation form C, in which all paths and targets are compared."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """The form in which two paths, names or targets are compared without regard to case."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", nfc(text).casefold())


def is_unicode(text: str) -> bool:
    """Whether the text can be encoded; bytes of a file name that do not decode come as lone surrogates."""
    return text.isascii() or _SURROGATE.search(text) is None


def folder_of(path: str) -> str:
    """The folder part of a vault-relative path; empty at the root."""
    return path.rpartition("/")[0]


def name_of(path: str) -> str:
    """The last component of a vault-relative path, extension included."""
    return path.rpartition("/")[2]


def stem_of(path: str) -> str:
    """The last component of a note path without `.md`."""
    return name_of(path).removesuffix(NOTE_SUFFIX)


def check_path(path: str, *, portable: bool = False) -> str:
    """The path as vault-relative POSIX path in NFC; raises `PathRefused` where it cannot be inside a vault.

    `portable` is for names that reme is about to make: it also refuses what Windows, macOS or a wikilink
    cannot hold. Files that exist already may have such names, so reading is lenient.
    """
    if not portable and _PLAIN_PATH.fullmatch(path):
        return path
    return _checked(path, portable=portable)


def _checked(path: str, *, portable: bool) -> str:
    if not path.strip():
        raise PathRefused("the path is empty", hint="Name a file inside the vault.")
    shown = repr(path[:120])[1:-1]
    if "\0" in path:
        raise PathRefused("the path contains a NUL character", where=shown)
    if not is_unicode(path):
        raise PathRefused("the path is not valid Unicode", where=shown, hint="Rename the file.")
    if path.startswith("/"):
        raise PathRefused("an absolute path", where=shown, hint="Paths are relative to the vault's root.")
    foreign = portable or os.sep == "\\"  # on POSIX, `a\b.md` and `C: drive.md` are ordinary existing names
    if foreign and _DRIVE.match(path):
        raise PathRefused(
            "the path names a drive", where=shown, hint="Paths are relative to the vault's root."
        )
    if foreign and "\\" in path:
        raise PathRefused("the path contains a backslash", where=shown, hint="Separate folders with `/`.")
    if path.endswith("/"):
        raise PathRefused("the path names a folder", where=shown, hint="Name a file inside the vault.")
    components = [part for part in nfc(path).split("/") if part not in {"", "."}]
    if not components:
        raise PathRefused(
            "the path names the vault itself", where=shown, hint="Name a file inside the vault."
        )
    if ".." in components:
        raise PathRefused(
            "the path contains `..`", where=shown, hint="Paths are relative to the vault's root."
        )
    for component in components:
        if len(component.encode()) > MAX_COMPONENT_BYTES:
            raise PathRefused(f"a name is longer than {MAX_COMPONENT_BYTES} bytes", where=shown)
        if portable and (flaw := flaw_of(component)):
            raise PathRefused(
                f"`{component}` {_FLAWS[flaw]}", where=shown, hint="Choose a name that every system can hold."
            )
    normal = "/".join(components)
    if len(normal.encode()) > MAX_PATH_BYTES:
        raise PathRefused(f"the path is longer than {MAX_PATH_BYTES} bytes", where=shown)
    return normal


def check_note_path(path: str, *, portable: bool = False) -> str:
    """The path as `check_path` gives it, which must name a note: `*.md`, in no dot-folder."""
    normal = check_path(path, portable=portable)
    if not normal.endswith(NOTE_SUFFIX) or name_of(normal) == NOTE_SUFFIX:
        raise PathRefused("not a note path", where=normal, hint="A note's file name ends in `.md`.")
    if any(component.startswith(".") for component in normal.split("/")):
        raise PathRefused(
            "the path is hidden", where=normal, hint="No note begins with a dot or is in a dot-folder."
        )
    return normal


def flaw_of(component: str) -> Flaw | None:
    """Why not every system can hold a file or folder name, or a wikilink name it; `None` where they can."""
    if _DECEPTIVE.search(component):
        return "control"
    if not _WINDOWS_CHARACTERS.isdisjoint(component):
        return "reserved"
    if component[-1] in ". ":
        return "ending"
    if component[0] == " ":
        return "beginning"
    if component.partition(".")[0].rstrip().lower() in _WINDOWS_NAMES:
        return "device"
    if "#" in component or "[[" in component or "]]" in component:
        return "mark"
    return None


def slugify(name: str) -> str:
    """A file name stem for a title: lower-case words joined by `-`, letters of every script kept.

    It is portable between Linux, macOS and Windows, at most `MAX_SLUG_CHARS` characters and `MAX_SLUG_BYTES`
    bytes, never empty, and its own slug. A title without a letter or digit gives `note-` and a hash of the title.
    """
    folded = unicodedata.normalize("NFC", nfc(name).translate(_HALF_WIDTH).lower())
    # An apostrophe joins: `don't` is one word.
    joined = re.sub("['’ʼ`]", "", folded)
    if joined.isascii():
        separated = _NOT_IN_WORD.sub(" ", joined)
    else:
        # Marks count as letters: Thai and Devanagari vowels, the dots of NFC-less letters.
        separated = "".join(
            character if unicodedata.category(character)[0] in "LNM" else " " for character in joined
        )
    words = [word for word in map(_without_leading_marks, separated.split()) if word]
    slug = _cut("-".join(words))
    if not slug:
        import hashlib  # few titles have no letter

        return f"note-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:8]}"
    return f"{slug}-note" if slug in _WINDOWS_NAMES else slug


def _without_leading_marks(word: str) -> str:
    start = 0
    while start < len(word) and unicodedata.category(word[start])[0] == "M":
        start += 1
    return word[start:]


def _cut(slug: str) -> str:
    """The slug within its limits, cut at a word where that keeps at least half, never before a combining mark."""
    end = min(len(slug), MAX_SLUG_CHARS)
    while len(slug[:end].encode()) > MAX_SLUG_BYTES:
        end -= 1
    if end == len(slug):
        return slug
    if slug[end] != "-" and (boundary := slug.rfind("-", 0, end)) >= end // 2:
        end = boundary
    while end and unicodedata.category(slug[end])[0] == "M":
        end -= 1
    return slug[:end].rstrip("-")
