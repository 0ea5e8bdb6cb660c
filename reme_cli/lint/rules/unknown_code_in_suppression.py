"""A comment is to switch off a rule that does not exist.

## Why

A slip of the pen in a code switches nothing off.

## Bad

```markdown
[[nowhere]] <!-- reme-lint-disable borken-link -->
```

## Good

```markdown
[[nowhere]] <!-- reme-lint-disable broken-link -->
```

## Fix

None: write the code or the slug of a rule.
"""

from __future__ import annotations

from reme_cli.lint.rule import Rule

RULE = Rule(
    code="N002",
    slug="unknown-code-in-suppression",
    severity="warning",
    messages={
        "default": {
            "en": "no rule is called `{code}`; `reme lint --explain all` lists the rules",
            "zh": "没有名为 `{code}` 的规则；`reme lint --explain all` 会列出所有规则",
        },
        "nearest": {
            "en": "no rule is called `{code}`; did you mean `{nearest}`?",
            "zh": "没有名为 `{code}` 的规则；是否想写 `{nearest}`？",
        },
    },
)
