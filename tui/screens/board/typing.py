"""Titles of cards typed in place on the board.

They are kept as drafts, so that they outlive Esc and the program; several lines that are pasted
make several cards, after asking.
"""

from collections.abc import Callable, Sequence

from tui.actions.tasks.context import TaskContext
from tui.config.drafts import DraftOfOne
from tui.model.board import Place
from tui.model.cursor import find
from tui.model.task import Status, Task
from tui.screens.board.deck import Deck
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted
from tui.widgets.line_input import LineInput

NEW, TITLE = "new", "title"


class CardTyping:
    """Types new cards and titles over a deck; `follow` has the cursor stay with a new card."""

    def __init__(
        self, tasks: TaskContext, deck: Deck, follow: Callable[[int | None], None]
    ) -> None:
        self._tasks = tasks
        self._deck = deck
        self._follow = follow
        self._edited: Task | None = None

    def type_new(self) -> None:
        """Type a new card below the cursor."""
        gap = self._deck.open_gap()
        if gap is None:
            hint = "they come once the service has made it" if self._tasks.board_id < 0 else ""
            self._tasks.say("this board has no stages yet", hint=hint)
            return
        placeholder = "title · ↵ makes the card · esc"
        typed = LineInput(NEW, placeholder=placeholder, draft=self._new_draft, takes_lines=True)
        self._type_at(self._deck.over, gap.row, typed)

    def type_title(self, task: Task) -> None:
        """Type a new title over the old one."""
        found = find(self._deck.shown, task.id)
        if found is None:
            self._tasks.say("that card is hidden by the filter", hint="esc shows it")
            return
        self._edited = task
        typed = LineInput(TITLE, task.title, draft=self._tasks.title_draft(task))
        self._type_at(found.stage, found.row, typed)
        self._tasks.say_draft(typed)

    async def done(self, event: LineInput.Done) -> None:
        """Make the card, or give it its new title."""
        self._leave(event.input)
        if event.input.purpose == NEW:
            title = " ".join(event.text.split())
            if title:
                await self._create([(title, False)])
            else:
                event.input.forget_draft()
                self._tasks.say("a card needs a title: none was made")
        elif self._edited is not None and await self._tasks.retitle(self._edited, event.text):
            event.input.forget_draft()

    def given_up(self, event: LineInput.GivenUp) -> None:
        """Keep what was typed of a new card; leave the title of an old one."""
        self._leave(event.input)
        if event.input.purpose == NEW and event.text.strip():
            self._tasks.say("kept what you typed", hint="n goes on with it")
        else:
            event.input.forget_draft()

    def lines_pasted(self, event: LineInput.LinesPasted) -> None:
        """Offer a card for each of several lines."""
        self._leave(event.input)
        asking = self._ask_for_cards(event.text)
        self._tasks.host.run_worker(asking, group="dialog", exclusive=True)

    async def _ask_for_cards(self, text: str) -> None:
        """Show which cards the lines of a text would make, and make them if that is wanted."""
        from tui.dialogs.paste_lines import PasteLines
        from tui.text.checklist import checklist

        stage = self._deck.whole.stage(self._deck.stage_id or 0)
        if stage is None:
            return
        self._new_draft.keep(" ".join(text.split()))
        dialog = PasteLines(f"New cards in {quoted(stage.title)}", text, checklist, "card")
        pasted = await self._tasks.ask(dialog)
        if pasted is not None and pasted.is_taken:
            lines = [(line.title, line.is_done) for line in checklist(pasted.text)]
            await self._create(lines, f"added {counted(len(lines), 'card')}")
            return
        if pasted is not None:
            self._new_draft.keep(" ".join(pasted.text.split()))
        self._tasks.say("kept what you pasted, as one line", hint="n goes on with it")

    @property
    def _new_draft(self) -> DraftOfOne:
        """What is kept of the title of a new card."""
        return DraftOfOne(self._tasks.context.drafts, f"new-card-{self._tasks.board_id}", "")

    async def _create(self, titles: Sequence[tuple[str, bool]], said: str = "") -> None:
        """Make cards below the cursor, in one step; each with its title and whether it is done."""
        stage_id = self._deck.stage_id
        if stage_id is None:
            return
        board_id = self._tasks.board_id
        lane = [task.id for task in self._deck.whole.in_stage(stage_id)]
        above = self._deck.current.id if self._deck.current else None
        index = lane.index(above) + 1 if above in lane else 0
        operations: list[Operation] = []
        made_ids = []
        for title, is_done in titles:
            made = change.CreateTask.new(board_id, stage_id, title)
            operations.append(made)
            task = Task(made.task_id, board_id, stage_id, title)
            if index < len(lane):
                operations.append(change.MoveTask.on(task, stage_id, Place(above, lane[index])))
            if is_done:
                operations.append(change.set_status(task, Status.CLOSED))
            above = made.task_id
            made_ids.append(made.task_id)
        self._follow(made_ids[0])
        draft = self._new_draft
        draft.hand_over(made_ids[0])
        if await self._tasks.submit(operations, said):
            draft.forget()
        self._follow(None)

    def _type_at(self, stage: int, row: int, typed: LineInput) -> None:
        """Lay an input over the title of a row."""
        column = self._deck.columns[stage]
        column.bring_into_view(row)
        region = column.region_of(row)
        typed.add_class("in-place")
        typed.styles.offset = region.offset
        typed.styles.width, typed.styles.height = region.size
        column.mount(typed)
        typed.focus()

    def _leave(self, typed: LineInput) -> None:
        """Take the input off the board."""
        typed.remove()
        self._deck.close_gap()
        self._deck.focus()
