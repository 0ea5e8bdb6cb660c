"""`reme watch`."""

from __future__ import annotations

import datetime as dt
import select
import signal
import sys
from contextlib import ExitStack, contextmanager, suppress
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Option
from reme_cli.commands.session import Session
from reme_cli.errors import UsageError
from reme_cli.output import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.watch.news import News

EXAMPLES = (
    "reme watch",
    "reme watch --lint-only quiet_period=1",
    "reme watch threshold=strict --json",
)

INTERRUPTED = "interrupted; what was written is complete"
EXIT_INTERRUPTED = 130
LEAST_QUIET = 0.1
"""Seconds. Editors take some milliseconds for a save of several steps."""
LONGEST_QUIET = 3600.0


class Sureness(StrEnum):
    """How sure a mention has to be."""

    STRICT = "strict"
    BALANCED = "balanced"
    EAGER = "eager"


class _Ended(KeyboardInterrupt):
    """The process is asked to end, by Ctrl-C or another signal."""


def watch(
    session: Session,
    lint_only: Annotated[
        bool, Option("--lint-only", help="Report findings, but link nothing: no note is written.")
    ] = False,
    quiet_period: Annotated[
        str,
        Option(metavar="SECONDS", help="How long nothing may have changed before a save is attended to."),
    ] = "3",
    threshold: Annotated[
        Sureness, Option(help="How sure a mention has to be to become a link.")
    ] = Sureness.BALANCED,
    polling: Annotated[
        bool,
        Option(
            "--polling",
            help="Look at all files every few seconds: for network drives, whose changes the system does not tell.",
        ),
    ] = False,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Print the links that would be written, as a diff; write no note.")
    ] = False,
) -> int:
    """Keep index and links up to date while people edit.

    Once a note was saved and left alone for a while, it is taken into the index, its findings are printed, and what it mentions is
    linked, as `auto_link` does without a model. A note is left alone while an editor has it open (a swap or lock file beside
    it), and after reme wrote it until it is saved again; a link that somebody took out is not put in again. Ctrl-C ends it.
    """
    from reme_cli.watch.attendance import Attendance
    from reme_cli.watch.feed import open_feed
    from reme_cli.watch.watcher import Watcher, WatchOptions

    quiet = _seconds(quiet_period)
    session.vault = str(session.root())  # the same one if the working directory goes
    terminal = session.terminal
    tell = partial(_tell, session)
    options = WatchOptions(links=not lint_only, threshold=threshold.value, dry_run=dry_run)
    asked: list[int] = []
    with suppress(_Ended), _ending_on_signals(asked), ExitStack() as stack:
        with terminal.progress() as step:
            watcher = Watcher(
                session.open_vault,
                options,
                tell,
                warn=terminal.warn,
                progress=lambda done, total: step("indexing", done, total),
            )
        stack.enter_context(watcher)
        feed = partial(open_feed, polling=polling, warn=terminal.warn)
        attendance = stack.enter_context(Attendance(watcher, tell, quiet=quiet, feed=feed))
        # what is raised in a callback, or where something is disposed of, comes no further
        while not asked and not _reader_is_gone():
            attendance.turn()
    # told here, since the JSON of an interrupted command would be more than a line
    if asked[:1] == [signal.SIGINT]:
        terminal.remark(INTERRUPTED)
        return EXIT_INTERRUPTED
    if asked[:1] == [signal.SIGTERM]:  # a closed terminal takes no text
        terminal.remark("ended")
    return 0


def _seconds(text: str) -> float:
    """A number of seconds. Raises `UsageError`."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not LEAST_QUIET <= seconds <= LONGEST_QUIET:
        raise UsageError(
            f"`quiet-period` is a number of seconds from {LEAST_QUIET:g} to {LONGEST_QUIET:g}, not `{text}`"
        )
    return seconds


@contextmanager
def _ending_on_signals(asked: list[int]) -> Iterator[None]:
    """Ctrl-C, SIGTERM, by which a supervisor ends what it started, and SIGHUP of a closed terminal raise `_Ended` in this block.

    Their numbers are put into `asked`, in the order in which they come.

    One that is ignored stays so: `nohup` ignores SIGHUP. Only the first does, for what is open is closed then: supervisors send
    several, `timeout` sends one twice, and Ctrl-C reaches both a supervisor and what it started.
    """

    def end(number: int, _frame: object) -> None:
        asked.append(number)
        if len(asked) == 1:
            raise _Ended

    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32":
        numbers.append(signal.SIGHUP)
    before = {
        number: signal.signal(number, end) for number in numbers if signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, action in before.items():
            # once it is about to end, it is left to do so
            signal.signal(number, signal.SIG_IGN if asked else action)


def _reader_is_gone() -> bool:
    """Whether stdout is a pipe that nobody reads any more, which a write would only find out at the next news."""
    if sys.platform == "win32":
        return False
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(state & select.POLLERR for _, state in poll.poll(0))
    except (OSError, ValueError):  # a stream without a descriptor
        return False


def _tell(session: Session, news: News) -> None:
    """Prints news at once, since somebody may be waiting for them."""
    from reme_cli.commands.mention_lines import tell_mentions
    from reme_cli.lint.formats.text import text_blocks
    from reme_cli.watch.news import Failed, Linked, Many, Removed, Saved, Waiting, Watching, as_json

    terminal = session.terminal
    if session.json:
        time = dt.datetime.now().astimezone().isoformat(timespec="milliseconds")
        terminal.json_line(as_json(news, time))
        return
    match news:
        case Watching():
            terminal.remark(f"watching {counted(news.notes, 'note')} in {news.root}; Ctrl-C ends it")
        case Saved() if news.report.findings:
            terminal.styled(text_blocks(news.report))
        case Saved():
            terminal.remark(f"{news.path}: no findings")
        case Linked():
            tell_mentions(news.report, terminal)
        case Removed():
            terminal.remark(f"{news.path}: removed")
        case Waiting():
            terminal.remark(f"{news.path}: is linked once its editor has closed it ({news.marker})")
        case Many():
            terminal.remark(
                f"{news.added + news.changed} notes changed and {news.removed} removed at once:"
                " taken into the index, but neither checked nor linked"
            )
        case Failed():
            terminal.failure(news.what)
    sys.stdout.flush()
