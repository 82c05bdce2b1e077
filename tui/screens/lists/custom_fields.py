"""The custom fields of a board, in their order: made, edited, moved and deleted by managers."""

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from textual.binding import BindingType

from tui.actions.old import Action, bindings
from tui.actions.tasks.history import HISTORY_ACTIONS
from tui.client.capabilities import Feature
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import BoardView, Place
from tui.model.custom_field import CustomField, FieldType
from tui.screens.lists.content import ListContext
from tui.screens.lists.screen import ListScreen
from tui.store import operations as change
from tui.store.protocol import Store
from tui.text.cells import fit
from tui.text.clean import quoted
from tui.text.keyed import keyed
from tui.widgets.painted import Line

_WORDS = {FieldType.TEXTAREA: "long text", FieldType.URL: "link"}
_TYPE_WIDTH = 10
_TITLE_WIDTH = 32
"""The width of titles where there is room for options beside them."""


class CustomFields:
    """The custom fields of a board."""

    title, row, opens = "Custom fields", "custom field", "custom-field.edit"

    def __init__(self, store: Store, board_id: int) -> None:
        self._store = store
        self.board_id = board_id

    @property
    def view(self) -> BoardView | None:
        return self._store.board(self.board_id)

    async def load(self) -> None:
        """Nothing: custom fields come with the board."""

    def rows(self) -> Sequence[CustomField]:
        return () if self.view is None else self.view.fields

    def key(self, row: CustomField) -> int:
        return row.id

    def words(self, row: CustomField) -> str:
        return name(row)

    def line(self, row: CustomField, width: int) -> Line:
        room = max(1, width - _TYPE_WIDTH - 2)
        title = min(room, _TITLE_WIDTH)
        options = "" if row.type is not FieldType.SELECT else " · ".join(row.options)
        return (
            (f" {fit(name(row), title)} ", "title"),
            (fit(in_words(row.type), _TYPE_WIDTH), "meta"),
            (fit(options, max(0, room - title)), "meta"),
        )

    def empty(self) -> tuple[str, str]:
        return "no custom fields yet", "{custom-field.new:n} makes one"

    async def move(self, on: ListContext[CustomField], row: CustomField, index: int) -> None:
        others = [one.id for one in self.rows() if one.id != row.id]
        ids = [*others[:index], row.id, *others[index:]]
        place = Place.of(row.id, ids)
        if place is None or ids == [one.id for one in self.rows()]:
            on.say("nothing was moved")
            return
        moved = change.MoveField(on.board_id, row.id, row.title, place)
        await on.submit(f"moved {quoted(name(row))} to place {index + 1}", moved)


class LiftField(Action[ListContext[CustomField]]):
    """Says who may move fields; the rows lift them by themselves."""

    id, label = "rows.lift", "Pick up, or drop"
    manages_board = True
    needs = Feature.CUSTOM_FIELD_ORDER

    async def run(self, on: ListContext[CustomField]) -> None:
        on.say(keyed("{rows.lift:space} picks the field up"))


class EditField(Action[ListContext[CustomField]]):
    """Asks for the title, the type and the options of the field."""

    id, keys, label, hint = "custom-field.edit", "e", "Edit custom field", "edit"
    asks = manages_board = True
    needs = Feature.CUSTOM_FIELDS

    async def run(self, on: ListContext[CustomField]) -> None:
        row = on.need_row()
        if row is None:
            return

        async def keep(new: CustomField) -> None:
            title, options = new.title, new.options
            edit = change.edit_custom_field(row, title=title, type=new.type, options=options)
            if edit.changes_nothing:
                on.say("nothing was changed")
                return
            gone = [quoted(one) for one in row.options if one not in options]
            kept = f" · cards that have {', '.join(gone)} keep it" if gone else ""
            await on.keep(f"changed {quoted(name(row))}{kept}", edit)

        await ask_field(on, f"Custom field {quoted(name(row))}", row, keep)


class NewField(Action[ListContext[CustomField]]):
    """Asks for a title, a type and options, and creates a field."""

    id, keys, label, hint = "custom-field.new", "n", "New custom field", "new"
    asks = manages_board = True
    needs = Feature.CUSTOM_FIELDS

    async def run(self, on: ListContext[CustomField]) -> None:
        async def keep(new: CustomField) -> None:
            made = change.CreateField.new(on.board_id, new.title, new.type, new.options)
            await on.keep(f"added the custom field {quoted(name(new))}", made)

        await ask_field(on, "New custom field", CustomField(0, on.board_id, ""), keep)


class DeleteFields(Action[ListContext[CustomField]]):
    """Asks for confirmation, then deletes the fields with their values."""

    id, keys, label = "custom-field.delete", "D", "Delete custom field"
    asks = manages_board = True
    needs = Feature.CUSTOM_FIELDS

    async def run(self, on: ListContext[CustomField]) -> None:
        rows = on.need_rows()
        if not rows:
            return
        names = ", ".join(quoted(name(row)) for row in rows)
        text = keyed(
            "What cards have in it is deleted too. {board.undo:u} makes it again,"
            " but without those values."
        )
        if await on.confirm(f"Delete the custom field {names}?", text):
            has_order = on.store.offers(Feature.CUSTOM_FIELD_ORDER) is not False
            deletions = [change.DeleteField(row, has_order=has_order) for row in rows]
            await on.submit(f"deleted the custom field {names}", *deletions)


def name(field: CustomField) -> str:
    """The title of a field, or its number if it has none."""
    return field.title or f"Field {field.id}"


def in_words(kind: FieldType) -> str:
    """A type for people."""
    return _WORDS.get(kind, kind.value)


async def ask_field(
    on: ListContext[CustomField],
    question: str,
    field: CustomField,
    keep: Callable[[CustomField], Awaitable[None]],
) -> None:
    """Ask for the title, type and options of a field, until it is kept or that is cancelled."""
    from tui.dialogs.form import Answers, Choice, Field, FormDialog

    def read(answers: Answers) -> CustomField:
        title, kind = answers["title"], FieldType(answers["type"])
        lines = (" ".join(one.split()) for one in answers["options"].splitlines())
        options = tuple(dict.fromkeys(filter(None, lines)))
        if not title:
            raise CallboardError("A custom field needs a title.")
        if kind is FieldType.SELECT and not options:
            raise CallboardError("A select needs options.", hint="Write each on a line of its own.")
        kept = field.options if kind is field.type else ()
        used = options if kind is FieldType.SELECT else kept
        return CustomField(field.id, field.board_id, title, kind, used)

    fields = (
        Field("title", "Title", field.title),
        Field("type", "Type", field.type, [Choice(one, in_words(one)) for one in FieldType]),
        Field("options", "Options", "\n".join(field.options), is_lines=True),
    )

    async def send(answers: Answers) -> None:
        await keep(read(answers))

    await on.ask(FormDialog(question, fields, check=read, send=send))


ACTIONS: tuple[Action[ListContext[CustomField]], ...] = (
    EditField(),
    NewField(),
    DeleteFields(),
    LiftField(),
    *HISTORY_ACTIONS,
)


class CustomFieldsScreen(ListScreen):
    """The custom fields of a board."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id, CustomFields(context.store, board_id), ACTIONS)


SCREEN = CustomFieldsScreen
