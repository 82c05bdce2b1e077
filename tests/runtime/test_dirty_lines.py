"""What is painted line by line is what Textual would paint, and little is asked of widgets."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from rich.console import RenderableType
from rich.segment import Segment
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tests.fakes.boards import bare_details, small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, connected
from tui.app import CallboardApp
from tui.context import Context
from tui.runtime.changed_cells import _runs
from tui.runtime.dirty_lines import DirtyLines

pytestmark = pytest.mark.painted

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


def cells_as_by_textual(app: App[Any]) -> Cells:
    """The cells of the screen in front when Textual paints all of it."""
    cells: Cells = {}
    write(Compositor.render_full_update(app.screen._compositor), cells)
    return cells


class Terminal(CallboardApp):
    """The program on a terminal that keeps what was painted."""

    cells: Cells

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        if isinstance(renderable, LayoutUpdate | ChopsUpdate) and screen is self.screen:
            self.cells = {} if isinstance(renderable, LayoutUpdate) else self.cells
            write(renderable, self.cells)
        super()._display(screen, renderable)


@pytest.mark.long
@pytest.mark.parametrize(
    "size", [(100, 30), (60, 20), pytest.param((150, 44), marks=pytest.mark.long)], ids=str
)
async def test_the_terminal_shows_what_textual_would_paint(size: tuple[int, int]) -> None:
    store = FakeStore(small(), details=bare_details(small()))
    app = Terminal(Context(store), connect=connected, board_id=1)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        person = Driver(app, pilot)
        for key in KEYS:
            await person.press(key)
            await pilot.pause()
            assert isinstance(app.screen._compositor, DirtyLines)
            assert app.cells == cells_as_by_textual(app), key


class Sheet(Widget):
    """A widget of which each cell differs from those around it, and all at each turn.

    Those of its `spot` are of the next turn already.
    """

    turn = 0
    spot = Region()
    shown = 0
    resized = 0

    def on_show(self) -> None:
        self.shown += 1

    def on_resize(self) -> None:
        self.resized += 1

    def render_line(self, y: int) -> Strip:
        turns = (self.turn + self.spot.contains(x, y) for x in range(self.size.width))
        letters = (x + 5 * y + 11 * turn for x, turn in enumerate(turns))
        return Strip([Segment("".join(chr(ord("a") + letter % 26) for letter in letters))])


class Heap(App[None]):
    """Sheets that lie over each other, and beyond the edges of the terminal."""

    CSS = "Screen { overflow: hidden; } Sheet { position: absolute; }"

    def __init__(self, regions: Sequence[Region]) -> None:
        super().__init__()
        self.cells: Cells = {}
        self.sheets = [Sheet() for _ in regions]
        for sheet, region in zip(self.sheets, regions, strict=True):
            sheet.styles.offset = region.offset
            sheet.styles.width, sheet.styles.height = region.size

    def compose(self) -> ComposeResult:
        yield from self.sheets

    def on_mount(self) -> None:
        self.screen._compositor.__class__ = DirtyLines

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        if isinstance(renderable, LayoutUpdate | ChopsUpdate):
            write(renderable, self.cells)
        super()._display(screen, renderable)


@pytest.mark.parametrize("seed", range(8))
async def test_widgets_that_are_cut_and_covered_are_painted_as_by_textual(seed: int) -> None:
    random = Random(seed)  # noqa: S311  chance, not secrecy
    regions = [
        Region(random.randint(-6, 16), random.randint(-3, 7), width, height)
        for width, height in ((9, 4), (12, 3), (5, 5), (30, 2))
    ]
    app = Heap([*regions, Region(-4, 1, 8, 3), Region(17, 5, 8, 3)])
    async with app.run_test(size=(20, 8)) as pilot:
        for sheet in app.sheets:
            for spot in (Region(), Region(2, 1, 3, 1)):
                sheet.turn, sheet.spot = sheet.turn + 1 - bool(spot), spot
                sheet.refresh(*filter(None, [spot]))
                await pilot.pause()
                assert app.cells == cells_as_by_textual(app), (sheet, spot)


async def test_what_is_shown_is_painted_also_if_its_place_was_asked_for_before_its_layout() -> None:
    app = Heap([Region(0, 0, 20, 8), Region(2, 1, 9, 3)])
    async with app.run_test(size=(20, 8)) as pilot:
        sheet, compositor = app.sheets[1], app.screen._compositor
        sheet.display = False
        await pilot.pause()
        shown = sheet.shown
        sheet.display = True
        compositor.update_widgets({sheet})  # a repaint that is due before the layout
        assert sheet.region == Region(2, 1, 9, 3)
        await pilot.pause()
        assert app.cells == cells_as_by_textual(app)
        assert sheet.shown == shown + 1


async def test_what_grows_is_painted_also_if_its_place_was_asked_for_before_its_layout() -> None:
    app = Heap([Region(0, 0, 20, 8), Region(2, 1, 9, 3), Region(12, 5, 5, 2)])
    async with app.run_test(size=(20, 8)) as pilot:
        (_, hidden, grown), compositor = app.sheets, app.screen._compositor
        hidden.display = False
        await pilot.pause()
        resized = grown.resized
        hidden.display = True
        grown.styles.width = 7
        compositor.update_widgets({hidden})  # a repaint that is due before the layout
        assert grown.region == Region(12, 5, 7, 2)
        await pilot.pause()
        assert app.cells == cells_as_by_textual(app)
        assert grown.resized == resized + 1


@pytest.mark.long
async def test_a_step_asks_for_few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[int] = []
    render_lines = Widget.render_lines

    def counted(self: Widget, crop: Region) -> Sequence[Strip]:
        lines.append(crop.height)
        return render_lines(self, crop)

    counts = []
    for is_patched in (True, False):
        app = Terminal(Context(FakeStore(small())), connect=connected, board_id=1)
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
