"""Prompts: one Markdown file per role and language, with named placeholders.

A prompt file has the lines `# system` and `# user`, each once, in this order; what stands before the first is for people.
`{{name}}` is a placeholder. They are filled in one pass, so that braces in a value are never looked at again.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reme_cli.errors import ConfigError, NoteNotFound
from reme_cli.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.config import Language
    from reme_cli.vault.vault import Vault

Role = Literal[
    "extract",
    "integrate",
    "judge_duplicate",
    "judge_mention",
    "judge_predicate",
    "judge_same_topic",
    "judge_overload",
    "split",
    "topics",
]
PromptLanguage = Literal["en", "zh"]

OVERRIDES = "prompts"
"""The vault's folder with its own prompts: `prompts/<language>/<role>.md`, else `prompts/<role>.md`."""


@dataclass(frozen=True, slots=True)
class Placeholders:
    """What a role's prompt may say `{{…}}` of, and what it must: without it the model would not see its material."""

    allowed: frozenset[str]
    required: frozenset[str]


def _placeholders(required: str, optional: str = "") -> Placeholders:
    needed = frozenset(required.split())
    return Placeholders(allowed=needed | frozenset(optional.split()), required=needed)


PLACEHOLDERS: Mapping[Role, Placeholders] = {
    "extract": _placeholders("material buckets max_units", "date hint"),
    "integrate": _placeholders("unit buckets recall sources"),
    "judge_duplicate": _placeholders("pairs"),
    "judge_mention": _placeholders("notes paragraphs"),
    "judge_predicate": _placeholders("predicates links paragraphs"),
    "judge_same_topic": _placeholders("pairs"),
    "judge_overload": _placeholders("note"),
    "split": _placeholders("note buckets", "anchors clusters limit path"),
    "topics": _placeholders("candidates topic_count", "date diversity_days recent kept"),
}

_PLACEHOLDER = re.compile(r"\{\{([^{}\n]*)\}\}")


@dataclass(frozen=True, slots=True)
class Turn:
    """One message to the model."""

    role: Literal["system", "user"]
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A role's prompt, checked. `origin` is the file it came from, for messages."""

    role: Role
    language: PromptLanguage
    origin: str
    system: str
    user: str

    def render(self, values: Mapping[str, str]) -> tuple[Turn, Turn]:
        """The messages, with every placeholder replaced. `values` holds all the placeholders of the role, and no others."""
        allowed = PLACEHOLDERS[self.role].allowed
        if values.keys() != allowed:
            raise ValueError(f"{self.role} takes {sorted(allowed)}, not {sorted(values)}")
        return Turn("system", _fill(self.system, values)), Turn("user", _fill(self.user, values))


def load_prompt(vault: Vault, role: Role, language: PromptLanguage) -> Prompt:
    """The prompt of a role: the vault's own if it has one, else the one that ships with reme.

    Raises `ConfigError` with the line for an unknown or missing placeholder or section, `UnreadableNote` and `PathRefused`
    for an override that is no UTF-8 text or a link out of the vault.
    """
    for origin in (f"{OVERRIDES}/{language}/{role}.md", f"{OVERRIDES}/{role}.md"):
        text = _override(vault, origin)
        if text is not None:
            return parse_prompt(text, role, language, origin)
    shipped = resource("prompts", language, f"{role}.md")
    return parse_prompt(shipped.read_text(encoding="utf-8"), role, language, f"{language}/{role}.md")


def parse_prompt(text: str, role: Role, language: PromptLanguage, origin: str) -> Prompt:
    """The prompt in a file's text. Raises `ConfigError` as `load_prompt` does."""
    lines = text.removeprefix("\ufeff").splitlines(keepends=True)
    system_at = _section(lines, "# system", origin)
    user_at = _section(lines, "# user", origin)
    if user_at < system_at:
        raise ConfigError(
            "the line '# user' stands before '# system'",
            where=f"{origin}:{user_at + 1}",
            hint="Put the stable part first: providers cache the beginning of a prompt.",
        )
    _check_placeholders(lines, system_at, role, origin)
    return Prompt(
        role=role,
        language=language,
        origin=origin,
        system="".join(lines[system_at + 1 : user_at]).strip(),
        user="".join(lines[user_at + 1 :]).strip(),
    )


def choose_language(language: Language, material: str) -> PromptLanguage:
    """The prompt language for this material: the configured one; of `auto`, Chinese where Chinese characters prevail.

    A Chinese character says about as much as four Latin letters; kana marks Japanese, for which the English prompt serves.
    """
    if language != "auto":
        return language
    han = len(re.findall(r"[\u4e00-\u9fff]", material))
    kana = len(re.findall(r"[\u3040-\u30ff]", material))
    latin = len(re.findall(r"[A-Za-z]", material))
    return "zh" if kana * 10 < han and han * 4 > latin else "en"


def fence(pieces: Iterable[tuple[str, str]]) -> str:
    """Material for a prompt: each `(label, text)` between marker lines that no text among them can close.

    The markers hold a number made from the texts, so that the same material gives the same prompt, and none of the texts
    holds the number.
    """
    held = [(label, text) for label, text in pieces]
    number = _number_not_in(held)
    blocks = []
    for label, text in held:
        # As JSON, so that a label stays on its line whatever is in it.
        name = json.dumps(label, ensure_ascii=False)
        end = "" if text.endswith("\n") else "\n"
        blocks.append(f"<<<MATERIAL {number} {name}\n{text}{end}MATERIAL {number}>>>\n")
    return "\n".join(blocks).rstrip("\n")


def _number_not_in(pieces: Iterable[tuple[str, str]]) -> str:
    everything = "\0".join(part for piece in pieces for part in piece)
    digest = hashlib.sha256(everything.encode("utf-8", "surrogatepass"))
    while (number := digest.hexdigest()[:12]) in everything:
        digest.update(b"again")
    return number


def _fill(template: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda match: values[match.group(1).strip()], template)


def _override(vault: Vault, origin: str) -> str | None:
    """The text of the vault's own prompt file, `None` without one."""
    try:
        return vault.read(origin).text
    except NoteNotFound:
        return None


def _section(lines: list[str], heading: str, origin: str) -> int:
    """The index of the one line that is this heading."""
    found = [number for number, line in enumerate(lines) if line.rstrip().lower() == heading]
    if len(found) != 1:
        what = f"the line {heading!r} is missing" if not found else f"the line {heading!r} stands there twice"
        where = origin if not found else f"{origin}:{found[1] + 1}"
        raise ConfigError(
            what, where=where, hint="A prompt has the lines '# system' and '# user', each once."
        )
    return found[0]


def _check_placeholders(lines: list[str], start: int, role: Role, origin: str) -> None:
    known = PLACEHOLDERS[role]
    seen: set[str] = set()
    for number, line in enumerate(lines[start:], start + 1):
        for match in _PLACEHOLDER.finditer(line):
            name = match.group(1).strip()
            if name not in known.allowed:
                raise ConfigError(
                    f"unknown placeholder {match.group()}",
                    where=f"{origin}:{number}:{match.start() + 1}",
                    hint=f"The prompt {role} knows: {', '.join(sorted(known.allowed))}.",
                )
            seen.add(name)
    if missing := sorted(known.required - seen):
        raise ConfigError(
            f"the prompt lacks {', '.join('{{' + name + '}}' for name in missing)}",
            where=origin,
            hint="Without it the model would not see what it is to work on.",
        )
