"""Material on which mentions are judged: vaults whose links people made, turned into text, and what they had linked.

Four vaults of `REME_SHARED`, each in two variants: all links turned into text, or those of every second note only, so that the
vault's own habits can be learnt from the others. Nothing here is used at run time.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import shutil
import subprocess
import sys
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.config.load import load_config
from reme_cli.index.index import Index
from reme_cli.linking.pairs import pairs_in
from reme_cli.linking.placing import places_among
from reme_cli.linking.survey import Survey
from reme_cli.linking.weights import FIXED, WEIGHTS, Features
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

GOLD: Final = ("handbook", "foam-docs", "oldwinter-zh")
WORLD: Final = "world-v1"
_SHARES: Final = {WORLD: 0.5}
"""How much a vault counts in the fit, else 1: the fourth is about names of people and companies only."""
_HALF: Final = 0.6
"""How much its half-linked variant counts."""
_PENALTY: Final = 1 / 0.3
_SMALLEST_SPREAD: Final = 0.1
"""Standard deviation that a feature counts for at least: what hardly ever occurs must not weigh much for a handful of rows."""
_MARKDOWN: Final = re.compile(r"(?<!!)\[([^\[\]\n]+)\]\(([^()\s]+)\)")


class Row(NamedTuple):
    """A pair of notes: whether people had linked the one in the other, and what is known of it."""

    wanted: bool
    features: tuple[float, ...]


class Sample(NamedTuple):
    """What a vault gives: its rows, and how many pairs people had linked, reachable or not."""

    name: str
    rows: tuple[Row, ...]
    wanted: int


class Figures(NamedTuple):
    """Precision, recall and F1 of pairs."""

    precision: float
    recall: float
    f1: float


Weights = tuple[float, list[float]]
"""The bias, then a weight for each feature."""


def gold_folder(shared: Path, work: Path, name: str, *, half: bool) -> Path:
    """A folder as the scorer wants it, with its vault as a copy that may be written."""
    out = work / f"{'half-' if half else ''}{name}"
    if name == WORLD:
        _make_world(shared / "vaults" / WORLD, out, half=half)
        return out
    gold = shared / "gold" / "autolink" / name
    shutil.copytree(gold, out, copy_function=shutil.copyfile)
    for place in (out, *out.rglob("*")):
        place.chmod(0o755 if place.is_dir() else 0o644)
    if half:
        script = shared / "bench" / "make_half.py"
        subprocess.run(
            [sys.executable, script, shared / "vaults" / name, gold, out], check=True, capture_output=True
        )
    return out


def sample(folder: Path, name: str) -> Sample:
    """The rows of a vault."""
    only = folder / "only.json"
    asked = set(json.loads(only.read_text(encoding="utf-8"))) if only.exists() else None
    lines = (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    gold = {(link["file"], link["target"]) for link in map(json.loads, lines)}
    root = folder / "vault_stripped"
    vault = Vault(root, load_config(root, {}, None).config)
    rows: list[Row] = []
    with Index.open(vault) as index:
        survey = Survey(vault, index)
        for reading in survey.readings.values():
            if asked is not None and reading.path not in asked:
                continue
            pairs, _ = pairs_in(reading, survey.lexicon)
            note = vault.read(reading.path)
            spans = reading.places()
            places = places_among(
                note.text, sorted({spans[mention] for pair in pairs for mention in pair.mentions})
            )
            for pair in pairs:
                fit = tuple(mention for mention in pair.mentions if spans[mention] in places)
                if fit:
                    features = survey.weigher.features(reading, pair._replace(mentions=fit))
                    rows.append(Row((note.path, pair.meaning.path) in gold, tuple(map(float, features))))
    wanted = sum(1 for path, _ in gold if asked is None or path in asked)
    return Sample(name, tuple(rows), wanted)


def fit(samples: Iterable[Sample]) -> Weights:
    """The weights of a ridge logistic regression on some samples, each counting alike: Newton's method. Those of `FIXED` stay."""
    fixed = [weight if name in FIXED else 0.0 for name, weight in zip(Features._fields, WEIGHTS, strict=True)]
    rows: list[tuple[float, float, tuple[float, ...], float]] = []
    for each in samples:
        share = _SHARES.get(each.name.removeprefix("half-"), 1.0) * (
            _HALF if each.name.startswith("half-") else 1.0
        )
        rows += [
            (
                share * 1000 / len(each.rows),
                float(row.wanted),
                tuple(0.0 if held else value for held, value in zip(fixed, row.features, strict=True)),
                sum(map(mul, fixed, row.features)),
            )
            for row in each.rows
        ]
    size = len(rows[0][2])
    means = [sum(row[2][i] for row in rows) / len(rows) for i in range(size)]
    spread = [
        max(_SMALLEST_SPREAD, math.sqrt(sum((row[2][i] - means[i]) ** 2 for row in rows) / len(rows)))
        for i in range(size)
    ]
    scaled = [
        (
            weight,
            wanted,
            [1.0, *((value - mean) / unit for value, mean, unit in zip(values, means, spread, strict=True))],
            held,
        )
        for weight, wanted, values, held in rows
    ]
    found = [0.0] * (size + 1)
    for _ in range(12):
        gradient = [0.0] + [_PENALTY * value for value in found[1:]]
        hessian = [[_PENALTY * (i == j and i > 0) for j in range(size + 1)] for i in range(size + 1)]
        for weight, wanted, values, held in scaled:
            chance = 1 / (1 + math.exp(-held - sum(a * b for a, b in zip(found, values, strict=True))))
            slope, bend = weight * (chance - wanted), weight * chance * (1 - chance)
            for i, value in enumerate(values):
                if value:
                    gradient[i] += slope * value
                    line, factor = hessian[i], bend * value
                    for j in range(i + 1):
                        line[j] += factor * values[j]
        step = _solved(hessian, gradient)
        found = [value - change for value, change in zip(found, step, strict=True)]
        if max(map(abs, step)) < 1e-6:
            break
    weights = [value / unit for value, unit in zip(found[1:], spread, strict=True)]
    bias = found[0] - sum(weight * mean for weight, mean in zip(weights, means, strict=True))
    return bias, [weight + held for weight, held in zip(weights, fixed, strict=True)]


def chance(weights: Weights, features: Sequence[float]) -> float:
    """The score of a row."""
    bias, values = weights
    return 1 / (1 + math.exp(-(bias + sum(a * b for a, b in zip(values, features, strict=True)))))


def figures(of: Sample, weights: Weights, threshold: float) -> Figures:
    """How good the pairs are that score so much."""
    chosen = [row.wanted for row in of.rows if chance(weights, row.features) >= threshold]
    right = sum(chosen)
    precision, recall = right / max(1, len(chosen)), right / max(1, of.wanted)
    return Figures(precision, recall, 2 * right / max(1, len(chosen) + of.wanted))


def _solved(lower: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a symmetric system, of which the lower half is given: Cholesky's method."""
    size = len(right)
    root = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = lower[i][j] - sum(root[i][k] * root[j][k] for k in range(j))
            root[i][j] = math.sqrt(max(rest, 1e-12)) if i == j else rest / root[j][j]
    half = [0.0] * size
    for i in range(size):
        half[i] = (right[i] - sum(root[i][k] * half[k] for k in range(i))) / root[i][i]
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (half[i] - sum(root[k][i] * found[k] for k in range(i + 1, size))) / root[i][i]
    return found


def _make_world(source: Path, out: Path, *, half: bool) -> None:
    """The same of a vault whose links are Markdown links; where they stay they become wikilinks with an alias."""
    texts = {
        place.relative_to(source).as_posix(): place.read_text(encoding="utf-8")
        for place in sorted(source.rglob("*.md"))
    }
    gold, only = [], []
    for path, text in texts.items():
        keeps = half and hashlib.sha256(path.encode()).digest()[0] % 2
        pieces: list[str] = []
        at = length = 0
        if not keeps:
            only.append(path)
        for found in _MARKDOWN.finditer(text):
            target = f"{found[2]}.md"
            if target not in texts:
                continue
            label = f"[[{found[2]}|{found[1]}]]" if keeps else found[1]
            pieces += (text[at : found.start()], label)
            length += found.start() - at
            if not keeps:
                gold.append(
                    {
                        "file": path,
                        "start": length,
                        "end": length + len(label),
                        "surface": label,
                        "target": target,
                    }
                )
            length += len(label)
            at = found.end()
        place = out / "vault_stripped" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join((*pieces, text[at:])), encoding="utf-8")
    for link in gold:
        link |= {"kind": "inline", "first": True}
    names = {path: {"title": path.rpartition("/")[2][:-3], "aliases": [], "fmtitle": []} for path in texts}
    (out / "lexicon.json").write_text(json.dumps(names), encoding="utf-8")
    (out / "gold.jsonl").write_text("".join(json.dumps(link) + "\n" for link in gold), encoding="utf-8")
    if half:
        (out / "only.json").write_text(json.dumps(only), encoding="utf-8")
