"""What a rule is about, for a person: its page with a head, and the list of all rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.lint.rule import Rule

INDEX: Final = """# Rules of lint

<!-- Written by `make docs` from the rules; do not edit. -->

`reme lint` runs all of them; it needs no model and no network. Code and slug name a rule, and so does the beginning of a
code a group: `select=L`, `ignore=missing-name`. `reme lint explain=broken-link` prints a rule's page.

| code | rule | severity | fix | what is wrong |
|---|---|---|---|---|
@rows

A *safe* fix is made by `--fix`, an *unsafe* one only with `--unsafe-fixes`. All fixes of a note are one write, which keeps
[the edge rules](../writing.md), and which `reme undo` takes back.

## Switching a rule off

In `vault.yaml`, for the vault or for paths (patterns as in `.gitignore`):

```yaml
lint:
  ignore: [missing-description]
  per_path:
    "resource/": [L, duplicate-name]
```

In a note, with a comment. Several rules stand side by side, `L001 F004`; none means all; what follows ` -- ` is a reason.

```markdown
A link to a note to come: [[later]] <!-- reme-lint-disable broken-link -->

<!-- reme-lint-disable broken-link -- these are written one by one -->
- [[first]]
- [[second]]
```

On a line with text the comment is for that line. On a line of its own it lasts to
`<!-- reme-lint-enable broken-link -->`; without one, for the block that it stands in or touches, up to the blank lines around;
between blank lines, to the end of the note. `<!-- reme-lint-disable-file broken-link -->` is for the whole note, its
frontmatter included. A comment that hides nothing is a finding itself: [unused-suppression](unused-suppression.md).

What is to stay as it is for now goes into a baseline: `reme lint --baseline known.json --write-baseline`, then
`reme lint --baseline known.json` tells only what is new. It recognises a finding by its rule, its note and the text that
was found, so lines may move. `--fix` mends what a baseline knows as well.

Notes that `.gitignore` leaves out are not looked at, unless they are named on the command line or `--no-ignore` is given.

[Checks in CI](../ci.md)
"""


def page_of(rule: Rule) -> str:
    """The page of a rule in Markdown, with its code, slug and severity in the heading."""
    return f"# {rule.code} {rule.slug} ({rule.severity})\n\n{rule.page.strip()}\n"


def index_page(rules: Iterable[Rule]) -> str:
    """The table of the rules in Markdown, with a link to each page beside it."""
    rows = "\n".join(
        f"| {rule.code} | [{rule.slug}]({rule.slug}.md) | {rule.severity} | {_fix(rule)} | {rule.summary} |"
        for rule in rules
    )
    return INDEX.replace("@rows", rows)


def _fix(rule: Rule) -> str:
    """Which fixes a rule has, as the first words of its page's last section say."""
    told = rule.page.partition("\n## Fix\n")[2].strip()
    kinds = [kind for kind in ("Safe", "Unsafe") if told.startswith(kind) or f"\n{kind}" in told]
    return ", ".join(kinds).lower() or "—"


def rules_json(rules: Iterable[Rule]) -> dict[str, object]:
    """The rules with their pages as one JSON object."""
    return {
        "schema": 1,
        "rules": [
            {
                "code": rule.code,
                "rule": rule.slug,
                "severity": rule.severity,
                "summary": rule.summary,
                "page": rule.page,
            }
            for rule in rules
        ],
    }
