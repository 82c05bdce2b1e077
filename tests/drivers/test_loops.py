"""No test of a screen runs without the tasks of the program."""

import asyncio

import pytest
from textual.app import App

from tests.drivers.loops import EAGER, run


async def open_and_wait() -> None:
    """A screen that is opened, and a wait for it."""
    async with App[None]().run_test() as pilot:
        await pilot.pause()


def test_a_screen_is_opened_in_the_loop_of_the_program() -> None:
    run(open_and_wait())


async def test_tests_have_that_loop() -> None:
    assert asyncio.get_running_loop().get_task_factory() is EAGER
    await open_and_wait()


@pytest.mark.skipif(EAGER is None, reason="tasks begin later on this Python, as in the program")
def test_a_screen_in_another_loop_fails_its_test() -> None:
    with pytest.raises(AssertionError, match=r"tests\.drivers\.loops"):
        asyncio.run(open_and_wait())
