"""Ctrl-C in the first milliseconds: held while modules are imported, since an import that is cut off is no place to go on from.

An exception there may end in a callback of the import system, which prints it and goes on.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

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


def give_up() -> None:
    """Lets an interrupt end the process at once and without a word: for when nothing is left to do."""
    if signal.getsignal(signal.SIGINT) in {signal.default_int_handler, _keep}:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _keep(number: int, _frame: FrameType | None) -> None:
    _held.append(number)
