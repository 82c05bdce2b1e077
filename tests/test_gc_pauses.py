"""Garbage is collected while nobody is at the keys, or now and then if that never happens."""

import gc
from collections.abc import Iterator
from itertools import pairwise
from weakref import ref

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


class Screen:
    """Something that refers to itself, as screens do."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.usefixtures("_own_thresholds")
def test_what_was_closed_long_after_it_was_opened_is_collected_within_a_minute_or_so() -> None:
    clock = Clock()
    priority = InputPriority(clock)
    waiting = 10
    collector = Collector(priority, waiting=lambda: waiting, clock=clock)
    screen = Screen()
    watched = ref(screen)
    clock.now += 5
    assert collector.is_due()
    collector.collect()
    waiting = 0
    del screen
    clock.now += 50
    assert not collector.is_due()
    clock.now += 10
    priority.input_received()
    assert not collector.is_due(), "not while keys are pressed"
    clock.now += 3
    assert collector.is_due()
    collector.collect()
    assert watched() is None
    clock.now += 1_000
    assert not collector.is_due(), "nothing has happened since"


def test_nothing_is_done_while_keys_never_pause_and_leave_nothing() -> None:
    clock = Clock()
    priority = InputPriority(clock)
    collector = Collector(priority, waiting=lambda: 9, clock=clock)
    clock.now += 1_000
    priority.input_received()
    assert not collector.is_due()
