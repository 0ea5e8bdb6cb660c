"""Nothing secret in what a provider says."""

from __future__ import annotations

import pytest

from reme_cli.llm.secrets import Secrets


def test_values_of_secret_variables_become_their_names() -> None:
    env = {
        "OPENAI_API_KEY": "plainlooking123",
        "MY_TOKEN": "plainlooking123-and-more",
        "HOME": "/home/somebody",
        "SHORT_KEY": "ab",
        "REME_LLM__BUDGET__TOKENS": "400000000",
    }
    said = Secrets(env).scrub("plainlooking123-and-more, plainlooking123, ab /home/somebody 400000000")
    assert said == "[MY_TOKEN], [OPENAI_API_KEY], ab /home/somebody 400000000"


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcDEF123456",
        "sk-ant-api03-xyz_xyz",
        "sk-ab*****************wxyz",
        "gsk_abcdefghijk",
        "AIzaSyA1234567890abcdefghijklmnop",
        "hf_abcdefghijkl",
    ],
)
def test_what_looks_like_a_key_is_hidden(secret: str) -> None:
    assert Secrets({}).scrub(f"Incorrect key: {secret}. Bye") in (
        "Incorrect key: [secret]. Bye",
        "Incorrect key: [secret] Bye",
    )


def test_passwords_in_addresses_and_bearer_tokens_are_hidden() -> None:
    scrub = Secrets({}).scrub
    assert scrub("no answer from https://me:pa55@host/v1") == "no answer from https://[secret]@host/v1"
    assert scrub("sent Bearer abc.def") == "sent Bearer [secret]"


def test_ordinary_words_stay() -> None:
    words = "The task-force asked about sk-8 boards, risk-adjusted tokens and https://example.org/a@b"
    assert Secrets({}).scrub(words) == words
