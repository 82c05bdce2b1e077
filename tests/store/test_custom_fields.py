"""Custom fields and labels of boards: offline, undone, beside the changes of others."""

from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import given, settings

from tests.store.faults import Fault
from tests.store.opened_board import FIELD, Opened
from tests.store.party import offline, online
from tests.store.service import BOARD, Service
from tui.model.board import Board, BoardView, Place
from tui.model.custom_field import CustomField, FieldType
from tui.model.task import Label
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.store.outbox.codec import decode, encode
from tui.store.views.projection import project


def _drawn(opened: Opened) -> list[str]:
    return [field.title for field in opened.party.view.fields]


async def test_a_field_made_offline_takes_its_values_with_it(
    opened: Opened, service: Service
) -> None:
    store = opened.party.store
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    made = change.CreateField.new(BOARD, "Size", FieldType.SELECT, ("S", "L"))
    await store.submit(made)
    await store.submit(change.set_custom_field(opened.detail, made.field, "L"))
    await store.submit(change.MoveField(BOARD, made.field_id, "Size", Place(below=FIELD.id)))
    await store.submit(change.edit_custom_field(made.field, title="Sizes"))
    assert _drawn(opened) == ["Sizes", "Customer"]
    await opened.party.restart()
    opened.party.remote.trouble = lambda _: None
    await opened.start()
    await opened.party.delivered()
    assert [waiting.reason for waiting in opened.party.store.pending()] == []
    assert [title for title, *_ in service.fields()] == ["Sizes", "Customer"]
    assert service.values(opened.things.task) == {1: "ACME", 2: "L"}
    assert _drawn(opened) == ["Sizes", "Customer"]


async def test_a_new_field_is_the_last_one_though_the_reply_has_no_position(
    opened: Opened,
) -> None:
    opened.party.remote.retold["create_field"] = lambda reply: {
        name: value for name, value in reply.items() if name != "position"
    }
    await opened.party.store.submit(change.CreateField.new(BOARD, "Size", FieldType.NUMBER))
    await opened.party.delivered()
    assert _drawn(opened) == ["Customer", "Size"]


async def test_the_order_of_fields_arrives_though_the_answer_is_lost(
    opened: Opened, service: Service
) -> None:
    for title in ("Size", "Place"):
        service.add_field(title)
    await opened.party.store.refresh(BOARD)
    opened.party.remote.fail_next("reposition_field", Fault.REPLY_LOST)
    await opened.party.store.submit(change.MoveField(BOARD, 3, "Place", Place(below=1)))
    assert _drawn(opened) == ["Place", "Customer", "Size"]
    await opened.party.delivered()
    assert opened.party.store.pending() == ()
    assert [title for title, *_ in service.fields()] == ["Place", "Customer", "Size"]
    await opened.party.store.undo(BOARD)
    await opened.party.delivered()
    assert [title for title, *_ in service.fields()] == ["Customer", "Size", "Place"]


async def test_a_deleted_field_comes_back_at_its_place_and_undo_says_without_what(
    opened: Opened, service: Service
) -> None:
    service.add_field("Size")
    store = opened.party.store
    await store.refresh(BOARD)
    await store.submit(change.DeleteField(opened.party.view.fields[0]))
    await opened.party.delivered()
    assert [title for title, *_ in service.fields()] == ["Size"]
    undone = await store.undo(BOARD)
    await opened.party.delivered()
    assert undone is not None
    assert "without its values" in undone.lost
    assert [title for title, *_ in service.fields()] == ["Customer", "Size"]
    assert service.values(opened.things.task) == {}


async def test_what_is_not_changed_of_a_field_stays_as_others_made_it(
    opened: Opened, service: Service
) -> None:
    body = {"customField": {"title": "Client", "type": "text"}}
    service.ask("PUT", f"/projects/{BOARD}/custom-field/{FIELD.id}", body)
    await opened.party.store.submit(
        change.edit_custom_field(FIELD, type=FieldType.SELECT, options=("ACME",))
    )
    await opened.party.delivered()
    assert opened.party.store.pending() == ()
    assert service.fields() == [("Client", "select", ["ACME"])]


async def test_a_field_renamed_by_two_is_a_conflict(opened: Opened, service: Service) -> None:
    await offline(opened.party, change.edit_custom_field(FIELD, title="Mine"))
    body = {"customField": {"title": "Theirs", "type": "text"}}
    service.ask("PUT", f"/projects/{BOARD}/custom-field/{FIELD.id}", body)
    await online(opened.party)
    (waiting,) = opened.party.store.pending()
    assert [(one.field, one.ours, one.current) for one in waiting.differences] == [
        ("title", "Mine", "Theirs")
    ]


async def test_a_new_title_of_a_label_keeps_its_colours(opened: Opened, service: Service) -> None:
    label = opened.label(opened.things.label)
    body = {"label": "bug", "color": "#abcdef", "bg_color": "#123456"}
    service.ask("PUT", f"/projects/{BOARD}/labels/{label.id}", body)
    await opened.party.store.submit(change.edit_label(BOARD, label, title="BUG"))
    await opened.party.delivered()
    (now,) = (one for one in service.labels() if one["id"] == label.id)
    assert (now["title"], now["color"], now["bg_color"]) == ("BUG", "#abcdef", "#123456")


def test_a_new_title_that_was_refused_is_not_sent_with_a_later_colour() -> None:
    label = Label(1, "bug", "#ff0000")
    refused = change.edit_label(BOARD, label, title="BUG")
    later = change.edit_label(BOARD, replace(label, title="BUG"), color="#ffff00")
    left = later.without(refused)
    assert isinstance(left, change.Edit)
    assert left.value == (None, "#ffff00", "#1b2533")
    assert left.base == ("bug", "#ff0000")


async def test_undo_of_a_new_colour_brings_back_one_of_text_that_can_be_read(
    opened: Opened, service: Service
) -> None:
    label = opened.label(opened.things.label)
    await opened.party.store.submit(change.edit_label(BOARD, label, color="#ffff00"))
    await opened.party.delivered()
    assert _colors(service, label.id) == ("#ffff00", "#1b2533")
    await opened.party.store.undo(BOARD)
    await opened.party.delivered()
    assert _colors(service, label.id) == ("#ff0000", "#ffffff")


def _colors(service: Service, label_id: int) -> tuple[str, str]:
    (label,) = (one for one in service.labels() if one["id"] == label_id)
    return label["bg_color"], label["color"]


def _field(number: int) -> CustomField:
    return CustomField(number, 1, f"Field {number}", FieldType.TEXT, (), float(number))


@st.composite
def _cases(draw: st.DrawFn) -> tuple[BoardView, list[Operation]]:
    """A board of up to four fields, and what was asked for one after another."""
    start = view = BoardView(
        Board(1, "Board"), fields=tuple(map(_field, range(1, draw(st.integers(1, 4)) + 1)))
    )
    operations = []
    for number in range(draw(st.integers(1, 5))):
        operation: Operation = change.CreateField(1, -number - 1, draw(st.text(max_size=5)))
        if view.fields:
            field = draw(st.sampled_from(view.fields))
            neighbour = st.none() | st.sampled_from([one.id for one in view.fields])
            title, options = draw(st.text(max_size=5)), draw(st.lists(st.sampled_from("abc")))
            operation = draw(
                st.sampled_from(
                    [
                        operation,
                        change.edit_custom_field(field, title=title),
                        change.edit_custom_field(field, type=FieldType.SELECT, options=options),
                        change.MoveField(1, field.id, "", Place(draw(neighbour), draw(neighbour))),
                        change.DeleteField(field),
                    ]
                )
            )
        operations.append(operation)
        view = operation.apply(view)
    return start, operations


def _seen(view: BoardView) -> list[tuple[object, ...]]:
    return [(one.id, one.title, one.type, one.options) for one in view.fields]


@settings(deadline=None)
@given(_cases())
def test_a_history_of_fields_taken_back_restores_them(
    case: tuple[BoardView, list[Operation]],
) -> None:
    start, operations = case
    view, inverses = start, []
    for operation in operations:
        inverses.append(operation.inverse(view))
        view = operation.apply(view)
    for inverse in reversed(inverses):
        view = project(view, inverse)
    assert _seen(view) == _seen(start)
    assert [decode(encode(operation)) for operation in operations] == operations


def test_undo_does_not_order_fields_where_the_service_cannot() -> None:
    view = BoardView(Board(1, "Board"), fields=(_field(1), _field(2)))
    again, moved = change.DeleteField(_field(1)).inverse(view)
    assert isinstance(moved, change.MoveField)
    assert change.DeleteField(_field(1), has_order=False).inverse(view) == (again,)
