"""Which kinds of notes cannot fill the roles of a relation."""

from __future__ import annotations

from typing import Final

from reme_cli.config.phrasing import OBJECT, SUBJECT

EXCLUDED: Final = {
    ("founded", SUBJECT): frozenset({"meeting"}),
    ("founded", OBJECT): frozenset({"person", "meeting"}),
    ("works_at", SUBJECT): frozenset({"organisation", "meeting"}),
    ("works_at", OBJECT): frozenset({"person", "meeting"}),
    ("invested_in", SUBJECT): frozenset({"meeting"}),
    ("invested_in", OBJECT): frozenset({"person", "meeting"}),
    ("advises", SUBJECT): frozenset({"meeting"}),
    ("advises", OBJECT): frozenset({"meeting"}),
    ("attended", SUBJECT): frozenset({"organisation", "meeting"}),
    ("attended", OBJECT): frozenset({"person", "organisation"}),
    ("responsible_for", SUBJECT): frozenset({"thing", "meeting"}),
    ("depends_on", OBJECT): frozenset({"person", "meeting"}),
    ("derived_from", SUBJECT): frozenset({"person", "organisation", "meeting"}),
    ("derived_from", OBJECT): frozenset({"person"}),
    ("evolved_from", SUBJECT): frozenset({"person", "meeting"}),
    ("evolved_from", OBJECT): frozenset({"person", "meeting"}),
    ("located_in", OBJECT): frozenset({"person", "meeting"}),
    ("caused_by", SUBJECT): frozenset({"person", "organisation"}),
}
"""Kinds that cannot fill a role; what is of no known kind can fill any."""
