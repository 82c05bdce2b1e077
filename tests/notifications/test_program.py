"""The notifications of the program go on after a mistake, and say that there was one."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.notifications.test_notifier import pass_time
from tests.store.fake_clock import FakeClock
from tui.config.preferences import Preferences
from tui.config.settings import Settings
from tui.config.settings_writing import CurrentSettings
from tui.context import Context
from tui.errors import CallboardError
from tui.notifications.notifier import Terminal
from tui.notifications.program import notify


class FailingStore(FakeStore):
    """Fails so many times when boards are followed, each time with the next of the `mistakes`."""

    def __init__(self, *mistakes: Exception) -> None:
        super().__init__(small())
        self.mistakes = [*mistakes]

    async def follow(self, board_ids: Sequence[int], *, by: str = "") -> None:
        if board_ids and self.mistakes:
            raise self.mistakes.pop(0)
        await super().follow(board_ids, by=by)


async def test_after_a_mistake_it_is_said_and_tried_again_after_growing_pauses(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock, written, complaints = FakeClock(), list[str](), list[str]()
    store = FailingStore(KeyError(7), CallboardError("the disk is full."), ValueError())
    context = Context(
        store,
        CurrentSettings(Settings(notify="osc9")),
        Preferences(tmp_path / "preferences.json"),
    )
    terminal = Terminal(written.append, complaints.append, {"TERM": "xterm"})
    work = asyncio.create_task(notify(context, terminal, lambda _: False, clock))
    try:
        await pass_time(clock, 50)
        assert complaints == ["Notifications failed (7). Next attempt in 1 minute."]
        await pass_time(clock, 15)
        assert complaints[1:] == [
            "Notifications failed (the disk is full). Next attempt in 2 minutes."
        ]
        await pass_time(clock, 110)
        assert len(complaints) == 2
        await pass_time(clock, 15)
        assert complaints[2:] == ["Notifications failed (ValueError). Next attempt in 4 minutes."]
        await pass_time(clock, 250)
        assert store.followed == (1,)
        assert len(complaints) == 3
        assert [record.message for record in caplog.records] == ["Notifications stopped"] * 3
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
