"""A pane with the output of a command of the user, while it runs and after it."""

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.widget import Widget
from textual.worker import Worker

from tui.dialogs.base import Dialog
from tui.errors import CallboardError
from tui.runtime.beside import ShowLines
from tui.text import cells
from tui.text.clean import counted
from tui.widgets.keys import hinted_keys, quiet_keys
from tui.widgets.painted import Line, PaintedLines

_MOST = 5_000
"""The lines that are kept, the last ones."""
_WHEEL = 3


class OutputText(PaintedLines):
    """Lines of output, wrapped, which follow the end until they are scrolled."""

    ground = "raised"

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=_MOST)
        self.count = 0
        """How many lines there were, with those that are no longer kept."""
        self._rows: list[str] = []
        self._width = 0
        self._top: int | None = None
        """The first row shown; None for the last page."""

    def add(self, lines: Sequence[str]) -> None:
        """Show more lines."""
        self.count += len(lines)
        self.lines.extend(lines)
        if self._width:
            self._rows += (row for line in lines[-_MOST:] for row in _wrapped(line, self._width))
            if dropped := max(0, len(self._rows) - _MOST):
                del self._rows[:dropped]
                self._top = None if self._top is None else max(0, self._top - dropped)
        self.redraw()

    def scroll_rows(self, by: int) -> None:
        """Scroll by so many rows."""
        last = max(0, len(self._rows) - self.size.height)
        top = last if self._top is None else self._top
        self._top = max(0, top + by) if top + by < last else None
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        if size.width != self._width:
            self._width = size.width
            self._rows = [row for line in self.lines for row in _wrapped(line, max(1, size.width))]
            self._rows = self._rows[-_MOST:]
        last = max(0, len(self._rows) - size.height)
        top = last if self._top is None else min(self._top, last)
        return [((row, "text"),) for row in self._rows[top : top + size.height]]


def _wrapped(line: str, width: int) -> Iterable[str]:
    # Not at words: the columns of tables and the indentation of code stay as they are.
    while True:
        row, line = cells.split(line, width)
        yield row
        if not line or not row:
            return


class CommandPane(Dialog[None]):
    """Runs something at once and shows its output.

    `run` gets what shows lines, and returns how it ended in words. Esc stops it while it runs, and
    closes the pane then.
    """

    frame_class = "-tall"
    keys_text = "{dialog.cancel:esc} stop"
    BINDINGS: ClassVar[list[BindingType]] = [
        *hinted_keys("output", ("copy", "y", "copy", "Copy output", "copy")),
        *quiet_keys(
            "output",
            ("back", "enter,q", "leave", "Close"),
            ("down", "j,down", "rows(1)", "Next line"),
            ("up", "k,up", "rows(-1)", "Previous line"),
            ("page-down", "space,pagedown,ctrl+d", "pages(1)", "Next page"),
            ("page-up", "pageup,ctrl+u", "pages(-1)", "Previous page"),
            ("first", "home", "pages(-10000)", "First line"),
            ("last", "G,end", "pages(10000)", "Last line"),
        ),
    ]

    def __init__(self, title: str, run: Callable[[ShowLines], Awaitable[str]]) -> None:
        super().__init__(title)
        self._run = run
        self._output = OutputText()
        self._worker: Worker[None] | None = None
        self._has_ended = False

    @property
    def lines(self) -> Sequence[str]:
        """The output so far."""
        return self._output.lines

    def body(self) -> Iterable[Widget]:
        yield self._output

    def on_mount(self) -> None:
        super().on_mount()
        self.say_context("running …")
        self._worker = self.run_worker(self._follow(), group="command", exclusive=True)

    async def _follow(self) -> None:
        end = "stopped"
        try:
            end = await self._run(self._output.add)
        except CallboardError as error:
            end = "not run"
            self._output.add([error.message, *filter(None, [error.hint])])
        finally:
            self._has_ended = True
            if self.is_attached:
                self._say_end(end)

    def _say_end(self, end: str) -> None:
        count = self._output.count
        more = f", the last {_MOST:,}" if count > _MOST else ""
        self.say_context(f"{end}  {counted(count, 'line')}{more}" if count else end)
        self.say_keys(
            "{output.copy:y} copy   {output.down:j} {output.up:k} scroll"
            "   {dialog.cancel:esc} close"
        )

    def action_cancel(self) -> None:
        if self._has_ended or self._worker is None:
            self.dismiss(None)
        else:
            self._worker.cancel()

    def action_leave(self) -> None:
        if self._has_ended:
            self.dismiss(None)
        else:
            self.tell("still running: esc to stop it")

    def action_copy(self) -> None:
        self.app.copy_to_clipboard("\n".join(self._output.lines))
        self.tell(f"copied {counted(len(self._output.lines), 'line')}")

    def action_rows(self, by: int) -> None:
        self._output.scroll_rows(by)

    def action_pages(self, pages: int) -> None:
        self._output.scroll_rows(pages * max(1, self._output.size.height - 1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._output.scroll_rows(_WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._output.scroll_rows(-_WHEEL)
