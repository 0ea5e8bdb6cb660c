"""A baseline: findings that are known and not told again, recognised though lines move."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING

from reme_cli.errors import UsageError, VaultUnwritable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from reme_cli.lint.finding import Finding

_MARK_LENGTH = 16
_NO_PATHS: Mapping[str, Sequence[str]] = {}


def fingerprints(findings: Sequence[Finding], text: Callable[[str], str | None]) -> tuple[str, ...]:
    """What tells each finding from others and does not depend on where in its note it stands.

    It is made from the code, the path, the characters that were found, and the number of equal ones before it.
    """
    seen: Counter[str] = Counter()
    marks = []
    for finding in findings:
        mark = _mark(finding, text(finding.path) if finding.end else None, finding.path)
        marks.append(f"{mark}:{seen[mark]}")
        seen[mark] += 1
    return tuple(marks)


def read_baseline(place: Path) -> frozenset[str]:
    """The fingerprints that a baseline file holds. Raises `UsageError`."""
    try:
        content = json.loads(place.read_bytes())
        return frozenset(str(entry["fingerprint"]) for entry in content["findings"])
    except FileNotFoundError:
        raise UsageError(
            "there is no baseline file here", where=str(place), hint="`--write-baseline` makes one."
        ) from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(
            "is no baseline of reme", where=str(place), hint="`--write-baseline` makes it anew."
        ) from error


def write_baseline(place: Path, findings: Sequence[Finding], text: Callable[[str], str | None]) -> None:
    """Writes the findings as a baseline, one a line, so that a diff of two baselines can be read."""
    rows = sorted(
        (finding.path, finding.code, mark)
        for finding, mark in zip(findings, fingerprints(findings, text), strict=True)
    )
    lines = ",\n".join(
        "  " + json.dumps({"path": path, "code": code, "fingerprint": mark}, ensure_ascii=False)
        for path, code, mark in rows
    )
    content = '{"schema": 1, "findings": [' + (f"\n{lines}\n" if lines else "") + "]}\n"
    try:
        place.write_bytes(content.encode())
    except OSError as error:
        raise VaultUnwritable(f"cannot be written: {error.strerror}", where=str(place)) from error


def unknown_to(
    known: frozenset[str],
    findings: Sequence[Finding],
    text: Callable[[str], str | None],
    former: Mapping[str, Sequence[str]] = _NO_PATHS,
) -> tuple[Finding, ...]:
    """The findings that a baseline does not hold; `former` has the paths that a note had before, under which it may be known."""
    marks = [_marks(finding, text, former) for finding in findings]
    seen: Counter[tuple[str, str]] = Counter()
    unknown = []
    for finding, (mark, *earlier) in zip(findings, marks, strict=True):
        number = seen[finding.path, mark]
        seen[finding.path, mark] += 1
        if known.isdisjoint(f"{each}:{number}" for each in (mark, *earlier)):
            unknown.append(finding)
    return tuple(unknown)


def _marks(
    finding: Finding, text: Callable[[str], str | None], former: Mapping[str, Sequence[str]]
) -> list[str]:
    found = text(finding.path) if finding.end else None
    return [_mark(finding, found, path) for path in (finding.path, *former.get(finding.path, ()))]


def _mark(finding: Finding, text: str | None, path: str) -> str:
    words = " ".join(text[finding.start : finding.end].split()) if text is not None else ""
    parts = (finding.code, path, words)
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:_MARK_LENGTH]
