"""A script for the scripted server that does what the prompts ask, by simple rules: no judgement, but legal answers.

It names one unit for each piece of material, makes a note of a unit or adds a source to a note of that name, and chooses
the first topics. Tests and benchmarks replace single answers of it by faulty ones.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Literal

from reme_cli.vault.paths import slugify
from tests.scripted_model import Reply, Request, calls, json_text

if TYPE_CHECKING:
    from collections.abc import Mapping

Role = Literal["extract", "integrate", "topics"]

UNITS_PER_NOTE = 3

_MATERIAL = re.compile(r'^<<<MATERIAL (\w+) ("[^\n]*")\n(.*?)\n?^MATERIAL \1>>>', re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{2,}")
_COMMON = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "that",
        "this",
        "from",
        "are",
        "was",
        "not",
        "but",
        "has",
        "have",
        "you",
        "all",
        "can",
        "will",
        "its",
        "our",
    ]
)


def role_of(request: Request) -> Role:
    """What the request asks for."""
    if "write" in request.tools:
        return "integrate"
    return "topics" if '"candidates"\n' in request.user else "extract"


def material_of(request: Request) -> list[tuple[str, str]]:
    """Label and text of each piece of material in the prompt."""
    return [(json.loads(label), text) for _, label, text in _MATERIAL.findall(request.user)]


def plausible(request: Request) -> Reply:
    """The answer of a model that follows its prompt."""
    answer = {"extract": extract, "integrate": integrate, "topics": topics}[role_of(request)]
    return answer(request)


def extract(request: Request) -> Reply:
    """A unit for each of the first sections that say something, and a topic for each piece of material."""
    units, found = [], []
    for path, text in material_of(request):
        sections = [section for section in re.split("(?m)^(?=## )", text) if len(_words(section)) >= 4]
        for section in sections[:UNITS_PER_NOTE]:
            words = _words(section)
            units.append(
                {
                    "name": _name(section, words),
                    "bucket": "procedure" if "run" in words else "wiki",
                    "summary": " ".join(words[:30]),
                    "paths": [path],
                    "keywords": words[:5],
                }
            )
        for section in sections[:1]:
            words = _words(section)
            topic = {
                "title": f"Look into {_name(section, words)}",
                "reason": " ".join(words[:8]),
                "evidence": path,
            }
            found.append({**topic, "keywords": words[:3], "paths": [path]})
    return json_text({"units": units, "topics": found})


def integrate(request: Request) -> Reply:
    """Make the note, or read the one of the same name and add the source to it; then say so."""
    unit, recall = unit_and_recall(request)
    path = f"digest/{unit['bucket']}/{slugify(unit['name'])}.md"
    known = next((found for found, name in recall if name == unit["name"]), None)
    answers = request.tool_answers
    if any("exists" in answer and path in answer for answer in answers if answer.startswith("Refused")):
        known = path
    if any(answer.startswith("Staged") for answer in answers):
        return json_text(
            {"action": "CORROBORATE" if known else "CREATE", "path": known or path, "reason": "done"}
        )
    if known is None:
        sources = "\n".join(f"- derived_from:: [[{source}]]" for source in unit["paths"])
        content = f"{unit['summary']}.\n\n## Sources\n\n{sources}"
        described = {"name": unit["name"], "description": unit["summary"][:80], "content": content}
        return calls(("write", {"path": path, **described}))
    note = next((answer for answer in answers if f'"{known}' in answer), None)
    if note is None:
        return calls(("read", {"path": known}))
    return _add_source(known, note, unit)


def topics(request: Request) -> Reply:
    """The first candidates, in their order."""
    candidates = json.loads(dict(material_of(request))["candidates"])
    return json_text({"topics": candidates[:3]})


def _add_source(path: str, note: str, unit: Mapping[str, Any]) -> Reply:
    """Append the sources that the note does not cite behind its last one; skip it where there are none."""
    missing = [source for source in unit["paths"] if f"[[{source}]]" not in note]
    cited = [line for line in note.splitlines() if line.startswith("- derived_from::")]
    if not missing or not cited:
        return json_text({"action": "SKIP", "path": path, "reason": "known"})
    added = "\n".join([cited[-1], *(f"- derived_from:: [[{source}]]" for source in missing)])
    return calls(("edit", {"path": path, "old": cited[-1], "new": added}))


def unit_and_recall(request: Request) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The unit to integrate, and path and name of each note that was recalled for it."""
    pieces = dict(material_of(request))
    rows = [row.split(" | ") for row in pieces["recall"].splitlines() if " | " in row]
    return json.loads(pieces["unit"]), [(row[0], row[1]) for row in rows]


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.lower() not in _COMMON]


def _name(text: str, words: list[str]) -> str:
    """A heading that is more than a date and names no file, else the first words."""
    for line in text.splitlines():
        heading = line.lstrip("#").strip()
        if line.startswith("#") and len(_WORD.findall(heading)) >= 2 and "/" not in heading:
            return heading[:80]
    return " ".join(words[:5])
