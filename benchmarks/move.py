"""Renames many notes and folders of a copy of a vault, and compares what every link means with what it meant before.

    python benchmarks/move.py [VAULT…] [--notes 200] [--folders 20] [--seed 1]

A vault without folders gets some first, by moves of notes that count as well. The vaults are by default three of `REME_SHARED` (default: `../shared`). For each: after all moves the resolved edges, attachments included, must be the old ones under the renaming, nothing but
link targets and `name` may differ in any text, and lint must find nothing that it did not find before. Then every move is
undone, and each byte must be as it was.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

# the project need not be installed
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reme_cli.changeset.run import start_run
from reme_cli.changeset.undo import undo
from reme_cli.config.load import load_config
from reme_cli.errors import FrontmatterError, NoteError, Refused
from reme_cli.graph.edge import attachments_among, occurrences_among
from reme_cli.index.index import Index
from reme_cli.lint.moment import moment_of
from reme_cli.lint.request import Lint, Request
from reme_cli.maintain.move import move
from reme_cli.maintain.place import Place, destination, existing
from reme_cli.vault import frontmatter
from reme_cli.vault.paths import folder_of, name_of, stem_of
from reme_cli.vault.resolve import Names
from reme_cli.vault.vault import Vault
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROJECT = Path(__file__).resolve().parent.parent
VAULTS = ("handbook", "foam-docs", "oldwinter-zh")

STEMS = (
    "New name {}",
    "新的名字 {}",
    "v{}.2 final",
    "it's number {}",
    "a, b & c ({})",
    "Überblick {}",
    "50% of {}",
    "one]two {}",
    "new-name-{}",
)
"""What notes are called afterwards: spaces, CJK, dots, and characters that mean something in YAML or in a destination."""

FOLDERS = ("Moved {}", "文件夹 {}", "v{}.0", "deep/er {}/still")

ENOUGH = 6
"""A vault with fewer folders gets some by moving notes into new ones first."""
NOTES_FILED = 4


TOLD_OF_ONE = frozenset({"F005"})
"""The rules on notes that have something in common, told of one of them."""


class Meaning(NamedTuple):
    """One link: where it stands, what it leads to, and by which predicate."""

    source: str
    target: str
    predicate: str | None


def open_vault(root: Path) -> Vault:
    """The vault at a root, with its configuration and no variable of the environment."""
    return Vault(root, load_config(root, {}).config)


def meanings(vault: Vault) -> Counter[Meaning]:
    """What every link of a vault means, attachments included, read from disk."""
    listing = vault.listing()
    names = Names((note.path for note in listing.notes), listing.files)
    found: Counter[Meaning] = Counter()
    for path, text in texts(vault).items():
        links = scan(text).links
        for each in occurrences_among(path, links, names):
            target = each.edge.target if each.edge.resolved else f"nowhere: {each.edge.target}"
            found[Meaning(path, target, each.edge.predicate)] += 1
        for reference in attachments_among(path, links, names):
            target = reference.target if reference.resolved else f"nowhere: {reference.target}"
            found[Meaning(path, target, reference.link.predicate)] += 1
    return found


def under(renames: Mapping[str, str], before: Counter[Meaning]) -> Counter[Meaning]:
    """The meanings with each path replaced by its new one."""
    after: Counter[Meaning] = Counter()
    for (source, target, predicate), count in before.items():
        after[Meaning(renames.get(source, source), renames.get(target, target), predicate)] += count
    return after


def texts(vault: Vault) -> dict[str, str]:
    """The text of each note that can be read."""
    found = {}
    for path in vault.note_paths():
        try:
            found[path] = vault.read(path).text
        except NoteError:
            continue
    return found


def without_targets(text: str) -> str:
    """A note's text with the target of each link, and the value of `name`, left out."""
    parts, at = [], 0
    for start, end in sorted({(link.target_start, link.target_end) for link in scan(text).links}):
        parts.append(text[at:start])
        at = end
    bare = "".join((*parts, text[at:]))
    try:
        return frontmatter.update(bare, {"name": "-"}) if "name" in frontmatter.read(bare) else bare
    except FrontmatterError:
        return bare


def findings(vault: Vault) -> Counter[tuple[str, str]]:
    """Code and path of everything that lint finds."""
    with Index.open(vault) as index:
        report = Lint(index, Request(), moment_of(vault, "2026-06-20")).report()
        return Counter((finding.code, finding.path) for finding in report.findings)


def contents(root: Path) -> dict[str, bytes]:
    """The bytes of every file but those of reme itself, and a mark for every folder."""
    found = {}
    for here, folders, names in os.walk(root):
        if here == str(root) and "metadata" in folders:
            folders.remove("metadata")
        inside = Path(here).relative_to(root)
        found[f"{inside}/"] = b""
        found |= {str(inside / name): (Path(here) / name).read_bytes() for name in names}
    return found


def folders_of(vault: Vault) -> list[str]:
    """The folders that hold a note, sorted."""
    return sorted({folder_of(path) for path in vault.note_paths()} - {""})


def filing(vault: Vault, there: int, enough: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Moves of notes into new folders, until a flat vault has enough of them to move."""
    for number in range(there, enough):
        notes = vault.note_paths()
        for path in chance.sample(notes, min(len(notes), NOTES_FILED)):
            yield path, f"Filed {number}/{name_of(path)}"


def wishes(vault: Vault, notes: int, folders: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """What is to move, and where to: at each call of things as they are by then."""
    for number in range(notes):
        path = chance.choice(vault.note_paths())
        stem, folder = stem_of(path), folder_of(path)
        if number % 7 == 0 and stem.swapcase() != stem:
            yield path, f"{folder}/{stem.swapcase()}.md".lstrip("/")
            continue
        others = sorted({folder_of(other) for other in vault.note_paths()})
        where = folder if number % 3 else chance.choice(others)
        new = STEMS[number % len(STEMS)].format(number) if number % 5 or where == folder else stem
        yield path, f"{where}/{new}.md".lstrip("/")
    yield from filing(vault, len(folders_of(vault)), min(folders, ENOUGH), chance)
    for number in range(folders):
        found = folders_of(vault)
        if not found:
            return
        folder = chance.choice(found)
        if number % 4 == 0 and (name := name_of(folder)).swapcase() != name:
            yield folder, f"{folder_of(folder)}/{name.swapcase()}".lstrip("/")
            continue
        yield folder, FOLDERS[number % len(FOLDERS)].format(number)


class Outcome(NamedTuple):
    """What the moves of one vault came to; every list is of what is wrong."""

    notes: int
    """How many moves of a note came about."""
    folders: int
    refused: list[str]
    seconds: float
    meanings: list[str]
    texts: list[str]
    findings: list[str]
    bytes: list[str]

    @property
    def moved(self) -> int:
        """How many moves came about."""
        return self.notes + self.folders

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.meanings or self.texts or self.findings or self.bytes)


def moved_and_undone(root: Path, notes: int, folders: int, seed: int) -> Outcome:
    """Moves notes and folders of the vault at `root`, which is changed, compares, and undoes."""
    vault = open_vault(root)
    known, meant, said, told = contents(root), meanings(vault), texts(vault), findings(vault)
    origin: dict[str, str] = {path: path for path in (*said, *vault.listing().files)}
    refused = []
    runs = []
    moved_folders = 0
    began = time.perf_counter()
    for old, new in wishes(vault, notes, folders, random.Random(seed)):
        try:
            place: Place = existing(vault, old, root)
            with start_run(vault, "maintain mv") as run:
                done = move(vault, place, destination(vault, new, place), run)
        except Refused as error:
            refused.append(f"{old} → {new}: {error.one_line}")
            continue
        runs.append(run.id)
        moved_folders += place.is_folder
        renames = {**done.notes, **done.files}
        origin = {first: renames.get(now, now) for first, now in origin.items()}
    seconds = time.perf_counter() - began
    expected, found = under(origin, meant), meanings(vault)
    now = texts(vault)
    wanted = Counter({(code, origin.get(path, path)): count for (code, path), count in told.items()})
    outcome = Outcome(
        notes=len(runs) - moved_folders,
        folders=moved_folders,
        refused=refused,
        seconds=seconds,
        meanings=[
            *(f"- {each}" for each in sorted((expected - found).elements(), key=str)),
            *(f"+ {each}" for each in sorted((found - expected).elements(), key=str)),
        ],
        texts=[
            path for path, text in said.items() if without_targets(text) != without_targets(now[origin[path]])
        ],
        findings=_new(findings(vault), wanted),
        bytes=[],
    )
    for run_id in reversed(runs):
        undo(vault, run_id)
    back = contents(root)
    return outcome._replace(
        bytes=sorted(path for path in {*known, *back} if known.get(path) != back.get(path))
    )


def _new(found: Counter[tuple[str, str]], wanted: Counter[tuple[str, str]]) -> list[str]:
    """The findings that are new. Of notes of one name, the one whose path sorts last is told of, which may be another one by now."""
    new, gone = found - wanted, wanted - found
    elsewhere = Counter(code for code, _ in gone.elements() if code in TOLD_OF_ONE)
    told = []
    for code, path in sorted(new.elements()):
        if elsewhere[code]:
            elsewhere[code] -= 1
        else:
            told.append(f"{code} {path}")
    return told


def main() -> int:
    """Runs all and prints what is wrong; 1 if anything is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("vaults", nargs="*", type=Path)
    parser.add_argument("--notes", type=int, default=200)
    parser.add_argument("--folders", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    shared = Path(os.environ.get("REME_SHARED") or PROJECT.parent / "shared") / "vaults"
    is_right = True
    for source in given.vaults or [shared / name for name in VAULTS]:
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch) / "vault"
            shutil.copytree(source, root, ignore=shutil.ignore_patterns("metadata", ".git"))
            for here, _, names in os.walk(root):
                for place in (Path(here), *(Path(here) / name for name in names)):
                    place.chmod(0o755)
            outcome = moved_and_undone(root, given.notes, given.folders, given.seed)
        is_right &= outcome.is_right
        print(
            f"{source.name}: {outcome.notes} moves of notes and {outcome.folders} of folders "
            f"in {outcome.seconds:.1f} s, {len(outcome.refused)} refused"
        )
        for name in ("refused", "meanings", "texts", "findings", "bytes"):
            wrong = getattr(outcome, name)
            print(f"  {name}: {len(wrong)}")
            for line in wrong[:10]:
                print(f"    {line}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
