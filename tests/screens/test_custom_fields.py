"""The list of custom fields: who may change and move them, and offline."""

from dataclasses import replace

from tests.fakes.boards import ANN, JON, small
from tests.fakes.store import FakeStore
from tests.screens.driving import opened
from tui.actions.availability import MEMBER
from tui.client.capabilities import Feature
from tui.model.board import BoardView, Place
from tui.model.custom_field import CustomField, FieldType
from tui.model.people import Account
from tui.store import operations as change

_FIELDS = (
    CustomField(1, 1, "Customer"),
    CustomField(2, 1, "Size", FieldType.SELECT, ("S", "L")),
    CustomField(3, 1, "", FieldType.URL),
)


def _board() -> BoardView:
    return replace(small(), fields=_FIELDS)


async def test_a_field_is_moved_by_its_neighbours_though_the_window_changes() -> None:
    store = FakeStore(_board())
    async with opened(store, size=(60, 12)) as person:
        await person.press("g", "c", "space", "j")
        assert "◆ Moving “Customer”  2/3" in person.text
        await person.pilot.resize_terminal(50, 12)
        await person.press("enter")
    assert store.submitted == [change.MoveField(1, 1, "Customer", Place(above=2, below=3))]


async def test_a_field_dropped_where_it_was_is_not_sent() -> None:
    store = FakeStore(_board())
    async with opened(store, size=(60, 12)) as person:
        await person.press("g", "c", "space", "j", "k", "enter")
        assert "Nothing was moved" in person.text
    assert store.submitted == []


async def test_members_are_told_by_every_key_that_managers_change_fields() -> None:
    board = replace(_board().board, people=(ANN, JON), managers=frozenset({JON.id}))
    store = FakeStore(replace(_board(), board=board))
    store.me = Account(ANN.login)
    async with opened(store) as person:
        await person.press("g", "c")
        for key in ("e", "n", "D", "space", "enter"):
            await person.press(key)
            assert MEMBER in person.text, key
            await person.press("j")


async def test_a_service_without_an_order_of_fields_says_so() -> None:
    store = FakeStore(_board())
    store.missing = {Feature.CUSTOM_FIELD_ORDER}
    async with opened(store) as person:
        await person.press("g", "c", "space")
        assert "putting custom fields in order" in person.text


async def test_an_option_that_is_taken_away_is_said_to_stay_on_cards() -> None:
    store = FakeStore(_board())
    async with opened(store) as person:
        await person.press("g", "c", "j", "e", "tab", "tab", "backspace", "ctrl+s")
        assert "cards with “L” keep it" in person.text
    (edit,) = store.submitted
    assert edit == change.edit_custom_field(_FIELDS[1], options=("S",))
