"""Uses of private parts of Textual, each with its reason.

If an upgrade of Textual changes such a part, the patch is not applied: then there are more frames,
or Textual reports an error itself. tests/runtime/test_textual_patches.py fails then.
"""

import asyncio
import codecs
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from inspect import iscoroutinefunction, signature
from traceback import format_exception
from typing import Any, Generic, Self, TypeVar

from rich.console import Console, RenderableType
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.app import App
from textual.binding import Binding
from textual.css.model import RuleSet
from textual.driver import Driver
from textual.events import Callback
from textual.message_pump import MessagePump
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget

from tui.runtime.changed_cells import ChangedCells, TerminalCells
from tui.runtime.dirty_lines import DirtyLines
from tui.runtime.input_priority import INPUT_PRIORITY

Answer = TypeVar("Answer")

_LOG_WIDTH = 100
"""Columns of an error in the log that Textual has laid out already."""
_TURNS_OF_A_MESSAGE = 2
"""Turns of the event loop until a message is handled and the sender knows it."""
_LONGEST_LAYOUT = 5.0
_LOOK_IF_CLOSED_EVERY = 0.5
_AS_LATIN_1 = "callboard-as-latin-1"
_DECODER = "getincrementaldecoder"


def leave_out_if_changed(patched: type, base: type, *names: str) -> None:
    """Remove all overrides unless the base still has each of these methods."""
    if not all(_is_same(getattr(base, name, None), vars(patched)[name]) for name in names):
        for name in names:
            delattr(patched, name)


def _is_same(method: Callable[..., object] | None, override: Callable[..., object]) -> bool:
    return (
        method is not None
        and list(signature(method).parameters) == list(signature(override).parameters)
        and iscoroutinefunction(method) == iscoroutinefunction(override)
    )


class ProgramScreen(Screen[Answer], Generic[Answer]):
    """The base of all screens and dialogs: one that renders only the lines that are painted."""

    # Textual would paint all of it when another widget gets the focus.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def __init__(self) -> None:
        super().__init__()
        self._compositor = DirtyLines()

    def add_binding(self, binding: Binding) -> None:
        """Bind keys on this screen alone, beside those of its class."""
        bindings = self._bindings.key_to_bindings
        for single in Binding.make_bindings([binding]):
            # Another list, as this one is that of the class.
            bindings[single.key] = [*bindings.get(single.key, ()), single]

    def knows_key(self, key: str) -> bool:
        """Whether a key does something here; for subclasses that have keys without bindings."""
        return key in self.active_bindings

    @property
    def has_data_for_keys(self) -> bool:
        """Whether the data that keys act on is loaded, so that none has to wait; for subclasses."""
        return True


class PatchedApp(App[None]):
    """An application that paints once when a screen is closed, and keeps errors for the log.

    It paints nothing while the terminal is behind, and sends only what differs from what is on the
    terminal.
    """

    crash = ""
    """The first error of the program; others often follow from it."""
    sends_changes_only = True
    _screens_going = 0
    _painted: Screen[Any] | None = None

    def get_driver_class(self) -> type[Driver]:
        chosen = super().get_driver_class()
        if chosen.__name__ != "LinuxDriver":  # in a browser, or on another system
            return chosen
        from tui.runtime.driver import TerminalDriver

        return TerminalDriver

    async def _replace_screen(self, screen: Screen[object]) -> Screen[object]:
        # A counter, because several screens may close before the first `call_later` runs.
        self._screens_going += 1
        try:
            return await super()._replace_screen(screen)
        finally:
            # The screen below paints itself; Textual repaints everything twice, the second time a
            # little later.
            self.call_later(self._screen_has_gone)

    def _screen_has_gone(self) -> None:
        self._screens_going -= 1

    def refresh(
        self, *, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        if self._screens_going:
            return self
        return super().refresh(repaint=repaint, layout=layout, recompose=recompose)

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        # A terminal that has not read the last frames gets none now; `caught_up` repaints all.
        if getattr(self._driver, "is_behind", False):
            return
        cells = self._terminal_cells
        if cells is not None and cells.are_lost and isinstance(screen, ProgramScreen):
            # A size that has come and gone again leaves nothing to lay out or to paint.
            renderable = screen._compositor.render_full_update()  # noqa: SLF001  our own
        if cells is not None and renderable is not None:
            self._painted = screen
            if self.sends_changes_only and isinstance(renderable, LayoutUpdate | ChopsUpdate):
                renderable = ChangedCells(renderable, cells)  # type: ignore[assignment]  # Textual asks
            else:
                # What any other renderable writes is not tracked.
                cells.forget()
        super()._display(screen, renderable)
        INPUT_PRIORITY.effect_painted()

    @property
    def _terminal_cells(self) -> TerminalCells | None:
        # Other drivers than ours have none.
        cells: object = getattr(self._driver, "cells", None)
        return cells if isinstance(cells, TerminalCells) else None

    def cells_painted_by(self, screen: Screen[Any]) -> TerminalCells | None:
        """What is on the terminal, if it was painted by this screen and is known."""
        cells = self._terminal_cells
        is_known = self.sends_changes_only and self._painted is screen
        return cells.copy() if cells is not None and is_known else None

    def cells_drawn_by(self, screen: ProgramScreen[Any]) -> TerminalCells:
        """What is on an empty terminal once this screen has painted all of itself on it."""
        cells = TerminalCells()
        cells.changes(screen._compositor.render_full_update(), self.console)  # noqa: SLF001  our own
        return cells

    def action_redraw(self) -> None:
        if (cells := self._terminal_cells) is not None:
            cells.forget()
        self.refresh()

    def _fatal_error(self) -> None:
        # Textual would print it with all local variables.
        self._end_with("".join(format_exception(sys.exception())))

    def panic(self, *renderables: RenderableType) -> None:
        # After an error outside of the message loop, as in the thread that reads keys.
        log = io.StringIO()
        Console(file=log, width=_LOG_WIDTH).print(*renderables)
        self._end_with(log.getvalue())

    def _end_with(self, crash: str) -> None:
        self.crash = self.crash or crash
        super().panic()


leave_out_if_changed(
    DirtyLines, Compositor, "reflow", "render_full_update", "render_partial_update"
)
leave_out_if_changed(PatchedApp, App, "_replace_screen")
leave_out_if_changed(PatchedApp, App, "_display")
leave_out_if_changed(PatchedApp, App, "_fatal_error")
# The same identity as Textual's own, which is written in Python: it is asked for of each of
# hundreds of rules whenever a widget gets its styles. Left as it is if it is another one.
if hash(_rule := RuleSet()) == hash(id(_rule)):
    RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]


def let_be_switched(first: Screen[None], app: App[None]) -> None:
    """Give the first screen the attribute that `switch_screen` removes from the one it replaces.

    Textual gives it to every other screen, and fails without it.
    """
    if hasattr(first, "_push_result_callback"):
        first._push_result_callback(app, None)  # noqa: SLF001  see above


def mount_behind(app: App[None], screen: Screen[None]) -> bool:
    """Mount, lay out and draw a screen without showing it; False if this Textual cannot do that."""
    if not (hasattr(app, "_get_screen") and hasattr(screen, "_refresh_layout")):
        return False
    app._get_screen(screen)  # noqa: SLF001  see above
    screen.call_later(screen._refresh_layout, app.size)  # noqa: SLF001  see above
    # Called later twice, so that it runs after the messages that the layout posts.
    screen.call_later(screen.call_later, screen._compositor.render_full_update)  # noqa: SLF001
    return True


async def until_read(node: MessagePump) -> None:
    """Wait until a node has handled all messages that it has got so far."""
    if _has_ended(node):
        return
    if _waits_for_messages(node):
        for _ in range(_TURNS_OF_A_MESSAGE):  # others may be about to send it one
            await asyncio.sleep(0)
        return
    read = asyncio.Event()
    if node.post_message(Callback(callback=read.set)):
        reading = asyncio.create_task(read.wait())
        try:
            while not reading.done():
                await asyncio.wait([reading], timeout=_LOOK_IF_CLOSED_EVERY)
                if _has_ended(node):  # a node that closes leaves messages unread
                    return
        finally:
            reading.cancel()


async def until_laid_out(screen: Screen[Any]) -> None:
    """Wait until a screen has the size of what was put on it, which says how far it scrolls.

    What is to be done behind that layout, such as bringing a part into sight, is done then too.
    """
    with suppress(TimeoutError):  # it may be closed meanwhile
        async with asyncio.timeout(_LONGEST_LAYOUT):
            # Nearly never: Textual lays out at the next sixtieth of a second.
            while _is_layout_due(screen):
                laid_out = asyncio.Event()
                if not screen.call_after_refresh(laid_out.set):
                    return
                await laid_out.wait()


def _is_layout_due(screen: Screen[Any]) -> bool:
    # A widget tells its screen when it is idle, which on a busy machine is some time later.
    nodes = (screen, *screen.walk_children())
    return bool(getattr(screen, "_callbacks", ())) or any(
        getattr(node, "_layout_required", False) for node in nodes
    )


def _has_ended(node: MessagePump) -> bool:
    return not node.is_running


def _waits_for_messages(node: MessagePump) -> bool:
    # A message costs a hundred times as much as this look.
    # A node that waits for its next message has handled all before.
    queue: object = getattr(node, "_message_queue", None)
    waiting = getattr(getattr(queue, "ready_event", None), "_waiters", None)
    return bool(waiting) and not node.message_queue_size


def accept_any_byte() -> None:
    """Make Textual read a byte that is not UTF-8 as Latin-1, and end when its terminal is gone.

    Some terminals send such bytes: in a Latin-1 locale, with 8-bit Meta keys, or as old mouse
    reports. Textual decodes strictly, in a thread that then ends the program. Where SIGHUP is
    ignored, as after `nohup`, it would read nothing from a terminal that was closed, for ever.
    """
    from textual.drivers import linux_driver

    if hasattr(linux_driver, _DECODER):
        codecs.register_error(_AS_LATIN_1, _as_latin_1)
        setattr(
            linux_driver,
            _DECODER,
            lambda encoding: partial(_Decoder, encoding),
        )


class _Decoder:
    def __init__(self, encoding: str) -> None:
        self._decoder = codecs.getincrementaldecoder(encoding)(errors=_AS_LATIN_1)

    def decode(self, read: bytes, *, final: bool = False) -> str:
        if not read and not final:
            raise EOFError("the terminal is gone")
        return self._decoder.decode(read, final)


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


@contextmanager
def no_terminal_to_ask() -> Iterator[None]:
    """Hide the terminal from the import of `textual_image`, which would query it.

    It waits for the responses, which Textual would read as keys.
    """
    stdout, sys.__stdout__ = sys.__stdout__, io.StringIO()  # type: ignore[misc, assignment]  # restored below
    try:
        yield
    finally:
        sys.__stdout__ = stdout  # type: ignore[misc]  # as it was
