"""The English phrasings of each predicate."""

from __future__ import annotations

from typing import Final

from reme_cli.predicates import english_people, english_things

PHRASINGS: Final = english_people.PHRASINGS | english_things.PHRASINGS
"""By predicate, one a line."""
