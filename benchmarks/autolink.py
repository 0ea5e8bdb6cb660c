"""How well `auto_link` finds what people had linked, and how fast.

    python benchmarks/autolink.py [--fit] [--curve FILE.svg] [--speed VAULT…] [--sample NUMBER VAULT FILE] [--threshold NAME]

Needs the vaults, the gold and the scorer of `REME_SHARED` (default: `../shared`). Prints for every vault, all links turned into
text and half of them, and every threshold: lenient precision, precision, recall and F1 of pairs, recall of inline links, files
whose text changed, and links that a second run adds. Then, from the weights as they are: the figures over thresholds.

`--fit` fits the weights anew and prints their table and the figures of each vault by the weights that the others give.
`--sample` writes so many of the links that a run, `strict` unless `--threshold` names another, adds to a vault as it is, drawn by a fixed seed, each with its line, for
somebody to judge: the right note in the right sense?
`--speed` times one whole pass over a copy of each vault beside Aho–Corasick alone over the same texts and names.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

# the project need not be installed
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.quality.mentions import GOLD, WORLD, Sample, figures, fit, gold_folder, sample
from reme_cli.changeset.run import start_run
from reme_cli.config.load import load_config
from reme_cli.index.index import Index
from reme_cli.linking.folding import fold_name
from reme_cli.linking.l1_mentions import LinkOptions, link_mentions
from reme_cli.linking.lexicon import automaton, lexicon_of
from reme_cli.linking.links import Links
from reme_cli.linking.weights import BIAS, THRESHOLDS, WEIGHTS
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.linking.report import L1Report
    from reme_cli.linking.weights import Threshold

SHARED = Path(os.environ.get("REME_SHARED") or Path(__file__).resolve().parent.parent.parent / "shared")
_SEED: Final = 1
_AROUND: Final = 100
"""Characters that are shown on each side of a link that is to be judged."""
STEPS = [number / 20 for number in range(1, 20)]


def main() -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--curve", metavar="FILE.svg", type=Path)
    parser.add_argument("--speed", nargs="*", metavar="VAULT", type=Path)
    parser.add_argument("--sample", nargs=3, metavar=("NUMBER", "VAULT", "FILE"))
    parser.add_argument("--threshold", choices=THRESHOLDS, default="strict")
    options = parser.parse_args()
    if options.sample is not None:
        number, source, out = options.sample
        Path(out).write_text(drawn_links(Path(source), int(number), options.threshold), encoding="utf-8")
        return 0
    if options.speed is not None:
        for vault in options.speed:
            _speed(vault)
        return 0
    if not (SHARED / "gold" / "autolink").is_dir():
        print(f"no gold at {SHARED}: set REME_SHARED to its folder")
        return 1
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory() as made:
        work = Path(made)
        for name in (*GOLD, WORLD):
            for half in (False, True):
                folder = gold_folder(SHARED, work, name, half=half)
                samples.append(sample(folder, folder.name))
                if not options.fit:
                    _score(folder, work)
    if options.fit:
        _fit(samples)
    else:
        _curve(samples, options.curve)
    return 0


def link(root: Path, threshold: Threshold, *, dry_run: bool = False) -> L1Report:
    """A whole run on a vault."""
    vault = Vault(root, load_config(root, {}, None).config)
    with Index.open(vault) as index, start_run(vault, "auto_link l1") as run:
        return link_mentions(vault, index, None, LinkOptions(threshold=threshold, dry_run=dry_run), run)


def drawn_links(source: Path, number: int, threshold: Threshold) -> str:
    """Some of the links that a run adds to a copy of a vault, one a line: the note, the note linked, and the line around it."""
    with tempfile.TemporaryDirectory() as made:
        root = Path(made) / source.name
        shutil.copytree(source, root)
        links = link(root, threshold, dry_run=True).linked
        drawn = random.Random(_SEED).sample(links, min(number, len(links)))
        rows = []
        for each in sorted(drawn, key=lambda linked: (linked.path, linked.line, linked.col)):
            line = (root / each.path).read_bytes().decode().split("\n")[each.line - 1]
            start, end = each.col - 1, each.col - 1 + len(each.mention)
            before, after = line[max(0, start - _AROUND) : start], line[end : end + _AROUND]
            rows.append(f"- {each.path} → {each.target}: {before}⟦{each.mention}⟧{after}\n")
    head = f"# {len(drawn)} of {len(links)} links that a run adds to {source.name}, {threshold}\n\n"
    return head + "".join(rows)


def _score(folder: Path, work: Path) -> None:
    for threshold in THRESHOLDS:
        linked = work / "linked"
        shutil.rmtree(linked, ignore_errors=True)
        shutil.copytree(folder / "vault_stripped", linked)
        shutil.rmtree(linked / "metadata", ignore_errors=True)
        link(linked, threshold)
        again = len(link(linked, threshold, dry_run=True).linked)
        command = [
            sys.executable,
            str(SHARED / "bench" / "score_autolink.py"),
            str(folder),
            "--linked",
            str(linked),
        ]
        told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        pair = told["pair"]
        print(
            f"{folder.name:18} {threshold:9} lenient {told['lenP']:.3f}  pair {pair['P']:.3f} {pair['R']:.3f} {pair['F1']:.3f}"
            f"  inline {told['R_by_kind'].get('inline', 0):.3f}  corrupted {told['corrupted']}  second run {again}",
            flush=True,
        )


def _curve(samples: Sequence[Sample], picture: Path | None) -> None:
    weights = (BIAS, list(WEIGHTS))
    print("\nprecision / recall of pairs by the threshold of the score")
    print(f"{'':6}" + "".join(f"{each.name:>20}" for each in samples))
    lines: dict[str, list[tuple[float, float]]] = {each.name: [] for each in samples}
    for step in STEPS:
        row = [figures(each, weights, step) for each in samples]
        print(f"{step:<6}" + "".join(f"{one.precision:>12.3f} / {one.recall:.3f}" for one in row))
        for each, one in zip(samples, row, strict=True):
            lines[each.name].append((one.recall, one.precision))
    if picture is not None:
        picture.write_text(_drawn(lines), encoding="utf-8")


def _drawn(lines: dict[str, list[tuple[float, float]]]) -> str:
    """Precision over recall as SVG."""
    size, edge = 480, 40
    colours = ("#0b62a4", "#7a92a3", "#4da74d", "#afd8b0", "#cb4b4b", "#e9a3a3", "#9440ed", "#c9a0f0")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size + 180}" height="{size}" font-family="sans-serif" font-size="11">',
        f'<rect x="{edge}" y="{edge}" width="{size - 2 * edge}" height="{size - 2 * edge}" fill="none" stroke="#999"/>',
        f'<text x="{size / 2 - 20}" y="{size - 12}">recall</text><text x="4" y="{edge - 10}">precision</text>',
    ]
    span = size - 2 * edge
    for number in range(0, 11, 2):
        place = edge + span * number / 10
        parts.append(f'<text x="{place - 8}" y="{size - edge + 14}">{number / 10}</text>')
        parts.append(f'<text x="{edge - 22}" y="{size - place + 4}">{number / 10}</text>')
    for number, (name, points) in enumerate(lines.items()):
        colour = colours[number % len(colours)]
        drawn = " ".join(f"{edge + span * x:.1f},{size - edge - span * y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(f'<text x="{size - 10}" y="{edge + 16 * number}" fill="{colour}">{name}</text>')
    return "\n".join((*parts, "</svg>", ""))


def _fit(samples: Sequence[Sample]) -> None:
    bias, weights = fit(samples)
    print(f"BIAS: Final = {bias:.2f}\nWEIGHTS: Final = Features(")
    for name, weight in zip(WEIGHTS._fields, weights, strict=True):
        print(f"    {name}={weight:.2f},")
    print(
        ")\n\nby the weights that the other vaults give: precision, recall and F1 of pairs, balanced; the best F1"
    )
    for name in (*GOLD, WORLD):
        others = fit([each for each in samples if not each.name.endswith(name)])
        for each in samples:
            if each.name.endswith(name):
                told = figures(each, others, THRESHOLDS["balanced"])
                best = max(figures(each, others, step).f1 for step in STEPS)
                print(
                    f"{each.name:18} {told.precision:.3f} {told.recall:.3f} {told.f1:.3f}   {best:.3f}",
                    flush=True,
                )


def _speed(source: Path) -> None:
    with tempfile.TemporaryDirectory() as made:
        root = Path(made) / "vault"
        shutil.copytree(source, root)
        vault = Vault(root, load_config(root, {}, None).config)
        with Index.open(vault) as index:
            keys = lexicon_of(vault, index, Links(index)).keys
            paths = tuple(index.stamps())
        start = os.times()
        machine = automaton(keys)
        for path in paths:
            machine.find_matches_as_indexes(
                fold_name((root / path).read_text(encoding="utf-8")), overlapping=True
            )
        middle = os.times()
        report = link(root, "balanced", dry_run=True)
        end = os.times()
    floor, whole = middle.elapsed - start.elapsed, end.elapsed - middle.elapsed
    cpu = sum(end[:4]) - sum(middle[:4])
    print(
        f"{source.name}: {len(paths)} notes, {len(keys)} names; Aho–Corasick alone {floor:.2f} s, whole pass {whole:.2f} s"
        f" ({whole / floor:.1f} ×; {cpu:.2f} s of CPU; {1000 * whole / len(paths):.2f} ms a note), {len(report.linked)} links,"
        f" {(len(report.linked) + len(report.left)) / len(paths):.1f} mentions linked or left a note,"
        f" {_peak(resource.RUSAGE_SELF):.0f} MB at most, {_peak(resource.RUSAGE_CHILDREN):.0f} MB in another process"
    )


def _peak(whose: int) -> float:
    """The most memory in MB, what processes share counted in each."""
    return resource.getrusage(whose).ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))


if __name__ == "__main__":
    sys.exit(main())
