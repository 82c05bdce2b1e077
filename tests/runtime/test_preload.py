"""The screens of a task are loaded while nobody presses a key."""

import asyncio
from contextvars import Context
from functools import partial

import pytest

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, application
from tui.runtime.idle import preload_in_pauses
from tui.runtime.input_priority import InputPriority
from tui.screens.task.screen import TaskScreen


async def test_the_screen_of_a_task_is_mounted_before_it_is_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = application(FakeStore(small()))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        person = Driver(app, pilot)
        preloading = preload_in_pauses(app.prepare_task_screen, after=0)
        await asyncio.create_task(preloading, context=Context())  # not that of the program
        await pilot.pause()
        assert person.board.is_current, "the screen of a task is not shown yet"
        page = app.get_screen(TaskScreen.__name__, TaskScreen)
        assert page.size == app.size
        assert page.panes.fields.drawn_size.area, "its widgets are laid out and drawn"
        mounted: list[object] = []
        monkeypatch.setattr(app, "_register", lambda *given, **_: mounted.append(given))
        await person.press("enter")
        assert isinstance(app.screen, TaskScreen)
        assert "Priority" in person.text
        assert app.focused is app.screen.panes.text
        assert not mounted


async def test_steps_are_run_one_after_another() -> None:
    steps: list[int] = []
    await InputPriority().run_in_pauses(partial(steps.append, number) for number in range(3))
    assert steps == [0, 1, 2]


async def test_it_waits_for_a_pause() -> None:
    priority = InputPriority()
    priority.input_received()
    waiting = asyncio.create_task(priority.until_quiet(0.02))
    await asyncio.sleep(0)
    assert not waiting.done()
    await waiting
    assert priority.quiet_seconds >= 0.02
