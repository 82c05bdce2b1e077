"""The screen with the pending changes: they are retried, discarded, and conflicts resolved.

Those that need the user come first; none is discarded without asking.
"""

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets.option_list import Option

from tui.actions.action import action
from tui.actions.availability import READ_ONLY
from tui.actions.host import ErrorsSaid
from tui.actions.tasks.history import HistoryOfAllBoards
from tui.context import Context
from tui.dialogs.questions import PickList
from tui.runtime.slices import turned
from tui.screens.base import CallboardScreen
from tui.screens.pending.rows import SHOWN, Prospect, grouped, heading, losses, prospect, row
from tui.store.events import PendingChange, PendingState, StoreEvent
from tui.store.operations import is_edit
from tui.text.keyed import keyed
from tui.theme import stylesheet

AGE_SECONDS = 20
"""How often the ages of the changes are updated."""


class PendingScreen(CallboardScreen):
    """All pending changes: those being sent and those that need the user."""

    CSS_PATH = stylesheet("lists.tcss")
    actions_of = (HistoryOfAllBoards,)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.actions.offer(HistoryOfAllBoards(self))
        self._merges: dict[int, str] = {}
        """Unfinished merges of the texts of both sides, by the id of the change."""
        self._is_due = False

    def compose(self) -> ComposeResult:
        yield self.bar
        yield PickList()
        yield self.status
        yield self.status.footer

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
        return next((change for change in self.store.pending() if str(change.id) == chosen), None)

    def list_waiting(self) -> None:
        """Fill the list with the changes, grouped by state; keep the cursor on its change."""
        options, current, waiting = self.query_one(PickList), self.current, self.store.pending()
        is_read_only, now, width = self.store.is_read_only, self.context.now(), self.size.width
        is_one_board = len({change.board_id for change in waiting}) == 1
        boards = {} if is_one_board else {board.id: board.title for board in self.store.boards()}
        rows = [Option(text, disabled=True) for text in losses(self.store.losses(), width)]
        for group in grouped(waiting, self.store.status, is_read_only=is_read_only):
            rows.append(Option(heading(group, width), disabled=True))
            for change in group.changes[:SHOWN]:
                problem = "" if is_read_only else self.store.status(change.board_id).problem
                rows.append(Option(row(change, now, boards, width, problem), str(change.id)))
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
        if current is not None and str(current.id) in ids:
            options.highlighted = ids.index(str(current.id))
        elif enabled:
            options.highlighted = min(enabled, key=lambda index: abs(index - at))
        self._draw_bar(waiting)

    def _draw_bar(self, waiting: tuple[PendingChange, ...]) -> None:
        others = [change for change in waiting if not change.needs_attention]
        stuck = len(waiting) - len(others) + len(self.store.losses())
        going = sum(self._prospect(change).is_going for change in others)
        waits = len(others) - going
        word = "kept" if self.store.is_read_only else "waiting"
        self.bar.say(
            (
                (" Pending changes ", "place"),
                (f"  {stuck} need{'s' if stuck == 1 else ''} you" if stuck else "", "bad"),
                (f"  {going} being sent" if going else "", "quiet"),
                (f"  {waits} {word}" if waits else "", "quiet"),
            )
        )

    def _prospect(self, change: PendingChange) -> Prospect:
        status = self.store.status(change.board_id)
        return prospect(change, status, is_read_only=self.store.is_read_only)

    def why_not(self, key: str) -> str:
        if key in {"m", "t", "e"}:
            enter = keyed("{list.open:↵}")
            return f"‘{key}’ works where both sides are shown: {enter} on a conflict"
        return super().why_not(key)

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        if not self._is_due:  # the list is updated once for all events that come together
            self._is_due = True
            self.call_after_refresh(self._list_again)

    def _list_again(self) -> None:
        self._is_due = False
        if self.query(PickList):  # or the screen was closed meanwhile
            self.list_waiting()

    @action("waiting.back", "escape", "Go back", hint="back", while_moving=True)
    def go_back(self) -> None:
        if not self.status.clear():
            self.dismiss()

    @action("waiting.retry", "r", "Retry change", hint="retry", changes_more=True)
    async def retry(self) -> None:
        change = self.current
        if change is None:
            self.say("there is nothing to send again")
        elif change.state is PendingState.CONFLICT:
            coming = self._prospect(change)
            self.say(coming.text, hint=coming.hint)
        elif not change.needs_attention and self.store.status(change.board_id).problem:
            self.run_worker(self._ask_service(), group="refresh", exclusive=True)
            self.say("asking the service again")
        elif not (change.needs_attention or change.reason):
            coming = self._prospect(change)
            self.say("it is being sent already" if coming.is_going else coming.text)
        elif change.was_checked_again and change.operation.creates is not None:
            self.dialogs.run(self._send_unchecked(change))
        else:
            await self.store.retry(change.id)
            is_unsure = change.state is PendingState.UNSURE
            self.say("checking whether it arrived" if is_unsure else "sending it again")

    @action("waiting.retry-all", "R", "Retry all changes", hint="retry all", changes_more=True)
    async def retry_all(self) -> None:
        waiting = self.store.pending()
        stuck = [change for change in waiting if change.needs_attention]
        again = [change for change in stuck if change.state is not PendingState.CONFLICT]
        for change in again:
            await self.store.retry(change.id)
        if len(waiting) > len(stuck):
            self.run_worker(self._ask_service(), group="refresh", exclusive=True)
        conflicts = len(stuck) - len(again)
        count = len(waiting) - conflicts
        hint = f"{conflicts} in conflict: {{list.open:↵}} shows both sides" if conflicts else ""
        self.say(f"sending {count} again" if count else "there is nothing to send again", hint=hint)

    async def _ask_service(self) -> None:
        with ErrorsSaid(self):
            await self.store.refresh()  # as soon as it answers, everything is sent

    async def _send_unchecked(self, change: PendingChange) -> None:
        from tui.dialogs.questions import ConfirmDialog

        explanation = (
            f"{change.operation.describe()}\n\nIt was checked twice, and what the service has "
            "does not show whether it arrived. If it did, it will be there twice."
        )
        if not await self.ask(ConfirmDialog("Send it anyway?", explanation)):
            self.say("nothing was sent: it stays pending")
            return
        with ErrorsSaid(self):
            await self.store.retry(change.id, force=True)
            self.say("sending it again")

    @action("waiting.discard", "D", "Discard change", hint="discard", changes_more=True, asks=True)
    async def discard(self) -> None:
        from tui.dialogs.questions import ConfirmDialog

        change = self.current
        if change is None:
            self.say("there is nothing to discard")
            return
        if not (change.needs_attention or change.reason):
            coming = self._prospect(change)
            message = "it is still being sent" if coming.is_going else coming.text
            self.say(message, hint="{board.undo:u} on its board undoes it")
            return
        text = _discard_text(change, self.store.count_dependants(change.id))
        if not await self.ask(ConfirmDialog("Discard this change?", text)):
            self.say("nothing was discarded")
            return
        is_discarded = await self.store.discard(change.id)
        self.say("discarded" if is_discarded else "it had arrived: nothing was discarded")

    @action("waiting.acknowledge", "a", "Acknowledge what was lost")
    async def acknowledge(self) -> None:
        if self.store.losses():
            await self.store.acknowledge_losses()
            self.say("acknowledged", hint="the damaged file and its report are kept")
        else:
            self.say("nothing was lost")

    @action("go.waiting", "g u", "Go to pending changes")
    def stay_here(self) -> None:
        self.say("these are the pending changes")

    @on(PickList.OptionSelected)
    @on(PickList.NothingThere)
    def decide(self) -> None:
        change = self.current
        if change is None:
            self.say("there is no pending change here", hint="{waiting.back:esc} goes back")
        elif self.store.is_read_only:
            self.say(READ_ONLY)
        elif change.state is PendingState.CONFLICT:
            self.dialogs.run(self._resolve(change))
        else:
            coming = self._prospect(change)
            self.say(coming.text, hint=coming.hint)

    async def _resolve(self, change: PendingChange) -> None:
        from tui.dialogs.conflict import ConflictDialog

        draft = self.store.merge_draft(change.id)
        with ErrorsSaid(self):
            how = await self.ask(ConflictDialog(change, is_text=draft is not None))
            if how is None:
                self.say("nothing was decided: it stays pending")
            elif how != "text" or draft is None:
                await self.store.resolve(change.id, how)
                self.say("your value is sent" if how == "mine" else "their value stays")
            elif is_edit(change.operation, "description"):
                await self._merge_descriptions(change, draft)
            else:
                await self._merge_texts(change, self._merges.get(change.id, draft))

    async def _merge_descriptions(self, change: PendingChange, draft: str) -> None:
        from tui.dialogs.editor.text import TextEditor
        from tui.text.markdown import edited_html, to_html, to_markdown

        both, key = await turned(to_markdown, draft), f"conflict-{change.id}"
        editor = TextEditor(
            "Both descriptions, yours first where they differ",
            both,
            drafts=self.context.drafts,
            draft=key,
            as_html=to_html,
            again=keyed("{list.open:↵} and {conflict.edit:e}"),
        )
        written = await self.ask(editor)
        if written is not None:
            html = await turned(edited_html, draft, both, written)
            await self.store.resolve(change.id, "text", html)
            self.context.drafts.forget(key)
            self.say("your text is sent")

    async def _merge_texts(self, change: PendingChange, draft: str) -> None:
        from tui.dialogs.write import WriteDialog

        title = f"The {change.differences[0].field} of both" if change.differences else "Of both"
        about = "Where both changed the same text, yours comes first."
        if "\n" not in draft and change.differences:
            about = f"Theirs is: {change.differences[0].theirs}"
        written = await self.ask(WriteDialog(title, draft, about))
        if written is not None:
            self._merges[change.id] = written.text
        if written is None or not written.is_submitted:
            hint = "{list.open:↵} and {conflict.edit:e} go on with your text"
            self.say("nothing was sent", hint=hint)
        else:
            await self.store.resolve(change.id, "text", written.text)
            del self._merges[change.id]
            self.say("your text is sent")


def _discard_text(change: PendingChange, depending: int) -> str:
    what = change.operation.describe()
    others = "1 other change needs it" if depending == 1 else f"{depending} other changes need it"
    if change.state is PendingState.CONFLICT:
        return f"{what}\n\nThe other person's value stays."
    if change.state is PendingState.REFUSED:
        return f"{what}\n\n{others}, and will be discarded with it." if depending else what
    checked = "The service is asked first: if it arrived, it stays"
    if not depending:
        return f"{what}\n\n{checked}; it is not sent again."
    return f"{what}\n\n{others}. {checked} and they go on; if not, all of it is discarded."
