"""The name of a note or of a folder with notes cannot be held by every system, or not be linked.

## Why

A vault is cloned to Windows, synchronised to a phone, published under a URL. Windows reserves some characters and
names, and drops a dot or space at the end; `#`, `[[` and `]]` have a meaning in a wikilink. A name stored in decomposed
Unicode (as some Macs write it) is another name to git and Linux than the same one typed there. A path of more than 240
characters leaves too little of the 260 that Windows allows, and a name of more than 255 bytes cannot be checked out
on Linux.

## Bad

```text
digest/wiki/what is jwt?.md
digest/wiki/C#.md
digest/wiki/aux.md
```

## Good

```text
digest/wiki/what-is-jwt.md
digest/wiki/c-sharp.md
digest/wiki/auxiliary.md
```

## Fix

None: the file has to be renamed together with the links to it. A folder is told once, at the first note below it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule, no_notes
from reme_cli.vault.paths import MAX_COMPONENT_BYTES, NOTE_SUFFIX, flaw_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

MAX_PATH_UNITS: Final = 240
"""UTF-16 units of a path in the vault: Windows counts 260 from the drive on."""

_NOT_UTF8: Final = "the name is not UTF-8"
"""As `vault.walk` says it."""


def _check(survey: Survey) -> Iterator[Problem]:
    told: set[str] = set()
    for path in survey.paths:
        *folders, name = path.split("/")
        place = ""
        for component in folders:
            place += f"{component}/"
            if place not in told:
                told.add(place)
                yield from _flaws(path, component)
        yield from _flaws(path, name)
        if len(path) > MAX_PATH_UNITS // 2 and len(path.encode("utf-16-le")) // 2 > MAX_PATH_UNITS:
            yield Problem(path, values={"limit": MAX_PATH_UNITS}, message="long-path")
    yield from _on_disk(survey)


def _flaws(note: str, component: str) -> Iterator[Problem]:
    flaw = flaw_of(component)
    if flaw is not None:
        yield Problem(note, values={"name": component}, message="default" if flaw == "reserved" else flaw)
    elif component.endswith(f" {NOTE_SUFFIX}"):
        yield Problem(note, values={"name": component}, message="space")
    elif len(component.encode()) > MAX_COMPONENT_BYTES:
        yield Problem(note, values={"limit": MAX_COMPONENT_BYTES}, message="long-name")


def _on_disk(survey: Survey) -> Iterator[Problem]:
    """Names that the disk spells otherwise than a path does."""
    told: set[str] = set()
    for note in survey.listing.notes:
        if note.disk_path == note.path:
            continue
        components = zip(note.path.split("/"), note.disk_path.split("/"), strict=True)
        place = ""
        for component, on_disk in components:
            place += f"{component}/"
            if component != on_disk and place not in told:
                told.add(place)
                yield Problem(note.path, values={"name": component}, message="decomposed")
    for skipped in survey.listing.skipped:
        if skipped.reason == _NOT_UTF8:
            yield Problem(skipped.path, values={"name": skipped.path}, message="not-utf8")


RULE = Rule(
    code="S002",
    slug="unportable-name",
    severity="warning",
    messages={
        "default": {
            "en": '`{name}` contains one of `<>:"|?*\\`, which Windows reserves; rename it',
            "zh": '`{name}` 含有 Windows 保留的字符（`<>:"|?*\\`）；请改名',
        },
        "control": {
            "en": "`{name}` contains an invisible control character; rename it",
            "zh": "`{name}` 含有不可见的控制字符；请改名",
        },
        "ending": {
            "en": "`{name}` ends in a dot or a space, which Windows drops; rename it",
            "zh": "`{name}` 以点或空格结尾，Windows 会丢掉它；请改名",
        },
        "space": {
            "en": "`{name}` has a space before `.md`, which links drop; rename it",
            "zh": "`{name}` 在 `.md` 前有空格，链接会丢掉它；请改名",
        },
        "beginning": {
            "en": "`{name}` begins with a space, which links drop; rename it",
            "zh": "`{name}` 以空格开头，链接会丢掉它；请改名",
        },
        "device": {
            "en": "`{name}` is the name of a device on Windows; rename it",
            "zh": "`{name}` 是 Windows 的设备名；请改名",
        },
        "mark": {
            "en": "`{name}` cannot be linked, since `#`, `[[` and `]]` have a meaning in a link; rename it",
            "zh": "`{name}` 无法被链接，因为 `#`、`[[`、`]]` 在链接里有特殊含义；请改名",
        },
        "long-name": {
            "en": "the name is longer than {limit} bytes, the most that Linux and git hold; shorten it",
            "zh": "名称超过 {limit} 字节，Linux 和 git 无法保存；请缩短",
        },
        "long-path": {
            "en": "the path is longer than {limit} characters, too much for Windows; shorten a name in it",
            "zh": "路径超过 {limit} 个字符，Windows 无法使用；请缩短其中的名称",
        },
        "decomposed": {
            "en": "the disk spells `{name}` in decomposed Unicode (NFD), another name to git and Linux; rename it to NFC",
            "zh": "磁盘上的 `{name}` 是分解形式的 Unicode（NFD），对 git 和 Linux 是另一个名称；请改成 NFC",
        },
        "not-utf8": {
            "en": "the name `{name}` is not UTF-8, so reme leaves the file out; rename it",
            "zh": "名称 `{name}` 不是 UTF-8，reme 会跳过这个文件；请改名",
        },
    },
    check=_check,
    from_notes=True,
    concerned=no_notes,
)
