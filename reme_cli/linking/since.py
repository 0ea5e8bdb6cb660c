"""Which notes changed since a day or a commit."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from reme_cli.dates import parse_date
from reme_cli.errors import UsageError
from reme_cli.lint.repository import change_since, is_revision, top_of

if TYPE_CHECKING:
    from reme_cli.index.index import Index
    from reme_cli.vault.vault import Vault


def changed_since(vault: Vault, index: Index, since: str) -> frozenset[str]:
    """The notes whose files changed on that day or later, or since that commit. Raises `UsageError` for neither.

    A text that names both is a day. A day goes by the time of the file, a commit by what git says.
    """
    try:
        day = parse_date(since, vault.today())
    except UsageError as error:
        if top_of(vault.root) is None or not is_revision(vault.root, since):
            raise UsageError(
                f"`{since}` is neither a day nor a commit",
                hint="Write YYYY-MM-DD, `yesterday`, `-N` (days ago), or a commit, branch or tag.",
            ) from error
        return change_since(vault, since).touched
    return frozenset(path for path in index.stamps() if _day_of(vault, path) >= day)


def _day_of(vault: Vault, path: str) -> dt.date:
    """The day on which a file was changed last, in the vault's timezone."""
    zone = None
    if vault.config.timezone is not None:
        from zoneinfo import ZoneInfo  # only where a timezone is configured

        zone = ZoneInfo(vault.config.timezone)
    try:
        return dt.datetime.fromtimestamp(vault.locate(path).stat().st_mtime, zone).astimezone(zone).date()
    except OSError:  # removed since the index looked
        return dt.date.min
