"""A secret that somebody wrote where settings stand: it is refused, and repeated nowhere."""

from __future__ import annotations

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
