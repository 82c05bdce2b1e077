"""The changes that have not reached the service, each in words, with what can be done about it.

The rule it keeps: nothing is forgotten before a person says so.
"""

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from tui.screens.base import CallboardScreen
from tui.screens.context import Context
from tui.store.protocol import StoreEvent, Waiting, WaitingState
from tui.theme import stylesheet
from tui.widgets.pick_list import PickList

WORDS = {
    WaitingState.WAITING: "waits",
    WaitingState.SENDING: "is being sent",
    WaitingState.UNSURE: "may have arrived",
    WaitingState.REFUSED: "was refused",
}


class WaitingScreen(CallboardScreen):
    """Every change that is on its way, unsure or refused."""

    CSS_PATH = stylesheet("lists.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", id="waiting.back", tooltip="Back"),
        Binding("r", "retry", "retry", id="waiting.retry", tooltip="Send it again"),
        Binding("D", "discard", "discard", id="waiting.discard", tooltip="Forget it (asks)"),
    ]

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.bar.say(((" Waiting changes", "name"),))

    def compose(self) -> ComposeResult:
        """The list between its lines."""
        yield self.bar
        yield PickList()
        yield self.status

    def on_mount(self) -> None:
        """List what waits, and list it again whenever that changes."""
        self.list_waiting()
        self.query_one(PickList).focus()
        self.show_status()

    @property
    def current(self) -> Waiting | None:
        """The change at the cursor."""
        options = self.query_one(PickList)
        if options.highlighted is None:
            return None
        chosen = options.get_option_at_index(options.highlighted).id
        return next((each for each in self.store.waiting() if str(each.id) == chosen), None)

    def list_waiting(self) -> None:
        """List every change that was not accepted yet."""
        options, at = self.query_one(PickList), self.query_one(PickList).highlighted
        options.clear_options()
        for each in self.store.waiting():
            refused = each.state is WaitingState.REFUSED
            reason = f": {each.reason}" if each.reason else ""
            text = Content(f" {each.operation.describe()}\n ") + Content.styled(
                f"{WORDS[each.state]}{reason} · since {each.since.astimezone():%H:%M}",
                "$error" if refused else "$foreground-muted",
            )
            options.add_option(Option(text, str(each.id)))
        if not options.option_count:
            options.add_option(Option("everything has reached the service", disabled=True))
        else:
            options.highlighted = min(at or 0, options.option_count - 1)

    async def action_retry(self) -> None:
        """Send the change at the cursor again."""
        if self.current is None:
            self.say("there is nothing to send again")
        elif self.current.state in (WaitingState.WAITING, WaitingState.SENDING):
            self.say("it is on its way already")
        else:
            await self.store.retry(self.current.id)
            self.say("sending it again")

    @work(exclusive=True, group="dialog")
    async def action_discard(self) -> None:
        """Ask, then forget the change at the cursor."""
        from tui.screens.dialogs.confirm import ConfirmDialog  # noqa: PLC0415 (when asked for)

        waiting = self.current
        if waiting is None:
            self.say("there is nothing to discard")
        elif waiting.state in (WaitingState.WAITING, WaitingState.SENDING):
            self.say("it is still on its way", hint="u on the board takes it back")
        elif await self.app.push_screen_wait(
            ConfirmDialog("Forget this change?", waiting.operation.describe())
        ):
            await self.store.discard(waiting.id)
            self.say("forgotten")

    def action_waiting(self) -> None:
        """Stay: these are the changes that wait."""
        self.say("these are the changes that wait")

    def action_back(self) -> None:
        """Go back."""
        self.dismiss()

    def hear(self, event: StoreEvent) -> None:
        """List again: any event may have changed what waits."""
        super().hear(event)
        self.list_waiting()
