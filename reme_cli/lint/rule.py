"""A rule: what it is called, how grave it is, what it says, and how it looks."""

from __future__ import annotations

import importlib
import inspect
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from reme_cli.lint.finding import Problem, Severity
    from reme_cli.lint.survey import Subject, Survey

Language = Literal["en", "zh"]

Reach = Literal["note", "vault"]


class Rule(NamedTuple):
    """One rule. Its module in `rules/` bears its slug, with `_`, and the module's docstring is its page:

    the first line says in one sentence what is wrong; then come the sections `Why`, `Bad`, `Good`, `Fix` in Markdown.
    Code and slug are public: neither is ever given another meaning.
    """

    code: str
    slug: str
    severity: Severity
    messages: Mapping[str, Mapping[Language, str]]
    """By name, one of them `default`; `{name}` stands for a value of the problem, whose own braces mean nothing."""
    check: Callable[[Survey], Iterable[Problem]] | None = None
    """Looks at the whole vault, by the rows of its index."""
    check_note: Callable[[Subject, Survey], Iterable[Problem]] | None = None
    """Looks at one note's text. It depends on nothing but that text, its path and the configuration: what it finds is
    kept until one of them changes. It is asked about every note, so it looks for a mark in the text before it scans."""
    from_notes: bool = False
    """Whether what `check` finds depends on nothing but the notes, the listing of the vault, the configuration, and what
    `Survey.exists` said: not on the time, on git, or on what is in another file. Then it is kept until one of them changes."""
    reach: Reach = "vault"
    """`note`: what `check` finds in a note depends on nothing but that note, the notes that its anchors point into, and how
    notes and files are called. Then it is looked for again only where one of them changed."""
    instead_of: frozenset[str] = frozenset()
    """Codes of rules that say less of the same thing: what they find in a place where this one finds something is not told."""
    concerned: Callable[[Survey], tuple[str, ...]] | None = None
    """Of a rule that looks at the vault: the only notes whose text `check` looks at, or that it compares with each other. While none of them changes and none comes,
    and all notes and files are called as they were, it finds the same."""

    @property
    def page(self) -> str:
        """The rule's page, in Markdown."""
        module = importlib.import_module(f"reme_cli.lint.rules.{self.slug.replace('-', '_')}")
        return inspect.cleandoc(module.__doc__ or "")

    @property
    def summary(self) -> str:
        """One sentence: what is wrong."""
        return self.page.partition("\n")[0]


def no_notes(survey: Survey) -> tuple[str, ...]:
    """The notes whose text a rule looks at that looks at names alone."""
    del survey
    return ()


def message_of(rule: Rule, problem: Problem, language: Language) -> str:
    """What a person is told of a problem."""
    return rule.messages[problem.message][language].format_map(problem.values)
