"""What a search finds for the questions of a set, scored by the shared scorer; and what other ways of searching find."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from reme_cli.config import Config
from reme_cli.index.index import Index
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from benchmarks.quality.sets import QuestionSet

    Ranker = Callable[[Index, str], list[str]]
    """From an index and a question to paths, best first."""

Figures = dict[str, Any]

BASELINE_LIBRARIES = ("rank_bm25", "bm25s", "Stemmer", "jieba")
QUOTED = {
    "cmrc2018-zh": {"FTS5 trigram": {"nDCG@10": 0.933}, "FTS5 on character bigrams": {"nDCG@10": 0.984}},
    "locomo": {
        "FTS5 porter": {"R@5": 0.851, "R@10": 0.937, "MRR": 0.753},
        "bm25s + stemmer": {"R@5": 0.875, "R@10": 0.957, "MRR": 0.788},
    },
}
"""What the README beside the scorer says of others, where the libraries to measure them are not installed."""


def figures(questions: QuestionSet, rank: Ranker, scorer: Path) -> Figures:
    """The scorer's figures, those of each category under `by`."""
    run = questions.folder / "run.jsonl"
    with run.open("w", encoding="utf-8") as file:
        for asked in questions.asked:
            with Index.open(Vault(asked.vault, Config())) as index:
                for name, text in asked.questions.items():
                    row = {"qid": name, "ranked": rank(index, text)}
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return scored(questions, scorer, "--run", str(run), "--bycat")[0][1]


def baselines(questions: QuestionSet, scorer: Path) -> list[tuple[str, Figures]]:
    """The figures of other ways of searching: measured, or quoted."""
    if questions.is_linked:
        return []
    if all(map(importlib.util.find_spec, BASELINE_LIBRARIES)):
        return scored(questions, scorer, *(["--zh"] if questions.name.endswith("-zh") else []))
    return [(f"{name} (quoted)", figures) for name, figures in QUOTED[questions.name].items()]


def scored(questions: QuestionSet, scorer: Path, *options: str) -> list[tuple[str, Figures]]:
    """What the scorer prints, by line."""
    line = [
        sys.executable,
        str(scorer),
        str(questions.folder),
        "--gold",
        questions.gold,
        "--pooled",
        *options,
    ]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    found = []
    for row in done.stdout.splitlines():
        name, brace, rest = row.partition("{")
        if brace and not row.startswith("#"):
            found.append((name.strip(), json.loads(brace + rest)))
    return found
