"""New cards, typed in place on the board or asked for in a form, and titles typed in place.

What is typed in place is saved as a draft, which survives Esc and a restart. Marks such as `#label`
at the end of a new title are parsed (`tui.model.quick_entry`). If one is not understood, the first
Enter says so and the second keeps it as text; after that the next card can be typed. Pasting
several lines creates several cards, after a confirmation; pasted lines are taken literally, because
such marks mean something else in texts from elsewhere.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual.geometry import Region

from tui.actions.action import board_action
from tui.actions.tasks.history import undo_hint
from tui.config.drafts import DraftOfOne
from tui.model.board import BoardView, Place
from tui.model.moving.cursor import Cursor, find
from tui.model.moving.lanes import Grouping
from tui.model.task import Priority, Status, Task
from tui.screens.board.carrying import field_changes
from tui.screens.board.deck import Deck
from tui.screens.status_line import StatusLine
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted
from tui.text.dates import parse_when
from tui.text.keyed import keyed
from tui.widgets.bars import Notice
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line

if TYPE_CHECKING:
    from tui.actions.tasks.cards import Cards
    from tui.dialogs.form import Answers, FormDialog, Send
    from tui.model.quick_entry import Known, QuickEntry
    from tui.screens.board.column import BoardColumn
    from tui.widgets.title_input import TitleInput

NEW, TITLE = "new", "title"
MARKS = "title #label @person !high ^fri"
_ADD, _KEEP = "add", "keep as text"


class CardTyping:
    """Inputs for new cards and titles on a deck."""

    def __init__(self, deck: Deck, status: StatusLine) -> None:
        self._cards, self._deck = deck.cards, deck
        self._status = status
        self._input: TitleInput | None = None
        self._edited: Task | None = None
        self._newest = 0
        self._stage_id = 0
        self._asked_about: str | None = None
        """The text of which the user was told that a mark in it is not understood."""
        self._failed: tuple[str, str] | None = None
        """The text that could not be saved, and the error that says why."""

    @property
    def notice(self) -> Notice | None:
        """What is typed, or which mark in it is not understood; None if nothing is typed."""
        typed = self._input
        if typed is None:
            return None
        if self._edited is not None:
            return Notice(((" Title", "hand"),), is_low=True)
        if typed.value != self._asked_about:
            marks = f"  {MARKS} · \\ escapes a word"
            return Notice(((" New card", "hand"), (marks, "quiet")), is_low=True)
        from tui.model.quick_entry import suggestions

        entry = self._entry(typed.value)
        meant = suggestions(entry, self._known())
        asked = f" · did you mean {' or '.join(meant)}?" if meant else ""
        if not meant and any(word.startswith("@") for word in entry.wrong):
            asked = keyed(" · {input.cancel:esc}, then {go.members:g t} to invite people")
        sentence = f"{' · '.join(entry.problems)}{asked}"
        shown = Notice.of(f"{sentence[0].upper()}{sentence[1:]}", sign=("!", "bad"), role="bad")
        return shown._replace(is_low=True)

    @board_action("task.new", "n", "New card: title #label @who !high ^fri", hint="new")
    def type_new(self) -> None:
        from tui.model.quick_entry import completions
        from tui.widgets.title_input import TitleInput

        gap = self._deck.open_gap()
        if gap is None:
            hint = (
                "stages appear once the service has created it" if self._cards.board_id < 0 else ""
            )
            self._cards.say("this board has no stages yet", hint=hint)
            return
        self._newest = 0
        self._stage_id = self._deck.stage_id or 0
        title_input = TitleInput(
            NEW,
            placeholder=MARKS,
            draft=self._new_draft,
            takes_lines=True,
            completions=lambda word: completions(word, self._known()),
            offers="templates",
        )
        self._say_keys(title_input)
        self._type_at(gap, title_input)

    @board_action("task.new-form", "N", "New card with all fields", asks=True)
    async def ask_for_card(self) -> None:
        from tui.text.markdown import to_html

        cards, deck = self._cards, self._deck
        if deck.stage_id is None:
            why, hint = deck.why_no_card
            cards.say(why, hint=hint)
            return
        current_stage_id, above, by, lane = deck.stage_id, deck.current, deck.grid.by, deck.lane
        start = Task(0, cards.board_id, current_stage_id, "")
        if by is not None and lane is not None:
            start = by.moved(start, None, lane.id) or start

        async def create(answers: "Answers") -> None:
            view = cards.view
            if view is None:
                return
            stage_id, title = int(answers["stage"]), answers["title"]
            people, labels = (set(answers[name].split(",")) for name in ("people", "labels"))
            task = Task(
                0,
                cards.board_id,
                stage_id,
                title,
                priority=Priority(answers["priority"]),
                due_at=parse_when(answers["due"], cards.now()) if answers["due"] else None,
                labels=tuple(label for label in view.labels if str(label.id) in labels),
                assignees=tuple(person for person in view.people if str(person.id) in people),
            )
            place, ids = None, [task.id for task in view.in_stage(stage_id)]
            if stage_id == current_stage_id and above is not None and above.id in ids[:-1]:
                place = Place(above.id, ids[ids.index(above.id) + 1])
            task_id, operations = _creating(task, stage_id, place)
            if description := answers["description"].strip():
                created = replace(task, id=task_id)
                operations.append(change.set_description(created, to_html(description)))
            if await cards.keep(operations, f"added {quoted(title)}"):
                deck.go_to_task(cards.called(task_id))

        await cards.ask(_form(deck.whole, start, cards, create))

    def type_title(self, task: Task) -> None:
        from tui.widgets.title_input import TitleInput

        cursor = self._deck.cursor_on(task.id)
        if cursor is None:
            self._cards.say("that card is hidden by the filter", hint="{board.back:esc} to show it")
            return
        self._edited = task
        title_input = TitleInput(TITLE, task.title, draft=self._cards.title_draft(task))
        self._type_at(cursor, title_input)
        self._cards.say_draft(title_input)

    def _type_at(self, cursor: Cursor, title_input: "TitleInput") -> None:
        self._mount(title_input, self._deck.columns[self._deck.drawn_at(cursor)[0]])
        self.place()
        self._status.draw()

    def _mount(self, title_input: "TitleInput", column: "BoardColumn") -> None:
        self._input = title_input
        title_input.add_class("in-place")
        column.mount(title_input)
        title_input.focus()

    def follow(self, event: LineInput.Typed) -> None:
        """Make room for what is typed, and clear an error about the previous text."""
        typed = self._input
        if typed is None:
            return
        if self._failed is not None and typed.value != self._failed[0]:
            if self._status.words == self._failed[1]:
                self._status.clear()
            self._failed = None
        if self._edited is None:
            self._say_keys(typed)
            # The input stops printable keys, so the screen does not clear the message.
            if event.text and self._failed is None:
                self._status.key_pressed()
        self.place()
        self._status.draw()

    def _say_keys(self, typed: "TitleInput") -> None:
        typed.enter = _KEEP if typed.value == self._asked_about else _ADD
        typed.leave = "save draft" if typed.value.strip() else "close"

    def place(self) -> None:
        """Open the row that is typed in as far as its text needs, and put the input there."""
        title_input, deck, cursor = self._input, self._deck, self._deck.gap
        if self._edited is not None:
            cursor = deck.cursor_on(self._cards.called(self._edited.id))
        if title_input is None:
            return
        # A remote change may move the cursor to another stage, where the card would be created.
        if self._edited is None and deck.stage_id != self._cards.called(self._stage_id):
            self.given_up(LineInput.GivenUp(title_input, title_input.value))
            return
        if cursor is None:
            if title_input.parent not in deck.columns:
                self._close(title_input)
            return
        column = deck.columns[deck.drawn_at(cursor)[0]]
        if title_input.parent is not column:
            # A widget keeps its parent, so a copy takes its place in the other column.
            title_input.remove()
            title_input = title_input.successor()
            self._mount(title_input, column)
            if self._edited is not None:
                deck.go_to(cursor)
        self._open_row(title_input, cursor)
        column, row = deck.bring_into_sight(cursor)
        x, y, width, _ = column.region_of(row)
        title_input.put(Region(x, y, width, deck.typed.lines if deck.typed is not None else 1))

    def _open_row(self, title_input: "TitleInput", cursor: Cursor) -> None:
        from tui.screens.board.typed_row import TypedRow, entry_lines

        deck = self._deck
        index, row = deck.drawn_at(cursor)
        column = deck.columns[index]
        region, covered = column.region_of(row), 0
        below: tuple[Line, ...] = ()
        if self._edited is None:
            entry = self._entry(title_input.value)
            below = entry_lines(entry, self._cards.now(), region.width)
        else:
            covered = region.height
        lines = title_input.lines_in(region.width) if column.drawn_size.width else 1
        most = max(1, column.room - max(len(below), covered))
        typed = TypedRow(index, row, min(lines, most), covered, below)
        if typed != deck.typed:
            deck.typed = typed
            deck.redraw()

    def cursor_moved(self) -> None:
        """End typing a new card, keeping the draft, because the mouse moved the cursor."""
        if self._input is not None and self._edited is None:
            self.given_up(LineInput.GivenUp(self._input, self._input.value))

    async def done(self, event: LineInput.Done) -> None:
        """Create the card and type the next one, or rename the edited card."""
        if event.input.purpose == NEW and event.text.strip():
            entry, typed = self._entry(event.text), self._input
            if typed is not None and entry.wrong and event.text != self._asked_about:
                self._ask_about(typed, entry)
            elif typed is not None:
                await self._create_typed(typed, event.text, entry)
            return
        edited = self._edited
        self._close(event.input)
        if event.input.purpose == NEW:
            event.input.forget_draft()
            if not self._newest:
                self._cards.say("title is required: no card added")
        elif edited is not None and await self._cards.retitle(edited, event.text):
            event.input.forget_draft()

    def _ask_about(self, typed: "TitleInput", entry: "QuickEntry") -> None:
        # The cursor goes to the first mark that is not understood, for Tab to complete it.
        self._asked_about = typed.value
        # As a whole word, which the beginning of another mark is not.
        word = re.escape(entry.wrong[0])
        for place in re.finditer(rf"(?<!\S){word}(?!\S)", typed.value):
            typed.cursor_position = place.end()
        self._say_keys(typed)
        self._status.clear()

    async def _create_typed(self, typed: "TitleInput", text: str, entry: "QuickEntry") -> None:
        # Emptied before the await; after a failure the text returns, before what was typed since.
        typed.value = ""
        if not await self._create([(entry, False)]):
            typed.value = f"{text} {typed.value}".rstrip()
            typed.action_end()
            self._failed = typed.value, self._status.words
            return
        self._asked_about = None
        # `_create` deleted the draft, which may be that of the next title by now.
        if typed.value and typed.draft is not None:
            typed.draft.keep(typed.value)
        self._says_hidden(f"added {quoted(entry.title)}")

    def _says_hidden(self, message: str) -> bool:
        is_hidden = find(self._deck.shown, self._cards.called(self._newest)) is None
        if is_hidden:
            self._cards.say(f"{message}: hidden by the filter", hint="{board.back:esc} to clear it")
        return is_hidden

    def given_up(self, event: LineInput.GivenUp) -> None:
        """Close the input; keep the draft of a new card, discard the one of a title."""
        self._close(event.input)
        if event.input.purpose == NEW and event.text.strip():
            self._cards.say("saved as a draft", hint="{task.new:n} to continue")
        else:
            event.input.forget_draft()

    def _close(self, title_input: LineInput) -> None:
        title_input.remove()
        self._input = self._edited = self._failed = self._deck.typed = None
        self._asked_about, self._deck.has_gap = None, False
        self._deck.redraw()
        self._deck.focus()
        self._status.draw()

    def offer_templates(self) -> None:
        """Let a template be chosen in place of a title."""
        self._cards.host.dialogs.run(self._add_from_template)

    async def _add_from_template(self) -> None:
        from tui.actions.tasks.templates import card_from, pick_template, templates_of

        template = await pick_template(self._cards, templates_of(self._deck.whole))
        stage_id = self._deck.stage_id
        if template is None or stage_id is None:
            return
        above, below = self._neighbours(stage_id)
        place = Place(above, below[0] if below else None)
        task_id, operations = card_from(template, stage_id, place)
        if self._input is not None:
            self._close(self._input)
        self._deck.follow = task_id
        message = f"added {quoted(template.title)} from its template"
        if await self._cards.submit(operations, message):
            self._newest = task_id
            self._says_hidden(message)
        self._deck.follow = None

    def lines_pasted(self, event: LineInput.LinesPasted) -> None:
        self._close(event.input)
        self.paste(event.text)

    def paste(self, text: str) -> None:
        """Offer to create a card for each pasted line, which the draft keeps until then."""
        from tui.model.quick_entry import escaped

        # Escaped, because marks in pasted text must not count when the draft is edited later.
        self._new_draft.keep(escaped(text))
        self._cards.host.dialogs.run(partial(self._ask_for_cards, text))

    async def _ask_for_cards(self, text: str) -> None:
        from tui.dialogs.write import PasteLines
        from tui.model.quick_entry import QuickEntry, escaped
        from tui.text.checklist import checklist

        stage = self._deck.whole.stage(self._deck.stage_id or 0)
        if stage is None:
            return
        dialog = PasteLines(f"New cards in {quoted(stage.title)}", text, checklist, "card")
        pasted = await self._cards.ask(dialog)
        if pasted is not None and pasted.is_submitted:
            lines = [(QuickEntry(line.title), line.is_done) for line in checklist(pasted.text)]
            message = f"added {counted(len(lines), 'card')}"
            if await self._create(lines, message):
                self._says_hidden(message)
            return
        if pasted is not None:
            self._new_draft.keep(escaped(pasted.text))
        self._cards.say("saved as a draft, on one line", hint="{task.new:n} to continue")

    @property
    def _new_draft(self) -> DraftOfOne:
        return DraftOfOne(self._cards.context.drafts, f"new-card-{self._cards.board_id}", "")

    def _known(self) -> "Known":
        from tui.model.quick_entry import Known

        whole, cards = self._deck.whole, self._cards
        return Known(whole.labels, whole.people, cards.me, cards.now())

    def _entry(self, text: str) -> "QuickEntry":
        from tui.model.quick_entry import parse

        return parse(text, self._known())

    async def _create(
        self, entries: Sequence[tuple["QuickEntry", bool]], message: str = ""
    ) -> bool:
        from tui.model.quick_entry import created_labels

        stage_id = self._deck.stage_id
        if stage_id is None:
            return False
        above, below = self._neighbours(stage_id)
        operations: list[Operation] = []
        created_ids = []
        for entry, is_done in entries:
            present = self._deck.whole.labels
            creations = change.create_labels(self._cards.board_id, entry.new_labels, present)
            on_card = (*entry.labels, *(creation.label for creation in creations))
            task = self._from_entry(replace(entry, labels=on_card), stage_id)
            if is_done:
                task = replace(task, status=Status.CLOSED)
            place = Place(above, below[0]) if below else None
            above, (card, *fields) = _creating(task, stage_id, place)
            # The card comes first, because an undo step is named after its first operation.
            operations += (card, *creations, *fields)
            created_ids.append(above)
        labels = [
            operation.label for operation in operations if isinstance(operation, change.CreateLabel)
        ]
        confirmation = ". ".join(filter(None, (message, created_labels(labels))))
        undo = undo_hint(self._cards.context)
        # While the next card is typed, the key that undoes would be a letter of it.
        hint = f"{{input.cancel:esc}} {undo}" if undo and self._input is not None else ""
        self._deck.follow = created_ids[0]
        draft = self._new_draft
        # If the program is killed in between, the next start can tell whether the card was stored.
        draft.hand_over(created_ids[0])
        is_created = await self._cards.submit(operations, confirmation, hint=hint)
        if is_created:
            draft.forget()
            self._newest = created_ids[-1]
        self._deck.follow = None
        return is_created

    def _neighbours(self, stage_id: int) -> tuple[int | None, list[int]]:
        # The card above a new one, and those below: it goes below the newest, else the cursor.
        lane = [task.id for task in self._deck.whole.in_stage(stage_id)]
        current = self._deck.current.id if self._deck.current else None
        nearest = (self._cards.called(self._newest), current)
        above = next((task_id for task_id in nearest if task_id in lane), None)
        return above, lane[lane.index(above) + 1 :] if above is not None else lane

    def _from_entry(self, entry: "QuickEntry", stage_id: int) -> Task:
        task = Task(
            0,
            self._cards.board_id,
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
        return task if typed[by.grouping] else by.moved(task, None, lane.id) or task


def _creating(task: Task, stage_id: int, place: Place | None) -> tuple[int, list[Operation]]:
    new = change.CreateTask.new(task.board_id, stage_id, task.title, task.priority)
    created = Task(new.task_id, task.board_id, stage_id, task.title, priority=task.priority)
    operations: list[Operation] = [new]
    if place is not None:
        operations.append(change.MoveTask.on(created, stage_id, place))
    return new.task_id, operations + field_changes(created, task)


def _form(view: BoardView, start: Task, cards: "Cards", create: "Send") -> "FormDialog":
    from tui.actions.tasks.fields import due_dialog
    from tui.dialogs.form import Choice, FormDialog, FormField

    def check(answers: "Answers") -> None:
        if answers["due"]:
            parse_when(answers["due"], cards.now())

    stages = [Choice(str(stage.id), stage.title or "(no title)") for stage in view.stages]
    people = [Choice(str(person.id), person.name or person.login) for person in view.people]
    labels = [
        Choice(str(label.id), label.title or label.color, color=label.color)
        for label in view.labels
    ]
    due = f"{start.due_at:%Y-%m-%d %H:%M}" if start.due_at else ""
    assigned = ",".join(str(person.id) for person in start.assignees)
    labelled = ",".join(str(label.id) for label in start.labels)
    priorities = [Choice(priority, priority) for priority in Priority]
    fields = (
        FormField("title", "Title", is_required=True),
        FormField("stage", "Stage", str(start.stage_id), stages),
        FormField(
            "due",
            "Due date",
            due,
            placeholder="fri, +3d, 1 dec 17:00",
            calendar=partial(due_dialog, cards, start),
        ),
        FormField("people", "Assignees", assigned, many=people),
        FormField("labels", "Labels", labelled, many=labels),
        FormField("priority", "Priority", start.priority.value, priorities),
        FormField("description", "Description", is_lines=True),
    )
    return FormDialog("New card", fields, verb="add", check=check, send=create)
