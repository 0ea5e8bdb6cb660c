"""The levels of `reme auto_link` above the mentions: what each does, and what is printed of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from reme_cli.changeset.run import start_run
from reme_cli.output import counted

if TYPE_CHECKING:
    from collections.abc import Collection

    from reme_cli.commands.session import Session
    from reme_cli.index.index import Index
    from reme_cli.linking.asking import Asking


def run_l2(
    session: Session, index: Index, wanted: Collection[str] | None, *, dry_run: bool, use_model: bool
) -> int:
    """Notes on the same topic."""
    from reme_cli.linking.l2_same_topic import TopicOptions, link_topics
    from reme_cli.linking.topic_report import as_json

    options = TopicOptions(dry_run=dry_run, use_model=use_model)
    with start_run(index.vault, "auto_link l2") as run:
        report = link_topics(index.vault, index, wanted, options, run, env=os.environ)
    session.tell_rescues(run.rescued)
    terminal = session.terminal
    if session.json:
        terminal.json(as_json(report))
        return _stopped(session, report.asking)
    if dry_run:
        terminal.diff(report.diff)
    for pair in () if dry_run and report.diff else report.pairs:
        mark = " (linked)" if pair in report.linked else ""
        terminal.line(f"{pair.score:.2f} {pair.first} — {pair.second}: {pair.evidence}{mark}")
    told = counted(len(report.pairs), "pair")
    if report.asking is not None:
        told += f", {len(report.linked)} {'would be linked' if dry_run else 'linked'}"
    terminal.remark(told + model_part(report.asking))
    return _stopped(session, report.asking)


def run_l3(
    session: Session,
    index: Index,
    wanted: Collection[str] | None,
    *,
    apply: bool,
    dry_run: bool,
    use_model: bool,
) -> int:
    """Predicates that sentences state."""
    from reme_cli.linking.l3_predicates import TypingOptions, type_links
    from reme_cli.linking.typing_report import KEPT, as_json

    options = TypingOptions(apply=apply, dry_run=dry_run, use_model=use_model)
    terminal = session.terminal
    with start_run(index.vault, "auto_link l3") as run, terminal.progress() as step:
        report = type_links(
            index.vault,
            index,
            wanted,
            options,
            run,
            env=os.environ,
            progress=lambda done, total: step("typing", done, total),
        )
    session.tell_rescues(run.rescued)
    if session.json:
        terminal.json(as_json(report))
        return _stopped(session, report.asking)
    if dry_run:
        terminal.diff(report.diff)
    else:
        for link in report.typed:
            terminal.line(f"{link.path}:{link.line}:{link.col}: {link.predicate}:: {link.target}")
    for left in report.left:
        place = f"{left.path}:{left.line}:{left.col}" if left.line else left.path
        said = f"{left.predicate}:: {left.target}: " if left.target else ""
        terminal.detail(f"{place}: {said}{KEPT[left.reason]}")
    verb = "typed" if report.applied else "would be typed"
    told = f"{counted(len(report.typed), 'link')} {verb} in {counted(len(report.changed), 'note')}"
    if report.typed and not report.applied and not dry_run:
        told += " (--apply writes them)"
    if report.left:
        told += f"; {len(report.left)} left (--verbose tells why)"
    terminal.remark(told + model_part(report.asking))
    return _stopped(session, report.asking)


def run_l4(
    session: Session, index: Index, wanted: Collection[str] | None, *, dry_run: bool, use_model: bool
) -> int:
    """Duplicates."""
    from reme_cli.linking.duplicate_report import as_json
    from reme_cli.linking.l4_duplicates import DuplicateOptions, list_duplicates

    options = DuplicateOptions(dry_run=dry_run, use_model=use_model)
    report = list_duplicates(index.vault, index, wanted, options, env=os.environ)
    terminal = session.terminal
    if session.json:
        terminal.json(as_json(report))
        return _stopped(session, report.asking)
    for pair in report.pairs:
        terminal.line(f"{pair.sureness} {pair.score:.2f} {pair.first} — {pair.second}: {pair.evidence}")
    likely = sum(pair.sureness == "likely" for pair in report.pairs)
    told = f"{counted(len(report.pairs), 'pair')}, {likely} likely"
    if report.file:
        told += f"; how to resolve them is in {report.file}"
    terminal.remark(told + model_part(report.asking))
    return _stopped(session, report.asking)


def model_part(asking: Asking | None) -> str:
    """What a summary tells of the model's part."""
    if asking is None:
        return ""
    told = f"; {counted(asking.remembered, 'answer')} remembered" if asking.remembered else ""
    if asking.spent.calls:
        told += f"; {counted(asking.spent.calls, 'model call')}, {asking.spent.tokens} tokens"
    return told


def _stopped(session: Session, asking: Asking | None) -> int:
    """1, and a line on stderr, where the model gave out."""
    if asking is None or asking.stopped is None:
        return 0
    session.terminal.failure(asking.stopped)
    return 1
