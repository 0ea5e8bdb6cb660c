"""A tool that a model may call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel


class ToolRefused(Exception):
    """Raised by a tool that will not do what the model asks; the message goes to the model: why, and what to do instead."""


@dataclass(frozen=True, slots=True)
class Tool:
    """What the model sees (`name`, `description`, the JSON Schema of `arguments`) and what runs when it calls.

    `run` gets an instance of `arguments`, already validated, and returns what the model reads.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any], str]

    def declaration(self) -> dict[str, object]:
        """The tool in the form of the chat completions API."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": self.arguments.model_json_schema(),
        }
        return {"type": "function", "function": function}
