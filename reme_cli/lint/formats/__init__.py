"""The forms that findings are written in; `PARTS` has those that are made note by note."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.formats.json import json_parts
from reme_cli.lint.formats.text import plain_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reme_cli.lint.report import Form, Report

PARTS: Final[Mapping[Form, Callable[[Report], dict[str, str]]]] = {"text": plain_parts, "json": json_parts}
"""By form, what writes the findings of each note. All parts in order of path, one behind the other, are those of the vault."""
