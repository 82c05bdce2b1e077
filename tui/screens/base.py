"""What every screen has: the actions it offers, chords, a status line, and news from the store.

The bindings are the only list of keys. A binding whose key is two keys with a blank between is a
chord; its first key shows what may follow. A key that means nothing here says so, and one that must
wait says for what.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, TypeVar

from textual import events
from textual.binding import ActiveBinding, Binding, BindingType
from textual.screen import Screen

from tui.actions.action import Action, On, bindings
from tui.actions.availability import VIEWER, unavailable
from tui.actions.program import PROGRAM_ACTIONS
from tui.context import Context
from tui.runtime.one_frame import OneFrame
from tui.screens.status_line import StatusLine
from tui.store.events import ConflictFound, OperationRefused, StoreEvent
from tui.widgets.bars import Bar, key_name
from tui.widgets.painted import Line, Span

HINT_GAP = "  "

FIRST_HINTS = ("task.lift", "task.open", "task.new", "board.filter", "task.edit-title")
"""The keys that are hinted at first, where there is not room for all."""

Answer = TypeVar("Answer")


class Offered(NamedTuple):
    """An action of a screen, and what it works on there."""

    action: Action[Any]
    on: Any


class Known(NamedTuple):
    """The keys that are bound, with the ids of their bindings, and those that chords start with."""

    keys: Mapping[str, str]
    chords: frozenset[str]


class CallboardScreen(OneFrame[None]):
    """A screen with a line above and a status line below that hears what the store says."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "help", id="app.help", tooltip="The keys that work here"),
        Binding(
            "ctrl+p,colon",
            "app.command_palette",
            "Palette",
            id="app.palette",
            show=False,
            tooltip="Run any action by its name",
        ),
        Binding("q", "app.quit", "quit", id="app.quit", tooltip="Quit; nothing is lost"),
        Binding(
            "ctrl+z",
            "app.suspend_process",
            "Suspend",
            id="app.suspend",
            show=False,
            tooltip="Back to the shell; fg brings the program back",
        ),
        *bindings(PROGRAM_ACTIONS),
    ]

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.store = context.store
        self.bar = Bar()
        self.bar.add_class("board-bar")
        self.status = StatusLine(self.status_line, self._hints)
        self._offered: dict[str, Offered] = {}
        self._chord = ""
        self._known: dict[tuple[type, bool], Known] = {}
        self._hinted: tuple[tuple[int, bool], tuple[Line, Line]] | None = None
        self._end_subscription: Callable[[], None] | None = None
        self._is_behind = False
        self.offer(PROGRAM_ACTIONS, self)

    def offer(self, actions: Iterable[Action[On]], on: On) -> None:
        """Offer actions, which work on this; their keys are in the screen's `BINDINGS`."""
        self._offered |= {action.id: Offered(action, on) for action in actions}

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
        self._chord, self._hinted, self._is_behind = "", None, False
        self.status.clear()

    def _hear_if_open(self, event: StoreEvent) -> None:
        """Pass news on, unless the screen was left and is only kept."""
        if self in self.app.screen_stack:
            self.hear(event)

    def hear(self, event: StoreEvent) -> None:
        """The store says that something has changed; every screen says what needs a person."""
        if isinstance(event, OperationRefused):
            refused = event.waiting
            self.say(
                f"refused: {refused.operation.describe()}: {refused.reason}",
                hint="nothing else was lost · g u",
                error=True,
            )
        elif isinstance(event, ConflictFound):
            self.say(
                f"somebody else changed the same: {event.waiting.operation.describe()}",
                hint="nothing is lost · g u shows both",
                error=True,
            )

    def say(self, text: str, *, hint: str = "", error: bool = False) -> None:
        """Say something on the status line: until the next key, an error until Esc."""
        self.status.tell(text, hint=hint, error=error)

    async def ask(self, dialog: Screen[Answer]) -> Answer | None:
        """Show a dialog and wait for the answer; None if it was left."""
        return await self.app.push_screen_wait(dialog)

    def say_quietly(self, text: str, *, hint: str = "") -> None:
        """Say something that nobody asked for, unless something else has just been said."""
        if not self._chord:
            self.status.tell_quietly(text, hint=hint)

    @property
    def is_moving(self) -> bool:
        """Whether something is lifted, so that most keys wait; for subclasses."""
        return False

    @property
    def is_read_only(self) -> bool:
        """Whether the person may only read what is shown; for subclasses."""
        return False

    def status_line(self) -> Line | None:
        """What the status line says by itself; None for the hints. For subclasses."""
        return None

    def why_not(self, key: str) -> str:
        """Why a key cannot act now; for subclasses whose keys wait for something."""
        return f"‘{key}’ does nothing here"

    def unavailable(self, action_id: str) -> str | None:
        """Why the action of a binding's id cannot be had here at all; None if it can."""
        action = self._offered[action_id].action if action_id in self._offered else None
        return unavailable(action_id, action, self.store, is_viewer=self.is_read_only)

    def available(self) -> dict[str, ActiveBinding]:
        """The bindings whose actions can be had here, by their keys."""
        return {
            key: each
            for key, each in self.active_bindings.items()
            if not self.unavailable(each.binding.id or "")
        }

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is lifted, only what is meant for that can be had."""
        if not self.is_moving:
            return True
        if action == "run":
            return self._offered[str(parameters[0])].action.while_moving
        return action == "help"

    async def action_help(self) -> None:
        """Show the keys that work here."""
        from tui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog(self.available()))

    async def action_run(self, action_id: str) -> None:
        """Run an action of the screen."""
        action, on = self._offered[action_id]
        if action.asks:
            self.run_worker(action.run(on), group="dialog", exclusive=True)
        else:
            await action.run(on)

    async def perform(self, action_id: str) -> bool:
        """Run an action, or say why it cannot be had; whether the screen offers it."""
        if action_id not in self._offered:
            return False
        if not self._says_why_not(action_id):
            await self.action_run(action_id)
        return True

    async def run_binding(self, found: ActiveBinding) -> None:
        """Run what a key is bound to, or say why it cannot be had."""
        if not self._says_why_not(found.binding.id or ""):
            await self.app.run_action(found.binding.action, found.node)

    def key_hint(self, action_id: str) -> str:
        """The key of an action and what it does; empty where it has none."""
        for key, each in self.active_bindings.items():
            if each.binding.id == action_id:
                return f"{key_name(key)}: {each.binding.tooltip or each.binding.description}"
        return ""

    async def on_key(self, event: events.Key) -> None:
        """Run chords, and explain keys that do nothing."""
        if not self._chord:
            self.status.key_pressed()
        key = event.character if event.is_printable and event.character else event.key
        known = self._keys_known()
        if self._chord:
            event.stop()
            event.prevent_default()
            chord, self._chord = f"{self._chord} {key}", ""
            await self._run_chord(chord)
        elif key in known.chords:
            event.stop()
            event.prevent_default()
            self._chord = key
            self._show_chords(key)
        elif self._says_why_not(known.keys.get(event.key, "")):
            event.stop()
            event.prevent_default()
        elif event.is_printable and event.key not in known.keys:
            self.say(self.why_not(event.character or event.key), hint="? lists the keys")

    def _says_why_not(self, action_id: str) -> bool:
        """Say why an action cannot be had, and what can be done instead; whether that is so."""
        reason = self.unavailable(action_id)
        if reason:
            offered = self._offered.get(action_id)
            is_missing = offered is not None and reason != VIEWER
            self.say(reason, hint=offered.action.instead if offered and is_missing else "")
        return bool(reason)

    def _keys_known(self) -> Known:
        """The keys that mean something to what has the focus; gathered once, not at every key."""
        state = (type(self.focused), self.is_moving)
        if state not in self._known:
            keys = {key: each.binding.id or "" for key, each in self.active_bindings.items()}
            chords = frozenset(key.partition(" ")[0] for key in keys if " " in key)
            self._known[state] = Known(keys, chords)
        return self._known[state]

    def _show_chords(self, first: str) -> None:
        """Say which keys may follow the first key of a chord."""
        chords = [
            (key.removeprefix(f"{first} "), each.binding.description)
            for key, each in self.available().items()
            if key.startswith(f"{first} ")
        ]
        line: list[tuple[str, str]] = [(f" {first} … ", "name")]
        for key, label in chords:
            line += [(f" {key} ", "key"), (label.lower() + HINT_GAP, "said")]
        self.status.say(tuple(line))

    async def _run_chord(self, chord: str) -> None:
        """Run what two keys are bound to, or say that they do nothing."""
        self.status.draw()
        found = self.active_bindings.get(chord)
        if found is not None and found.enabled:
            await self.run_binding(found)
        elif not chord.endswith(" escape"):
            self.say(f"‘{chord}’ does nothing here", hint="? lists the keys")

    def _hints(self) -> tuple[Line, Line]:
        """The keys worth knowing here; gathered once for each state of the screen."""
        state = (self.size.width, self.is_read_only)
        if self._hinted is None or self._hinted[0] != state:
            self._hinted = (state, hint_lines(self.available(), self.size.width))
        return self._hinted[1]


def hint_lines(available: Mapping[str, ActiveBinding], width: int) -> tuple[Line, Line]:
    """The keys worth knowing, from the bindings; help stays at the right."""
    shown: dict[str, Span] = {}
    for key, each in available.items():
        if each.binding.show and each.enabled:
            name = each.binding.id or key
            shown.setdefault(name, (key_name(key), each.binding.description))
    names = [name for name in (*FIRST_HINTS, *shown) if name in shown]
    ours = [shown[name] for name in dict.fromkeys(names) if not name.startswith("app.")]
    help_ = [shown[name] for name in shown if name.startswith("app.")]
    taken = sum(len(key) + len(label) + 4 for key, label in help_)
    return _hint_line(ours, width - taken - 1), _hint_line(help_, width)


def _hint_line(hints: Iterable[Span], room: int) -> Line:
    """Keys with what they do, as many as there is room for, none of them cut."""
    line: list[Span] = []
    for key, label in hints:
        room -= len(key) + len(label) + len(HINT_GAP) + 2
        if room >= 0:
            line += [(f" {key} ", "key"), (label + HINT_GAP, "quiet")]
    return tuple(line)
