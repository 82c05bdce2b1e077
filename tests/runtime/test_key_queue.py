"""Keys that arrive together act one after another, each on what the one before has shown."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from tests.screens.driving import key_event
from tui.runtime.key_queue import SerialKeys


class Growing(SerialKeys):
    """Shows more with `g`, scrolls with `d`, and goes to the top with `t` once that is drawn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "grow", "grow"),
        Binding("d", "down", "down"),
        Binding("t", "top", "top"),
    ]

    def compose(self) -> ComposeResult:
        yield VerticalScroll(Static("one line"), can_focus=False)

    def action_grow(self) -> None:
        self.query_one(Static).update("line\n" * 100)

    def action_down(self) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=20, animate=False, immediate=True)

    def action_top(self) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.refresh()
        scroll.call_after_refresh(scroll.scroll_home, animate=False, immediate=True)


async def test_a_key_scrolls_what_the_key_before_has_shown() -> None:
    app = Growing()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for key in "gdd":
            app.post_message(key_event(key))
        await pilot.pause()
        await app.until_keys_are_done()
        assert app.query_one(VerticalScroll).scroll_y == 40


async def test_a_key_acts_behind_what_the_key_before_does_once_that_is_drawn() -> None:
    app = Growing()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for key in "gddtd":
            app.post_message(key_event(key))
        await pilot.pause()
        await app.until_keys_are_done()
        await pilot.pause()
        assert app.query_one(VerticalScroll).scroll_y == 20
