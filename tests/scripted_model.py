"""An OpenAI-compatible server on loopback that answers from a script, and keeps every request it got.

    with scripted_model([text("hello"), FAULTS["rate_limited"], calls(("read", {"path": "a.md"}))]) as server:
        config = LlmConfig(model="openai/test", api_base=server.url)

A script is a sequence, used up in order, or a function from `Request` to `Reply`, called from several threads at once.
The client under test is the real one, through the real litellm: only the provider is played.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, cast

MODEL = "openai/test"
KEY = "sk-scripted-0123456789abcdef"
ENVIRONMENT: Mapping[str, str] = {"OPENAI_API_KEY": KEY}


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of the model's; `arguments` is what is sent, JSON or not."""

    name: str
    arguments: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server does with one request.

    `usage` counts tokens as `(prompt, completion, cached)`; "counted" derives them from the lengths, "missing" leaves
    them out. `raw` replaces the body of the answer. `fate` is what becomes of the connection: `hang` never answers
    while the server lives, `trickle` sends white space for as long, `reset` closes with RST, `garbage` sends what is
    not HTTP.
    """

    content: str | None = None
    calls: tuple[Call, ...] = ()
    finish_reason: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    usage: tuple[int, int, int] | Literal["counted", "missing"] = "counted"
    raw: bytes | None = None
    fate: Literal["answer", "hang", "trickle", "reset", "garbage"] = "answer"


@dataclass(frozen=True, slots=True)
class Request:
    """One request as the server got it. `number` counts from 0 in order of arrival."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", ()))

    @property
    def inputs(self) -> list[str]:
        """The texts to be embedded."""
        given = self.body["input"]
        return [given] if isinstance(given, str) else list(given)

    @property
    def system(self) -> str:
        """The text of all system messages."""
        return "\n".join(_text(m) for m in self.messages if m["role"] in ("system", "developer"))

    @property
    def user(self) -> str:
        """The text of the first user message: the rendered prompt."""
        return next((_text(m) for m in self.messages if m["role"] == "user"), "")

    @property
    def last(self) -> str:
        """The text of the last message, whoever spoke."""
        return _text(self.messages[-1])

    @property
    def turn(self) -> int:
        """How often the model has spoken in this conversation."""
        return sum(m["role"] == "assistant" for m in self.messages)

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools on offer."""
        return tuple(tool["function"]["name"] for tool in self.body.get("tools") or ())

    @property
    def tool_answers(self) -> tuple[str, ...]:
        """What the tools answered so far, in order."""
        return tuple(_text(m) for m in self.messages if m["role"] == "tool")


Script = Sequence[Reply] | Callable[[Request], Reply]


def text(content: str, **fields: Any) -> Reply:
    """A plain answer."""
    return Reply(content=content, **fields)


def json_text(value: object, **fields: Any) -> Reply:
    """An answer that is JSON and nothing else."""
    return Reply(content=json.dumps(value, ensure_ascii=False), **fields)


def calls(*named: tuple[str, Mapping[str, Any] | str], content: str | None = None) -> Reply:
    """An answer that calls tools, each given as `(name, arguments)`; arguments that are a `str` go out as they are."""
    made = tuple(
        Call(name, arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False))
        for name, arguments in named
    )
    return Reply(content=content, calls=made)


def failure(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    """An error in OpenAI's form. Header names are given with `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    error = {"message": message, "type": "error", "param": None, "code": code}
    return Reply(status=status, error=error, headers=named)


def embeddings(request: Request, size: int = 64, **fields: Any) -> Reply:
    """A vector for each text of the request: texts with words in common are near to each other."""
    data = [
        {"object": "embedding", "index": place, "embedding": vector_of(text, size)}
        for place, text in enumerate(request.inputs)
    ]
    tokens = sum(len(text) for text in request.inputs) // 4 + 1
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    answer = {"object": "list", "model": request.body["model"], "data": data, "usage": usage, **fields}
    return Reply(raw=json.dumps(answer).encode())


def vector_of(text: str, size: int) -> list[float]:
    """Words, and pairs of Chinese characters, counted in places that depend on nothing but themselves."""
    vector = [0.0] * size
    words = re.findall(r"[a-z0-9]+", text.casefold()) + re.findall(r"(?=([\u4e00-\u9fff]{2}))", text)
    for word in words:
        vector[int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest()) % size] += 1.0
    length = math.hypot(*vector) or 1.0
    return [number / length for number in vector] if any(vector) else [1.0, *vector[1:]]


FAULTS: Mapping[str, Reply] = {
    "wrong_key": failure(401, f"Incorrect API key provided: {KEY}. Find yours online.", "invalid_api_key"),
    "no_permission": failure(403, "You have no access to this model.", "forbidden"),
    "unknown_model": failure(404, "The model `test` does not exist.", "model_not_found"),
    "rate_limited": failure(429, "Rate limit reached.", "rate_limit_exceeded", Retry_After="1"),
    "server_error": failure(500, "The server had an error."),
    "overloaded": failure(503, "Overloaded."),
    "hang": Reply(fate="hang"),
    "trickle": Reply(fate="trickle"),
    "reset": Reply(fate="reset"),
    "garbage": Reply(fate="garbage"),
    "broken_body": Reply(raw=b'{"id": "chatcmpl-1", "choices": [{"index": 0, "mess'),
    "no_choices": Reply(
        raw=b'{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"test","choices":[]}'
    ),
    "cut_off": Reply(content='{"units": [{"name": "Half a', finish_reason="length"),
    "empty": Reply(content=""),
    "prose": Reply(content="I am sorry, I would rather tell you about the weather."),
    "wrong_schema": Reply(content='{"answer": 42}'),
    "unknown_tool": calls(("rm", {"path": "/"})),
    "broken_arguments": calls(("read", '{"path": "a.md"')),
    "missing_usage": Reply(content="{}", usage="missing"),
}
"""One reply for each way a provider or a model goes wrong. Endless tool calls are a script: `lambda request: calls(…)`."""


class ScriptedModel:
    """The running server: `url` is the `api_base`, `requests` what it got so far."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self.closed = threading.Event()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.scripted = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def requests(self) -> tuple[Request, ...]:
        with self._lock:
            return tuple(self._requests)

    @property
    def left(self) -> int:
        """How many replies of a sequence have not been asked for."""
        if callable(self._script):
            return 0
        return max(0, len(self._script) - len(self.requests))

    def close(self) -> None:
        """Stop; hanging requests are let go."""
        self.closed.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        _close_clients()

    def reply_to(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Reply:
        """Record the request and choose what to do with it."""
        with self._lock:
            request = Request(len(self._requests), path, headers, body)
            self._requests.append(request)
        if callable(self._script):
            return self._script(request)
        if request.number < len(self._script):
            return self._script[request.number]
        return failure(400, f"The script has no reply number {request.number}.", "script_exhausted")


def _close_clients() -> None:
    """Close the clients that litellm keeps: their sockets would be found open at the end of the process."""
    litellm = sys.modules.get("litellm")
    kept = getattr(litellm, "in_memory_llm_clients_cache", None)
    if kept is None:
        return
    for key, client in list(kept.cache_dict.items()):
        if isinstance(client, AbstractContextManager):  # the others are asynchronous, and not in use
            del kept.cache_dict[key]
            with client:
                pass


@contextmanager
def scripted_model(script: Script) -> Iterator[ScriptedModel]:
    """A server that lives as long as the block."""
    server = ScriptedModel(script)
    try:
        yield server
    finally:
        server.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    scripted: ScriptedModel

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is part of the play, not a traceback on stderr."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""

    def do_POST(self) -> None:
        scripted = cast("_Server", self.server).scripted
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = scripted.reply_to(self.path, dict(self.headers.items()), body)
        if reply.fate == "hang":
            scripted.closed.wait()
            self.close_connection = True
        elif reply.fate == "trickle":
            self._trickle(scripted.closed)
        elif reply.fate == "reset":
            # A linger time of zero makes close() send RST instead of FIN.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
        elif reply.fate == "garbage":
            self.wfile.write(b"this is not HTTP\r\n\r\n")
            self.close_connection = True
        else:
            self._answer(reply, body)

    def _trickle(self, closed: threading.Event) -> None:
        """An answer that goes on and on, as of a busy provider that keeps the connection alive."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while not closed.wait(0.02):
            self.wfile.write(b"\n")
        self.close_connection = True

    def _answer(self, reply: Reply, body: Mapping[str, Any]) -> None:
        if reply.raw is not None:
            data = reply.raw
        elif reply.error is not None:
            data = json.dumps({"error": reply.error}).encode()
        else:
            data = json.dumps(_completion(reply, body)).encode()
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _completion(reply: Reply, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a successful chat completion."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": call.id if call.id is not None else f"call_{number}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for number, call in enumerate(reply.calls)
        ]
    finish = reply.finish_reason or ("tool_calls" if reply.calls else "stop")
    completion: dict[str, Any] = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", "test"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if reply.usage != "missing":
        prompt, answer, cached = _usage(reply, body)
        completion["usage"] = {
            "prompt_tokens": prompt,
            "completion_tokens": answer,
            "total_tokens": prompt + answer,
            "prompt_tokens_details": {"cached_tokens": cached},
        }
    return completion


def _usage(reply: Reply, body: Mapping[str, Any]) -> tuple[int, int, int]:
    if isinstance(reply.usage, tuple):
        return reply.usage
    prompt = len(json.dumps(body.get("messages"), ensure_ascii=False)) // 4
    answer = len(reply.content or "") + sum(len(call.arguments) for call in reply.calls)
    return prompt, answer // 4 + 1, 0


def _text(message: Mapping[str, Any]) -> str:
    """A message's text; content may be a string or a list of parts."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
