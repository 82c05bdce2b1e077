"""The custom fields of a board, in their order: made, edited, moved and deleted by managers."""

from collections.abc import Awaitable, Callable, Sequence

from tui.actions.action import action
from tui.actions.tasks.history import HistoryActions
from tui.client.capabilities import Feature
from tui.errors import CallboardError
from tui.model.board import Place
from tui.model.custom_field import CustomField, FieldType
from tui.screens.lists.table import TableScreen
from tui.store import operations as change
from tui.text.clean import quoted
from tui.text.keyed import keyed
from tui.widgets.row_list import ListColumn


class CustomFieldsScreen(TableScreen[CustomField]):
    """The custom fields of a board."""

    heading, row_name, opens = "Custom fields", "custom field", "custom-field.edit"
    nothing = ("no custom fields yet", "{custom-field.new:n} to add one")
    actions_of = (HistoryActions,)
    has_order = True
    columns = (
        ListColumn("field", limit=34, gap=1),
        ListColumn("type", width=10, role="quiet"),
        ListColumn("options", role="quiet", least=60),
    )

    def rows(self) -> Sequence[CustomField]:
        return () if self.view is None else self.view.fields

    def words(self, row: CustomField) -> str:
        return _name(row)

    def cells(self, row: CustomField) -> Sequence[str]:
        options = "" if row.type is not FieldType.SELECT else " · ".join(row.options)
        return f" {_name(row)}", row.type.in_words, options

    async def move_row(self, row: CustomField, index: int) -> None:
        previous_ids = [field.id for field in self.rows()]
        ids = [field_id for field_id in previous_ids if field_id != row.id]
        ids.insert(index, row.id)
        place = Place.of(row.id, ids)
        if place is None or ids == previous_ids:
            self.say("nothing was moved")
            return
        moved = change.MoveField(self.board_id, row.id, row.title, place)
        await self.submit(f"moved {quoted(_name(row))} to place {index + 1}", moved)

    @action("custom-field.edit", "e", "Edit custom field", hint="edit", asks=True,
            manages_board=True, needs=Feature.CUSTOM_FIELDS)  # fmt: skip
    async def edit(self) -> None:
        row = self.need_row()
        if row is None:
            return

        async def save(new: CustomField) -> None:
            options = new.options
            edit = change.edit_custom_field(row, title=new.title, type=new.type, options=options)
            if edit.changes_nothing:
                self.say("nothing was changed")
                return
            gone = [quoted(option) for option in row.options if option not in options]
            note = f" · cards with {', '.join(gone)} keep it" if gone else ""
            await self.submit(f"changed {quoted(_name(row))}{note}", edit)

        await self._ask_field(f"Custom field {quoted(_name(row))}", row, save)

    @action("custom-field.new", "n", "New custom field", hint="new", asks=True,
            manages_board=True, needs=Feature.CUSTOM_FIELDS)  # fmt: skip
    async def create(self) -> None:
        async def save(new: CustomField) -> None:
            creation = change.CreateField.new(self.board_id, new.title, new.type, new.options)
            await self.submit(f"added the custom field {quoted(_name(new))}", creation)

        await self._ask_field("New custom field", CustomField(0, self.board_id, ""), save)

    @action("custom-field.delete", "D", "Delete custom field", asks=True,
            manages_board=True, needs=Feature.CUSTOM_FIELDS)  # fmt: skip
    async def delete(self) -> None:
        rows = self.need_rows()
        if not rows:
            return
        names = ", ".join(quoted(_name(row)) for row in rows)
        text = keyed(
            "Its values on cards will be deleted too. Undo ({board.undo:u}) restores the field"
            " without them."
        )
        if await self.confirm(f"Delete the custom field {names}?", text):
            has_order = self.store.offers(Feature.CUSTOM_FIELD_ORDER) is not False
            deletions = [change.DeleteField(row, has_order=has_order) for row in rows]
            await self.submit(f"deleted the custom field {names}", *deletions)

    @action("rows.lift", "", "Lift or drop",
            manages_board=True, needs=Feature.CUSTOM_FIELD_ORDER)  # fmt: skip
    def lift(self) -> None:
        # Declares who may move fields; `RowList` itself lifts a row.
        self.say(keyed("{rows.lift:space} to lift the field"))

    async def _ask_field(
        self, question: str, field: CustomField, save: Callable[[CustomField], Awaitable[None]]
    ) -> None:
        from tui.dialogs.form import Answers, Choice, FormDialog, FormField

        async def send(answers: Answers) -> None:
            title, kind = answers["title"], FieldType(answers["type"])
            lines = (" ".join(line.split()) for line in answers["options"].splitlines())
            options = tuple(dict.fromkeys(filter(None, lines)))
            if not title:
                raise CallboardError("Title is required.")
            if kind is FieldType.SELECT:
                if not options:
                    hint = "Write one option per line."
                    raise CallboardError("Options are required for a select.", hint=hint)
            else:
                # Only a select has options; those of another type stay as the service has them.
                options = field.options if kind is field.type else ()
            await save(CustomField(field.id, field.board_id, title, kind, options))

        fields = (
            FormField("title", "Title", field.title),
            FormField(
                "type", "Type", field.type, [Choice(kind, kind.in_words) for kind in FieldType]
            ),
            FormField("options", "Options", "\n".join(field.options), is_lines=True),
        )
        await self.ask(FormDialog(question, fields, send=send))


def _name(field: CustomField) -> str:
    return field.title or f"Field {field.id}"


SCREEN = CustomFieldsScreen
