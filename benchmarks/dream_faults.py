"""`auto_dream` over real daily notes, with a model of which one answer in twenty is faulty.

    python benchmarks/dream_faults.py              # all days of the gold set
    python benchmarks/dream_faults.py --days 12    # the first ones

A first run meets every way in which a provider or a model goes wrong; a second one, without faults, finishes the rest; a
third has nothing to do. Checked: every unit ends in exactly one note or is reported; no unit lands twice; the catalog names
only notes that the model has really read; nothing is written outside the digest; every digest note is a complete one.
Prints tables; exits 1 on any violation. The days come from `REME_SHARED` (default: `../shared`).
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from unittest.mock import patch

# the project need not be installed
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reme_cli.changeset import audit
from reme_cli.config import BudgetConfig, Config, LlmConfig
from reme_cli.digest import note as digest_note
from reme_cli.dream.catalog import Catalog, read_catalog
from reme_cli.dream.inputs import material_of as own_material
from reme_cli.dream.options import DreamOptions
from reme_cli.dream.pipeline import dream
from reme_cli.dream.report import DreamReport, as_json, summary
from reme_cli.graph.edge import occurrences_of
from reme_cli.llm import client
from reme_cli.llm.calls import RetryPolicy
from reme_cli.vault.resolve import Names
from reme_cli.vault.vault import Vault
from tests.plausible_model import material_of, plausible, role_of, unit_and_recall
from tests.scripted_model import (
    ENVIRONMENT,
    FAULTS,
    KEY,
    MODEL,
    Reply,
    Request,
    calls,
    json_text,
    scripted_model,
)

PROJECT = Path(__file__).resolve().parent.parent

ONE_IN = 20
"""Answers to one that is faulty: 5 %."""
TIMEOUT = 3.0
"""Seconds that the client waits for a server that hangs."""
STOPPING = ("wrong_key", "no_permission", "unknown_model")
"""These end a run, so they get runs of their own."""


def _write_to(path: str) -> Callable[[Request], Reply]:
    """A first turn that writes where it must not."""

    def reply(request: Request) -> Reply:
        unit = json.loads(dict(material_of(request))["unit"])
        return calls(("write", {"path": path, "name": unit["name"], "description": "d", "content": "text"}))

    return reply


def _existing_path(request: Request) -> Reply:
    """A first turn that makes a note anew which is there."""
    _, recall = unit_and_recall(request)
    return _write_to(recall[0][0])(request)


def _two_targets(request: Request) -> Reply:
    """A first turn that writes two notes at once: one too many."""
    first = plausible(request)
    wanted = [(call.name, call.arguments) for call in first.calls]
    second = {"path": "digest/wiki/a-second-target.md", "name": "n", "description": "d", "content": "text"}
    return calls(*wanted, ("write", second))


def _invented(request: Request) -> Reply:
    """An extraction of which nothing rests on the material."""
    unit = {"name": "n", "bucket": "no such bucket", "summary": "s", "paths": ["daily/1999-01-01.md"]}
    return json_text(
        {"units": [unit, *json.loads(plausible(request).content or "{}")["units"]], "topics": []}
    )


Fault = Reply | Callable[[Request], Reply]

EVERYWHERE: Mapping[str, Fault] = {name: reply for name, reply in FAULTS.items() if name not in STOPPING}
IN_EXTRACT: Mapping[str, Fault] = {"invented_paths": _invented}
IN_INTEGRATE: Mapping[str, Fault] = {
    "other_bucket": _write_to("digest/secrets/x.md"),
    "path_outside": _write_to("../../.bashrc"),
    "daily_path": _write_to("daily/2021-05-13.md"),
    "existing_path": _existing_path,
    "second_target": _two_targets,
    "endless_calls": calls(("node_search", {"query": "anything"})),
}

_ALL: Mapping[str, Fault] = {**IN_EXTRACT, **IN_INTEGRATE, **EVERYWHERE}


@dataclass
class FaultyModel:
    """Answers plausibly, but one request in `ONE_IN` with the next fault that fits it. Keeps what was read in good order."""

    is_faulty: bool = True
    asked: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    read: dict[str, str] = field(default_factory=dict)
    """The last text of each note whose extraction was answered well."""
    _due: float = 0.0
    """Faults that are owed."""
    _cursed: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, request: Request) -> Reply:
        with self._lock:
            self.asked += 1
            fault = self._next_fault(request) if self.is_faulty else None
        reply = plausible(request) if fault is None else fault(request) if callable(fault) else fault
        if role_of(request) == "extract" and (fault is None or fault is _invented):
            with self._lock:
                self.read |= dict(material_of(request))
        return reply

    def _next_fault(self, request: Request) -> Fault | None:
        if request.user in self._cursed:
            return IN_INTEGRATE["endless_calls"]
        self._due += 1 / ONE_IN
        if self._due < 1:
            return None
        fitting = [name for name in _ALL if self._fits(name, request)]
        # what came up least goes first, so that each comes up
        name = min(fitting, key=lambda name: self.faults[name])
        self._due -= 1
        self.faults[name] += 1
        if name == "endless_calls":
            self._cursed.add(request.user)
        return _ALL[name]

    @staticmethod
    def _fits(name: str, request: Request) -> bool:
        role = role_of(request)
        if name in IN_EXTRACT:
            return role == "extract"
        if name == "existing_path" and not (role == "integrate" and unit_and_recall(request)[1]):
            return False
        if name in IN_INTEGRATE:
            return role == "integrate" and request.turn == 0
        return True


@dataclass
class Outcome:
    """What a benchmark run found; empty `violations` is success."""

    reports: list[DreamReport] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    asked: int = 0
    violations: list[str] = field(default_factory=list)

    def expect(self, holds: object, claim: str) -> None:
        """Note a claim that does not hold."""
        if not holds:
            self.violations.append(claim)


def shared_days() -> Path:
    """The folder with the gold set's daily notes."""
    shared = Path(os.environ.get("REME_SHARED") or PROJECT.parent / "shared")
    return shared / "gold" / "dream" / "bigscience" / "daily"


def measure(days: list[Path], root: Path) -> Outcome:
    """Dream the days in a new vault at `root`, and check what became of them."""
    (root / "daily").mkdir(parents=True)
    (root / "vault.yaml").touch()
    for day in days:
        shutil.copy(day, root / "daily" / day.name)
    before = _files(root)
    found = Outcome()
    model = FaultyModel()
    with scripted_model(model) as server, _short_pauses():
        settings = LlmConfig(
            model=MODEL, api_base=server.url, timeout=TIMEOUT, budget=BudgetConfig(usd=None, tokens=None)
        )
        vault = Vault(root, Config(llm=settings))
        dates = tuple(dt.date.fromisoformat(day.stem) for day in days)
        found.reports.append(_dream(vault, dates))
        _check(vault, model, found, "first run")
        model.is_faulty = False
        for _ in range(2):  # an input whose extraction failed may give more units than one run integrates
            found.reports.append(_dream(vault, dates))
            _check(vault, model, found, f"run {len(found.reports)}")
        asked = model.asked
        found.reports.append(_dream(vault, dates))
        last = found.reports[-1]
        found.expect(model.asked == asked, "the last run still asked the model")
        found.expect(
            summary(last) == "nothing to dream", f"the last run had something to do: {summary(last)}"
        )
        found.expect(last.exit_code == 0, "the last run did not exit 0")
        _check_end(vault, before, found)
    found.faults, found.asked = model.faults, model.asked
    return found


def measure_stopping(day: Path, root: Path) -> Outcome:
    """A run that the provider stops for good, in the middle: exit 1 or 3, nothing lost, the next run finishes."""
    found = Outcome()
    for name in STOPPING:
        place = root / name
        (place / "daily").mkdir(parents=True)
        shutil.copy(day, place / "daily" / day.name)
        for position in range(3):
            model = FaultyModel(is_faulty=False)
            vault_root = place / str(position)
            shutil.copytree(place / "daily", vault_root / "daily")

            stopped = threading.Event()

            def answer(
                request: Request,
                fault: Reply = FAULTS[name],
                at: int = position,
                stopped: threading.Event = stopped,
                model: FaultyModel = model,
            ) -> Reply:
                return model(request) if stopped.is_set() or request.number < at else fault

            with scripted_model(answer) as server, _short_pauses():
                vault = Vault(
                    vault_root, Config(llm=LlmConfig(model=MODEL, api_base=server.url, concurrency=1))
                )
                dates = (dt.date.fromisoformat(day.stem),)
                first = _dream(vault, dates)
                stopped.set()
                second = _dream(vault, dates)
            found.reports += [first, second]
            found.faults[name] += 1
            found.expect(
                first.exit_code == (1 if position else 3),
                f"{name} at call {position}: exit {first.exit_code}",
            )
            found.expect(
                second.exit_code == 0, f"{name} at call {position}: the next run exits {second.exit_code}"
            )
            _check(vault, model, found, f"{name} at call {position}")
    return found


def _dream(vault: Vault, dates: tuple[dt.date, ...]) -> DreamReport:
    return dream(vault, DreamOptions(dates=dates), env=ENVIRONMENT)


@contextmanager
def _short_pauses() -> Iterator[None]:
    """Retries without the seconds of courtesy that a real provider is due; `Retry-After` is still kept."""
    with patch.object(client, "RetryPolicy", partial(RetryPolicy, first=0.02)):
        yield


def _check(vault: Vault, model: FaultyModel, found: Outcome, when: str) -> None:
    """What must hold after every run."""
    counts = as_json(found.reports[-1])
    units = counts["carried"] + counts["extracted"]
    ends = sum(counts["integrated"].values()) + sum(
        counts[key] for key in ("skipped", "failed", "pending", "quarantined_units")
    )
    found.expect(units == ends, f"{when}: {units} units, but {ends} ends")
    catalog = read_catalog(vault)
    still_open = {item.unit.id for batch in catalog.batches for item in batch.units}
    landed = Counter(
        line.unit for line in audit.lines(vault) if line.unit and line.outcome in {"written", "skipped"}
    )
    found.expect(not still_open & landed.keys(), f"{when}: units both landed and open")
    found.expect(all(count == 1 for count in landed.values()), f"{when}: a unit landed twice")
    reported = {unit.unit for report in found.reports for unit in report.units}
    found.expect(landed.keys() <= reported, f"{when}: the audit knows a unit that no report told of")
    for claim in _unread(vault, catalog, model):
        found.violations.append(f"{when}: {claim}")


def _unread(vault: Vault, catalog: Catalog, model: FaultyModel) -> Iterator[str]:
    """What the catalog claims to be dreamed although no good answer was ever given for it."""
    for path, entry in catalog.entries.items():
        if not path.endswith(".md"):
            continue
        note = vault.read(path)
        if note.stamp != entry.stamp:
            yield f"{path}: the catalog's stamp is not that of the note"
        text = own_material(vault, note)
        says_something = any(line.strip() and not line.startswith("#") for line in text.splitlines())
        if says_something and model.read.get(path, "").strip() != text.strip():
            yield f"{path}: in the catalog, but the model has not read it"


def _check_end(vault: Vault, before: Mapping[str, bytes], found: Outcome) -> None:
    """What must hold when everything is done."""
    after = _files(vault.root)
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    stray = [
        path for path in changed if not path.startswith("digest/") and not path.endswith("/interests.yaml")
    ]
    found.expect(not stray, f"written outside the digest: {stray}")
    catalog = read_catalog(vault)
    found.expect(not catalog.batches, "something is still open")
    daily = {path for path in before if path.startswith("daily/")}
    found.expect(daily <= catalog.entries.keys(), "an input is not in the catalog")
    names = Names(vault.note_paths())
    for path in sorted(after):
        if path.startswith("digest/"):
            text = after[path].decode()
            try:
                digest_note.check(path, text, names)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is a violation
                found.violations.append(f"{path}: {error}")
            broken = [
                occurrence.edge
                for occurrence in occurrences_of(path, text, names)
                if not occurrence.edge.resolved
            ]
            found.expect(not broken, f"{path}: broken links {broken}")
    everything = [place for place in vault.root.rglob("*") if place.is_file()]
    found.expect(not [place for place in everything if place.suffix == ".tmp"], "temporary files are left")
    found.expect(
        not any(KEY.encode() in place.read_bytes() for place in everything), "the key is in the vault"
    )


def _files(root: Path) -> dict[str, bytes]:
    return {
        path: place.read_bytes()
        for place in root.rglob("*")
        if place.is_file() and not (path := place.relative_to(root).as_posix()).startswith("metadata/")
    }


def _print(found: Outcome, title: str, seconds: float) -> None:
    print(f"\n{title} ({seconds:.0f} s)")
    for number, report in enumerate(found.reports, 1):
        print(f"  run {number:2}  exit {report.exit_code}  {report.spent.calls:5} calls  {summary(report)}")
        for error in report.errors:
            print(f"          {error.splitlines()[0]}")
    if found.asked:
        total = sum(found.faults.values())
        print(f"  {found.asked} requests, {total} faulty ({100 * total / found.asked:.1f} %)")
    for name, count in sorted(found.faults.items()):
        print(f"    {name:20} {count:4}")
    print("  violations: " + ("none" if not found.violations else ""))
    for violation in found.violations:
        print(f"    {violation}")


def main() -> int:
    """Run both parts and print their tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=None, help="only the first N days")
    wanted = parser.parse_args()
    days = sorted(shared_days().glob("*.md"))
    if not days:
        print(f"no daily notes at {shared_days()}: set REME_SHARED", file=sys.stderr)
        return 2
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        found = measure(days[: wanted.days], Path(folder) / "vault")
        if wanted.days is None:
            missing = _ALL.keys() - found.faults.keys()
            found.expect(not missing, f"faults that never came up: {sorted(missing)}")
        _print(
            found,
            f"{len(days[: wanted.days])} days, one answer in {ONE_IN} faulty",
            time.monotonic() - started,
        )
        started = time.monotonic()
        stopped = measure_stopping(days[0], Path(folder) / "stopped")
        _print(
            stopped,
            "A provider that refuses, at the first, second and third call",
            time.monotonic() - started,
        )
        failed = bool(found.violations or stopped.violations)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
