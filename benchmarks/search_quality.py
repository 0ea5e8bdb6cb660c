"""How well a search finds what is asked for, beside other ways of searching, and what each of its parts is worth.

    python benchmarks/search_quality.py [--work DIR] [--only TEXT …] [--quick]

Without any model. Takes vaults, gold and the scorer from the folder that `REME_SHARED` names, copies what it searches into DIR
(a temporary folder), and prints tables. Baselines are measured where rank-bm25, bm25s, PyStemmer and jieba are installed, and
quoted where not. Exits 1 where a target is missed. Everything takes about ten minutes, `--quick` (every tenth question of the
largest set, no ablation) two.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.quality.ablation import VARIANTS, ranker
from benchmarks.quality.pairs import WORDS, looked_for
from benchmarks.quality.retrieval import baselines, figures
from benchmarks.quality.sets import all_sets
from reme_cli.search.search import search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.quality.ablation import Variant
    from benchmarks.quality.retrieval import Figures
    from benchmarks.quality.sets import QuestionSet
    from reme_cli.index.index import Index

SHARED = Path(os.environ.get("REME_SHARED") or Path(__file__).resolve().parent.parent.parent / "shared")
SCORER = SHARED / "bench" / "score_retrieval.py"
DEPTH = 20
"""Hits that are scored; R@k and nDCG@10 need no more, and MRR is a little less than over all."""
ABLATION_STEP = {"cmrc2018-zh": 12}
"""Of the largest set, every so many-th question takes part in the ablation."""


class Target(NamedTuple):
    """What a set must reach."""

    questions: str
    figure: str
    least: float
    category: str = ""


TARGETS = (
    Target("cmrc2018-zh", "nDCG@10", 0.983),
    Target("locomo", "R@5", 0.89),
    Target("locomo", "MRR", 0.80),
    Target("locomo", "R@5", 0.58, "multi-hop"),
)
SHOWN = (
    ("cmrc2018-zh", "nDCG@10"),
    ("locomo", "R@5"),
    ("locomo", "MRR"),
    ("days", "R@5"),
    ("days", "nDCG@10"),
    ("days, layered", "R@5"),
    ("days, layered", "nDCG@10"),
    ("world-v1", "R@5"),
    ("world-v1", "nDCG@10"),
)
"""Columns of the ablation."""


def main() -> int:
    """Prints the tables that are asked for; 1 where a target is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, help="a folder for the copies, which must not be there yet")
    parser.add_argument("--only", nargs="+", choices=list(TABLES), default=list(TABLES))
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = options.work or Path(temporary) / "work"
        work.mkdir(parents=True)
        began = time.monotonic()
        verdicts: list[tuple[bool, str]] = []
        for name in options.only:
            if not (name == "ablation" and options.quick):
                print(f"\n## {name}\n", flush=True)
                verdicts += TABLES[name](work / name, quick=options.quick)
        print(f"\n## targets ({time.monotonic() - began:.0f} s)\n")
        for passed, text in verdicts:
            print(f"{'PASS' if passed else 'FAIL'}  {text}")
    return 0 if all(passed for passed, _ in verdicts) else 1


def retrieval(work: Path, *, quick: bool) -> Iterator[tuple[bool, str]]:
    """What `reme search` finds for each set, beside the baselines."""
    print(row("set", "search", "R@5", "R@10", "MRR", "nDCG@10"))
    print(row(*["---"] * 6))
    for whole in all_sets(SHARED, work):
        questions = whole.thinned(10) if quick and whole.name in ABLATION_STEP else whole
        own = figures(questions, found, SCORER)
        for name, one in [("reme", own), *baselines(questions, SCORER)]:
            print(
                row(
                    questions.name, name, *(cell(one, figure) for figure in ("R@5", "R@10", "MRR", "nDCG@10"))
                )
            )
        for category, one in own["by"].items() if len(own["by"]) > 1 else ():
            print(
                row(
                    f"{questions.name}: {category}",
                    f"reme ({one['n']})",
                    *(cell(one, figure) for figure in ("R@5", "R@10", "MRR", "nDCG@10")),
                )
            )
        sys.stdout.flush()
        for target in TARGETS:
            if target.questions == questions.name:
                reached = (own["by"][target.category] if target.category else own)[target.figure]
                yield (
                    reached >= target.least,
                    f"{questions.name} {target.category} {target.figure} {reached:.3f}, at least {target.least}".replace(
                        "  ", " "
                    ),
                )


def found(index: Index, text: str) -> list[str]:
    """The paths that `reme search` shows."""
    return [hit.path for hit in search(index, text, limit=DEPTH)]


def ablation(work: Path, *, quick: bool) -> Iterator[tuple[bool, str]]:
    """The same with a part left out, on every set; a part that links or layers bring must not cost more than it gives."""
    del quick
    sets = [one.thinned(ABLATION_STEP.get(one.name, 1)) for one in all_sets(SHARED, work)]
    print(row("", *(f"{name} {figure}" for name, figure in SHOWN)))
    print(row(*["---"] * (1 + len(SHOWN))))
    results: dict[str, dict[tuple[str, str], float]] = {}
    for variant in VARIANTS:
        by_set = {one.name: measured(variant, one) for one in sets}
        results[variant.name] = {(name, figure): by_set[name][figure] for name, figure in SHOWN}
        print(row(variant.name, *(f"{value:.3f}" for value in results[variant.name].values())), flush=True)
    whole, bare = results["as it is"], results["no PPR (α = 1)"]
    linked = [column for column in SHOWN if column[0] not in {"cmrc2018-zh", "locomo"}]
    gain = sum(whole[column] - bare[column] for column in linked) / len(linked)
    yield gain > 0, f"links, walked, add {gain:+.3f} on linked sets"
    for column in SHOWN:
        if column not in linked:
            yield whole[column] == bare[column], f"links change nothing on {column[0]} ({column[1]})"


def measured(variant: Variant, questions: QuestionSet) -> Figures:
    """The figures of a variant; where it cuts notes otherwise, its index is thrown away before and after."""

    def forget() -> None:
        for asked in questions.asked if variant.is_indexed_anew else ():
            shutil.rmtree(asked.vault / "metadata" / "cache", ignore_errors=True)

    forget()
    with variant.replaced():
        one = figures(questions, ranker(variant), SCORER)
    forget()
    return one


def pairs(work: Path, *, quick: bool) -> Iterator[tuple[bool, str]]:
    """Chinese words of two characters."""
    del quick
    shutil.copytree(SHARED / "vaults" / "oldwinter-zh", work)
    looked = looked_for(work)
    print(f"{looked.words - len(looked.missed)} of {looked.words} found")
    if looked.missed:
        print("missed:", " ".join(looked.missed))
    yield not looked.missed and looked.words == WORDS, f"{WORDS} Chinese words of two characters, each found"


def related(work: Path, *, quick: bool) -> Iterator[tuple[bool, str]]:
    """Relations: what sentences state, and questions for it."""
    del work, quick
    from benchmarks.quality import relations

    yield from relations.table()


TABLES: dict[str, Callable[..., Iterator[tuple[bool, str]]]] = {
    "retrieval": retrieval,
    "ablation": ablation,
    "pairs": pairs,
    "relations": related,
}


def row(*cells: str) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def cell(one: Figures, figure: str) -> str:
    """A figure, or a blank where there is none."""
    return f"{one[figure]:.3f}" if figure in one else ""


if __name__ == "__main__":
    sys.exit(main())
