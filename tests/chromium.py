"""A real browser for tests: the system's Chromium without a window, driven over the DevTools protocol through a pipe.

The pipe (`--remote-debugging-pipe`) needs no port and no package: messages are JSON, ended by NUL, on descriptors 3 and 4.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, Self

from tests.conftest import LONG

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# runs the browser with the two ends of the pipe where it looks for them
_EXEC = """
import fcntl, os, sys
reads, writes = (fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3])
os.dup2(reads, 3)
os.dup2(writes, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_chromium() -> str | None:
    """The path of the system's Chromium or Chrome."""
    if sys.platform == "win32":
        return None  # the pipe needs descriptors as Unix has them
    return next(filter(None, map(shutil.which, NAMES)), None)


class Chromium:
    """A browser with one page. `requests` are the addresses it asked for, `problems` what its pages complained of."""

    def __init__(self, binary: str, profile: Path) -> None:
        ours, theirs = os.pipe(), os.pipe()
        arguments = [
            "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--no-first-run",
            "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
            "--disable-extensions", "--window-size=1400,900", "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-c", _EXEC, str(theirs[0]), str(ours[1]), binary, *arguments],
            pass_fds=(theirs[0], ours[1]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs[0])
        os.close(ours[1])
        self._reads, self._writes = ours[0], theirs[1]
        self._buffer = b""
        self._sent = 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.problems: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._reads)
        os.close(self._writes)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command of the protocol. Raises `RuntimeError` with the browser's words."""
        self._sent += 1
        message: dict[str, Any] = {"id": self._sent, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writes, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._sent:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def open(self, address: str) -> None:
        """Loads a page; what earlier ones asked for is forgotten."""
        self.requests.clear()
        self.problems.clear()
        self.send("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """What a JavaScript expression gives; a promise is awaited. Raises `RuntimeError` for what it throws."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", script))
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Returns when an expression is true. Raises `TimeoutError`."""
        deadline = time.monotonic() + LONG
        while not self.run(condition):
            if time.monotonic() > deadline:
                raise TimeoutError(condition)
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """One key, by its DOM name such as `Escape`; a letter is typed."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text: str) -> None:
        """Text as if pasted into what has the focus."""
        self.send("Input.insertText", text=text)

    def move(self, x: float, y: float) -> None:
        """The mouse to a point of the page."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x: float, y: float) -> None:
        """A click at a point of the page."""
        self.move(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """The mouse pressed at one point and released at another."""
        self.move(*start)
        at = {"x": start[0], "y": start[1]}
        self.send("Input.dispatchMouseEvent", type="mousePressed", button="left", clickCount=1, **at)
        at = {"x": end[0], "y": end[1]}
        self.send("Input.dispatchMouseEvent", type="mouseMoved", button="left", buttons=1, **at)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", button="left", clickCount=1, **at)

    def prefer(self, scheme: str) -> None:
        """Makes the page believe that its reader prefers `light` or `dark`."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", features=features)

    def screenshot(self) -> bytes:
        """The page as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._reads], [], [], LONG)[0]:
                raise TimeoutError("the browser says nothing")
            piece = os.read(self._reads, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self._buffer += piece
        message, _, self._buffer = self._buffer.partition(b"\0")
        received: dict[str, Any] = json.loads(message)
        return received

    def _note(self, event: dict[str, Any]) -> None:
        told = event.get("params", {})
        match event.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(told["request"]["url"])
            case "Runtime.exceptionThrown":
                details = told["exceptionDetails"]
                self.problems.append(details.get("exception", {}).get("description", details["text"]))
            case "Log.entryAdded" if told["entry"]["level"] == "error":
                self.problems.append(told["entry"]["text"])
            case "Runtime.consoleAPICalled" if told["type"] in {"error", "warning", "assert"}:
                self.problems.append(str(told["args"]))
            case _:
                pass
