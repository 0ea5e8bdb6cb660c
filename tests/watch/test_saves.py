"""The quiet period, with a clock that is only told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reme_cli.watch.saves import PATIENCE, Saves

QUIET = 3.0


class Files(dict[str, int]):
    """What `look` sees."""

    def look(self, path: str) -> int | None:
        return self.get(path)


def test_a_save_is_due_after_the_quiet_period() -> None:
    saves = Saves(QUIET, Files(a=1).look)
    saves.add(["a"], 0)
    assert saves.due(QUIET - 0.01) == []
    assert saves.due(QUIET) == ["a"]
    assert saves.due(QUIET) == []
    assert saves.wait(QUIET) is None


def test_each_change_begins_the_period_anew() -> None:
    saves = Saves(QUIET, Files(a=1).look)
    saves.add(["a"], 0)
    saves.add(["a"], 2)
    assert saves.due(4) == []
    assert saves.due(5) == ["a"]


def test_a_change_without_news_begins_it_anew_too() -> None:
    files = Files(a=1)
    saves = Saves(QUIET, files.look)
    saves.add(["a"], 0)
    files["a"] = 2
    assert saves.due(3) == []
    assert saves.due(5.9) == []
    assert saves.due(6) == ["a"]


def test_a_file_that_went_meanwhile_is_due_too() -> None:
    files = Files(a=1)
    saves = Saves(QUIET, files.look)
    saves.add(["a"], 0)
    del files["a"]
    assert saves.due(3) == []
    assert saves.due(6) == ["a"]


def test_a_burst_is_taken_at_once() -> None:
    saves = Saves(QUIET, Files().look)
    paths = [f"{number:04}" for number in range(5000)]
    for number, path in enumerate(paths):
        saves.add([path], number / 1000)
    assert saves.due(QUIET + 1) == []
    assert saves.due(QUIET + 5) == paths


def test_a_file_that_never_rests_does_not_keep_the_others_waiting_for_ever() -> None:
    saves = Saves(QUIET, Files(a=1, log=1).look)
    saves.add(["a"], 0)
    taken = []
    for second in range(100):
        saves.add(["log"], second)
        taken += [(second, path) for path in saves.due(second)]
    assert taken == [(QUIET * PATIENCE, "a")]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 5)), max_size=30))
def test_waiting_as_long_as_it_says_comes_to_an_end(news: list[tuple[str, float]]) -> None:
    """Who sleeps for `wait` each time gets every path once it is quiet, in few turns, and none earlier."""
    saves = Saves(QUIET, Files().look)
    now, last, turns = 0.0, dict[str, float](), 0
    for path, pause in news:
        now += pause
        saves.add([path], now)
        last[path] = now
    while (wait := saves.wait(now)) is not None:
        assert wait > 0
        now += wait
        turns += 1
        for path in saves.due(now):
            assert now - last.pop(path) >= QUIET - 1e-6
    assert not last
    assert turns <= 5
