"""Where Ctrl-C has to wait: while modules are imported in the first milliseconds, and while what must be whole is written.

An import that is cut off is no place to go on from: an exception there may end in a callback of the import system, which
prints it and goes on.
"""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_ENDING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""The signals by which a process is asked to end."""

_held: list[int] = []


def hold() -> None:
    """Keeps interrupts back until `release`, unless this process ignores them anyway, as behind `nohup`."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _keep)


def release() -> None:
    """Lets interrupts through again. Raises `KeyboardInterrupt` where one was held."""
    if signal.getsignal(signal.SIGINT) is _keep:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if _held:
            _held.clear()
            raise KeyboardInterrupt


@contextlib.contextmanager
def deferred() -> Iterator[None]:
    """Lets the signals that ask the process to end wait for the end of this block, where they raise an exception.

    For what must not be left half done, and is done soon. One that ends the process without a word still does so. Other
    threads than the main one are never interrupted.
    """
    import threading  # here, for `--version` and `--help` do without it

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    handlers = {number: handler for number in _ENDING if callable(handler := signal.getsignal(number))}
    try:
        for number in handlers:
            signal.signal(number, lambda number, _frame: waiting.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in waiting[:1]:
            handlers[number](number, None)


def give_up() -> None:
    """Lets an interrupt end the process at once and without a word: for when nothing is left to do."""
    if signal.getsignal(signal.SIGINT) in {signal.default_int_handler, _keep}:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _keep(number: int, _frame: FrameType | None) -> None:
    _held.append(number)
