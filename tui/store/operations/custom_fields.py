"""Operations on the custom fields of a board: create, move, delete; `edit` changes them.

Values belong to tasks. Deleting a field deletes its values, and undoing that creates the field
again without them.
"""

from dataclasses import replace
from typing import ClassVar, Self

from tui.model.board import BoardView, FieldPlace, Place
from tui.model.custom_field import CustomField, FieldType
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, FieldId
from tui.record import record
from tui.store.documents.assemble import custom_field_of
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    Baseline,
    Finding,
    Operation,
    Reply,
    ReplyPart,
    Subject,
    operation,
)
from tui.store.operations.creation import Absorbed, Creation
from tui.store.operations.ids import About, new_local_id
from tui.store.reading import first_newer, ids_in_order, same_text
from tui.store.remote import Remote
from tui.text.clean import line, quoted


@operation("create-field")
@record
class CreateField(Creation):
    """Add a custom field at the end; `options` are those of a select."""

    absorbs: ClassVar[Absorbed] = {
        "definition": {
            "title": str,
            "type": FieldType,
            "options": lambda lines: tuple(lines.splitlines()),
        }
    }

    board_id: BoardId
    field_id: About[FieldId]
    title: str
    type: FieldType = FieldType.TEXT
    options: tuple[str, ...] = ()

    @classmethod
    def new(cls, board_id: int, title: str, kind: FieldType, options: tuple[str, ...] = ()) -> Self:
        return cls(board_id, new_local_id(), title, kind, options)

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("board", self.board_id)})

    @property
    def field(self) -> CustomField:
        options = tuple(map(line, self.options))
        return CustomField(self.field_id, self.board_id, line(self.title), self.type, options)

    def apply(self, view: BoardView) -> BoardView:
        return view if view.field(self.field_id) is not None else view.with_field(self.field)

    def without_made(self, view: BoardView, newest_id: int) -> BoardView:
        present = ((field.id, field.title) for field in view.fields)
        field_id = first_newer(present, self.title, newest_id)
        return view if field_id is None else view.without_field(field_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # Where the reply has no position, it is the last one.
        reply = await remote.create_field(
            self.board_id, self.title, self.type, options=self.options
        )
        last = max((field.position for field in truth.fields), default=0.0)
        return self.reply_created({"position": last + 1.0, **reply})

    def is_mine(self, document: Document) -> bool:
        field = custom_field_of(document, self.board_id)
        is_same = same_text(field.title, self.title) and field.type is self.type
        return is_same and field.options == self.field.options

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return (DeleteField(self.field),)

    def describe(self) -> str:
        return f"Add the custom field {quoted(line(self.title))}"


@operation("move-field")
@record
class MoveField(Operation):
    """Move a custom field to a place among the others; `name` is its title."""

    board_id: BoardId
    field_id: About[FieldId]
    name: str
    place: FieldPlace

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("board", self.board_id)})

    def apply(self, view: BoardView) -> BoardView:
        field = view.field(self.field_id)
        return view if field is None else view.with_field(field, self.place)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # For a field that is gone any index will do: the service refuses it.
        order = [field.id for field in self.apply(truth).fields]
        index = order.index(self.field_id) if self.field_id in order else 0
        await remote.reposition_field(self.board_id, self.field_id, index + 1)
        return self._reply(await remote.fields(self.board_id))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        # Sending it again is harmless.
        present = await remote.fields(self.board_id)
        return Finding(self.place.holds(self.field_id, ids_in_order(present)), self._reply(present))

    def _reply(self, present: list[Document]) -> Reply:
        return Reply(parts=tuple(ReplyPart("field", int(doc["id"]), doc) for doc in present))

    def merged_with(self, later: Operation) -> Operation | None:
        return later if isinstance(later, MoveField) else None

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        place = Place.of(self.field_id, [field.id for field in view.fields])
        return () if place is None else (replace(self, place=place),)

    def describe(self) -> str:
        return f"Move the custom field {quoted(self.name)}"


@operation("delete-field")
@record
class DeleteField(Operation):
    """Delete a custom field with its values; undoing it restores its place if `has_order`."""

    removes_subject: ClassVar[bool] = True
    discards_edits: ClassVar[bool] = True

    field: About[CustomField]
    has_order: bool = True

    def apply(self, view: BoardView) -> BoardView:
        return view.without_field(self.field.id)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        has_value = detail.value(self.field.id) is not None
        return detail.with_value(self.field.id, None) if has_value else detail

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.delete_field(self.board_id, self.field.id)
        return self.reply_about(None)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        field = view.field(self.field.id)
        if field is None:
            return ()
        place = Place.of(field.id, [sibling.id for sibling in view.fields])
        recreated = CreateField(field.board_id, field.id, field.title, field.type, field.options)
        if place is None or place.below is None or not self.has_order:
            return (recreated,)
        return (recreated, MoveField(field.board_id, field.id, field.title, place))

    def lost_when_undone(self) -> str:
        return f"The custom field {quoted(self.field.title)} was added again without its values."

    def describe(self) -> str:
        return f"Delete the custom field {quoted(self.field.title)}"
