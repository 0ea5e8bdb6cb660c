"""What a link that leads nowhere most likely means, and what mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from reme_cli.lint.finding import Fix
from reme_cli.lint.nearest import Nearest, Suggestion
from reme_cli.lint.respell import edge_key, respelled, unlinked
from reme_cli.vault.paths import fold, name_of

if TYPE_CHECKING:
    from reme_cli.lint.dangling import Dangling
    from reme_cli.lint.survey import Survey


class Repair(NamedTuple):
    """What is known of a link that leads nowhere."""

    certainty: Literal["default", "nearest", "renamed"]
    """Whether nothing is known, something is there that may be meant, or the change that is looked at renamed what was meant."""
    nearest: str | None = None
    """The path of what may be meant, or was renamed."""
    fix: Fix | None = None


def repair(survey: Survey, broken: Dangling) -> Repair:
    """What a link that leads nowhere means, and the fix: safe where that is beyond doubt, else the link's text alone."""
    if broken.meaning == "attachment":
        same = survey.everywhere.once(_files_by_name).get(fold(name_of(broken.found.link.target)), [])
        return Repair("nearest", same[0]) if len(same) == 1 else Repair("default")
    found = broken.found
    if successor := survey.successor(found.link, found.source):
        suggestion = Suggestion(successor, "moved", is_certain=True)
        return Repair("renamed", successor, _fix(survey, broken, suggestion))
    nearest = survey.everywhere.once(Nearest).find(found.link, found.source)
    if nearest is None:
        return Repair("default", None, _unlinked(broken))
    # what leads out of the vault, or from a site's root, may well exist there
    is_elsewhere = broken.meaning == "outside" or (
        found.link.kind == "markdown" and found.link.target.startswith("/")
    )
    is_certain = nearest.is_certain and not is_elsewhere
    return Repair("nearest", nearest.path, _fix(survey, broken, nearest) if is_certain else _unlinked(broken))


def _fix(survey: Survey, broken: Dangling, suggestion: Suggestion) -> Fix | None:
    """The link as it leads to a note that is meant beyond doubt."""
    found, link = broken.found, broken.found.link
    replacement = respelled(
        broken.text,
        found,
        suggestion.path,
        survey.names,
        is_full=survey.is_digest(found.source),
        # a name that somebody chose for the text stays there; a slip of the hand and a name that is no more do not
        keeps_shown=suggestion.way == "named",
    )
    if replacement is None:
        return _unlinked(broken)
    return Fix((replacement,), edges=((edge_key(link), edge_key(link, suggestion.path)),))


def _unlinked(broken: Dangling) -> Fix | None:
    shown = unlinked(broken.text, broken.found)
    return (
        None if shown is None else Fix((shown,), is_safe=False, edges=((edge_key(broken.found.link), None),))
    )


def _files_by_name(survey: Survey) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sorted(survey.names.files):
        found.setdefault(fold(name_of(path)), []).append(path)
    return found
