"""What every screen has: the actions it offers, a status line, and news from the store."""

from collections.abc import Callable
from typing import ClassVar, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.screen import Screen

from tui.actions.action import bindings
from tui.actions.offered import OfferedActions
from tui.actions.program import PROGRAM_ACTIONS
from tui.context import Context
from tui.runtime.textual_patches import OneFrame
from tui.screens.keys import Keys, spoken
from tui.screens.palette import PALETTE_ACTIONS, PaletteContext
from tui.screens.status_line import StatusLine
from tui.store.events import ConflictFound, OperationRefused, StoreEvent
from tui.widgets.bars import Bar
from tui.widgets.painted import Line

Answer = TypeVar("Answer")


class CallboardScreen(OneFrame[None]):
    """A screen with a line above and a status line below that hears what the store says."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "help", id="app.help", tooltip="Show keys"),
        Binding("q", "app.quit", "quit", id="app.quit", tooltip="Quit"),
        Binding(
            "ctrl+z",
            "app.suspend_process",
            "Suspend",
            id="app.suspend",
            show=False,
            tooltip="Suspend to shell",
        ),
        *bindings(PALETTE_ACTIONS, PROGRAM_ACTIONS),
    ]

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.store = context.store
        self.bar = Bar()
        self.bar.add_class("board-bar")
        self.status = StatusLine(
            self.status_line, lambda: self.keys.hints(is_read_only=self.is_read_only)
        )
        self.actions = OfferedActions(self)
        self.keys = Keys(self, self.actions, self.status)
        self._end_subscription: Callable[[], None] | None = None
        self._is_behind = False
        self.actions.add(PROGRAM_ACTIONS, self)
        self.actions.add(PALETTE_ACTIONS, PaletteContext(self, self.keys, self.actions))

    def on_mount(self) -> None:
        """Hear what the store says from now on."""
        self._end_subscription = self.store.subscribe(self._hear_if_open)
        self.status.draw()

    async def on_unmount(self) -> None:
        """Hear no more."""
        if self._end_subscription is not None:
            self._end_subscription()

    def on_resize(self) -> None:
        """Say as much as there is room for."""
        self.status.draw()

    def on_screen_suspend(self) -> None:
        """Something else is in front, or the screen was left and is kept."""
        self._is_behind = True

    def on_screen_resume(self) -> None:
        """The screen is in front, for the first time or again."""
        if self._is_behind:
            self._is_behind = False
            self.came_back()

    def came_back(self) -> None:
        """The screen is in front again; for subclasses."""

    def begin_anew(self) -> None:
        """Come to the front as if the screen were new, with nothing said and no chord begun."""
        self._is_behind = False
        self.keys.begin_anew()
        self.status.clear()

    def _hear_if_open(self, event: StoreEvent) -> None:
        """Pass news on, unless the screen was left and is only kept."""
        if self in self.app.screen_stack:
            self.hear(event)

    def hear(self, event: StoreEvent) -> None:
        """The store says that something has changed; every screen says what needs a person."""
        if isinstance(event, OperationRefused):
            refused = event.change
            self.say(
                f"refused: {refused.operation.describe()}: {refused.reason}",
                hint="nothing else was lost · g u",
                error=True,
            )
        elif isinstance(event, ConflictFound):
            self.say(
                f"conflict: somebody else changed it too: {event.change.operation.describe()}",
                hint="nothing is lost · g u shows both",
                error=True,
            )

    def say(self, text: str, *, hint: str = "", error: bool = False) -> None:
        """Say something on the status line: until the next key, an error until Esc."""
        self.status.tell(text, hint=hint, error=error)

    async def ask(self, dialog: Screen[Answer]) -> Answer | None:
        """Show a dialog and wait for the answer; None if it was left."""
        return await self.app.push_screen_wait(dialog)

    @property
    def waits_for(self) -> str:
        """What most keys wait for, as with something lifted; empty if none. For subclasses."""
        return ""

    @property
    def is_read_only(self) -> bool:
        """Whether the person may only read what is shown; for subclasses."""
        return False

    def status_line(self) -> Line | None:
        """What the status line says by itself; None for the hints. For subclasses."""
        return None

    def why_not(self, key: str) -> str:
        """Why a key cannot act now; for subclasses that know more."""
        waits_for = self.waits_for
        return f"‘{key}’ waits: {waits_for}" if waits_for else f"‘{key}’ does nothing here"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is lifted, only what is meant for that can be had."""
        if not self.waits_for or action == "help":
            return True
        works = action == "run" and self.actions.works_while_moving(str(parameters[0]))
        return True if works else None

    async def action_help(self) -> None:
        """Show the keys that work here."""
        from tui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog(self.keys.available()))

    async def action_run(self, action_id: str) -> None:
        """Run an action of the screen."""
        await self.actions.run(action_id)

    async def on_key(self, event: events.Key) -> None:
        """Run chords, and explain keys that do nothing."""
        why_not = self.why_not(spoken(event))
        await self.keys.press(event, why_not, is_moving=bool(self.waits_for))
