"""The pending changes, each in words, with what can be done about it.

What needs a person comes first, and nothing is dropped unless a person says so.
"""

from collections.abc import Awaitable
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from tui.context import Context
from tui.errors import CallboardError
from tui.runtime.slices import turned
from tui.screens.base import CallboardScreen
from tui.screens.pending.rows import SHOWN, board_names, grouped, heading, row
from tui.store.events import StoreEvent, Waiting, WaitingState
from tui.store.operations import is_edit
from tui.theme import stylesheet
from tui.widgets.pick_list import PickList

AGE_SECONDS = 20
"""How often it is said anew how long something waits."""


class WaitingScreen(CallboardScreen):
    """Every change that is on its way, or that needs a person."""

    CSS_PATH = stylesheet("lists.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", id="waiting.back", tooltip="Back"),
        Binding("r", "retry", "retry", id="waiting.retry", tooltip="Send it again"),
        Binding("R", "retry_all", "retry all", id="waiting.retry-all", tooltip="Send all again"),
        Binding("D", "discard", "discard", id="waiting.discard", tooltip="Forget it (asks)"),
    ]

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._drafts: dict[int, str] = {}
        self._is_due = False

    def compose(self) -> ComposeResult:
        """The list between its lines."""
        yield self.bar
        yield PickList()
        yield self.status

    def on_mount(self) -> None:
        """List what waits, and list it again whenever that changes."""
        self.list_waiting()
        self.query_one(PickList).focus()
        self.set_interval(AGE_SECONDS, self.list_waiting)
        self.show_status()

    def on_resize(self) -> None:
        """Fit the headings to the new width."""
        self.call_after_refresh(self._list_again)

    @property
    def current(self) -> Waiting | None:
        """The change at the cursor."""
        options = self.query_one(PickList)
        if options.highlighted is None:
            return None
        chosen = options.get_option_at_index(options.highlighted).id
        return next((each for each in self.store.waiting() if str(each.id) == chosen), None)

    def list_waiting(self) -> None:
        """List every change that was not accepted yet, below what it has in common with others."""
        options, held = self.query_one(PickList), self.current
        waiting = self.store.waiting()
        names = board_names(waiting, {board.id: board.title for board in self.store.boards()})
        now, width = self.context.now(), self.size.width
        rows: list[Option] = []
        for group in grouped(waiting):
            rows.append(Option(heading(group, width), disabled=True))
            rows += [
                Option(row(each, now, names, width), str(each.id)) for each in group.changes[:SHOWN]
            ]
            if group.changes[SHOWN:]:
                more = f"   … and {len(group.changes) - SHOWN} more"
                rows.append(Option(Content(more), disabled=True))
        if not rows:
            rows.append(Option("everything has reached the service", disabled=True))
        at = options.highlighted or 0
        options.clear_options()
        options.add_options(rows)
        ids = [option.id for option in rows]
        there = [index for index, option in enumerate(rows) if not option.disabled]
        if held is not None and str(held.id) in ids:
            options.highlighted = ids.index(str(held.id))
        elif there:
            options.highlighted = min(there, key=lambda index: abs(index - at))
        self._say_how_many(waiting)

    def _say_how_many(self, waiting: tuple[Waiting, ...]) -> None:
        """Say above how many changes wait, and how many of them for the person."""
        stuck = sum(each.needs_you for each in waiting)
        moving = len(waiting) - stuck
        self.bar.say(
            (
                (" Waiting changes", "name"),
                (f"   {stuck} need{'s' if stuck == 1 else ''} you" if stuck else "", "error"),
                (f"   {moving} on the way" if moving else "", "quiet"),
            )
        )

    @on(PickList.OptionSelected)
    def decide(self) -> None:
        """Show both sides of the conflict at the cursor."""
        if self.current is None:
            self.say("nothing waits here")
        elif self.current.state is WaitingState.CONFLICT:
            self._decide(self.current)
        elif self.current.state is WaitingState.UNSURE:
            self.say("r looks again whether it arrived, D forgets it")
        elif self.current.state is WaitingState.REFUSED:
            self.say("r sends it again, D forgets it")
        elif self.current.reason:
            self.say("it is tried again by itself; r tries it now, D forgets it")
        else:
            self.say("it is on its way: nothing is to be decided", hint="u on the board undoes it")

    async def action_retry(self) -> None:
        """Send the change at the cursor again; look first whether it arrived."""
        waiting = self.current
        if waiting is None:
            self.say("there is nothing to send again")
        elif waiting.state is WaitingState.CONFLICT:
            self.say("somebody else changed the same", hint="↵ shows both sides")
        elif not (waiting.needs_you or waiting.reason):
            self.say("it is on its way already")
        elif waiting.was_looked_for_again and waiting.operation.creates is not None:
            self._send_even_so(waiting)
        elif await self._try(self.store.retry(waiting.id)):
            is_unsure = waiting.state is WaitingState.UNSURE
            self.say("looking whether it arrived" if is_unsure else "sending it again")

    @work(exclusive=True, group="dialog")
    async def _send_even_so(self, waiting: Waiting) -> None:
        """Ask, then send what may have arrived without looking once more."""
        from tui.dialogs.confirm import ConfirmDialog

        explanation = (
            f"{waiting.operation.describe()}\n\nIt was looked for twice, and what the service has "
            "does not show whether it arrived. If it did, it will be there twice."
        )
        if not await self.app.push_screen_wait(ConfirmDialog("Send it even so?", explanation)):
            self.say("nothing was sent: it waits here")
        elif await self._try(self.store.retry(waiting.id, even_so=True)):
            self.say("sending it again")

    async def action_retry_all(self) -> None:
        """Send again whatever was refused, look for what may have arrived, and wait no longer."""
        waiting = self.store.waiting()
        stuck = [each for each in waiting if each.needs_you]
        again = [each for each in stuck if each.state is not WaitingState.CONFLICT]
        for each in again:
            if not await self._try(self.store.retry(each.id)):
                return
        if len(waiting) > len(stuck):
            self.run_worker(self._ask_now(), group="refresh", exclusive=True)
        count = len(waiting) - len(stuck) + len(again)
        kept = len(stuck) - len(again)
        hint = f"{kept} in conflict: ↵ shows both sides" if kept else ""
        self.say(f"sending {count} again" if count else "there is nothing to send again", hint=hint)

    async def _ask_now(self) -> None:
        """Ask the service now: as soon as it answers, everything is sent."""
        await self._try(self.store.refresh())

    @work(exclusive=True, group="dialog")
    async def action_discard(self) -> None:
        """Ask, then forget the change at the cursor."""
        from tui.dialogs.confirm import ConfirmDialog

        waiting = self.current
        if waiting is None:
            self.say("there is nothing to discard")
        elif not (waiting.needs_you or waiting.reason):
            self.say("it is still on its way", hint="u on the board undoes it")
        elif await self.app.push_screen_wait(
            ConfirmDialog(
                "Forget this change?", _what_goes(waiting, self.store.depending_on(waiting.id))
            )
        ):
            await self._forget(waiting)
        else:
            self.say("nothing was forgotten")

    async def _forget(self, waiting: Waiting) -> None:
        """Forget a change, unless it turns out to have arrived."""
        try:
            is_forgotten = await self.store.discard(waiting.id)
        except CallboardError as error:
            self.say(error.message, hint=error.hint, error=True)
        else:
            self.say("forgotten" if is_forgotten else "it had arrived: nothing was forgotten")

    @work(exclusive=True, group="dialog")
    async def _decide(self, waiting: Waiting) -> None:
        """Ask whose value is to stay."""
        from tui.dialogs.conflict import ConflictDialog

        draft = self.store.merge_draft(waiting.id)
        how = await self.app.push_screen_wait(ConflictDialog(waiting, is_text=draft is not None))
        if how == "text" and draft is not None and is_edit(waiting.operation, "description"):
            await self._write_description(waiting, draft)
        elif how == "text" and draft is not None:
            await self._write(waiting, self._drafts.get(waiting.id, draft))
        elif how is None:
            self.say("nothing was decided: it waits here")
        elif await self._try(self.store.resolve(waiting.id, how)):
            self.say("yours is sent" if how == "mine" else "theirs stays")

    async def _write_description(self, waiting: Waiting, draft: str) -> None:
        """Let the person put both descriptions together as Markdown, and send what came of it."""
        from tui.dialogs.editor.text import TextEditor
        from tui.text.markdown import edited_html, to_html, to_markdown

        both, key = await turned(to_markdown, draft), f"conflict-{waiting.id}"
        editor = TextEditor(
            "The description of both, yours first where they meet",
            both,
            drafts=self.context.drafts,
            draft=key,
            as_html=to_html,
            again="↵ and e",
        )
        written = await self.app.push_screen_wait(editor)
        if written is None:
            return
        html = await turned(edited_html, draft, both, written)
        if await self._try(self.store.resolve(waiting.id, "text", html)):
            self.context.drafts.forget(key)
            self.say("your text is sent")

    async def _write(self, waiting: Waiting, draft: str) -> None:
        """Let the person put both texts together, and send what came of it."""
        from tui.dialogs.write import WriteDialog

        title = f"The {waiting.differences[0].field} of both" if waiting.differences else "Of both"
        about = "Where both changed the same, both stand below each other, yours first."
        if "\n" not in draft and waiting.differences:
            about = f"Theirs is: {waiting.differences[0].theirs}"
        written = await self.app.push_screen_wait(WriteDialog(title, draft, about))
        if written is None or not written.is_to_be_sent:
            if written is not None:
                self._drafts[waiting.id] = written.text
            self.say("nothing was sent", hint="↵ and e go on with your text")
        elif await self._try(self.store.resolve(waiting.id, "text", written.text)):
            self.say("your text is sent")
        else:
            self._drafts[waiting.id] = written.text

    def why_not(self, key: str) -> str:
        """The keys of a conflict work where both sides are seen."""
        if key in {"m", "t", "e"}:
            return f"‘{key}’ works where both sides are shown: ↵ on a conflict"
        return super().why_not(key)

    def action_waiting(self) -> None:
        """Stay: these are the changes that wait."""
        self.say("these are the changes that wait")

    def action_back(self) -> None:
        """Take back an error, or go back."""
        if not self.clear_message():
            self.dismiss()

    def hear(self, event: StoreEvent) -> None:
        """List again, once for all that happens now: any event may have changed what waits."""
        super().hear(event)
        if not self._is_due:
            self._is_due = True
            self.call_after_refresh(self._list_again)

    def _list_again(self) -> None:
        """List once for all that happened, unless the screen was left meanwhile."""
        self._is_due = False
        if self.query(PickList):
            self.list_waiting()

    async def _try(self, deciding: Awaitable[None]) -> bool:
        """Have the store do something; whether it could. What went wrong is said."""
        try:
            await deciding
        except CallboardError as error:
            self.say(error.message, hint=error.hint, error=True)
            return False
        return True


def _what_goes(waiting: Waiting, depending: int) -> str:
    """What is forgotten, in words; `depending` is how many other changes need this one."""
    what = waiting.operation.describe()
    others = "1 other change needs it" if depending == 1 else f"{depending} other changes need it"
    if waiting.state is WaitingState.CONFLICT:
        return f"{what}\n\nWhat somebody else set stays."
    if waiting.state is WaitingState.REFUSED:
        return f"{what}\n\n{others}, and will be forgotten with it." if depending else what
    looked = "The service is looked at first: if it arrived, it stays"
    if not depending:
        return f"{what}\n\n{looked}; it is not sent again."
    return f"{what}\n\n{others}. {looked} and they go on; if not, all of it is forgotten."
