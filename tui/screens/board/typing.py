"""Titles of cards typed in place on the board.

They are saved as drafts, which survive Esc and a restart. Marks such as `#label` at the end of a
new title are parsed (`tui.model.quick_entry`); after Enter the next card can be typed. Pasting
several lines creates several cards, after a confirmation; pasted lines are taken literally, because
such marks mean something else in texts from elsewhere.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.geometry import Region

from tui.actions.tasks.cards import Cards
from tui.config.drafts import DraftOfOne
from tui.model.board import Place
from tui.model.moving.cursor import Cursor, find
from tui.model.moving.lanes import Grouping
from tui.model.task import Priority, Status, Task
from tui.screens.board.deck import Deck
from tui.screens.board.entry_preview import EntryPreview
from tui.screens.board.swimlanes import field_changes
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted
from tui.text.keyed import keyed
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line

if TYPE_CHECKING:
    from tui.model.quick_entry import Known, QuickEntry

NEW, TITLE = "new", "title"


class CardTyping:
    """Inputs for new cards and titles on a deck."""

    def __init__(self, tasks: Cards, deck: Deck) -> None:
        self._tasks = tasks
        self._deck = deck
        self._edited: Task | None = None
        self._new: LineInput | None = None
        self._preview = EntryPreview()
        self._newest = 0

    @property
    def line(self) -> Line | None:
        """What is typed, and what the keys do; None if nothing is."""
        if self._new is not None:
            keys = (
                "  ↵ adds it · {input.complete:tab} completes · \\ keeps a word as it is"
                " · {input.cancel:esc} ends"
            )
            return ((" New card", "hand"), (keyed(keys), "quiet"))
        if self._edited is not None:
            return (
                (" Title", "hand"),
                (keyed("  ↵ keeps it · {input.cancel:esc} cancels"), "quiet"),
            )
        return None

    def type_new(self) -> None:
        """Open the input for new cards below the cursor."""
        gap = self._deck.open_gap()
        if gap is None:
            hint = "they come once the service has made it" if self._tasks.board_id < 0 else ""
            self._tasks.say("this board has no stages yet", hint=hint)
            return
        typed = LineInput(
            NEW,
            placeholder="title #label @person !high ^fri",
            draft=self._new_draft,
            takes_lines=True,
            completions=self._completions,
        )
        self._newest = 0
        self._preview = EntryPreview()
        self._deck.columns[self._deck.over].mount(self._preview)
        self._type_at(gap, typed)
        self._new = typed

    def type_title(self, task: Task) -> None:
        """Open an input over the title of a card."""
        found = find(self._deck.grid.cells, task.id)
        if found is None:
            self._tasks.say("that card is hidden by the filter", hint="{board.back:esc} shows it")
            return
        self._edited = task
        typed = LineInput(TITLE, task.title, draft=self._tasks.title_draft(task))
        self._type_at(found, typed)
        self._tasks.say_draft(typed)

    def follow(self, event: LineInput.Typed) -> None:
        """Update the preview of a new card."""
        if event.input.purpose == NEW:
            self._preview.say(self._entry(event.text), self._tasks.now())
            self.put_at_gap()

    def put_at_gap(self) -> None:
        """Move the input for a new card, and its preview, to where its row is drawn now."""
        gap, typed = self._deck.gap, self._new
        if gap is None or typed is None or typed.parent is None:
            return
        column, row = self._deck.bring_into_sight(gap)
        region = column.region_of(row)
        _place_over(typed, region)
        self._preview.put(region.x, region.y, region.width, column.size.height)

    def cursor_moved(self) -> None:
        """End typing a new card, keeping the draft, because the mouse moved the cursor."""
        if self._new is not None:
            self.given_up(LineInput.GivenUp(self._new, self._new.value))

    async def done(self, event: LineInput.Done) -> None:
        """Create the card and type the next one, or rename the edited card."""
        if event.input.purpose == NEW and event.text.strip():
            await self._create_typed(event.input, event.text)
            return
        edited = self._edited
        self._close_input(event.input)
        if event.input.purpose == NEW:
            event.input.forget_draft()
            if not self._newest:
                self._tasks.say("a card needs a title: none was made")
        elif edited is not None and await self._tasks.retitle(edited, event.text):
            event.input.forget_draft()

    async def _create_typed(self, typed: LineInput, text: str) -> None:
        """Create a card from the text; if that fails, put the text back into the input."""
        entry = self._entry(text)
        typed.value = ""
        self._preview.say(None, self._tasks.now())  # removed in the frame that draws the card
        if not await self._create([(entry, False)]):
            typed.value = f"{text} {typed.value}".rstrip()
            typed.action_end()
            return
        if typed.value and typed.draft is not None:
            typed.draft.keep(typed.value)
        if not self._says_hidden(f"added {quoted(entry.title)}") and entry.problems:
            self._tasks.say(f"{' · '.join(entry.problems)}: left in the title")

    def _says_hidden(self, said: str) -> bool:
        """Whether the filter hides the newest card; if so, say it."""
        is_hidden = find(self._deck.shown, self._tasks.called(self._newest)) is None
        if is_hidden:
            self._tasks.say(f"{said}: hidden by the filter", hint="{board.back:esc} clears it")
        return is_hidden

    def given_up(self, event: LineInput.GivenUp) -> None:
        """Close the input; keep the draft of a new card, discard the one of a title."""
        self._close_input(event.input)
        if event.input.purpose == NEW and event.text.strip():
            self._tasks.say("kept what you typed", hint="{task.new:n} goes on with it")
        else:
            event.input.forget_draft()

    def lines_pasted(self, event: LineInput.LinesPasted) -> None:
        """Offer to create a card for each pasted line, which the draft keeps until then."""
        from tui.model.quick_entry import escaped

        self._close_input(event.input)
        self._new_draft.keep(escaped(event.text))
        self._tasks.host.dialogs.run(self._ask_for_cards(event.text))

    async def _ask_for_cards(self, text: str) -> None:
        """Preview the cards for the lines of a text, and create them if the user confirms."""
        from tui.dialogs.write import PasteLines
        from tui.model.quick_entry import QuickEntry, escaped
        from tui.text.checklist import checklist

        stage = self._deck.whole.stage(self._deck.stage_id or 0)
        if stage is None:
            return
        dialog = PasteLines(f"New cards in {quoted(stage.title)}", text, checklist, "card")
        pasted = await self._tasks.ask(dialog)
        if pasted is not None and pasted.is_submitted:
            lines = [(QuickEntry(line.title), line.is_done) for line in checklist(pasted.text)]
            said = f"added {counted(len(lines), 'card')}"
            if await self._create(lines, said):
                self._says_hidden(said)
            return
        if pasted is not None:
            self._new_draft.keep(escaped(pasted.text))
        self._tasks.say("kept what you pasted, as one line", hint="{task.new:n} goes on with it")

    @property
    def _new_draft(self) -> DraftOfOne:
        return DraftOfOne(self._tasks.context.drafts, f"new-card-{self._tasks.board_id}", "")

    @property
    def _known(self) -> "Known":
        """The labels, people and time that marks in a title can refer to."""
        from tui.model.quick_entry import Known

        whole, tasks = self._deck.whole, self._tasks
        return Known(whole.labels, whole.people, tasks.me, tasks.now())

    def _entry(self, text: str) -> "QuickEntry":
        from tui.model.quick_entry import parse

        return parse(text, self._known)

    def _completions(self, word: str) -> tuple[str, ...]:
        from tui.model.quick_entry import completions

        return completions(word, self._known)

    async def _create(self, cards: Sequence[tuple["QuickEntry", bool]], said: str = "") -> bool:
        """Create cards below the cursor as one step; each comes with whether it is done."""
        stage_id = self._deck.stage_id
        if stage_id is None:
            return False
        lane = [task.id for task in self._deck.whole.in_stage(stage_id)]
        current = self._deck.current.id if self._deck.current else None
        nearest = (self._tasks.called(self._newest), current)
        above = next((one for one in nearest if one in lane), None)
        below = lane[lane.index(above) + 1 :] if above is not None else lane
        operations: list[Operation] = []
        made_ids = []
        for entry, is_done in cards:
            wanted = self._wanted(entry, stage_id)
            made = change.CreateTask.new(
                self._tasks.board_id, stage_id, entry.title, wanted.priority
            )
            task = Task(
                made.task_id, made.board_id, stage_id, entry.title, priority=wanted.priority
            )
            operations.append(made)
            if below:
                operations.append(change.MoveTask.on(task, stage_id, Place(above, below[0])))
            if is_done:
                operations.append(change.set_status(task, Status.CLOSED))
            operations += field_changes(task, wanted)
            above = made.task_id
            made_ids.append(made.task_id)
        self._deck.follow = made_ids[0]
        draft = self._new_draft
        draft.hand_over(made_ids[0])
        is_kept = await self._tasks.submit(operations, said)
        if is_kept:
            draft.forget()
            self._newest = made_ids[-1]
        self._deck.follow = None
        return is_kept

    def _wanted(self, entry: "QuickEntry", stage_id: int) -> Task:
        """The task to create: with the fields that were typed, else as the lane has it."""
        task = Task(
            0,
            self._tasks.board_id,
            stage_id,
            entry.title,
            priority=entry.priority or Priority.LOW,
            due_at=entry.due_at,
            labels=entry.labels,
            assignees=entry.people,
        )
        by, lane = self._deck.grid.by, self._deck.lane
        if by is None or lane is None:
            return task
        typed = {
            Grouping.PERSON: entry.people,
            Grouping.PRIORITY: entry.priority,
            Grouping.LABEL: entry.labels,
            Grouping.DUE: entry.due_at,
        }
        return task if typed[by.grouping] else by.moved(task, lane.id) or task

    def _type_at(self, at: Cursor, typed: LineInput) -> None:
        """Mount an input over the title of a row and focus it."""
        column, row = self._deck.bring_into_sight(at)
        typed.add_class("in-place")
        _place_over(typed, column.region_of(row))
        column.mount(typed)
        typed.focus()

    def _close_input(self, typed: LineInput) -> None:
        typed.remove()
        if typed is self._new:
            self._preview.remove()
            self._new = None
        self._edited = None
        self._deck.close_gap()
        self._deck.focus()


def _place_over(typed: LineInput, region: Region) -> None:
    """Place an input over a region; the one for a new card has a single line."""
    typed.styles.offset = region.offset
    typed.styles.width = region.width
    typed.styles.height = 1 if typed.purpose == NEW else region.height
