"""What a run of auto_link linked, and what it left, one line each: for the command and for `watch`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.linking.report import REASONS

if TYPE_CHECKING:
    from reme_cli.linking.report import L1Report
    from reme_cli.output import Terminal


def tell_mentions(report: L1Report, terminal: Terminal) -> None:
    """Prints the links, or the diff of a dry run; with `--verbose` also the mentions that were left and why."""
    if report.dry_run:
        terminal.diff(report.diff)
    else:
        for link in report.linked:
            terminal.line(f"{link.path}:{link.line}:{link.col}: {link.mention} → {link.target}")
    for left in report.left:
        place = f"{left.path}:{left.line}:{left.col}" if left.line else left.path
        said = f"`{left.mention}` → {' or '.join(left.targets)}: " if left.mention else ""
        terminal.detail(f"{place}: {said}{REASONS[left.reason]}")
