"""Keys and tokens kept out of every message that a person, a log or the audit may see."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reme_cli.config.redaction import SECRET_SHAPE

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)S?(?:_|$)", re.IGNORECASE)
_SHORTEST = 8


class Secrets:
    """The secret values of an environment, made once and used to scrub whatever a provider says."""

    def __init__(self, env: Mapping[str, str]) -> None:
        named = {
            value: name
            for name, value in env.items()
            if len(value) >= _SHORTEST
            and _SECRET_NAME.search(name) is not None
            and not name.startswith("REME_")
        }
        # Longest first: one secret may be part of another.
        self._named = sorted(named.items(), key=lambda pair: (-len(pair[0]), pair))

    def scrub(self, text: str) -> str:
        """`text` with each secret replaced by the name of its variable, and what looks like a key by `[secret]`."""
        for value, name in self._named:
            text = text.replace(value, f"[{name}]")
        return SECRET_SHAPE.sub("[secret]", text)
