"""What looks like a key or a token, kept out of messages."""

from __future__ import annotations

import re
from typing import Final

from reme_cli.regex import regex

# forms in which providers echo keys, masked ones (`sk-ab***yz`) included
SECRET_SHAPE: Final = regex(
    r"\b(?:sk|pk|rk|gsk|xai|hf|AIza|ghp|ya29)[-_][\w*.\-]{6,}"
    r"|\bAIza[\w\-]{20,}"
    r"|(?<=[Bb]earer )\S+"
    r"|(?<=://)[^/\s@]+(?=@)"
)

# a key without a provider's mark: letters and digits in one word, longer than any name in a configuration
_OPAQUE: Final = regex(r"\b(?=[A-Za-z_]*\d)(?=[\d_]*[A-Za-z])\w{24,}\b", re.ASCII)


def masked(text: str) -> str:
    """What somebody typed into a configuration, with `[secret]` in the place of what looks like a key."""
    return _OPAQUE.sub("[secret]", SECRET_SHAPE.sub("[secret]", text))
