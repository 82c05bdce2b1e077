"""Work in the background gives way to keys, and goes on all the same."""

import asyncio
from time import monotonic

import pytest

from tests.drivers.patience import patience
from tui.runtime import input_priority
from tui.runtime.input_priority import InputPriority, until_beat


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("since", "is_due"), [(0.0, True), (0.02, True), (0.03, False)])
def test_a_key_has_the_attention_for_a_moment(since: float, is_due: bool) -> None:
    clock = Clock()
    priority = InputPriority(clock)
    assert not priority.is_input_recent
    priority.input_received()
    clock.now += since
    assert priority.is_input_recent is is_due


async def test_several_turns_of_others_fit_in_between() -> None:
    turns = 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(take_turns())
    await asyncio.sleep(0)
    begun = turns
    await InputPriority(Clock()).yield_to_input()
    assert turns - begun >= 8
    other.cancel()


def test_a_thread_rests_once_and_goes_on() -> None:
    priority = InputPriority(Clock())
    priority.input_received()
    began = monotonic()
    priority.block_after_input()
    assert monotonic() - began >= 0.02
    assert priority.is_input_recent


async def test_work_goes_on_once_the_effect_of_a_key_is_painted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(input_priority, "_ATTENTION", 50)
    priority = InputPriority(Clock())
    priority.input_received()
    pausing = asyncio.create_task(priority.pause_after_input())
    thread = asyncio.create_task(asyncio.to_thread(priority.block_after_input))
    await asyncio.sleep(0)
    priority.effect_painted()
    async with patience("work that to continue"):
        await asyncio.gather(pausing, thread)
    assert not priority.is_input_recent
    priority.input_received()
    assert priority.is_input_recent


async def test_work_goes_on_while_keys_are_pressed() -> None:
    priority = InputPriority(Clock())
    for _ in range(3):
        priority.input_received()
        await priority.yield_to_input()


async def test_what_can_wait_begins_with_the_first_key() -> None:
    priority = InputPriority()
    waiting = asyncio.create_task(priority.until_input(50))
    await asyncio.sleep(0)
    priority.input_received()
    async with patience("work that to continue"):
        await waiting


async def test_what_can_wait_begins_after_the_effect_of_the_first_key() -> None:
    priority = InputPriority(Clock())
    waiting = asyncio.create_task(priority.until_input(50))
    await asyncio.sleep(0)
    priority.input_received()
    for _ in range(9):
        await asyncio.sleep(0)
    assert not waiting.done()
    priority.effect_painted()
    async with patience("work that to continue"):
        await waiting


async def test_what_can_wait_begins_without_a_key_too() -> None:
    async with patience("work that to continue"):
        await InputPriority().until_input(0.01)


@pytest.mark.parametrize(("now", "expected"), [(8.0, 0.25), (8.1, 0.15), (8.2499, 0.0001)])
def test_the_next_beat_is_never_now(now: float, expected: float) -> None:
    assert until_beat(0.25, now) == pytest.approx(expected)


def test_long_and_short_pauses_end_together() -> None:
    ends = [3.3 + until_beat(pause, 3.3) for pause in (0.25, 1.0, 2.0)]
    assert ends == pytest.approx([3.5, 4.0, 4.0])
