"""The inbox: what concerns the user on all boards, unread first, grouped by card."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import ClassVar

from tui.actions.action import action, board_action
from tui.actions.comments import write_reply
from tui.actions.tasks.cards import Cards, named
from tui.actions.tasks.history import HistoryOfAllBoards
from tui.context import Context
from tui.model.comment import Comment, find
from tui.model.comment_text import followed
from tui.model.task import Task
from tui.model.work.inbox import (
    COMMENTS,
    BoardFacts,
    CardEntries,
    InboxEntry,
    InboxKind,
    by_card,
    with_read,
)
from tui.navigation import PendingRequested, TaskRequested, ThreadRequested
from tui.notifications.inbox_reader import look
from tui.screens.keys import Hints
from tui.screens.lists.table import TableScreen
from tui.store import operations as change
from tui.text.cells import cut, fit, width as cell_width
from tui.text.clean import counted
from tui.text.dates import ago, local
from tui.widgets import glyphs
from tui.widgets.painted import Line, fitted, line_width, linked
from tui.widgets.row_list import Heading, RowList

_ROLES: Mapping[InboxKind, str] = {
    InboxKind.MENTION: "news",
    InboxKind.REPLY: "news",
    InboxKind.ASSIGNED: "text",
    InboxKind.BLOCKED: "bad",
    InboxKind.UNBLOCKED: "good",
    InboxKind.DUE: "warn",
    InboxKind.OVERDUE: "bad",
    InboxKind.CONFLICT: "bad",
}
_SIGNS: Mapping[InboxKind, str] = {
    InboxKind.MENTION: "@",
    InboxKind.REPLY: '"',
    InboxKind.ASSIGNED: ">",
    InboxKind.BLOCKED: "X",
    InboxKind.UNBLOCKED: "+",
    InboxKind.DUE: "!",
    InboxKind.OVERDUE: "!",
    InboxKind.CONFLICT: "?",
}
"""The kinds where there is no room for their words."""
_FILTERS: Mapping[str, Collection[InboxKind]] = {
    "everything": tuple(InboxKind),
    "mentions and replies": COMMENTS,
    "assigned to me": (InboxKind.ASSIGNED,),
    "due and overdue": (InboxKind.DUE, InboxKind.OVERDUE),
    "blocked and unblocked": (InboxKind.BLOCKED, InboxKind.UNBLOCKED),
    "conflicts": (InboxKind.CONFLICT,),
}
_EVERYTHING = "everything"
_WIDE, _NARROW, _NARROWEST = 100, 60, 50
"""Below these widths the stage goes, the board goes, and the kind becomes a sign."""
_NUMBER, _SIGN, _KIND, _AGE = 8, 9, 11, 6
"""The cells of the number of a card, and of the sign, the kind and the age of an entry."""
_MARGIN = 2
Step = Mapping[str, datetime | None]
"""When entries were read before a step, by their keys."""


class InboxList(RowList):
    """The entries, each group below the line of its card."""

    def __init__(self, source: "InboxScreen") -> None:
        super().__init__(source)
        self._inbox = source

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # Nothing is lifted here: its key marks entries as read.
        return False if action == "lift" else super().check_action(action, parameters)

    def lines_above(self, row: int, width: int) -> Iterator[Line]:
        entry = self.rows[row]
        previous = self.rows[row - 1] if row else None
        is_first = previous is None or previous.is_unread is not entry.is_unread
        if previous is not None and not is_first and _card_of(previous) == _card_of(entry):
            return
        if previous is not None and self.is_airy:
            yield self.blank_line(width)
        if is_first:
            yield self.heading_line(self._inbox.sections(entry)[0], width)
        yield self._inbox.card_line(entry, width)


class InboxUndo(HistoryOfAllBoards):
    """Undo of what was read here, and of the changes of cards."""

    def __init__(self, screen: "InboxScreen", undo_reading: Callable[[], bool]) -> None:
        super().__init__(screen, screen.go_to)
        self._undo_reading = undo_reading

    async def undo_or_redo(self, back: bool, *, force: bool = False) -> None:
        if not back or not self._undo_reading():
            await super().undo_or_redo(back, force=force)


class InboxScreen(TableScreen[InboxEntry]):
    """Mentions, replies and what happened to the user's cards."""

    heading, row_name, opens = "Inbox", "notification", "inbox.open"
    nothing = ("no new notifications", "{go.my-work:g m} for your cards")
    is_of_board = False
    keeps_order = True
    actions_of = (InboxUndo,)
    first_hints: ClassVar[Hints] = {
        "inbox.open": "",
        "inbox.read": "",
        "inbox.read-all": "",
        "inbox.filter": "",
        "inbox.reply": "",
        "inbox.watch": "",
        "board.undo": "",
        "list.back": "",
    }

    def __init__(self, context: Context, board_id: int | None = None) -> None:
        super().__init__(context, board_id)
        self.row_list = InboxList(self)
        self.actions.offer(InboxUndo(self, self._undo_reading))
        self._kinds = _EVERYTHING
        self._steps: list[Step] = []
        """What was read, latest last; an empty step stands for a change of a card."""
        self._tasks: dict[int, Task] = {}
        self._places: dict[int, tuple[str, str]] = {}
        """The boards and stages of cards, in words."""
        self._titles: dict[int, str] = {}

    async def load_rows(self) -> None:
        for facts in await look(self.store, self.context.inbox, self.context.now()):
            self._note(facts)

    def _note(self, facts: BoardFacts) -> None:
        for task in (*facts.cards, *facts.others):
            self._tasks[task.id] = task
            self._places[task.id] = facts.board, facts.stages.get(task.stage_id or 0, "")

    def rows(self) -> Sequence[InboxEntry]:
        kinds = _FILTERS[self._kinds]
        self._titles = {board.id: board.title for board in self.store.boards()}
        entries = self.context.inbox.read().entries.values()
        groups: list[CardEntries] = by_card(entry for entry in entries if entry.kind in kinds)
        return [entry for group in groups for entry in group.entries]

    def key(self, row: InboxEntry) -> str:
        return row.key

    def words(self, row: InboxEntry) -> str:
        board, stage = self._place(row)
        said = row.words(self.context.now())
        return f"#{row.task_id} {self._title(row)} {row.kind} {said} {board} {stage}"

    def sections(self, row: InboxEntry) -> tuple[Heading, ...]:
        same = [entry for entry in self.known if entry.is_unread is row.is_unread]
        title = "Unread" if row.is_unread else "Earlier"
        return (Heading(title, beside=str(len(same))),)

    def line(self, row: InboxEntry, width: int) -> Line:
        now = self.context.now()
        role = _ROLES[row.kind] if row.is_unread else "quiet"
        is_narrow = width < _NARROWEST
        sign = fit(f" {glyphs.NEWS}" if row.is_unread else "", 3 if is_narrow else _SIGN)
        kind = fit(_SIGNS[row.kind] if is_narrow else row.kind, 2 if is_narrow else _KIND)
        age = ago(min(local(row.at), now), now)
        end = f"{' ' * max(1, _AGE - cell_width(age))}{age} "
        room = max(1, width - cell_width(sign) - cell_width(kind) - cell_width(end))
        text_role = "text" if row.is_unread else "quiet"
        return (
            (sign, "news"),
            (kind, role),
            *linked(fit(row.words(now), room), text_role),
            (end, "quiet"),
        )

    def card_line(self, row: InboxEntry, width: int) -> Line:
        """The line of the card above its entries."""
        number = f"#{row.task_id}" if row.task_id > 0 else "new"
        board, stage = self._place(row)
        parts = [board] * (width >= _NARROW) + [stage] * (width >= _WIDE and bool(stage))
        place = f" {glyphs.RIGHT} ".join(filter(None, parts))
        place = cut(place, max(0, width // 3))
        begin: Line = ((number.rjust(_NUMBER), "quiet"), ("  ", "text"))
        end: Line = ((f"  {place}{' ' * _MARGIN}" if place else " " * _MARGIN, "quiet"),)
        room = max(1, width - line_width(begin) - line_width(end))
        role = "strong" if row.is_unread else "quiet"
        return (*begin, *fitted(((self._title(row), role),), room, "text"), *end)

    def _title(self, row: InboxEntry) -> str:
        task = self._tasks.get(row.task_id)
        return (task.title if task is not None else row.title) or "(no title)"

    def _place(self, row: InboxEntry) -> tuple[str, str]:
        return self._places.get(row.task_id, (self._titles.get(row.board_id, ""), ""))

    def counts(self) -> Line:
        unread = Counter(entry.kind for entry in self.context.inbox.read().unread)
        me, boards = self.store.me, self.store.boards()
        person = next(filter(None, (me.among(board.people) for board in boards)), None)
        name: Line = ((person.in_words, "strong"),) if person is not None else ()
        total, mentions = sum(unread.values()), unread[InboxKind.MENTION]
        named_counts = (
            (total, f"{glyphs.NEWS} {total} unread", "news"),
            (mentions, counted(mentions, "mention"), "text"),
            (unread[InboxKind.OVERDUE], f"{unread[InboxKind.OVERDUE]} overdue", "bad"),
            (unread[InboxKind.CONFLICT], counted(unread[InboxKind.CONFLICT], "conflict"), "bad"),
        )
        shown = () if self._kinds == _EVERYTHING else ((self._kinds, "warn"),)
        return (*name, *((text, role) for count, text, role in named_counts if count), *shown)

    def edge_words(self) -> str:
        return "read notifications are kept for 30 days" if self.row_list.rows else ""

    def empty(self) -> tuple[str, str]:
        if self._kinds != _EVERYTHING:
            return f"nothing about “{self._kinds}”", "{list.back:esc} to show everything"
        return super().empty()

    @action("inbox.open", "", "Open card or comment", hint="open")
    async def open_entry(self) -> None:
        row = self.need_row()
        if row is None:
            return
        self._read(self._opened_with(row))
        if row.kind is InboxKind.CONFLICT:
            self.post_message(PendingRequested())
            return
        await self.store.load_board(row.board_id)
        ids = row.board_id, row.task_id
        is_comment = row.kind in COMMENTS
        self.post_message(
            ThreadRequested(*ids, row.comment_id) if is_comment else TaskRequested(*ids)
        )

    def _opened_with(self, row: InboxEntry) -> list[InboxEntry]:
        # The thread of a comment shows the others on the card, too.
        if row.kind not in COMMENTS:
            return [row]
        return [
            entry
            for entry in self.known
            if entry.kind in COMMENTS and _card_of(entry) == _card_of(row)
        ]

    @action("inbox.read", "space", "Mark as read or unread", hint="read", words="unread done")
    def toggle_read(self) -> None:
        rows = self.need_rows()
        if not rows:
            return
        is_read = any(row.is_unread for row in rows)
        at = self.row_list.cursor
        self._read(rows, is_read=is_read)
        self.row_list.clear_marks()
        # The next one comes under the cursor, instead of the cursor going to “Earlier”.
        self.row_list.go_to(min(at, max(0, len(self.row_list.rows) - 1)))
        what = counted(len(rows), "notification")
        self.say(f"marked {what} as {'read' if is_read else 'unread'}", hint="{board.undo:u} undo")

    @action("inbox.read-all", "A", "Mark all as read", hint="read all")
    def read_all(self) -> None:
        # What a search or a filter hides stays unread.
        unread = [entry for entry in self.row_list.rows if entry.is_unread]
        if not unread:
            self.say("everything is read")
            return
        self._read(unread)
        self.row_list.go_to(0)
        what = counted(len(unread), "notification")
        self.say(f"marked {what} as read", hint="{board.undo:u} undo")

    def _read(self, rows: Sequence[InboxEntry], *, is_read: bool = True) -> None:
        changed = {row.key: row.read_at for row in rows if row.is_unread is is_read}
        if changed:
            self._steps.append(changed)
            at = self.context.now().astimezone(UTC) if is_read else None
            self.context.inbox.change(lambda inbox: with_read(inbox, dict.fromkeys(changed, at)))
            self.show_rows()

    def _undo_reading(self) -> bool:
        step = self._steps.pop() if self._steps else {}
        if not step:
            return False
        self.context.inbox.change(lambda inbox: with_read(inbox, step))
        self.show_rows(next(iter(step)))
        what = counted(len(step), "notification")
        state = "read" if None in step.values() else "unread"
        self.say(f"Undone: marked {what} as {state}", sign=glyphs.DONE)
        return True

    @action("inbox.filter", "f", "Show some kinds only", hint="filter", asks=True)
    async def ask_filter(self) -> None:
        from tui.dialogs.questions import ChooseDialog, by_first_letter

        answer = await self.ask(ChooseDialog("Show …", by_first_letter(_FILTERS), self._kinds))
        if answer is not None:
            self._kinds = answer
            self.show_rows()

    def clear_search(self) -> bool:
        if super().clear_search():
            return True
        if self._kinds == _EVERYTHING:
            return False
        self._kinds = _EVERYTHING
        self.show_rows()
        return True

    @board_action("inbox.reply", "r", "Reply to comment", hint="reply", asks=True)
    async def reply(self) -> None:
        row = self.need_row()
        if row is None:
            return
        task, comment = await self._card(row), await self._comment(row)
        if task is None or comment is None:
            why = "this is no comment" if row.kind not in COMMENTS else "the comment is not loaded"
            self.say(why, hint="{rows.open:↵} to open it")
        elif await write_reply(self._cards(task), task, comment) is not None:
            self._steps.append({})
            self._read([row])

    @action("inbox.links", "o", "Open link in comment", asks=True)
    async def open_link(self) -> None:
        from tui.actions.links import choose_link, follow_link

        row = self.need_row()
        if row is None:
            return
        links = followed(row.text)
        if not links:
            self.say("no link here", hint="{rows.open:↵} to open the card")
            return
        link = links[0] if len(links) == 1 else await choose_link(self, links)
        if link is not None:
            self._read([row])
            await follow_link(self, link)

    @board_action("inbox.watch", "w", "Stop watching card", hint="stop watching", words="mute")
    async def stop_watching(self) -> None:
        row = self.need_row()
        task = None if row is None else await self._card(row)
        if task is None:
            if row is not None:
                self.say(f"#{row.task_id} is not on its board any more")
            return
        operation = change.set_watching(task, on=False)
        if await self._cards(task).submit([operation], f"stopped watching {named([task])}"):
            self._steps.append({})

    def _cards(self, task: Task) -> Cards:
        return Cards(self, task.board_id, chosen=lambda: (task,))

    async def _card(self, row: InboxEntry) -> Task | None:
        view = await self.store.load_board(row.board_id)
        return None if view is None else view.task(row.task_id)

    async def _comment(self, row: InboxEntry) -> Comment | None:
        if row.comment_id is None:
            return None
        threads = await self.store.comments(row.board_id)
        return find(threads.get(row.task_id, ()), row.comment_id)

    def inbox_changed(self) -> None:
        if not self.is_behind:
            self.show_again()


def _card_of(entry: InboxEntry) -> tuple[int, int]:
    return entry.board_id, entry.task_id


SCREEN = InboxScreen
