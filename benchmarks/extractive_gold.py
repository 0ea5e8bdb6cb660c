"""Dreams whole vaults of real daily notes with the extractive engine, and checks every claim made about it.

    python benchmarks/extractive_gold.py [--days N] [--vault NAME]

For each set of daily notes below `shared/gold/dream` and for the demo: all days are dreamed in a fresh vault, three times more in the
same vault, and once in another fresh vault. Then every digest note is checked: it has a name, a description and a source; its links
resolve; it is in a legal bucket under a portable name; and each sentence of it occurs in a source that it cites. Prints a table, and
exits 1 if anything does not hold. `REME_SHARED` names the folder of shared material.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

# the project need not be installed
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reme_cli.config import Config
from reme_cli.dream.day_topics import read_interests
from reme_cli.dream.extractive.quotation import essence
from reme_cli.dream.options import DreamOptions
from reme_cli.dream.pipeline import dream
from reme_cli.vault.paths import check_note_path, slugify, stem_of
from reme_cli.vault.resolve import Names
from reme_cli.vault.vault import Vault
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

PROJECT = Path(__file__).resolve().parent.parent

MARKER = re.compile(r"^(?:-|\d+\.) ")
APPENDIX = re.compile(r"(?m)^## (?:Related|Sources|相关|来源)$")
SECOND_RUN = 1.0
"""Seconds that a run with nothing to do may take."""


@dataclass(slots=True)
class Result:
    """What dreaming one vault gave. `wrong` holds a line for every claim that does not hold."""

    name: str
    days: int = 0
    inputs: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    buckets: Counter[str] = field(default_factory=Counter)
    notes: int = 0
    sentences: int = 0
    topics: int = 0
    seconds: float = 0.0
    again: float = 0.0
    wrong: list[str] = field(default_factory=list)


def sources_of_daily_notes() -> Iterator[tuple[str, Path]]:
    """The vaults to dream, by name: the demo, and the real ones where they are at hand."""
    yield "demo", PROJECT / "vault_template" / "demo"
    gold = Path(os.environ.get("REME_SHARED") or PROJECT.parent / "shared") / "gold" / "dream"
    for folder in sorted(gold.glob("*")):
        if (folder / "daily").is_dir():
            yield folder.name, folder


def measure(name: str, source: Path, days: int | None) -> Result:
    """Dream the daily notes of `source`, the first `days` days of them, and check what came out."""
    result = Result(name)
    with tempfile.TemporaryDirectory(prefix="reme-gold-") as folder:
        first, other = (copy(source, Path(folder) / place, days) for place in ("first", "other"))
        options = DreamOptions(dates_of(first), engine="extractive")
        result.days, result.inputs = len(options.dates), len(list((first.root / "daily").rglob("*.md")))
        before = {path: first.read(path).text for path in first.note_paths()}

        start = time.perf_counter()
        report = dream(first, options)
        result.seconds = time.perf_counter() - start
        result.actions = Counter(unit.action for unit in report.units)
        if report.exit_code:
            result.wrong += [
                f"exit {report.exit_code}",
                *report.errors,
                *(f"{unit.name}: {unit.reason}" for unit in report.failed_units),
            ]

        written = state(first)
        # the quickest of three: the machine may be busy with something else
        spent = []
        for _ in range(3):
            start = time.perf_counter()
            again = dream(first, options)
            spent.append(time.perf_counter() - start)
            if again.units or state(first) != written:
                result.wrong.append("a further run did something")
        result.again = min(spent)
        if result.again > SECOND_RUN:
            result.wrong.append(f"a run with nothing to do took {result.again:.1f} s")

        dream(other, options)
        differing = sorted(path for path, _ in set(written.items()) ^ set(state(other).items()))
        result.wrong += [f"{path}: other bytes from the same inputs" for path in dict.fromkeys(differing)]
        check(first, before, result)
    return result


def copy(source: Path, target: Path, days: int | None) -> Vault:
    """A fresh vault with the notes of `source`, cut after the first `days` days."""
    for layer in ("daily", "resource", "digest"):
        if (source / layer).is_dir():
            shutil.copytree(source / layer, target / layer, copy_function=shutil.copyfile)
    for place in [target, *target.rglob("*")]:
        place.chmod(0o755 if place.is_dir() else 0o644)
    vault = Vault(target, Config())
    for day in dates_of(vault)[days:] if days else ():
        (target / "daily" / f"{day}.md").unlink(missing_ok=True)
        shutil.rmtree(target / "daily" / f"{day}", ignore_errors=True)
    return vault


def dates_of(vault: Vault) -> tuple[date, ...]:
    """The days that have notes."""
    return tuple(sorted({day for path in vault.note_paths() if (day := vault.day(path))}))


def state(vault: Vault) -> dict[str, str]:
    """The hash of every file that is memory: notes and topics, without what a run keeps for itself."""
    files = (
        file for layer in ("daily", "digest", "resource") for file in sorted((vault.root / layer).rglob("*"))
    )
    return {
        file.relative_to(vault.root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file()
    }


def check(vault: Vault, before: dict[str, str], result: Result) -> None:
    """Look at every digest note that the dream made or changed, and at the daily notes, which it must not have."""
    names = Names(vault.note_paths())
    essences = {path: essence(text) for path, text in before.items()}
    for path in vault.note_paths():
        note = vault.read(path)
        if vault.layer(path) != "digest":
            if vault.day(path) and "/" not in path.removeprefix("daily/"):
                continue  # a day's page has its index block rewritten
            if note.text != before.get(path):
                result.wrong.append(f"{path}: changed")
            continue
        if note.text == before.get(path):
            continue
        result.notes += 1
        result.buckets[vault.bucket(path) or "none"] += 1
        complain = [f"{path}: {what}" for what in faults(vault, path, names)]
        links = scan(note.text).links
        cited = [names.resolve(link, path).path or "" for link in links if link.predicate == "derived_from"]
        known = [essences[source] for source in cited if source in essences] + [essence(before.get(path, ""))]
        body = APPENDIX.split(note.text[scan(note.text).body_start :])[0]
        for line in filter(str.strip, body.splitlines()):
            result.sentences += 1
            if not any(essence(MARKER.sub("", line)) in source for source in known):
                complain.append(f"{path}: not in a source: {line}")
        result.wrong += complain
    for day in dates_of(vault):
        found = read_interests(vault, day.isoformat())
        result.topics += len(found.topics) if found else 0
        for topic in found.topics if found else ():
            if not topic.paths or any(path not in before for path in (topic.evidence, *topic.paths)):
                result.wrong.append(f"topics of {day}: {topic.title} names a note that is none")


def faults(vault: Vault, path: str, names: Names) -> Iterator[str]:
    """What is wrong with a digest note as such."""
    note = vault.read(path)
    for key in ("name", "description"):
        value = note.frontmatter.get(key)
        if not isinstance(value, str) or not value.strip():
            yield f"no {key}"
    if vault.bucket(path) is None:
        yield "in no bucket"
    check_note_path(path, portable=True)
    if slugify(stem_of(path)) != stem_of(path):
        yield "its file name is no slug"
    links = scan(note.text).links
    if not any(link.predicate == "derived_from" for link in links):
        yield "no source"
    for link in links:
        found = names.resolve(link, path)
        if found.path is None:
            yield f"a link leads nowhere: {link.target}"
        elif link.kind == "wikilink" and link.target != found.path:
            yield f"a link is not canonical: {link.target}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--days", type=int, help="only the first N days of each vault")
    parser.add_argument("--vault", help="only this vault")
    options = parser.parse_args()
    results = [
        measure(name, source, options.days)
        for name, source in sources_of_daily_notes()
        if options.vault in {None, name}
    ]
    print(
        f"{'vault':14}{'days':>5}{'inputs':>8}{'create':>8}{'again':>7}{'skip':>6}{'notes':>7}{'lines':>7}{'topics':>8}{'first s':>9}{'second s':>10}{'wrong':>7}"
    )
    for result in results:
        print(
            f"{result.name:14}{result.days:5}{result.inputs:8}{result.actions['CREATE']:8}{result.actions['CORROBORATE']:7}"
            f"{result.actions['SKIP']:6}{result.notes:7}{result.sentences:7}{result.topics:8}{result.seconds:9.1f}{result.again:10.2f}{len(result.wrong):7}"
        )
        print(f"{'':14}{', '.join(f'{bucket} {count}' for bucket, count in sorted(result.buckets.items()))}")
    for result in results:
        for line in result.wrong[:40]:
            print(f"WRONG {result.name}: {line}")
    return 1 if any(result.wrong for result in results) or not results else 0


if __name__ == "__main__":
    sys.exit(main())
