"""What is painted line by line is what Textual would paint, and little is asked of widgets."""

from collections.abc import Sequence

import pytest
from rich.console import RenderableType
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tests.boards import small
from tests.fake_store import FakeStore
from tests.quiet import paint_always
from tests.screens.driving import Driver, connected
from tui.app import CallboardApp
from tui.context import Context
from tui.runtime.changed_cells import _runs
from tui.runtime.dirty_lines import DirtyLines

KEYS = (
    *("j", "L", "v", "j", "escape", "z", "z", "space", "l", "escape", "slash", "a", "escape"),
    *("enter", "2", "j", "5", "escape", "question_mark", "escape", "ctrl+p", "d", "escape"),
    *("n", "x", "enter", "escape", "ctrl+e", "B", "p", "escape", "j", "H"),
)
Cells = dict[tuple[int, int], tuple[str, str]]


def write(update: LayoutUpdate | ChopsUpdate, cells: Cells) -> None:
    """Paint an update on the cells of a terminal."""
    for column, line, strip in _runs(update):
        at = column
        for text, style, _ in strip:
            for character in text:
                cells[line, at] = character, str(style)
                at += 1


class Terminal(CallboardApp):
    """The program on a terminal that keeps what was painted."""

    cells: Cells

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        if isinstance(renderable, LayoutUpdate | ChopsUpdate) and screen is self.screen:
            self.cells = {} if isinstance(renderable, LayoutUpdate) else self.cells
            write(renderable, self.cells)
        super()._display(screen, renderable)


@pytest.mark.parametrize(
    "size", [(100, 30), (60, 20), pytest.param((150, 44), marks=pytest.mark.long)], ids=str
)
async def test_the_terminal_shows_what_textual_would_paint(size: tuple[int, int]) -> None:
    app = Terminal(Context(FakeStore(small())), connect=connected, board_id=1)
    paint_always(app)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        person = Driver(app, pilot)
        for key in KEYS:
            await person.press(key)
            await pilot.pause()
            compositor = app.screen._compositor
            assert isinstance(compositor, DirtyLines)
            whole: Cells = {}
            write(Compositor.render_full_update(compositor), whole)
            assert app.cells == whole, key


async def test_a_step_asks_for_few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[int] = []
    render_lines = Widget.render_lines

    def counted(self: Widget, crop: Region) -> Sequence[Strip]:
        lines.append(crop.height)
        return render_lines(self, crop)

    counts = []
    for is_patched in (True, False):
        app = Terminal(Context(FakeStore(small())), connect=connected, board_id=1)
        paint_always(app)
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            if not is_patched:
                app.screen._compositor.__class__ = Compositor
            person = Driver(app, pilot)
            await person.press("j", "k")
            monkeypatch.setattr(Widget, "render_lines", counted)
            lines.clear()
            await person.press("j")
            await pilot.pause()
            monkeypatch.undo()
        counts.append(sum(lines))
    assert counts[0] <= 10 < counts[1], counts
