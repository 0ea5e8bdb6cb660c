"""`reme config`."""

from __future__ import annotations

from reme_cli.commands.session import Session
from reme_cli.config.effective import flatten

EXAMPLES = ("reme config", "reme config --json", "REME_LLM__MODEL=openai/gpt-5-mini reme config")


def config(session: Session) -> None:
    """Show every setting and where it comes from.

    vault.yaml overrides the defaults, REME_* variables override vault.yaml (REME_LLM__MODEL is `llm.model`), and
    options of a command override both. API keys are read from the environment only and are never shown.
    """
    root = session.root()
    loaded = session.load()
    if session.json:
        settings = [
            {"key": key, "value": value, "origin": loaded.origins[key]}
            for key, value in flatten(loaded.config)
        ]
        session.terminal.json({"schema": 1, "vault": str(root), "settings": settings})
        return
    session.terminal.remark(f"vault: {root}")
    rows = [(key, _shown(value), loaded.origins[key]) for key, value in flatten(loaded.config)]
    session.terminal.table(rows, ("setting", "value", "from"))


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return f"{value:g}" if isinstance(value, float) else str(value)
