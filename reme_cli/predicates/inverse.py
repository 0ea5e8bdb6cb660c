"""What predicates are called: one name each for subject → object, and the names of the same relation told from the other end."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

INVERSES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "advises": "advised_by",
        "attended": "attended_by",
        "belongs_to": "contains",
        "caused_by": "causes",
        "contradicts": "contradicted_by",
        "depends_on": "required_by",
        "derived_from": "source_of",
        "evolved_from": "superseded_by",
        "founded": "founded_by",
        "invested_in": "backed_by",
        "is_a": "has_instance",
        "located_in": "location_of",
        "prefers": "preferred_by",
        "responsible_for": "owned_by",
        "works_at": "employs",
    }
)
"""Each predicate of the phrasing table and what the relation is called when it is told from its object."""

_OTHER_NAMES: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType(
    {
        "cofounded": ("founded", False),
        "co_founded": ("founded", False),
        "cofounded_by": ("founded", True),
        "co_founded_by": ("founded", True),
        "founder": ("founded", True),
        "founders": ("founded", True),
        "investor": ("invested_in", True),
        "investors": ("invested_in", True),
        "advisor": ("advises", True),
        "advisors": ("advises", True),
        "attendee": ("attended", True),
        "attendees": ("attended", True),
        "employer": ("works_at", False),
        "owner": ("responsible_for", True),
        "maintainer": ("responsible_for", True),
        "founder_of": ("founded", False),
        "works_for": ("works_at", False),
        "employed_by": ("works_at", False),
        "investor_in": ("invested_in", False),
        "funded_by": ("invested_in", True),
        "advisor_to": ("advises", False),
        "part_of": ("belongs_to", False),
        "has_part": ("belongs_to", True),
        "supersedes": ("evolved_from", False),
        "replaces": ("evolved_from", False),
        "replaced_by": ("evolved_from", True),
        "based_in": ("located_in", False),
        "requires": ("depends_on", False),
        "maintained_by": ("responsible_for", True),
    }
)
"""Further names that people give to the same relations."""

_ORIENTED: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType(
    {inverse: (predicate, True) for predicate, inverse in INVERSES.items()} | dict(_OTHER_NAMES)
)


def names_of(predicate: str) -> tuple[str, ...]:
    """All names of a predicate of the table, the inverse ones too, its own first."""
    return (predicate, *(name for name, (forward, _) in _ORIENTED.items() if forward == predicate))


def oriented(predicate: str) -> tuple[str, bool]:
    """The predicate's name from subject to object, and whether the given one runs against it: `founded_by` → `("founded", True)`.

    A predicate that is not in the table is its own name.
    """
    return _ORIENTED.get(predicate, (predicate, False))
