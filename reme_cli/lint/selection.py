"""Which rules are wanted: by code, by the beginning of a code, by slug, or `all`."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from reme_cli.errors import ConfigError, UsageError
from reme_cli.lint.globs import matcher
from reme_cli.lint.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from reme_cli.config import LintConfig
    from reme_cli.lint.finding import Finding
    from reme_cli.lint.rule import Rule

ALL = "all"


@lru_cache(maxsize=256)
def rules_named(word: str) -> tuple[Rule, ...]:
    """The rules that a word names: `L001`, `L`, `broken-link`, `all`; none for an unknown word."""
    wanted = word.strip().lower().replace("_", "-")
    if wanted == ALL:
        return RULES
    if by_slug := tuple(rule for rule in RULES if rule.slug == wanted):
        return by_slug
    return tuple(rule for rule in RULES if wanted and rule.code.lower().startswith(wanted))


def nearest_name(word: str) -> str | None:
    """The code or slug that a person may have meant."""
    codes, slugs = [rule.code for rule in RULES], [rule.slug for rule in RULES]
    close = difflib.get_close_matches(word.lower(), slugs, 1, 0.6) or difflib.get_close_matches(
        word.upper(), codes, 1, 0.7
    )
    return close[0] if close else None


@dataclass(frozen=True, slots=True)
class Selection:
    """The rules that are wanted, and where in the vault some of them are not."""

    rules: tuple[Rule, ...]
    _exceptions: tuple[tuple[Callable[[str], bool], frozenset[str]], ...] = field(default=(), repr=False)

    def admits(self, finding: Finding) -> bool:
        """Whether a finding's rule is wanted at its place."""
        return not any(finding.code in codes and matches(finding.path) for matches, codes in self._exceptions)


def selection(config: LintConfig, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Selection:
    """The rules that `vault.yaml` and then the command line want; the command line has the last word.

    Within each, the longer code wins: `select: [L001]` with `ignore: [L]` leaves L001. Raises `ConfigError` or
    `UsageError`, with the nearest name, for a word that names no rule.
    """
    wanted = _chosen(_read(config.select or (ALL,), "lint.select"), _read(config.ignore, "lint.ignore"))
    given, refused = _read(select, None), _read(ignore, None)
    if given:
        wanted = _chosen(given, refused)
    else:
        wanted -= {rule.code for word in refused for rule in rules_named(word)}
    exceptions = tuple(
        (
            matcher((pattern,), "lint.per_path"),
            frozenset(
                rule.code for word in _read(words, f"lint.per_path.{pattern}") for rule in rules_named(word)
            ),
        )
        for pattern, words in config.per_path.items()
    )
    return Selection(tuple(rule for rule in RULES if rule.code in wanted), exceptions)


def _chosen(select: Iterable[str], ignore: Iterable[str]) -> set[str]:
    """The codes that are selected more closely than they are ignored."""
    closeness: dict[str, int] = {}
    for words, is_wanted in ((select, True), (ignore, False)):
        for word in words:
            for rule in rules_named(word):
                weight = 2 * _closeness(word, rule) + (0 if is_wanted else 1)
                closeness[rule.code] = max(closeness.get(rule.code, -1), weight)
    return {code for code, weight in closeness.items() if weight % 2 == 0}


def _closeness(word: str, rule: Rule) -> int:
    """How closely a word names a rule: 0 for `all`, else the letters of the code that it gives."""
    folded = word.strip().lower()
    if folded == ALL:
        return 0
    return len(folded) if rule.code.lower().startswith(folded) else len(rule.code)


def rules_of(word: str) -> tuple[Rule, ...]:
    """As `rules_named`; raises `UsageError`, with the nearest name, for an unknown word."""
    _read((word,), None)
    return rules_named(word)


def _read(words: Iterable[str], key: str | None) -> tuple[str, ...]:
    """The single words of what was given, commas read as separators; raises for one that names no rule."""
    found = tuple(part.strip() for word in words for part in word.split(",") if part.strip())
    for word in found:
        if not rules_named(word):
            close = nearest_name(word)
            hint = f"Did you mean `{close}`?" if close else "docs/lint/index.md lists the rules."
            if key is None:
                raise UsageError(f"no rule is called `{word}`", hint=hint)
            raise ConfigError(f"`{key}`: no rule is called `{word}`", where="vault.yaml", hint=hint)
    return found
