"""What a failed call means."""

from __future__ import annotations

import datetime as dt

import pytest

from reme_cli.llm.failure import failure_of

NOW = dt.datetime(2026, 6, 20, 12, 0, 0, tzinfo=dt.UTC)


class Raised(Exception):
    """An exception with what litellm's carry."""

    def __init__(self, status: int | None, text: str = "", retry_after: str | None = None) -> None:
        super().__init__(text)
        self.status_code = status
        self.litellm_response_headers = {} if retry_after is None else {"retry-after": retry_after}


@pytest.mark.parametrize(
    ("status", "text", "kind"),
    [
        (401, "", "rejected"),
        (402, "", "rejected"),
        (403, "", "rejected"),
        (404, "", "rejected"),
        (400, "The model `x` does not exist", "rejected"),
        (400, "invalid model: x", "rejected"),
        (400, "messages is too long", "unsuitable"),
        (413, "", "unsuitable"),
        (422, "", "unsuitable"),
        (408, "", "timeout"),
        (504, "", "timeout"),
        (429, "Rate limit reached", "transient"),
        (429, "You exceeded your current quota, please check your plan and billing", "rejected"),
        (500, "", "transient"),
        (529, "overloaded", "transient"),
        (None, "connection reset", "transient"),
    ],
)
def test_kind(status: int | None, text: str, kind: str) -> None:
    assert failure_of(Raised(status, text), NOW).kind == kind


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("1.5", 1.5),
        ("Sat, 20 Jun 2026 12:00:30 GMT", 30.0),
        ("Sat, 20 Jun 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        ("-5", None),
        ("Sat, 99 Foo 2026", None),
        (None, None),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert failure_of(Raised(429, "", header), NOW).retry_after == seconds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("litellm.NotFoundError: NotFoundError: OpenAIException - The model is gone", "The model is gone"),
        ("litellm.Timeout: APITimeoutError - Request timed out.", "Request timed out."),
        ("APITimeoutError - Request timed out. Error_str: Request timed out.", "Request timed out."),
        ("OpenAIException - error - Not JSON, Received response - <APIResponse [200 OK]>", "Not JSON"),
        ("litellm.A1Error: litellm.BadRequestError: ContextError: Too long", "Too long"),
        ("two\n  lines", "two lines"),
        ("", "Raised"),
    ],
)
def test_message_is_the_providers_own_words(text: str, message: str) -> None:
    assert failure_of(Raised(500, text), NOW).message == message


def test_message_is_not_endless() -> None:
    assert len(failure_of(Raised(500, "x" * 10_000), NOW).message) == 240
