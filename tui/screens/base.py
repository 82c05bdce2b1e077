"""What every screen has: chords, a status line, and words for keys that do nothing.

The bindings are the only list of keys. A binding whose key is two keys with a blank between is a
chord; its first key shows what may follow. A key that means nothing here says so, and one that must
wait says for what.
"""

from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import ActiveBinding, Binding, BindingType

from tui.context import Context
from tui.runtime.one_frame import OneFrame
from tui.screens.availability import instead, unavailable
from tui.screens.navigation import WaitingRequested
from tui.store.events import ConflictFound, OperationRefused, StoreEvent
from tui.widgets.bars import Bar, key_name
from tui.widgets.painted import Line, Span

HINT_GAP = "  "

FRESH_SECONDS = 5.0
"""For so long what was said is not replaced by what nobody asked for."""

FIRST_HINTS = ("task.lift", "task.open", "task.new", "board.filter", "task.edit-title")
"""The keys that are hinted at first, where there is not room for all."""


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
        Binding(
            "g u",
            "waiting",
            "Waiting",
            id="go.waiting",
            show=False,
            tooltip="Go to the changes that wait or were refused",
        ),
    ]

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.store = context.store
        self.bar = Bar()
        self.bar.add_class("board-bar")
        self.status = Bar()
        self.status.add_class("status")
        self._chord = ""
        self._spoken: Line = ()
        self._is_error = False
        self._said_at = 0.0
        self._known: dict[tuple[type, bool], Known] = {}
        self._hinted: tuple[tuple[int, bool], tuple[Line, Line]] | None = None
        self._end_subscription: Callable[[], None] | None = None
        self._is_behind = False

    def on_mount(self) -> None:
        """Hear what the store says from now on."""
        self._end_subscription = self.store.subscribe(self._hear_if_open)
        self.show_status()

    async def on_unmount(self) -> None:
        """Hear no more."""
        if self._end_subscription is not None:
            self._end_subscription()

    def on_resize(self) -> None:
        """Say as much as there is room for."""
        self.show_status()

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
        self._chord, self._spoken, self._is_error, self._hinted = "", (), False, None
        self._is_behind = False
        self.show_status()

    @property
    def is_left(self) -> bool:
        """Whether the screen is neither in front nor behind another, and only kept."""
        return self not in self.app.screen_stack

    def _hear_if_open(self, event: StoreEvent) -> None:
        if not self.is_left:
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
        role = "error" if error else "said"
        self._spoken = ((f" {text}", role), (f"  {hint}" if hint else "", "quiet"))
        self._is_error = error
        self._said_at = monotonic()
        self.show_status()

    def show_quietly(self, text: str, *, hint: str = "") -> None:
        """Say something that nobody asked for, unless something else has just been said."""
        is_free = not self._is_error and monotonic() - self._said_at > FRESH_SECONDS
        if (is_free or not self._spoken) and self.status_line() is None and not self._chord:
            self._spoken = ((f" {text}", "heard"), (f"  {hint}" if hint else "", "quiet"))
            self.show_status()

    def interrupt(self) -> None:
        """Make room for what needs the person, unless an error is being said."""
        if not self._is_error:
            self._spoken = ()

    def clear_message(self) -> bool:
        """Take back what was said; whether anything was."""
        had_spoken, self._spoken, self._is_error = bool(self._spoken), (), False
        self.show_status()
        return had_spoken

    def status_line(self) -> Line | None:
        """What the status line says by itself; None for the hints. For subclasses."""
        return None

    def show_status(self) -> None:
        """Say what is to be said: a message, else what the screen says, else the hints."""
        said = self._spoken or self.status_line()
        if said:
            self.status.say(said)
            return
        state = (self.size.width, self.is_read_only)
        if self._hinted is None or self._hinted[0] != state:
            self._hinted = (state, self._hints())
        self.status.say(*self._hinted[1])

    async def on_key(self, event: events.Key) -> None:
        """Run chords, and explain keys that do nothing."""
        if self._spoken and not self._is_error and not self._chord:
            self.clear_message()
        key = event.character if event.is_printable and event.character else event.key
        action = self._keys_known().keys.get(event.key, "")
        if self._chord:
            event.stop()
            event.prevent_default()
            chord, self._chord = f"{self._chord} {key}", ""
            await self._run_chord(chord)
        elif key in self._keys_known().chords:
            event.stop()
            event.prevent_default()
            self._chord = key
            self._show_chords(key)
        elif reason := self.unavailable(action):
            event.stop()
            event.prevent_default()
            self.say_unavailable(action, reason)
        elif event.is_printable and event.key not in self._keys_known().keys:
            self._explain(event)

    async def action_help(self) -> None:
        """Show the keys that work here."""
        from tui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog(self._available()))

    def action_waiting(self) -> None:
        """Go to the changes that are on their way or were refused."""
        self.post_message(WaitingRequested())

    def unavailable(self, action: str) -> str | None:
        """Why the action of a binding's id cannot be had here at all; None if it can."""
        return unavailable(action, offers=self.store.offers, is_viewer=self.is_read_only)

    def say_unavailable(self, action: str, reason: str) -> None:
        """Say why an action cannot be had, and what can be done instead."""
        self.say(reason, hint=instead(action, reason))

    @property
    def is_read_only(self) -> bool:
        """Whether the person may only read what is shown; for subclasses."""
        return False

    def why_not(self, key: str) -> str:
        """Why a key cannot act now; for subclasses whose keys wait for something."""
        return f"‘{key}’ does nothing here"

    @property
    def is_waiting(self) -> bool:
        """Whether most keys wait for something now; for subclasses."""
        return False

    def _available(self) -> dict[str, ActiveBinding]:
        """The bindings whose actions can be had here."""
        return {
            key: each
            for key, each in self.active_bindings.items()
            if not self.unavailable(each.binding.id or "")
        }

    def _keys_known(self) -> Known:
        """The keys that mean something to what has the focus; gathered once, not at every key."""
        state = (type(self.focused), self.is_waiting)
        if state not in self._known:
            keys = {key: each.binding.id or "" for key, each in self.active_bindings.items()}
            chords = frozenset(key.partition(" ")[0] for key in keys if " " in key)
            self._known[state] = Known(keys, chords)
        return self._known[state]

    def _show_chords(self, first: str) -> None:
        """Say which keys may follow the first key of a chord."""
        chords = [
            (key.removeprefix(f"{first} "), each.binding.description)
            for key, each in self._available().items()
            if key.startswith(f"{first} ")
        ]
        line: list[tuple[str, str]] = [(f" {first} … ", "name")]
        for key, label in chords:
            line += [(f" {key} ", "key"), (label.lower() + HINT_GAP, "said")]
        self.status.say(tuple(line))

    async def _run_chord(self, chord: str) -> None:
        """Run what two keys are bound to, or say that they do nothing."""
        self.show_status()
        found = self.active_bindings.get(chord)
        action = "" if found is None else found.binding.id or ""
        if reason := self.unavailable(action):
            self.say_unavailable(action, reason)
        elif found is not None and found.enabled:
            await self.app.run_action(found.binding.action, found.node)
        elif not chord.endswith(" escape"):
            self.say(f"‘{chord}’ does nothing here", hint="? lists the keys")

    def _explain(self, event: events.Key) -> None:
        """Say why a key does nothing."""
        character = event.character or event.key
        self.say(self.why_not(character), hint="? lists the keys")

    def _hints(self) -> tuple[Line, Line]:
        """The keys worth knowing here, from the bindings; help stays at the right."""
        shown: dict[str, Span] = {}
        for key, each in self._available().items():
            if each.binding.show and each.enabled:
                name = each.binding.id or key
                shown.setdefault(name, (key_name(key), each.binding.description))
        names = [name for name in (*FIRST_HINTS, *shown) if name in shown]
        ours = [shown[name] for name in dict.fromkeys(names) if not name.startswith("app.")]
        help_ = [shown[name] for name in shown if name.startswith("app.")]
        taken = sum(len(key) + len(label) + 4 for key, label in help_)
        room = self.size.width - taken - 1
        return _hint_line(ours, room), _hint_line(help_, self.size.width)


def _hint_line(hints: Iterable[Span], room: int) -> Line:
    """Keys with what they do, as many as there is room for, none of them cut."""
    line: list[Span] = []
    for key, label in hints:
        room -= len(key) + len(label) + len(HINT_GAP) + 2
        if room >= 0:
            line += [(f" {key} ", "key"), (label + HINT_GAP, "quiet")]
    return tuple(line)
