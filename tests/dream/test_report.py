"""Counts that reconcile, exit codes, and what a person is told."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from reme_cli.dream.report import (
    DayReport,
    DreamReport,
    FailedInputs,
    FailedUnit,
    IntegratedUnit,
    as_json,
    summary,
)
from reme_cli.llm.ledger import Spent

A, B = "daily/2026-06-20/a.md", "daily/2026-06-20/b.md"
LANDED = IntegratedUnit("u1", "Keys", "CREATE", "digest/wiki/keys.md", ("derived_from:: [[a]]",))
FAILED = FailedUnit("u2", "Retries", (B,), "no note", 1)
DAY = DayReport(date="2026-06-20", scanned=3, changed=2, extracted=1, integrated=(LANDED,))


def report(*days: DayReport, **fields: object) -> DreamReport:
    return DreamReport("run", "llm", days, **fields)  # type: ignore[arg-type]  # the tests' own fields


@pytest.mark.parametrize(
    ("told", "code"),
    [
        (report(DAY), 0),
        (report(replace(DAY, integrated=(), changed=0)), 0),
        (report(replace(DAY, pending=3)), 0),
        (report(replace(DAY, quarantined_paths=(A,))), 0),
        (report(replace(DAY, warnings=("odd",))), 0),
        (report(replace(DAY, failed_units=(FAILED,))), 1),
        (report(replace(DAY, failed_inputs=(FailedInputs((A,), "prose"),))), 1),
        (report(replace(DAY, errors=("topics",))), 1),
        (report(DAY, model_error="budget", spent=Spent(calls=1)), 1),
        (report(DAY, model_error="no answer"), 3),
    ],
)
def test_the_exit_code_says_whether_anything_is_left_to_retry(told: DreamReport, code: int) -> None:
    assert told.exit_code == code


def test_failed_paths_are_those_of_units_and_of_inputs_once() -> None:
    day = replace(DAY, failed_units=(FAILED,), failed_inputs=(FailedInputs((B, A), "prose"),))
    assert report(day, day).failed_paths == (A, B)


def test_what_is_in_quarantine_is_named_in_a_warning() -> None:
    told = report(replace(DAY, quarantined_paths=(B,), quarantined_units=(replace(FAILED, paths=(A,)),)))
    assert told.quarantined == (A, B)
    assert f"{A}, {B}" in told.warnings[-1]


def test_the_models_error_is_told_once() -> None:
    day = replace(DAY, failed_inputs=(FailedInputs((A,), "no answer"),))
    assert report(day, model_error="llm.model: no answer\nCheck.").errors == ("llm.model: no answer\nCheck.",)


@pytest.mark.parametrize(
    ("day", "line"),
    [
        (DayReport(date="2026-06-20", scanned=3), "nothing to dream"),
        (DAY, "2 of 3 inputs changed; 1 unit extracted; 1 integrated (1 create)"),
        (
            replace(
                DAY, integrated=(LANDED, replace(LANDED, action="SKIP")), failed_units=(FAILED,), pending=4
            ),
            "2 of 3 inputs changed; 1 unit extracted; 1 integrated (1 create); 1 already known; 1 failed; 4 left for the next run",
        ),
    ],
)
def test_the_summary(day: DayReport, line: str) -> None:
    assert summary(report(day)) == line


def test_the_summary_tells_what_the_model_cost() -> None:
    spent = Spent(calls=2, prompt_tokens=100, cached_tokens=40, completion_tokens=10, cost=0.0123)
    assert summary(report(DAY, spent=spent)).endswith("; 2 model calls, 110 tokens (40 cached), $0.0123")
    unknown = Spent(calls=1, prompt_tokens=1, cost=None)
    assert summary(report(DAY, spent=unknown)).endswith("; 1 model call, 1 tokens, price unknown")


def test_the_json_object_is_versioned_and_counts_what_the_contract_names() -> None:
    counts = as_json(report(replace(DAY, failed_units=(FAILED,))))
    assert next(iter(counts)) == "schema"
    assert counts["schema"] == 1
    assert counts["integrated"] == {"CREATE": 1, "CORROBORATE": 0, "REFINE": 0, "CORRECT": 0}
    assert counts["failed_units"] == [
        {"unit": "u2", "name": "Retries", "paths": [B], "reason": "no note", "attempts": 1}
    ]
    assert {
        "scanned",
        "changed",
        "topics",
        "checkpointed",
        "follow_ups",
        "calls",
        "tokens",
        "cost",
    } <= counts.keys()
    assert json.loads(json.dumps(counts)) == counts
