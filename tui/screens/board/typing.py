"""Lines typed on a board: titles in place, the filter, and the name of a stage to move cards to.

Titles are kept as drafts, so that they outlive Esc and the program; several lines that are pasted
make several cards, after asking. A filter is always shown while it is on, and Esc takes it off.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from tui.config.drafts import DraftOfOne
from tui.context import Context
from tui.model.board import BoardView, Place
from tui.model.cursor import find
from tui.model.people import initials_of
from tui.model.task import Status, Task
from tui.screens.actions.task_actions import TaskActions
from tui.screens.board.deck import Deck
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted
from tui.widgets.line_input import LineInput

NEW, TITLE = "new", "title"
FILTER, STAGE = "filter", "stage"


class TypingInPlace(TaskActions):
    """A board screen on which titles are typed in place."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_task", "new", id="task.new", tooltip="New card below, typed in place"),
    ]

    deck: Deck

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id)
        self._edited: Task | None = None

    def action_new_task(self) -> None:
        """Type a new card below the cursor."""
        gap = self.deck.open_gap()
        if gap is None:
            hint = "they come once the service has made it" if self.board_id < 0 else ""
            self.say("this board has no stages yet", hint=hint)
            return
        placeholder = "title · ↵ makes the card · esc"
        typed = LineInput(NEW, placeholder=placeholder, draft=self._new_draft, takes_lines=True)
        self._type_at(self.deck.over, gap.row, typed)

    def edit_title(self, task: Task) -> None:
        """Type a new title over the old one."""
        found = find(self.deck.shown, task.id)
        if found is None:
            self.say("that card is hidden by the filter", hint="esc shows it")
            return
        self._edited = task
        typed = LineInput(TITLE, task.title, draft=self.title_draft(task))
        self._type_at(found.stage, found.row, typed)
        self.say_draft(typed)

    @on(LineInput.Done)
    async def take_title(self, event: LineInput.Done) -> None:
        """Make the card, or give it its new title."""
        if event.input.purpose == NEW:
            self._leave(event.input)
            title = " ".join(event.text.split())
            if title:
                await self._create([(title, False)])
            else:
                event.input.forget_draft()
                self.say("a card needs a title: none was made")
        elif event.input.purpose == TITLE and self._edited is not None:
            self._leave(event.input)
            if await self.retitle(self._edited, event.text):
                event.input.forget_draft()

    @on(LineInput.GivenUp)
    def keep_draft(self, event: LineInput.GivenUp) -> None:
        """Keep what was typed of a new card; leave the title of an old one."""
        if event.input.purpose not in (NEW, TITLE):
            return
        self._leave(event.input)
        if event.input.purpose == NEW and event.text.strip():
            self.say("kept what you typed", hint="n goes on with it")
        else:
            event.input.forget_draft()

    @on(LineInput.LinesPasted)
    def take_lines(self, event: LineInput.LinesPasted) -> None:
        """Offer a card for each of several lines."""
        if event.input.purpose == NEW:
            self._leave(event.input)
            self.ask_for_cards(event.text)

    @work(exclusive=True, group="dialog")
    async def ask_for_cards(self, text: str) -> None:
        """Show which cards the lines of a text would make, and make them if that is wanted."""
        from tui.dialogs.paste_lines import PasteLines
        from tui.text.checklist import checklist

        stage = self.deck.whole.stage(self.deck.stage_id or 0)
        if stage is None:
            return
        self._new_draft.keep(" ".join(text.split()))
        dialog = PasteLines(f"New cards in {quoted(stage.title)}", text, checklist, "card")
        pasted = await self.app.push_screen_wait(dialog)
        if pasted is not None and pasted.is_taken:
            lines = [(line.title, line.is_done) for line in checklist(pasted.text)]
            await self._create(lines, f"added {len(lines)} card{'' if len(lines) == 1 else 's'}")
            return
        if pasted is not None:
            self._new_draft.keep(" ".join(pasted.text.split()))
        self.say("kept what you pasted, as one line", hint="n goes on with it")

    def follow_new(self, task_id: int) -> None:
        """Put the cursor on a task once it is drawn; for subclasses."""
        raise NotImplementedError

    @property
    def _new_draft(self) -> DraftOfOne:
        """What is kept of the title of a new card."""
        return DraftOfOne(self.context.drafts, f"new-card-{self.board_id}", "")

    async def _create(self, titles: Sequence[tuple[str, bool]], said: str = "") -> None:
        """Make cards below the cursor, in one step; each with its title and whether it is done."""
        stage_id = self.deck.stage_id
        if stage_id is None:
            return
        lane = [task.id for task in self.deck.whole.in_stage(stage_id)]
        above = self.deck.current.id if self.deck.current else None
        index = lane.index(above) + 1 if above in lane else 0
        operations: list[Operation] = []
        made_ids = []
        for title, is_done in titles:
            made = change.CreateTask.new(self.board_id, stage_id, title)
            operations.append(made)
            task = Task(made.task_id, self.board_id, stage_id, title)
            if index < len(lane):
                operations.append(change.MoveTask.on(task, stage_id, Place(above, lane[index])))
            if is_done:
                operations.append(change.set_status(task, Status.CLOSED))
            above = made.task_id
            made_ids.append(made.task_id)
        self.follow_new(made_ids[0])
        draft = self._new_draft
        draft.hand_over(made_ids[0])
        if await self.submit(operations, said):
            draft.forget()

    def _type_at(self, stage: int, row: int, typed: LineInput) -> None:
        """Lay an input over the title line of a row."""
        column = self.deck.columns[stage]
        column.bring_into_view(row)
        region = column.region_of(row)
        typed.add_class("in-place")
        typed.styles.offset = region.offset
        typed.styles.width = region.width
        column.mount(typed)
        typed.focus()

    def _leave(self, typed: LineInput) -> None:
        """Take the input off the board."""
        typed.remove()
        self.deck.close_gap()
        self.deck.focus()


class Filtering(TaskActions):
    """A board screen whose cards can be filtered; the input takes the place of the status line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash",
            "filter",
            "filter",
            id="board.filter",
            tooltip="Filter as you type: words, #12, label:bug, @name, p:high, due:late, is:open",
        ),
    ]

    deck: Deck
    filter_words = ""
    _stage_before = 0

    def redraw(self) -> None:
        """Draw the board under the present filter; for subclasses."""
        raise NotImplementedError

    def set_filter(self, words: str) -> None:
        """Filter by these words from now on."""
        self.filter_words = words

    def filtered(self, whole: BoardView) -> BoardView:
        """The board as shown: the same view while nothing is filtered."""
        if not self.filter_words.strip():
            return whole
        from tui.model.filter import matcher, parse

        me = self.store.me.among(whole.people)
        wanted = parse(self.filter_words, me.id if me else None)
        if wanted.is_empty:
            return whole
        shows = matcher(wanted, self.context.now(), initials_of(whole.people))
        tasks = {
            stage.id: tuple(task for task in whole.in_stage(stage.id) if shows(task))
            for stage in whole.stages
        }
        return replace(whole, tasks=tasks)

    def clear_filter(self) -> None:
        """Show every card again."""
        self._use("")
        self.show_status()

    def action_filter(self) -> None:
        """Type a filter, or with a card lifted the name of a stage."""
        purpose = FILTER if self.deck.lift is None else STAGE
        typed = LineInput(
            purpose,
            self.filter_words if purpose == FILTER else "",
            placeholder=(
                "words  #12  label:bug  @name  p:high  due:late  is:open"
                if purpose == FILTER
                else "name of a stage · ↵ stays there · esc"
            ),
        )
        self.status.display = False
        typed.add_class("filter-line")
        self._stage_before = self.deck.over
        self.mount(typed)
        typed.focus()

    @on(LineInput.Typed)
    def follow_typing(self, event: LineInput.Typed) -> None:
        """Filter, or carry to the stage whose name fits best."""
        if event.input.purpose == FILTER:
            self._use(event.text)
        elif event.input.purpose == STAGE and event.text:
            from tui.text.fuzzy import rank

            titles = [stage.title for stage in self.deck.shown.stages]
            if best := rank(event.text, titles):
                self.deck.carry_to_stage(best[0])

    @on(LineInput.Done)
    def end_filter(self, event: LineInput.Done) -> None:
        """Go back to the board, leaving the filter on."""
        if event.input.purpose in (FILTER, STAGE):
            self._close(event.input)

    @on(LineInput.GivenUp)
    def give_filter_up(self, event: LineInput.GivenUp) -> None:
        """Go back to the board as it was without it."""
        if event.input.purpose == FILTER:
            self._use("")
        elif event.input.purpose == STAGE:
            self.deck.carry_to_stage(self._stage_before)
        if event.input.purpose in (FILTER, STAGE):
            self._close(event.input)

    def _use(self, words: str) -> None:
        """Filter by these words, on screen and for the next time."""
        self.set_filter(words)
        self.context.preferences.keep(self.board_id, filter=words.strip())
        self.redraw()

    def _close(self, typed: LineInput) -> None:
        """Put the status line back in the place of the input."""
        typed.remove()
        self.status.display = True
        self.deck.focus()
        self.show_status()
