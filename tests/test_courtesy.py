"""Work in the background gives way to keys, and goes on all the same."""

import asyncio
from time import monotonic

import pytest

from tui.runtime.input_priority import Courtesy


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("since", "is_due"), [(0.0, True), (0.02, True), (0.03, False)])
def test_a_key_has_the_attention_for_a_moment(since: float, is_due: bool) -> None:
    clock = Clock()
    courtesy = Courtesy(clock)
    assert not courtesy.is_due
    courtesy.person_acted()
    clock.now += since
    assert courtesy.is_due is is_due


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
    await Courtesy(Clock()).give_way()
    assert turns - begun >= 8
    other.cancel()


def test_a_thread_rests_once_and_goes_on() -> None:
    courtesy = Courtesy(Clock())
    courtesy.person_acted()
    began = monotonic()
    courtesy.hold_thread()
    assert monotonic() - began >= 0.02
    assert courtesy.is_due


async def test_work_goes_on_while_keys_are_pressed() -> None:
    courtesy = Courtesy(Clock())
    for _ in range(3):
        courtesy.person_acted()
        await courtesy.give_way()
