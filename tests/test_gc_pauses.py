"""Garbage is collected while nobody is at the keys, or now and then if that never happens."""

import gc
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tui.runtime.idle import Collector, freeze_old_objects
from tui.runtime.input_priority import InputPriority


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def _own_thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    gc.freeze()  # what other tests left takes long to look through
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("_own_thresholds")
def test_it_is_done_in_a_pause_and_only_if_there_is_something_to_collect() -> None:
    freeze_old_objects()
    clock = Clock()
    priority = InputPriority(clock)
    collector = Collector(priority, clock=clock)
    gc.collect()
    priority.input_received()
    clock.now += 4
    assert not collector.is_due()
    for _ in range(11):
        gc.collect(1)
    assert collector.is_due()
    priority.input_received()
    assert not collector.is_due()


@pytest.mark.usefixtures("_own_thresholds")
def test_it_is_done_now_and_then_while_keys_never_pause() -> None:
    clock = Clock()
    priority = InputPriority(clock)
    waiting = 0
    collector = Collector(priority, waiting=lambda: waiting, clock=clock)
    collected = []
    for _ in range(60):
        clock.now += 1
        waiting += 3
        priority.input_received()
        if collector.is_due():
            collector.collect()
            collected.append(clock.now)
            waiting = 0
    assert len(collected) == 12
    assert all(after - before == 5 for before, after in pairwise(collected))


def test_nothing_is_done_while_keys_never_pause_and_leave_nothing() -> None:
    clock = Clock()
    priority = InputPriority(clock)
    collector = Collector(priority, waiting=lambda: 9, clock=clock)
    clock.now += 1_000
    priority.input_received()
    assert not collector.is_due()
