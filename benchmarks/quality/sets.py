"""Questions with the notes that answer them, and the vaults to look for these in; copies, since reme keeps an index in a vault."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

WIKILINK = re.compile(r"!?\[\[([^\]|#]*)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]")
FRONTMATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


class Asked(NamedTuple):
    """Questions to one vault."""

    vault: Path
    questions: dict[str, str]
    """By their names in the gold."""


class QuestionSet(NamedTuple):
    """A set as `score_retrieval.py` takes it, with what is asked of which vault."""

    name: str
    folder: Path
    gold: str
    """File in the folder, beside `vault/`."""
    asked: tuple[Asked, ...]
    is_linked: bool = False

    def thinned(self, step: int) -> QuestionSet:
        """Every so many-th question of the set."""
        lines = (self.folder / self.gold).read_text(encoding="utf-8").splitlines()[::step]
        gold = f"every-{step}-{self.gold}"
        (self.folder / gold).write_text("\n".join(lines) + "\n", encoding="utf-8")
        names = {json.loads(line)["qid"] for line in lines}
        asked = tuple(
            Asked(one.vault, {name: text for name, text in one.questions.items() if name in names})
            for one in self.asked
        )
        return self._replace(gold=gold, asked=asked)


def all_sets(shared: Path, work: Path) -> list[QuestionSet]:
    """The sets, made anew in `work`."""
    retrieval = shared / "gold" / "retrieval"
    return [
        copied("cmrc2018-zh", retrieval / "cmrc2018-zh", work),
        copied("locomo", retrieval / "locomo", work),
        days("days", shared, work, layered=False),
        days("days, layered", shared, work, layered=True),
        world(shared, work),
    ]


def copied(name: str, source: Path, work: Path) -> QuestionSet:
    """A set that is complete in itself: questions in words, notes without links."""
    folder = work / name
    shutil.copytree(source, folder)
    questions = {row["qid"]: row["question"] for row in rows_of(folder / "gold.jsonl")}
    return QuestionSet(name, folder, "gold.jsonl", (Asked(folder / "vault", questions),))


def world(shared: Path, work: Path) -> QuestionSet:
    """Questions about people, companies and meetings, which links connect, as ordinary queries."""
    folder = work / "world"
    shutil.copytree(shared / "vaults" / "world-v1", folder / "vault")
    queries = json.loads((shared / "gold" / "graph" / "world-v1" / "queries.json").read_text("utf-8"))
    gold = [
        _gold(row["id"], row["text"], row["kind"], [f"{path}.md" for path in row["relevant"]])
        for row in queries
    ]
    _write(folder / "gold.jsonl", gold)
    asked = Asked(folder / "vault", {row["qid"]: row["question"] for row in gold})
    return QuestionSet("world-v1", folder, "gold.jsonl", (asked,), is_linked=True)


def days(name: str, shared: Path, work: Path, *, layered: bool) -> QuestionSet:
    """A day's note, its link markup taken out, as the query; the notes that it links to as the answer.

    A vault must not hold the days it is asked about, whose links are the gold; and without days it is no memory. So every
    second day is asked of a vault with the others. `layered`: days are in `daily`, sources in `resource`, other notes in `digest`.
    """
    gold_folder = shared / "gold" / "dream" / "oldwinter-zh"
    days = rows_of(gold_folder / "daily_to_notes.jsonl")
    sources = {row["source"] for row in days}
    folder = work / name.replace(", ", "-")
    whole = folder / "vault"
    shutil.copytree(shared / "vaults" / "oldwinter-zh", whole)
    if layered:
        for path in sorted(whole.rglob("*.md")):
            place = whole / layer_path(path.relative_to(whole).as_posix())
            place.parent.mkdir(parents=True, exist_ok=True)
            path.rename(place)
    gold: list[dict[str, Any]] = []
    asked = []
    for half in (0, 1):
        vault = folder / f"without-{half}"
        shutil.copytree(whole, vault, copy_function=os.link)
        questions = {}
        for day in days[half::2]:
            (vault / (layer_path(day["source"]) if layered else day["source"])).unlink()
            notes = [note for note in day["notes"] if note not in sources and not is_day(note)]
            if notes:
                text = (gold_folder / day["daily"]).read_text(encoding="utf-8")
                questions[day["daily"]] = without_markup(text)
                places = [layer_path(note) for note in notes] if layered else notes
                gold.append(_gold(day["daily"], questions[day["daily"]], "day", places))
        asked.append(Asked(vault, questions))
    _write(folder / "gold.jsonl", gold)
    return QuestionSet(name, folder, "gold.jsonl", tuple(asked), is_linked=True)


def layer_path(path: str) -> str:
    """Where a note of the vault stands in its layered copy."""
    if is_day(path):
        return f"daily/{path}"
    return f"resource/{path}" if path.startswith("Sources/") else f"digest/wiki/{path}"


def is_day(path: str) -> bool:
    """Whether a note of the vault is a day's."""
    return path.startswith("Calendar/Daily notes/")


def without_markup(text: str) -> str:
    """A note's body with links as what they show: no target, no brackets."""
    return WIKILINK.sub(
        lambda link: link[2] or link[1].rsplit("/", 1)[-1], FRONTMATTER.sub("", text, count=1)
    )


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _gold(name: str, question: str, category: str, evidence: Sequence[str]) -> dict[str, Any]:
    return {"qid": name, "question": question, "category": category, "scope": "", "evidence": list(evidence)}


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
