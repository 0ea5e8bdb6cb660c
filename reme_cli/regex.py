"""Regular expressions that are compiled when they are first used.

Compiling is what most of the time of importing a scanner goes into, and most of its patterns are for what few notes hold.
"""

from __future__ import annotations

import re
from typing import cast


def regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern that `re.compile` gives, compiled when something is asked of it."""
    return cast("re.Pattern[str]", _Uncompiled(source, flags))


class _Uncompiled:
    """Looks like a compiled pattern; each of its methods is fetched once, and is an attribute from then on."""

    def __init__(self, source: str, flags: int) -> None:
        self._definition = source, flags

    def __getattr__(self, name: str) -> object:
        method = getattr(re.compile(*self._definition), name)
        setattr(self, name, method)
        return method
