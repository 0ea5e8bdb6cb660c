"""The tool loop, through the real litellm."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel

from reme_cli.config import LlmConfig
from reme_cli.errors import NoteNotFound
from reme_cli.llm.client import Model
from reme_cli.llm.conversation import Conversation, ToolCall
from reme_cli.llm.ledger import Ledger
from reme_cli.llm.prompts import Turn
from reme_cli.llm.tool import Tool, ToolRefused
from tests.conftest import LONG
from tests.scripted_model import (
    ENVIRONMENT,
    FAULTS,
    MODEL,
    Call,
    Reply,
    Request,
    Script,
    calls,
    scripted_model,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

PROMPT = (Turn("system", "s"), Turn("user", "u"))


class Path(BaseModel):
    path: str
    start_line: int | None = None


def read_tool() -> Tool:
    """Reads any note but `secret.md`."""

    def read(arguments: Path) -> str:
        if arguments.path == "secret.md":
            raise ToolRefused("secret.md is outside digest/; read a note inside")
        if arguments.path == "broken.md":
            raise NoteNotFound("no such note")
        return f"text of {arguments.path}"

    return Tool("read", "Reads a note.", Path, read)


def talk(
    script: Script, tools: Sequence[Tool] | None = None, **bounds: int
) -> tuple[Conversation, tuple[Request, ...]]:
    with scripted_model(script) as server:
        config = LlmConfig(model=MODEL, api_base=server.url, timeout=LONG)
        model = Model.connect(config, Ledger(), ENVIRONMENT)
        return model.converse(PROMPT, [read_tool()] if tools is None else tools, **bounds), server.requests


def test_tools_answer_until_the_model_has_nothing_more_to_ask() -> None:
    conversation, requests = talk([calls(("read", {"path": "a.md"})), text("done")])
    call = ToolCall("read", '{"path": "a.md"}', "text of a.md", refused=False)
    assert conversation == Conversation("done", "answered", 2, (call,))
    assert requests[0].body["tools"][0]["function"]["name"] == "read"
    assert requests[0].body["tools"][0]["function"]["parameters"]["required"] == ["path"]
    said = requests[1].messages[2:]
    assert said[0]["tool_calls"][0]["function"] == {"name": "read", "arguments": '{"path": "a.md"}'}
    assert said[1] == {
        "role": "tool",
        "tool_call_id": said[0]["tool_calls"][0]["id"],
        "content": "text of a.md",
    }


def test_several_calls_of_one_answer_run_in_their_order() -> None:
    conversation, requests = talk([calls(("read", {"path": "b"}), ("read", {"path": "a"})), text("done")])
    assert [call.answer for call in conversation.calls] == ["text of b", "text of a"]
    assert requests[1].tool_answers == ("text of b", "text of a")


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("rm", {"path": "/"}, "there is no tool 'rm'; the tools are: read"),
        ("read", '{"path": "a.md"', "the arguments are not a JSON object"),
        ("read", '{"path": {"x": "y"}, ', "the arguments are not a JSON object"),
        ("read", "a.md", "the arguments are not a JSON object"),
        ("read", "", "path: Field required"),
        ("read", {"file": "a.md"}, "path: Field required"),
        ("read", {"path": "a.md", "start_line": "one"}, "start_line: Input should be a valid integer"),
        ("read", {"path": "secret.md"}, "secret.md is outside digest/; read a note inside"),
    ],
)
def test_what_is_wrong_with_a_call_goes_to_the_model(name: str, arguments: Any, said: str) -> None:
    conversation, requests = talk([calls((name, arguments)), calls(("read", {"path": "a.md"})), text("done")])
    assert said in conversation.calls[0].answer
    assert conversation.calls[0].answer.startswith("Refused: ")
    assert conversation.calls[0].refused
    assert requests[1].last == conversation.calls[0].answer
    assert conversation.calls[1].answer == "text of a.md"
    # whatever the model wrote, what goes back to the provider is JSON
    for message in requests[2].messages:
        for call in message.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)


def test_arguments_with_forgivable_slips_are_read() -> None:
    conversation, _ = talk([calls(("read", "{'path': 'a.md',}")), text("done")])
    assert conversation.calls[0].answer == "text of a.md"


def test_other_errors_of_a_tool_are_not_swallowed() -> None:
    with pytest.raises(NoteNotFound):
        talk([calls(("read", {"path": "broken.md"})), text("done")])


def test_endless_calls_end_at_the_bound_on_turns() -> None:
    conversation, requests = talk(lambda _: calls(("read", {"path": "a.md"})), max_turns=4, max_calls=100)
    assert (conversation.ended, conversation.turns, len(conversation.calls)) == ("max_turns", 4, 4)
    assert len(requests) == 4


def test_endless_calls_end_at_the_bound_on_calls() -> None:
    many = calls(*[("read", {"path": f"{number}.md"}) for number in range(3)])
    conversation, requests = talk(lambda _: many, max_turns=100, max_calls=5)
    assert conversation.ended == "max_calls"
    assert [call.arguments for call in conversation.calls] == [
        f'{{"path": "{number}.md"}}' for number in (0, 1, 2, 0, 1)
    ]
    assert len(requests) == 2


def test_an_empty_answer_is_asked_for_again_once() -> None:
    conversation, requests = talk([FAULTS["empty"], calls(("read", {"path": "a"})), text("done")])
    assert (conversation.text, conversation.ended, conversation.turns) == ("done", "answered", 3)
    assert "empty" in requests[1].last
    assert [message["role"] for message in requests[1].messages] == ["system", "user", "user"]
    conversation, requests = talk([FAULTS["empty"], FAULTS["empty"], text("too late")])
    assert (conversation.ended, len(requests)) == ("empty", 2)


def test_an_answer_that_was_cut_off_is_told_apart() -> None:
    conversation, _ = talk([text("I was about to", finish_reason="length")])
    assert (conversation.text, conversation.ended) == ("I was about to", "cut_off")


def test_calls_without_ids_of_their_own_get_some() -> None:
    same = Reply(calls=(Call("read", '{"path": "a"}', id="x"), Call("read", '{"path": "b"}', id="x")))
    _, requests = talk([same, text("done")])
    made, *answers = requests[1].messages[2:]
    ids = [call["id"] for call in made["tool_calls"]]
    assert len(set(ids)) == 2
    assert [answer["tool_call_id"] for answer in answers] == ids
