"""A comment switches off a rule that finds nothing there.

## Why

The problem was mended and the comment stayed: it would hide the next one.

## Bad

```markdown
Nothing is wrong here. <!-- reme-lint-disable broken-link -->
```

## Good

```markdown
Nothing is wrong here.
```

## Fix

None: remove the code from the comment, or the comment. A comment counts as unused only where all of the rules
that it names were run.
"""

from __future__ import annotations

from reme_cli.lint.rule import Rule

RULE = Rule(
    code="N001",
    slug="unused-suppression",
    severity="warning",
    messages={
        "default": {
            "en": "nothing is found here that `{code}` would hide; remove it from the comment",
            "zh": "此处没有需要用 `{code}` 屏蔽的问题；请从注释中删去",
        }
    },
)
