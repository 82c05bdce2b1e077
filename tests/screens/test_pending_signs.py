"""A change has a sign as long as it is pending, unless it is accepted in a moment."""

from collections import Counter
from collections.abc import Callable
from typing import cast

import pytest
from textual.message_pump import MessagePump

from tests.drivers.patience import patience
from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import opened
from tui.screens.board.bar import PendingSigns
from tui.store.events import SyncStatus
from tui.widgets import glyphs
from tui.widgets.painted import PaintedLines

PENDING, SENT = SyncStatus(pending=1), SyncStatus()


class Timers:
    """The timers of a screen, which end when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def set_timer(self, seconds: float, end: Callable[[], None]) -> "Timers":
        """Set a timer, which is this object."""
        assert seconds == 0.15
        self.waiting.append(end)
        return self

    def stop(self) -> None:
        """Stop the timer."""
        self.waiting.clear()


def signs_on(timers: Timers, redraws: list[str], status: SyncStatus = SENT) -> PendingSigns:
    return PendingSigns(
        cast("MessagePump", timers), lambda: redraws.append("drawn"), seconds=0.15, status=status
    )


def test_a_change_that_is_sent_at_once_has_no_sign() -> None:
    timers, redraws = Timers(), list[str]()
    signs = signs_on(timers, redraws)
    assert signs.drawn(PENDING).pending == 0
    assert signs.drawn(PENDING).pending == 0
    assert len(timers.waiting) == 1
    assert signs.are_due(SENT)
    assert not timers.waiting
    assert not redraws


def test_a_change_that_waits_gets_its_sign() -> None:
    timers, redraws = Timers(), list[str]()
    signs = signs_on(timers, redraws)
    assert not signs.are_due(PENDING)
    timers.waiting.pop()()
    assert redraws == ["drawn"]
    assert signs.drawn(PENDING) == PENDING
    assert signs.are_due(SENT)
    assert not signs.are_due(PENDING), "the next change is waited for again"


def test_what_is_pending_when_a_board_is_opened_has_its_sign() -> None:
    timers, redraws = Timers(), list[str]()
    assert signs_on(timers, redraws, PENDING).are_due(PENDING)
    assert not timers.waiting


async def test_nothing_is_drawn_when_a_change_was_accepted_in_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = FakeStore(small())
    async with opened(store, sign_seconds=3600) as person:
        await person.press("L")
        card = store.submitted[-1].task_id
        assert card is not None
        moved = store.views[1]
        store.now = PENDING
        store.news(moved.with_pending({card}))
        await person.pilot.pause()
        assert glyphs.ON_THE_WAY not in person.text
        counts: Counter[str] = Counter()
        draw = PaintedLines.render_line

        def counted(lines: PaintedLines, y: int) -> object:
            counts["lines"] += 1
            return draw(lines, y)

        monkeypatch.setattr(PaintedLines, "render_line", counted)
        store.now = SENT
        store.news(moved)
        await person.pilot.pause()
        assert not counts
        assert glyphs.ON_THE_WAY not in person.text


async def test_a_change_that_waits_is_marked_on_its_card_and_in_the_bar() -> None:
    store = FakeStore(small())
    async with opened(store, sign_seconds=0.001) as person:
        await person.press("L")
        card = store.submitted[-1].task_id
        assert card is not None
        store.now = PENDING
        store.news(store.views[1].with_pending({card}))
        async with patience("the sign of what waits", lambda: person.text):
            while f"{glyphs.ON_THE_WAY} 1 pending" not in person.text:
                await person.pilot.pause()
        assert person.text.count(glyphs.ON_THE_WAY) == 2
