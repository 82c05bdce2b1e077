"""The screen with the pending changes and the actions on them.

Those that need the user come first; none is discarded without asking.
"""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from tui.actions.availability import READ_ONLY
from tui.actions.old import bindings
from tui.actions.tasks.history import ANYWHERE_ACTIONS, HISTORY_ACTIONS, UndoAnywhere
from tui.context import Context
from tui.screens.base import CallboardScreen, GoBack
from tui.screens.pending.actions import PENDING_ACTIONS, PendingContext, StayHere, decide
from tui.screens.pending.rows import SHOWN, board_names, grouped, heading, losses, row
from tui.store.events import PendingChange, PendingState, StoreEvent
from tui.text.keyed import keyed
from tui.theme import stylesheet
from tui.widgets.pick_list import PickList

AGE_SECONDS = 20
"""How often the ages of the changes are updated."""


BACK = (GoBack("waiting.back", lambda on: on.dismiss()),)


class PendingScreen(CallboardScreen):
    """All pending changes: those being sent and those that need the user."""

    CSS_PATH = stylesheet("lists.tcss")
    BINDINGS: ClassVar[list[BindingType]] = bindings(BACK, PENDING_ACTIONS, HISTORY_ACTIONS)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._chosen = PendingContext(self, lambda: self.current)
        self.actions.add(BACK, self)
        self.actions.add(PENDING_ACTIONS, self._chosen)
        self.actions.add([StayHere()], self)
        self.actions.add(ANYWHERE_ACTIONS, UndoAnywhere(self, self.store, lambda _: None))
        self._is_due = False

    def compose(self) -> ComposeResult:
        yield self.bar
        yield PickList()
        yield self.status

    def on_mount(self) -> None:
        self.list_waiting()
        self.query_one(PickList).focus()
        self.set_interval(AGE_SECONDS, self.list_waiting)
        self.status.draw()

    def on_resize(self) -> None:
        self.call_after_refresh(self._list_again)

    @property
    def current(self) -> PendingChange | None:
        options = self.query_one(PickList)
        if options.highlighted is None:
            return None
        chosen = options.get_option_at_index(options.highlighted).id
        return next((each for each in self.store.pending() if str(each.id) == chosen), None)

    def list_waiting(self) -> None:
        """Fill the list with the changes, grouped by state; keep the cursor on its change."""
        options, held = self.query_one(PickList), self.current
        waiting = self.store.pending()
        names = board_names(waiting, {board.id: board.title for board in self.store.boards()})
        now, width = self.context.now(), self.size.width
        rows = [Option(text, disabled=True) for text in losses(self.store.losses(), width)]
        for group in grouped(waiting, self.store.status, is_read_only=self.store.is_read_only):
            rows.append(Option(heading(group, width), disabled=True))
            rows += [
                Option(row(each, now, names, width, self._problem_of(each)), str(each.id))
                for each in group.changes[:SHOWN]
            ]
            if group.changes[SHOWN:]:
                more = f"   … and {len(group.changes) - SHOWN} more"
                rows.append(Option(Content(more), disabled=True))
        if not rows:
            rows.append(Option(" Everything has reached the service", disabled=True))
        at = options.highlighted or 0
        options.clear_options()
        options.add_options(rows)
        ids = [option.id for option in rows]
        enabled = [index for index, option in enumerate(rows) if not option.disabled]
        if held is not None and str(held.id) in ids:
            options.highlighted = ids.index(str(held.id))
        elif enabled:
            options.highlighted = min(enabled, key=lambda index: abs(index - at))
        self._show_counts(waiting)

    def _problem_of(self, waiting: PendingChange) -> str:
        """Why the service cannot be asked about the board of a change."""
        is_kept = self.store.is_read_only
        return "" if is_kept else self.store.status(waiting.board_id).problem

    def _show_counts(self, waiting: tuple[PendingChange, ...]) -> None:
        """Show in the bar how many changes need the user, are being sent, and wait."""
        stuck = sum(each.needs_attention for each in waiting)
        others = [each for each in waiting if not each.needs_attention]
        going = sum(self._chosen.prospect(each).is_going for each in others)
        waits = len(others) - going
        stuck += len(self.store.losses())
        self.bar.say(
            (
                (" Pending changes", "name"),
                (f"   {stuck} need{'s' if stuck == 1 else ''} you" if stuck else "", "error"),
                (f"   {going} being sent" if going else "", "quiet"),
                (
                    f"   {waits} {'kept' if self.store.is_read_only else 'waiting'}"
                    if waits
                    else "",
                    "quiet",
                ),
            )
        )

    @on(PickList.OptionSelected)
    @on(PickList.NothingThere)
    def decide(self) -> None:
        """Show both sides of a conflict, or a message what can be done about the change."""
        if self.current is None:
            self.say("there is no pending change here", hint="{waiting.back:esc} goes back")
        elif self.store.is_read_only:
            self.say(READ_ONLY)
        elif self.current.state is PendingState.CONFLICT:
            self.dialogs.run(decide(self._chosen, self.current))
        elif self.current.state is PendingState.UNSURE:
            self.say(
                "it may have arrived already",
                hint="{waiting.retry:r} checks again · {waiting.discard:D} discards it",
            )
        elif self.current.state is PendingState.REFUSED:
            self.say(
                "the service refused this",
                hint="{waiting.retry:r} sends it again · {waiting.discard:D} discards it",
            )
        else:
            prospect = self._chosen.prospect(self.current)
            self.say(prospect.text, hint=prospect.hint)

    def why_not(self, key: str) -> str:
        """Explain the keys that work only in the conflict dialog."""
        if key in {"m", "t", "e"}:
            enter = keyed("{list.open:↵}")
            return f"‘{key}’ works where both sides are shown: {enter} on a conflict"
        return super().why_not(key)

    def hear(self, event: StoreEvent) -> None:
        """Update the list, once for all events that come together."""
        super().hear(event)
        if not self._is_due:
            self._is_due = True
            self.call_after_refresh(self._list_again)

    def _list_again(self) -> None:
        """Update the list, unless the screen was closed meanwhile."""
        self._is_due = False
        if self.query(PickList):
            self.list_waiting()
