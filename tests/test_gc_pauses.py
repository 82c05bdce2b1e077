"""Garbage is collected while nobody is at the keys."""

import gc
from collections.abc import Iterator

import pytest

from tui.runtime.idle import freeze_old_objects, is_time_to_collect
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
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.usefixtures("_own_thresholds")
def test_it_is_done_in_a_pause_and_only_if_there_is_something_to_collect() -> None:
    freeze_old_objects()
    clock = Clock()
    priority = InputPriority(clock)
    gc.collect()
    priority.input_received()
    clock.now += 5
    assert not is_time_to_collect(priority)
    for _ in range(11):
        gc.collect(1)
    assert is_time_to_collect(priority)
    priority.input_received()
    clock.now += 1
    assert not is_time_to_collect(priority)
