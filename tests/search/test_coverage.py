"""Making vectors: what is sent, what is kept, what is paid for once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import BudgetConfig
from reme_cli.errors import (
    BudgetReached,
    ModelNotConfigured,
    ModelRejected,
    ModelReplyUnusable,
    ModelUnreachable,
    VaultUnwritable,
)
from reme_cli.search.coverage import Coverage, coverage
from tests.conftest import LONG, PROJECT
from tests.scripted_model import FAULTS, KEY, Reply, Request, embeddings, failure

if TYPE_CHECKING:
    from tests.search.embedded import Embedded

GATEWAY = "# Gateway\n\nThe gateway rotates its tokens."
COST = "## Cost\n\nIt is cheap to run."


def test_every_passage_is_sent_once_and_nothing_else(embedded: Embedded) -> None:
    made = embedded.cover()
    assert sorted(embedded.sent) == sorted(
        [GATEWAY, COST, "# 数据库\n\n迁移数据库之前需要备份。", "# Saturday\n\nTalked about lunch."]
    )
    assert (made.vectors, made.coverage, made.problem) == (4, Coverage(4, 0), None)
    assert made.spent.calls == len(embedded.server.requests) == 1
    assert made.spent.tokens > 0


def test_an_unchanged_vault_asks_for_nothing(embedded: Embedded) -> None:
    embedded.cover()
    for place in embedded.root.rglob("*.md"):
        os.utime(place)
    assert embedded.cover().vectors == 0
    assert len(embedded.server.requests) == 1


def test_one_changed_passage_is_one_passage_sent(embedded: Embedded) -> None:
    embedded.cover()
    embedded.write({"digest/wiki/gateway.md": f"{GATEWAY}\n\n## Cost\n\nIt became dear.\n"})
    made = embedded.cover()
    assert embedded.newly_sent(1) == ["## Cost\n\nIt became dear."]
    assert made.coverage == Coverage(4, 0)


def test_a_moved_or_copied_note_costs_nothing(embedded: Embedded) -> None:
    embedded.cover()
    note = embedded.root / "digest/wiki/gateway.md"
    note.rename(note.with_name("renamed.md"))
    embedded.write({"copy.md": note.with_name("renamed.md").read_text()})
    assert embedded.cover().coverage == Coverage(4, 0)
    assert len(embedded.server.requests) == 1


def test_a_passage_that_stands_twice_is_sent_once(embedded: Embedded) -> None:
    embedded.write({f"{name}.md": f"{COST}\n\n## {name}\n" for name in "ab"})
    embedded.cover()
    assert embedded.sent.count(COST) == 1


def test_what_vanished_is_forgotten_and_what_came_back_is_paid_again(embedded: Embedded) -> None:
    embedded.cover()
    note = embedded.root / "daily/2026-06-20.md"
    text = note.read_text()
    note.unlink()
    assert embedded.cover().coverage == Coverage(3, 0)
    note.write_text(text)
    assert embedded.cover().vectors == 1


def test_neither_a_rebuilt_index_nor_a_lost_one_costs_a_vector(embedded: Embedded) -> None:
    embedded.cover()
    (embedded.root / "metadata/cache/index.db").write_bytes(b"damaged" * 1000)
    embedded.cover()
    (embedded.root / "metadata/cache/index.db").unlink()
    embedded.cover()
    assert len(embedded.server.requests) == 1


def test_requests_hold_no_more_texts_than_configured(embedded: Embedded) -> None:
    embedded.configure(batch=3)
    embedded.write({f"{number}.md": f"note number {number}\n" for number in range(9)})
    assert embedded.cover().vectors == 13
    assert max(len(request.inputs) for request in embedded.server.requests) == 3
    assert len(embedded.server.requests) == 5


def test_a_very_long_note_is_sent_in_pieces(embedded: Embedded) -> None:
    embedded.write(
        {
            "long.md": "".join(f"网关第{number}次轮换令牌。" for number in range(200))
            + "\n\n"
            + "".join(f"The gateway rotates {number}. " for number in range(300))
        }
    )
    embedded.cover()
    assert len(embedded.sent) > 8
    assert max(map(len, embedded.sent)) < 2500


def test_another_way_of_cutting_sends_only_what_is_cut_otherwise(embedded: Embedded) -> None:
    embedded.write({"long.md": "The gateway rotates its tokens. " * 60})
    embedded.cover()
    embedded.configure(max_input_tokens=100)
    embedded.cover()
    assert all(text.startswith("The gateway rotates its tokens.") for text in embedded.newly_sent(1))


def test_models_and_dimensions_have_vectors_of_their_own(embedded: Embedded) -> None:
    embedded.cover()
    embedded.configure(dimensions=32)
    embedded.answer = lambda request: embeddings(request, request.body["dimensions"])
    assert embedded.cover().vectors == 4
    embedded.configure(model="openai/another")
    embedded.answer = embeddings
    assert embedded.cover().vectors == 4
    embedded.configure()
    assert embedded.cover().vectors == 0


# a model that gives vectors of another length ------------------------------------------------------------------------


def test_vectors_of_another_length_are_all_made_again(embedded: Embedded) -> None:
    embedded.cover()
    embedded.answer = lambda request: embeddings(request, 32)
    embedded.write({"new.md": "a new note\n"})
    made = embedded.cover()
    assert made.coverage == Coverage(5, 0)
    assert made.problem is None
    assert sorted(embedded.newly_sent(1)) == sorted(["a new note", *embedded.sent[:4]])
    assert embedded.warnings == [
        "openai/test-embedding gives vectors of another length than before: all are made again"
    ]
    assert embedded.near("new note")[0].path == "new.md"


def test_a_model_that_cannot_decide_on_a_length_is_an_error(embedded: Embedded) -> None:
    embedded.configure(batch=1)
    embedded.answer = lambda request: embeddings(request, 16 + request.number)
    assert isinstance(embedded.cover().problem, ModelReplyUnusable)
    assert len(embedded.server.requests) < 10


# faults --------------------------------------------------------------------------------------------------------------


def test_what_was_made_before_an_error_is_kept(embedded: Embedded) -> None:
    embedded.configure(batch=1)
    embedded.answer = lambda request: embeddings(request) if request.number < 2 else FAULTS["server_error"]
    made = embedded.cover()
    assert isinstance(made.problem, ModelUnreachable)
    assert made.coverage == Coverage(4, 2)
    embedded.answer = embeddings
    before = len(embedded.server.requests)
    assert embedded.cover().vectors == 2
    assert len(embedded.server.requests) == before + 2


def test_the_budget_ends_a_run_and_the_next_one_goes_on(embedded: Embedded) -> None:
    embedded.configure(batch=1, budget=BudgetConfig(usd=None, tokens=20))
    made = embedded.cover()
    assert isinstance(made.problem, BudgetReached)
    assert 0 < made.coverage.missing < 4
    embedded.configure(batch=1)
    assert embedded.cover().coverage.missing == 0


def test_a_wrong_key_ends_at_once_and_is_not_told(embedded: Embedded) -> None:
    embedded.configure(batch=1)
    embedded.answer = lambda _: FAULTS["wrong_key"]
    problem = embedded.cover().problem
    assert isinstance(problem, ModelRejected)
    assert KEY not in str(problem)
    assert len(embedded.server.requests) <= 2


def test_a_text_that_is_refused_leaves_the_others(embedded: Embedded) -> None:
    embedded.answer = lambda request: (
        failure(400, "not this one") if COST in request.inputs else embeddings(request)
    )
    made = embedded.cover()
    assert (made.vectors, made.refused, made.coverage.missing) == (3, 1, 1)
    assert made.problem is not None
    assert made.problem.exit_code == 1
    assert "of 4 texts 1 could not be embedded" in made.problem.what
    embedded.answer = embeddings
    assert embedded.cover().coverage.missing == 0


def test_a_model_that_takes_nothing_is_not_offered_everything(embedded: Embedded) -> None:
    embedded.configure(batch=1)
    embedded.write({f"{number}.md": f"note number {number}\n" for number in range(30)})
    embedded.answer = lambda _: failure(400, "this is no embedding model")
    made = embedded.cover()
    assert isinstance(made.problem, ModelRejected)
    assert made.problem.exit_code == 3
    assert len(embedded.server.requests) < 8


def test_a_server_elsewhere_is_not_sent_a_word(embedded: Embedded) -> None:
    embedded.configure(api_base="https://vectors.example.org/v1")
    with pytest.raises(ModelNotConfigured, match="REME_EMBEDDING__API_BASE"):
        embedded.cover()


def test_vectors_that_cannot_be_kept_are_not_paid_for(embedded: Embedded) -> None:
    embedded.write({"elsewhere/x": ""})
    (embedded.root / "metadata").mkdir(exist_ok=True)
    (embedded.root / "metadata/cache").symlink_to(embedded.root.parent)
    with pytest.raises(VaultUnwritable, match="paid for in vain"):
        embedded.cover()
    assert embedded.server.requests == ()


def test_a_note_that_changes_while_it_is_read_is_left_to_the_next_run(embedded: Embedded) -> None:
    embedded.cover()
    with embedded.open() as index:
        embedded.write({"digest/wiki/gateway.md": f"{GATEWAY}\n\n## New\n\nwords\n"})
        assert coverage(index) == Coverage(4, 0)  # as of when the index was refreshed
    assert embedded.cover().vectors == 1
    assert embedded.newly_sent(1) == ["## New\n\nwords"]


# processes -----------------------------------------------------------------------------------------------------------


def test_of_two_runs_at_once_one_pays(embedded: Embedded) -> None:
    embedded.configure(batch=1)

    def slow(request: Request) -> Reply:
        time.sleep(0.05)
        return embeddings(request)

    embedded.answer = slow
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda _: embedded.cover(), range(2)))
    assert sorted(run.vectors for run in runs) == [0, 4]
    assert len(embedded.server.requests) == 4


def _kept(embedded: Embedded) -> int:
    """How many vectors another process has written down."""
    with closing(sqlite3.connect(embedded.root / "metadata/cache/vectors.db")) as connection:
        (count,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
    return int(count)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_a_killed_run_keeps_what_was_paid_for(embedded: Embedded) -> None:
    embedded.configure(batch=1)
    embedded.write(
        {"vault.yaml": (embedded.root / "vault.yaml").read_text().replace("batch: 64", "batch: 1")}
    )
    third = threading.Event()

    def two_answers(request: Request) -> Reply:
        if request.number < 2:
            return embeddings(request)
        third.set()
        return FAULTS["hang"]

    embedded.answer = two_answers
    process = subprocess.Popen(
        [sys.executable, "-m", "reme_cli", "index", "--vault", str(embedded.root)],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert third.wait(LONG)
        until = time.monotonic() + LONG
        while _kept(embedded) < 2:
            assert time.monotonic() < until
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    embedded.answer = embeddings
    before = len(embedded.server.requests)
    assert embedded.cover().coverage.missing == 0
    assert len(embedded.newly_sent(before)) == 2
