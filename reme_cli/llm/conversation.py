"""The tool loop: the model asks, the tools answer, until it has nothing more to ask or a bound is reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reme_cli.errors import ModelReplyUnusable
from reme_cli.llm import lenient_json
from reme_cli.llm.provider import Answer, Requested
from reme_cli.llm.reply import validate
from reme_cli.llm.tool import Tool, ToolRefused

Ending = Literal["answered", "empty", "cut_off", "max_turns", "max_calls"]
"""Why a conversation ended: with a final text, with none, at the model's token limit, or at one of the bounds."""

Message = dict[str, Any]
Ask = Callable[[Sequence[Mapping[str, Any]]], Answer]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a conversation may last: answers of the model, tool calls in all."""

    turns: int
    calls: int


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as it went; `refused` where the tool, its name or its arguments were not accepted."""

    name: str
    arguments: str
    answer: str
    refused: bool


@dataclass(frozen=True, slots=True)
class Conversation:
    """What came of it. `text` is the model's last words, which may be empty."""

    text: str
    ended: Ending
    turns: int
    calls: tuple[ToolCall, ...]


def hold(ask: Ask, transcript: list[Message], tools: Sequence[Tool], bounds: Bounds) -> Conversation:
    """Talk until the end; `transcript` grows by all that is said. Several calls of one answer run in their order."""
    made: list[ToolCall] = []
    by_name = {tool.name: tool for tool in tools}
    for turn in range(1, bounds.turns + 1):
        answer = ask(transcript)
        if answer.text or answer.requested:
            # Some providers refuse a transcript with an empty message.
            transcript.append(dict(answer.message))
        if not answer.requested:
            return Conversation(answer.text, _ending(answer), turn, tuple(made))
        for requested in answer.requested:
            full = len(made) >= bounds.calls
            # Over the bound it is answered all the same: providers refuse a transcript with a call that has no answer.
            said = "Refused: no more tool calls are possible."
            if not full:
                made.append(_perform(requested, by_name))
                said = made[-1].answer
            transcript.append({"role": "tool", "tool_call_id": requested.id, "content": said})
        if full:
            return Conversation(answer.text, "max_calls", turn, tuple(made))
    return Conversation("", "max_turns", bounds.turns, tuple(made))


def _ending(answer: Answer) -> Ending:
    if answer.cut_off:
        return "cut_off"
    return "answered" if answer.text.strip() else "empty"


def _perform(requested: Requested, tools: Mapping[str, Tool]) -> ToolCall:
    """Run one call. Whatever is wrong with it becomes the tool's answer: the model can mend it, an exception cannot."""
    tool = tools.get(requested.name)
    try:
        if tool is None:
            offered = ", ".join(tools) or "none"
            raise ToolRefused(f"there is no tool {requested.name!r}; the tools are: {offered}")
        arguments = _arguments(requested.arguments)
        return ToolCall(
            tool.name, requested.arguments, tool.run(validate(arguments, tool.arguments)), refused=False
        )
    except ToolRefused as refusal:
        said = str(refusal)
    except ModelReplyUnusable as error:
        said = f"the arguments are wrong: {error.what}"
    return ToolCall(requested.name, requested.arguments, f"Refused: {said}", refused=True)


def _arguments(written: str) -> Mapping[str, object]:
    """The arguments as an object; none at all is an empty one."""
    if not written.strip():
        return {}
    found = lenient_json.whole_object(written)
    if found is None:
        raise ToolRefused("the arguments are not a JSON object; call again with valid JSON")
    return found
