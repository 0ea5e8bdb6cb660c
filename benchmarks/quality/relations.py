"""What sentences state, and questions asked in words, against gold: predicates that nobody wrote, from the notes' own text.

    python -m benchmarks.quality.relations [--questions FILE] [--errors]

FILE holds a line of JSON for each question: `{"text", "kind", "relevant": [paths without .md]}`. Only the text is given to the search. Edges are
scored as `score_edges.py` does it. Exits 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reme_cli.config import Config
from reme_cli.index.index import Index
from reme_cli.search.answers import answers
from reme_cli.search.question import units_of
from reme_cli.search.seed import seeds
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PROJECT = Path(__file__).resolve().parent.parent.parent
SHARED = Path(os.environ.get("REME_SHARED") or PROJECT.parent / "shared")
GRAPH = SHARED / "gold" / "graph" / "world-v1"
PARAPHRASES = Path(__file__).with_name("world_v1_paraphrases.jsonl")
"""The same relations asked for by somebody who had not seen the phrasing table."""

EDGES_F1 = 0.75
ASKED = (0.92, 0.95)
"""Precision and recall over all answers."""
PARAPHRASED = (0.85, 0.85)
ORDINARY = {"cmrc2018-zh": "cmrc2018-zh", "locomo": "locomo"}

Row = dict[str, Any]


class Score(NamedTuple):
    """How what was found compares with gold."""

    gold: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.gold + self.found) if self.right else 0.0


def score(gold: set[Any], found: set[Any]) -> Score:
    """How a set of findings compares with gold."""
    return Score(len(gold), len(found), len(gold & found))


def table(questions: Path | None = None, *, errors: bool = False) -> Iterator[tuple[bool, str]]:
    """Prints the tables, and gives for each target whether it is reached, and what it is."""
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "world"
        shutil.copytree(SHARED / "vaults" / "world-v1", world)
        _writable(world)
        with Index.open(Vault(world, Config())) as index:
            yield from _edges(index)
            asked = json.loads((GRAPH / "queries.json").read_text(encoding="utf-8"))
            yield from _asked(index, "questions", asked, ASKED, errors=errors)
            given = questions or (PARAPHRASES if PARAPHRASES.exists() else None)
            if given:
                lines = given.read_text(encoding="utf-8").splitlines()
                rows = [json.loads(line) for line in lines if line.strip()]
                yield from _asked(index, "paraphrases", rows, PARAPHRASED, errors=errors)
        yield from _ordinary(Path(folder))


def _edges(index: Index) -> Iterator[tuple[bool, str]]:
    gold = {
        (row["from"], row["to"], row["type"])
        for row in json.loads((GRAPH / "gold-edges.json").read_text(encoding="utf-8"))
    }
    kinds = sorted({kind for *_, kind in gold})
    found = {
        (edge.source.removesuffix(".md"), edge.target.removesuffix(".md"), edge.predicate)
        for edge in index.implied()
        if edge.predicate in kinds
    }
    print("| edges | gold | found | precision | recall | F1 |\n|---|---|---|---|---|---|")
    whole = score(gold, found)
    _row("all", whole, whole.f1)
    for kind in kinds:
        one = score({edge for edge in gold if edge[2] == kind}, {edge for edge in found if edge[2] == kind})
        _row(kind, one, one.f1)
    print()
    yield whole.f1 >= EDGES_F1, f"world-v1, implied edges: F1 ≥ {EDGES_F1}"


def _asked(
    index: Index, name: str, rows: Sequence[Row], least: tuple[float, float], *, errors: bool
) -> Iterator[tuple[bool, str]]:
    by_kind: dict[str, list[Score]] = {}
    for row in rows:
        found = {answer.note.removesuffix(".md") for answer in answers(index, row["text"])}
        gold = set(row["relevant"])
        by_kind.setdefault(row["kind"], []).append(score(gold, found))
        if errors and found != gold:
            print(f"{row['text']}\n    wrong: {sorted(found - gold)}, missed: {sorted(gold - found)}")
    print(f"| {name} | asked | gold | answers | precision | recall | macro P | macro R |")
    print("|---|---|---|---|---|---|---|---|")
    everything = [one for scores in by_kind.values() for one in scores]
    for kind, scores in [("all", everything), *sorted(by_kind.items())]:
        total = _sum(scores)
        macro = [
            sum(values) / len(scores)
            for values in zip(*((s.precision, s.recall) for s in scores), strict=True)
        ]
        print(
            f"| {kind} | {len(scores)} | {total.gold} | {total.found} | {total.precision:.3f} | {total.recall:.3f}"
            f" | {macro[0]:.3f} | {macro[1]:.3f} |"
        )  # fmt: skip
    print()
    total = _sum(everything)
    yield total.precision >= least[0], f"world-v1, {name}: precision ≥ {least[0]}"
    yield total.recall >= least[1], f"world-v1, {name}: recall ≥ {least[1]}"


def _ordinary(folder: Path) -> Iterator[tuple[bool, str]]:
    """Questions that the notes' text answers and no relation between notes: how many are taken for one."""
    print("| ordinary questions | asked | read as a relation | answered |\n|---|---|---|---|")
    answered = 0
    for name in ORDINARY:
        vault = folder / name
        shutil.copytree(SHARED / "gold" / "retrieval" / name / "vault", vault)
        _writable(vault)
        lines = (SHARED / "gold" / "retrieval" / name / "gold.jsonl").read_text(encoding="utf-8").splitlines()
        texts = [json.loads(line)["question"] for line in lines]
        with Index.open(Vault(vault, Config())) as index:
            read = sum(
                any(True for _ in seeds(index, text, units)) for text in texts if (units := units_of(text))
            )
            found = sum(bool(answers(index, text)) for text in texts)
        answered += found
        print(f"| {name} | {len(texts)} | {read} | {found} |")
    print()
    yield answered == 0, "ordinary questions get no answers"


def _sum(scores: Iterable[Score]) -> Score:
    return Score(*(sum(values) for values in zip(*scores, strict=True)))


def _row(name: str, one: Score, f1: float) -> None:
    print(f"| {name} | {one.gold} | {one.found} | {one.precision:.3f} | {one.recall:.3f} | {f1:.3f} |")


def _writable(root: Path) -> None:
    """The shared material is read-only, and so would be its copy."""
    for path in (root, *root.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)


def main() -> int:
    """Prints the tables and what was reached; gives the exit code."""
    parser = argparse.ArgumentParser(
        description="Implied predicates and questions asked in words, against gold."
    )
    parser.add_argument("--questions", type=Path, metavar="FILE", help="paraphrases, a line of JSON each")
    parser.add_argument("--errors", action="store_true", help="print each question that is answered wrongly")
    given = parser.parse_args()
    results = list(table(given.questions, errors=given.errors))
    for reached, target in results:
        print("PASS" if reached else "FAIL", target)
    return 0 if all(reached for reached, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
