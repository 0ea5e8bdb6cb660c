"""What a failed call means: whether to try again, when, and what to tell the user."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

Kind = Literal["rejected", "unsuitable", "transient", "timeout"]
"""`rejected`: the provider will refuse every call. `unsuitable`: it refuses this request, another may pass. The others may
pass when tried again; a timeout is dearer to repeat."""

_REJECTED = frozenset({401, 402, 403, 404})
_TRANSIENT = frozenset({409, 425, 429})
_TIMEOUT = frozenset({408, 504})
_NO_MONEY = re.compile(
    r"insufficient_quota|insufficient balance|exceeded your current quota|billing", re.IGNORECASE
)
_NO_MODEL = re.compile(
    r"model_not_found|(?:unknown|invalid|unsupported) model\b"
    r"|\bmodel\b.{0,100}\b(?:does not exist|not found|not exist|is not (?:a )?valid)",
    re.IGNORECASE,
)
# "litellm.NotFoundError: NotFoundError: OpenAIException - The model …": the part before says nothing to a user.
_LITELLM_PREFIX = re.compile(r"^(?:(?:litellm\.)?\w*(?:Error|Exception|Timeout)\b(?: - |: |\. )?|error - )+")
# "Request timed out. Error_str: Request timed out.", "Unterminated string …, Received response - <APIResponse …": neither
# does the part behind.
_LITELLM_REST = re.compile(r"(?: Error_str:|, Received response -) .*", re.DOTALL)
_LONGEST_MESSAGE = 240


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed call. `status` is the HTTP status or `None`; `retry_after` is in seconds."""

    kind: Kind
    status: int | None
    message: str
    retry_after: float | None = None
    too_long: bool = False
    """Whether the request exceeds the model's context window."""


def failure_of(error: Exception, now: dt.datetime) -> Failure:
    """What this exception of litellm's (or of the HTTP client below it) means; `now` gives a date in `Retry-After` its length."""
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) else None
    text = str(error)
    return Failure(
        # litellm says 500 where it is litellm that will not send a parameter
        kind="unsuitable" if type(error).__name__ == "UnsupportedParamsError" else _kind(status, text),
        status=status,
        message=_message(text) or type(error).__name__,
        retry_after=_retry_after(error, now),
        too_long=type(error).__name__ == "ContextWindowExceededError" or status == 413,
    )


def _kind(status: int | None, text: str) -> Kind:
    if status in _REJECTED:
        return "rejected"
    if status == 429 and _NO_MONEY.search(text) is not None:
        return "rejected"
    if status == 400 and _NO_MODEL.search(text) is not None:
        return "rejected"
    if status in _TIMEOUT:
        return "timeout"
    if status is None or status in _TRANSIENT or status >= 500:
        return "transient"
    return "unsuitable"


def _message(text: str) -> str:
    """The provider's own words, on one line and not endless."""
    words = " ".join(_LITELLM_REST.sub("", _LITELLM_PREFIX.sub("", text.strip())).split())
    return words if len(words) <= _LONGEST_MESSAGE else words[: _LONGEST_MESSAGE - 1] + "…"


def _retry_after(error: Exception, now: dt.datetime) -> float | None:
    """Seconds of a `Retry-After` header, which holds seconds or an HTTP date (RFC 9110, 10.2.3)."""
    for headers in (
        getattr(error, "litellm_response_headers", None),
        getattr(getattr(error, "response", None), "headers", None),
    ):
        value = headers.get("retry-after") if headers is not None else None
        if value is not None:
            break
    else:
        return None
    if re.fullmatch(r"\d{1,9}(?:\.\d+)?", value.strip()):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return max(0.0, (moment - now).total_seconds())
