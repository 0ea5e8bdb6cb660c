"""The Chinese phrasings of each predicate."""

from __future__ import annotations

from typing import Final

from reme_cli.predicates import chinese_people, chinese_things

PHRASINGS: Final = chinese_people.PHRASINGS | chinese_things.PHRASINGS
"""By predicate, one a line."""
