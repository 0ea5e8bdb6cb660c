"""The edge rule of a fix: it changes the edges that it announces, and no other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from reme_cli.errors import EdgesLost
from reme_cli.graph.conservation import EdgeKey, keys_among, same_links

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.graph.conservation import Change, NamesAround


@dataclass(frozen=True, slots=True)
class Mend:
    """As E1, but each named edge may become another, which is then there, or may go.

    It joins `Retarget`, `Upgrade` and `Drop` of single edges, for all fixes of a note are one write. A fix may change what
    another one made: `a → b` and `b → c` let `a` become `c`.
    """

    edges: frozenset[tuple[EdgeKey, EdgeKey | None]]
    name: ClassVar[str] = "mend"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` with the edges that are missing and were not named, or did not become what was named."""
        del together
        if same_links(change):
            return
        old = keys_among(change.path, change.links_before, names.after)
        new = keys_among(change.path, change.links_after, names.after)
        missing = sorted(str(key) for key in old - new if not self._may_go(key, new))
        if missing:
            number = "an edge" if len(missing) == 1 else f"{len(missing)} edges"
            raise EdgesLost(
                f"the change loses {number}: {', '.join(missing)} (rule {self.name})",
                missing=tuple(missing),
                where=change.path,
                hint="Keep these links in the new text.",
            )

    def _may_go(self, key: EdgeKey, new: frozenset[EdgeKey]) -> bool:
        """Whether all that a missing edge was to become is there, or was to go."""
        seen: set[EdgeKey] = set()
        todo = [key]
        ends = False
        while todo:
            here = todo.pop()
            seen.add(here)
            steps = [then for now, then in self.edges if now == here]
            if not steps:
                return False
            ends = ends or any(then is None or then in new for then in steps)
            todo += [then for then in steps if then is not None and then not in new and then not in seen]
        return ends
