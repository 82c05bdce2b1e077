"""The fields of a task, changed from their rows by the keyboard."""

from dataclasses import replace
from datetime import datetime

import pytest
from textual import events, on
from textual.app import ComposeResult
from textual.widgets import Input

from tests.fakes.boards import NOW, relaunch, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.actions.card_actions import CardActions
from tui.actions.tasks.cards import Cards
from tui.actions.tasks.fields import edit_field
from tui.actions.tasks.history import HistoryActions
from tui.model.board import BoardView
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.detail import DetailPart, Reminder, TaskDetail, TaskField
from tui.model.fields.rows import FieldRow, task_rows
from tui.model.task import Task
from tui.screens.base import CallboardScreen
from tui.screens.task.field_list import FieldList
from tui.screens.task.shown import fields_waiting
from tui.store import operations as change
from tui.store.events import BoardChanged, DetailChanged, PendingChange, PendingState, StoreEvent

FIELDS = tuple(
    CustomField(100 + place, 1, title, kind, options)
    for place, (title, kind, options) in enumerate(
        (
            ("Customer", FieldType.TEXT, ()),
            ("Notes", FieldType.TEXTAREA, ()),
            ("Hours", FieldType.NUMBER, ()),
            ("Ticket", FieldType.URL, ()),
            ("Size", FieldType.SELECT, ("S", "M", "L", "M", "")),
            ("Billed", FieldType.CHECKBOX, ()),
            ("Fixed on", FieldType.DATE, ()),
        )
    )
)


class FieldsScreen(CallboardScreen):
    """A screen of nothing but the fields of one task."""

    actions_of = (CardActions, HistoryActions)

    def __init__(self, of: CallboardScreen, board_id: int, task_id: int) -> None:
        super().__init__(of.context)
        self.tasks = Cards(self, board_id, chosen=self._chosen)
        self.actions.offer(CardActions(self.tasks, lambda _: None))
        self.actions.offer(HistoryActions(self, lambda: board_id))
        del self.actions._offered["task.move-to"]
        self.task_id = task_id
        self.fields = FieldList()

    def compose(self) -> ComposeResult:
        yield self.fields
        yield self.status

    def on_mount(self) -> None:
        self.fields.styles.height = "1fr"
        self.fields.focus()
        self.draw()

    def _chosen(self) -> tuple[Task, ...]:
        found = self.tasks.view.task(self.task_id) if self.tasks.view else None
        return (found,) if found else ()

    def draw(self) -> None:
        """Show the fields as the store has them."""
        (shown,), view = self.tasks.tasks, self.tasks.view
        assert view is not None
        detail = self.store.detail(shown.id) or TaskDetail(shown)
        rows = task_rows(view, detail, fields_waiting(self.store.pending(), shown.id))
        self.fields.show(rows, self.context.now())

    def hear(self, event: StoreEvent) -> None:
        self.tasks.hear(event)
        super().hear(event)
        if isinstance(event, BoardChanged):
            self.task_id = event.renamed.get(self.task_id, self.task_id)
        if isinstance(event, BoardChanged | DetailChanged):
            self.draw()

    @on(FieldList.EditRequested)
    async def edit(self, event: FieldList.EditRequested) -> None:
        await edit_field(self.tasks, event.row, self.actions, self.keys.hint)


class Fields:
    """A person in front of the fields of a task."""

    def __init__(self, person: Driver, store: FakeStore, screen: FieldsScreen) -> None:
        self.person = person
        self.store = store
        self.screen = screen

    @property
    def said(self) -> str:
        return self.screen.status.words

    @property
    def detail(self) -> TaskDetail:
        return self.store.details[self.screen.task_id]

    async def press(self, *keys: str) -> None:
        await self.person.press(*keys)

    async def enter(self, of: TaskField, title: str = "") -> None:
        """Put the cursor on a field, unfolded if it is empty, and press Enter."""
        if self.place(of, title) is None:
            await self.press("G", "enter")
        place = self.place(of, title)
        assert place is not None
        self.screen.fields.go_to(place)
        await self.press("enter")

    def place(self, of: TaskField, title: str = "") -> int | None:
        """Where a field is listed; None if it is folded."""
        for place, row in enumerate(self.screen.fields.rows):
            named = ("", row.field.title if isinstance(row, FieldRow) and row.field else "")
            if isinstance(row, FieldRow) and row.of is of and title in named:
                return place
        return None

    async def answer(self, words: str) -> None:
        """Paste over what is there, and press Enter."""
        typed = self.person.app.screen.query_one(Input)
        typed.value = ""
        typed.post_message(events.Paste(words))
        await self.press("enter")

    def start(self) -> datetime | None:
        """When the task starts."""
        return self.detail.task.started_at

    def reminder(self) -> Reminder | None:
        """When the service reminds of the task."""
        return self.detail.reminder

    def contact(self) -> int | None:
        """The contact that the task is linked to."""
        return self.detail.contact_id

    def last(self) -> change.Operation:
        """The change that was made last."""
        return self.store.submitted[-1]


def with_fields() -> tuple[BoardView, TaskDetail]:
    """The board of the pictures with custom fields, and a task of it."""
    board = relaunch()
    view = replace(board, fields=FIELDS)
    fix = view.task(412)
    assert fix is not None
    values = (FieldValue(102, "3"), FieldValue(106, "2026-11-20 00:00:00"))
    return view, TaskDetail(fix, groups=(), values=values, watching=False)


async def on_fields(person: Driver, store: FakeStore, task_id: int = 412) -> Fields:
    """Go to the fields of a task."""
    screen = FieldsScreen(person.board, person.board.board_id, task_id)
    person.app.push_screen(screen)
    await person.press()
    return Fields(person, store, screen)


async def test_dates_are_typed_in_words_and_can_be_taken_back() -> None:
    view, detail = with_fields()
    store = FakeStore(view, details=[detail])
    async with opened(store) as person:
        fields = await on_fields(person, store)
        await fields.press("s")
        await fields.answer("mon")
        assert fields.start() == datetime(2026, 11, 23, 9)  # noqa: DTZ001
        assert "Starts Mon 23 Nov 09:00" in fields.said
        await fields.enter(TaskField.START)
        assert "after the due date" in person.text
        await fields.answer("")
        assert fields.start() is None
        await fields.press("u")
        assert fields.start() == datetime(2026, 11, 23, 9)  # noqa: DTZ001
        await fields.enter(TaskField.DUE)
        await fields.answer("2026-11-25 12:00")
        await fields.enter(TaskField.REMINDER)
        await fields.answer("gibberish")
        assert "not a valid date" in person.text
        await fields.answer("1 day before")
        noon = datetime(2026, 11, 24, 12)  # noqa: DTZ001
        assert fields.reminder() == Reminder("once", noon)
        assert change.is_edit(fields.last(), "reminder")
        assert "Reminder Tue 24 Nov 12:00" in fields.said
        await fields.enter(TaskField.REMINDER)
        await fields.answer("")
        assert fields.reminder() is None
        assert "No reminder" in fields.said


@pytest.mark.parametrize(
    ("of", "title", "preset", "keys", "value"),
    [
        pytest.param(
            *(TaskField.DUE, "", "3 fri", ("tab", "right"), "2026-11-19 17:00"),
            marks=pytest.mark.long,
        ),
        (TaskField.START, "", "1 today", ("3",), "2026-11-27 09:00"),
        (TaskField.REMINDER, "", "2 tomorrow", ("down", "tab", "down"), "2026-11-28 09:00"),
        (TaskField.CUSTOM, "Fixed on", "2 tomorrow", ("tab", "left", "pagedown"), "2026-12-19"),
    ],
)
async def test_each_date_is_chosen_in_the_same_dialog(
    of: TaskField, title: str, preset: str, keys: tuple[str, ...], value: str
) -> None:
    view, detail = with_fields()
    store = FakeStore(view, details=[detail])
    async with opened(store) as person:
        fields = await on_fields(person, store)
        await fields.enter(of, title)
        assert preset in person.text
        await fields.press(*keys, "enter")
        task, reminder = fields.detail.task, fields.reminder()
        values = {
            TaskField.DUE: task.due_at,
            TaskField.START: task.started_at,
            TaskField.REMINDER: reminder.at if reminder else None,
            TaskField.CUSTOM: fields.detail.value(106),
        }
        assert str(values[of]).startswith(value)


@pytest.mark.long
async def test_a_value_that_is_set_again_says_that_nothing_was_changed() -> None:
    view, detail = with_fields()
    store = FakeStore(view, details=[detail])
    async with opened(store) as person:
        fields = await on_fields(person, store)
        for keys in (("p", "enter"), ("d", "enter"), ("s", "enter")):
            await fields.press("escape")
            assert "Nothing was changed" not in fields.said
            await fields.press(*keys)
            assert "Nothing was changed" in fields.said, keys
    assert store.submitted == []


async def test_a_field_without_a_title_is_asked_for_as_a_field() -> None:
    view, detail = with_fields()
    untitled = CustomField(100, 1, "")
    store = FakeStore(replace(view, fields=(untitled,)), details=[replace(detail, values=())])
    async with opened(store) as person:
        fields = await on_fields(person, store)
        await fields.enter(TaskField.CUSTOM)
        assert " Field of “Fix login" in person.text


@pytest.mark.long
async def test_custom_fields_are_changed_in_the_way_of_their_type() -> None:
    view, detail = with_fields()
    store = FakeStore(view, details=[detail])
    async with opened(store) as person:
        fields = await on_fields(person, store)
        await fields.enter(TaskField.CUSTOM, "Customer")
        await fields.answer("ACME Ltd")
        await fields.enter(TaskField.CUSTOM, "Hours")
        await fields.answer("2,5")
        assert "Type 2.5, with a point." in person.text
        await fields.answer("2.5")
        await fields.enter(TaskField.CUSTOM, "Ticket")
        await fields.answer("javascript:x")
        assert "Not an address" in person.text
        await fields.answer("https://example.test/7")
        await fields.enter(TaskField.CUSTOM, "Size")
        await fields.press("2")
        await fields.enter(TaskField.CUSTOM, "Billed")
        assert [each.value for each in fields.detail.values or ()] == [
            *("ACME Ltd", "2.5", "https://example.test/7", "M", True, "2026-11-20 00:00:00")
        ]
        await fields.enter(TaskField.CUSTOM, "Billed")
        await fields.enter(TaskField.CUSTOM, "Size")
        await fields.press("0")
        await fields.enter(TaskField.CUSTOM, "Fixed on")
        assert "Fri 20 Nov · today" in person.text
        await fields.answer("+1d")
        assert fields.detail.value(106) == "2026-11-21 00:00:00"
        assert (fields.detail.value(104), fields.detail.value(105)) == (None, False)
        await fields.press("u", "u", "u")
        assert fields.detail.value(106) == "2026-11-20 00:00:00"
        assert (fields.detail.value(104), fields.detail.value(105)) == ("M", True)
        await fields.enter(TaskField.CUSTOM, "Hours")
        await fields.press("enter")
        assert "nothing was changed" in fields.said
        await fields.enter(TaskField.CUSTOM, "Notes")
        await fields.press("o", "enter", "p", "escape")
        await fields.enter(TaskField.CUSTOM, "Notes")
        await fields.press("ctrl+s")
        assert fields.detail.value(101) == "o\np"
        assert fields.screen.context.drafts.get("field-412-101") is None


@pytest.mark.long
async def test_covers_and_templates() -> None:
    view, detail = with_fields()
    store = FakeStore(view, details=[detail])
    async with opened(store) as person:
        fields = await on_fields(person, store)
        await fields.enter(TaskField.TEMPLATE)
        assert fields.detail.is_template
        assert "is now a template" in fields.said
        await fields.enter(TaskField.COVER)
        assert "green (#4bce97)" in person.text
        await fields.press("j", "enter")
        assert fields.detail.cover == "#4bce97"
        assert "Cover green (#4bce97)" in fields.said
        await fields.enter(TaskField.COVER)
        await fields.press("G", "enter")
        await fields.answer("mauve")
        assert "Not a colour" in person.text
        await fields.answer("dark red")
        assert fields.detail.cover == "#ae2e24"
        card = store.views[1].task(detail.task.id)
        assert card is not None
        assert card.cover == "#ae2e24", "and on the board"
        await fields.enter(TaskField.COVER)
        await fields.press("home", "enter")
        assert fields.detail.cover == ""
        await fields.press("u", "u", "u", "u")
        assert (fields.detail.cover, fields.detail.is_template) == ("", False)


async def test_a_contact_is_linked_by_its_number() -> None:
    view, detail = with_fields()
    store = FakeStore(view, details=[detail])
    async with opened(store) as person:
        fields = await on_fields(person, store)
        await fields.enter(TaskField.CONTACT)
        await fields.answer("Mr Smith")
        assert "A contact is a number" in person.text
        await fields.answer("#55")
        assert fields.contact() == 55
        assert "Contact #55" in fields.said
        await fields.enter(TaskField.CONTACT)
        await fields.answer("55")
        assert len(store.submitted) == 1
        await fields.enter(TaskField.CONTACT)
        await fields.answer(" ")
        assert fields.contact() is None
        await fields.press("u")
        assert fields.contact() == 55


async def test_what_cannot_be_changed_says_why() -> None:
    view, detail = with_fields()
    why = {DetailPart.VALUES: "This service’s edition does not offer custom fields."}
    detail = TaskDetail(detail.task, why=why)
    store = FakeStore(view, details=[detail])
    async with opened(store, size=(40, 12)) as person:
        fields = await on_fields(person, store)
        await fields.enter(TaskField.CUSTOM)
        assert "does not offer" in fields.said
        await fields.enter(TaskField.COMPLETED)
        assert "x: Close" in fields.said
        await fields.enter(TaskField.CREATED)
        assert "Set by the service" in fields.said
        await fields.enter(TaskField.STATUS)
        assert "Closed" in fields.said
        (submitted,) = store.submitted
        assert change.is_edit(submitted, "status")
        store.details.clear()
        fields.screen.draw()
        await fields.enter(TaskField.REMINDER)
        assert "still loading" in fields.said
        await fields.enter(TaskField.STAGE)
        assert "cannot be changed here" in fields.said


async def test_a_task_that_gets_its_number_meanwhile_is_changed_all_the_same() -> None:
    view = relaunch()
    made, known = task(-5, "new"), task(500, "new")
    store = FakeStore(
        replace(view, tasks={**view.tasks, 1: (made,)}),
        details=[TaskDetail(made), TaskDetail(known)],
    )
    async with opened(store) as person:
        fields = await on_fields(person, store, -5)
        await fields.press("s")
        store.news(replace(view, tasks={**view.tasks, 1: (known,)}), **{"n-5": 500})
        await fields.answer("mon")
        await fields.enter(TaskField.REMINDER)
        await fields.answer("tomorrow 8:00")
        assert [each.task_id for each in store.submitted] == [500, 500]
        assert fields.reminder() == Reminder("once", datetime(2026, 11, 21, 8))  # noqa: DTZ001


def test_only_the_fields_with_changes_on_their_way_are_marked() -> None:
    _, detail = with_fields()
    started = change.set_start(detail.task, NOW)
    valued = change.set_custom_field(detail, FIELDS[2], "4")
    refused = change.set_plain(detail, "template", True)
    states = (PendingState.WAITING, PendingState.SENDING, PendingState.REFUSED)
    waiting = [
        PendingChange(number, 1, operation, state, NOW)
        for number, (operation, state) in enumerate(
            zip((started, valued, refused), states, strict=True)
        )
    ]
    marked = fields_waiting(waiting, 412)
    assert marked == {(TaskField.START, 0), (TaskField.CUSTOM, 102)}
    assert fields_waiting(waiting, 413) == frozenset()
