"""The screen with the pending changes: they are retried, discarded, and conflicts resolved.

Those that need the user come first; none is discarded without asking.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import ClassVar

from tui.actions.action import action
from tui.actions.availability import READ_ONLY
from tui.actions.host import ErrorsSaid
from tui.actions.tasks.history import HistoryOfAllBoards
from tui.context import Context
from tui.model.events.activity import action_of
from tui.model.events.remote_changes import ChangeKind
from tui.runtime.slices import turned
from tui.screens.keys import Hints
from tui.screens.lists.table import TableScreen
from tui.screens.pending.rows import COLUMNS, PendingRow, below_of, line_of, prospect, rows_of
from tui.store.events import PendingChange, PendingState, StoreEvent
from tui.store.operations import is_edit
from tui.store.protocol import Store
from tui.text.clean import quoted
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.painted import Line
from tui.widgets.row_list import Heading, ListColumn

AGE_SECONDS = 20
"""How often the ages of the changes are updated."""
_SEEN_AS = {
    "priority": ChangeKind.PRIORITY,
    "stage": ChangeKind.MOVED,
    "title": ChangeKind.RENAMED,
}
"""By field, the change of others that its card is marked with."""


class PendingScreen(TableScreen[PendingRow]):
    """All pending changes: those being sent and those that need the user."""

    heading, row_name, opens = "Pending changes", "pending change", "waiting.open"
    columns: Sequence[ListColumn] = COLUMNS
    is_of_board, keeps_order = False, True
    again = "{waiting.retry-all:R} try now"
    empty_hints: ClassVar[Hints] = {"waiting.back": ""}
    nothing = ("all changes are synced", "{waiting.back:esc} to go back")
    actions_of = (HistoryOfAllBoards,)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.actions.offer(HistoryOfAllBoards(self))
        self._merges: dict[int, str] = {}
        """Unfinished merges of the texts of both sides, by the id of the change."""

    def on_mount(self) -> None:
        self.set_interval(AGE_SECONDS, self.show_again)

    @property
    def current(self) -> PendingChange | None:
        # Looked up in the store: a row may be older than the state of its change.
        keys = [self.key(row) for row in self.row_list.chosen]
        return next((change for change in self.store.pending() if [change.id] == keys), None)

    def rows(self) -> Sequence[PendingRow]:
        rows = rows_of(self.store)
        has_boards = any(row.board for row in rows)
        self.columns = [column for column in COLUMNS if has_boards or column.name != "board"]
        return rows

    def key(self, row: PendingRow) -> int | str:
        return row.text if row.change is None else row.change.id

    def words(self, row: PendingRow) -> str:
        return row.text

    def sections(self, row: PendingRow) -> tuple[Heading, ...]:
        return (row.heading,)

    def line(self, row: PendingRow, width: int) -> Line:
        return line_of(row, self.columns, width, self.context.now())

    def below(self, row: PendingRow, width: int) -> tuple[Line, ...]:
        return tuple(below_of(row, self.columns, width - 1, self.store))

    def draw_bar(self) -> None:
        waiting = self.store.pending()
        untroubled = [change for change in waiting if not change.needs_attention]
        stuck = len(waiting) - len(untroubled) + len(self.store.losses())
        going = sum(prospect(change, self.store).is_going for change in untroubled)
        waits = len(untroubled) - going
        word = "kept" if self.store.is_read_only else "waiting"
        self.bar.say(
            (
                (f" {self.heading} ", "place"),
                (f"  {stuck} need{'s' if stuck == 1 else ''} attention" if stuck else "", "bad"),
                (f"  {going} being sent" if going else "", "quiet"),
                (f"  {waits} {word}" if waits else "", "quiet"),
            ),
            ((f"{glyphs.SEARCH} {self.search} " if self.search else "", "warn"),),
        )

    def why_not(self, key: str) -> str:
        if key in {"m", "t", "e"}:
            enter = keyed("{rows.open:↵}")
            return f"‘{key}’ works on a conflict: press {enter} to show both sides"
        return super().why_not(key)

    def follow_store(self, event: StoreEvent) -> None:
        del event
        self.show_soon()

    @action("waiting.back", "escape", "Clear marks or search, go back", hint="back",
            while_moving=True)  # fmt: skip
    def go_back(self) -> None:
        super().go_back()

    @action("waiting.retry", "r", "Retry change", hint="retry", changes_more=True)
    async def retry(self) -> None:
        change = self.current
        if self.row_list.marks and self.need_row() is None:
            return
        if change is None:
            self.say("nothing to send again")
            return
        coming = prospect(change, self.store)
        if change.state is PendingState.CONFLICT:
            self.say(coming.text, hint=coming.hint)
        elif not change.needs_attention and self.store.status(change.board_id).problem:
            self.say("asking the service again")
            self.run_worker(self._ask_service(), group="refresh", exclusive=True)
        elif not (change.needs_attention or change.reason):
            self.say("already being sent" if coming.is_going else coming.text)
        # A creation is the one change that can be doubled: after two checks the user decides.
        elif change.was_checked_again and change.operation.creates is not None:
            await self._send_unchecked(change)
        else:
            await self.store.retry(change.id)
            is_unsure = change.state is PendingState.UNSURE
            self.say("checking whether it arrived" if is_unsure else "sending it again")

    @action("waiting.retry-all", "R", "Retry all changes", hint="retry all", changes_more=True)
    async def refresh_rows(self) -> None:  # type: ignore[override]  # actions may be async
        waiting = self.store.pending()
        stuck = [change for change in waiting if change.needs_attention]
        # A conflict cannot be retried: the user has to choose a side.
        again = [change for change in stuck if change.state is not PendingState.CONFLICT]
        for change in again:
            await self.store.retry(change.id)
        if len(waiting) > len(stuck):
            self.run_worker(self._ask_service(), group="refresh", exclusive=True)
        conflicts = len(stuck) - len(again)
        count = len(waiting) - conflicts
        hint = f"{conflicts} in conflict: {{rows.open:↵}} to show both sides" if conflicts else ""
        self.say(f"sending {count} again" if count else "nothing to send again", hint=hint)

    async def _ask_service(self) -> None:
        with ErrorsSaid(self, in_background=True):
            # Once the service answers, the store sends everything that is pending.
            await self.store.refresh()

    async def _send_unchecked(self, change: PendingChange) -> None:
        explanation = (
            f"{change.operation.describe()}\n\nTwo checks could not tell whether it "
            "arrived. If it did, it will be there twice."
        )
        if await self.confirm("Send it anyway?", explanation):
            await self.store.retry(change.id, force=True)
            self.say("sending it again")
        else:
            self.say("nothing was sent: still pending")

    @action("waiting.discard", "D", "Discard change", hint="discard", changes_more=True, asks=True)
    async def discard(self) -> None:
        change = self.current
        if self.row_list.marks and self.need_row() is None:
            return
        if change is None:
            self.say("nothing to discard")
        elif not (change.needs_attention or change.reason):
            coming = prospect(change, self.store)
            message = "it is still being sent" if coming.is_going else coming.text
            self.say(message, hint="{board.undo:u} on its board to undo it")
        elif await self.confirm("Discard this change?", self._consequences(change)):
            is_discarded = await self.store.discard(change.id)
            self.say("discarded" if is_discarded else "it had arrived: nothing was discarded")
        else:
            self.say("nothing was discarded")

    def _consequences(self, change: PendingChange) -> str:
        words, count = change.operation.describe(), self.store.count_dependants(change.id)
        dependants = f"{count} other change{' depends' if count == 1 else 's depend'} on it"
        if change.state is PendingState.CONFLICT:
            return f"{words}\n\nThe other person’s value stays."
        if change.state is PendingState.REFUSED:
            return f"{words}\n\n{dependants} and will be discarded too." if count else words
        checked = "The service is asked first: if it arrived, it stays"
        if not count:
            return f"{words}\n\n{checked}; it will not be sent again."
        return f"{words}\n\n{dependants}. {checked} and they go on; if not, all are discarded."

    @action("waiting.acknowledge", "a", "Dismiss notice of lost changes")
    async def acknowledge(self) -> None:
        if self.store.losses():
            await self.store.acknowledge_losses()
            self.say("acknowledged", hint="the damaged file and its report are kept")
        else:
            self.say("nothing was lost")

    @action("go.waiting", "g u", "Go to pending changes")
    def stay_here(self) -> None:
        self.say("you are already here")

    @action("waiting.open", "", "Open change, or both sides")
    def decide(self) -> None:
        change = self.current
        if change is None:
            self.say(
                "these changes may be lost", hint="{waiting.acknowledge:a} to remove the notice"
            )
        elif self.store.is_read_only:
            self.say(READ_ONLY)
        elif change.state is PendingState.CONFLICT:
            self.dialogs.run(partial(self._resolve, change))
        else:
            coming = prospect(change, self.store)
            self.say(coming.text, hint=coming.hint)

    async def _resolve(self, change: PendingChange) -> None:
        from tui.dialogs.conflict import ConflictDialog

        draft = self.store.merge_draft(change.id)
        author, at = _author(self.store, change)
        subjects = [pending.operation.subject for pending in self.store.pending()]
        dialog = ConflictDialog(
            change,
            self.context.now(),
            other=author,
            at=at,
            is_text=draft is not None,
            is_only=subjects.count(change.operation.subject) == 1,
        )
        how = await self.ask(dialog)
        if how is None:
            self.say("nothing was decided: still pending")
        elif how != "text" or draft is None:
            await self.store.resolve(change.id, how)
            self.say("sending your value" if how == "mine" else "keeping their value")
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
            again=keyed("{rows.open:↵} and {conflict.edit:e}"),
        )
        written = await self.ask(editor)
        if written is not None:
            # Passages that were not edited keep the HTML of the service.
            html = await turned(edited_html, draft, both, written)
            await self.store.resolve(change.id, "text", html)
            self.context.drafts.forget(key)
            self.say("sending your text")

    async def _merge_texts(self, change: PendingChange, draft: str) -> None:
        from tui.dialogs.write import WriteDialog

        title = f"The {change.differences[0].field} of both" if change.differences else "Of both"
        about = "Where both changed the same text, yours comes first."
        if "\n" not in draft and change.differences:
            about = f"Theirs is: {change.differences[0].current}"
        written = await self.ask(WriteDialog(title, draft, about))
        if written is not None:
            # Kept until it is sent, so that Esc or an error loses nothing.
            self._merges[change.id] = written.text
        if written is None or not written.is_submitted:
            hint = "{rows.open:↵}, then {conflict.edit:e} to continue"
            self.say("nothing was sent", hint=hint)
        else:
            await self.store.resolve(change.id, "text", written.text)
            del self._merges[change.id]
            self.say("sending your text")


def _author(store: Store, change: PendingChange) -> tuple[str, datetime | None]:
    # The author of the other value and the time, if a cached activity or mark names that value.
    if not change.differences:
        return "", None
    field, _, their_value, _ = change.differences[0]
    task_id = change.operation.task_id or 0
    detail, mark = store.detail(task_id), store.changed_by_others(change.board_id).get(task_id)
    for activity in (detail.activities or ()) if detail is not None else ():
        is_same = action_of(activity)[1] == field and activity.new == their_value
        if is_same and activity.by is not None and not activity.is_by(store.me):
            return activity.by.in_words, activity.at
    if mark is not None and mark.kind is _SEEN_AS.get(field):
        return mark.who if mark.detail in (their_value, quoted(their_value)) else "", None
    return "", None
