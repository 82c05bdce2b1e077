"""Garbage is collected in pauses, and not between a key and its effect."""

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from tui.runtime.idle import collect_if_worth_it, freeze_old_objects


class Screen:
    """Something that refers to itself, as screens do."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _own_thresholds() -> Iterator[None]:
    thresholds = gc.get_threshold()
    freeze_old_objects()
    gc.collect()
    yield
    gc.set_threshold(*thresholds)


def test_a_closed_screen_is_collected_in_a_pause() -> None:
    screen = Screen()
    closed = ref(screen)
    gc.collect(1)  # it was open for a while
    del screen
    for _ in range(10):
        gc.collect(1)
    assert closed() is not None, "no full collection happens by itself"
    collect_if_worth_it()
    assert closed() is None


def test_nothing_is_looked_through_where_little_was_allocated() -> None:
    screen = Screen()
    closed = ref(screen)
    gc.collect(1)
    del screen
    collect_if_worth_it()
    assert closed() is not None
    gc.collect()
