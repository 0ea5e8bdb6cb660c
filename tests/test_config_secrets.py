"""A secret that somebody wrote where settings stand: it is refused, and repeated nowhere."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

import pytest

from reme_cli.config.load import load_config
from reme_cli.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "sk-abcdefghijklmnop"


def refusal(root: Path, text: str, env: dict[str, str] | None = None) -> ConfigError:
    (root / "vault.yaml").write_text(text)
    with pytest.raises(ConfigError) as refused:
        load_config(root, env or {})
    return refused.value


@pytest.mark.parametrize(
    "text",
    [
        f"OPENAI_API_KEY: {SECRET}\n",
        f"api_key: {SECRET}\n",
        f"llm:\n  api-key: {SECRET}\n",
        f"llm: {{openai_api_key: {SECRET}}}\n",
        f"llm: {{access_token: {SECRET}}}\n",
        f"embedding: {{key: {SECRET}}}\n",
    ],
)
def test_a_key_for_a_secret_is_told_where_secrets_belong(tmp_path: Path, text: str) -> None:
    error = refusal(tmp_path, text)
    assert "is not a setting" in error.what
    assert "from the environment only" in (error.hint or "")
    assert SECRET not in str(error)


def test_a_variable_for_a_secret_is_told_the_same(tmp_path: Path) -> None:
    error = refusal(tmp_path, "", {"REME_OPENAI_API_KEY": SECRET})
    assert error.where == "REME_OPENAI_API_KEY"
    assert "from the environment only" in (error.hint or "")
    assert SECRET not in str(error)


@pytest.mark.parametrize(
    "address", [f"https://h/v1?api_key={SECRET}", f"https://h/v1#{SECRET}", f"https://u:{SECRET}@h"]
)
def test_an_address_that_carries_one_is_refused(tmp_path: Path, address: str) -> None:
    error = refusal(tmp_path, f"llm:\n  api_base: '{address}'\n")
    assert "llm.api_base" in error.what
    assert SECRET not in str(error)


@pytest.mark.parametrize("key", ["max_input_token", "max_tokens", "modl"])
def test_a_slip_is_no_secret(tmp_path: Path, key: str) -> None:
    assert "unknown key" in refusal(tmp_path, f"llm: {{{key}: 1}}\n").what


OPAQUE = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize("secret", [SECRET, OPAQUE])
@pytest.mark.parametrize(
    "text",
    [
        "llm: {}\n",
        "llm: [{}]\n",
        "llm: {{timeout: {}}}\n",
        "llm: {{timeout: '{}'}}\n",
        "llm: {{budget: {}}}\n",
        "llm: {{{}: 1}}\n",
        "{}: 1\n",
        "{0}: 1\n{0}: 2\n",
        "language: {}\n",
        "timezone: {}\n",
        "links: {{resolution: {}}}\n",
        "dream: {{inputs: [{}]}}\n",
        "search: {{layers: {}}}\n",
        "digest: {{buckets: {}}}\n",
        "folders: {{daily: prompts/{0}/../{0}}}\n",
        "llm: x: {}\n",
        "llm: *{}\n",
        "llm:\n\tmodel: {}\n",
    ],
)
def test_a_value_that_looks_like_a_key_is_not_repeated(tmp_path: Path, text: str, secret: str) -> None:
    error = refusal(tmp_path, text.format(secret))
    # what `--verbose` prints, the causes included
    assert secret not in "".join(traceback.format_exception(error))


def test_nor_one_in_a_variable(tmp_path: Path) -> None:
    for name in ("REME_LLM", "REME_LLM__TIMEOUT", "REME_LANGUAGE"):
        assert SECRET not in str(refusal(tmp_path, "", {name: SECRET}))


def test_what_is_no_key_is_repeated(tmp_path: Path) -> None:
    told = refusal(tmp_path, "llm: openrouter/anthropic/claude-sonnet-4.5-20250929\n").what
    assert "found `openrouter/anthropic/claude-sonnet-4.5-20250929`" in told
