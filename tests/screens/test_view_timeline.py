"""The timeline and the agenda of a saved view: cards of all its boards, moved in place."""

from dataclasses import replace
from datetime import timedelta

from tests.fakes.boards import NOW, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver
from tests.screens.test_views import rest, views
from tui.model.task import Task
from tui.screens.lists.timeline import TimelineScreen
from tui.screens.lists.views import ViewsScreen
from tui.screens.task.screen import TaskScreen
from tui.screens.view_lists.timeline import ViewTimelineScreen


def shown(person: Driver) -> ViewTimelineScreen:
    """The timeline of the view, which is in front."""
    screen = person.app.screen
    assert isinstance(screen, ViewTimelineScreen), screen
    return screen


def card_of(store: FakeStore, board_id: int, card_id: int) -> Task:
    """A card as the store has it."""
    card = store.views[board_id].task(card_id)
    assert card is not None, f"no card {card_id} on the board {board_id}"
    return card


def groups(person: Driver) -> list[tuple[object, str]]:
    """The groups and titles of the rows."""
    return [(row.group, row.task.title) for row in shown(person).row_list.rows]


async def test_a_view_has_a_timeline_of_its_people_and_an_agenda_with_boards() -> None:
    async with views() as (person, store):
        await person.press("g", "d")
        await rest(person)
        assert person.text.startswith(" My work  › Timeline  3 cards  1 overdue")
        assert groups(person) == [
            ("Ann Keller", title) for title in ("Login loops", "Docs", "Refund twice")
        ]
        assert "#21  Refund twice  Support" in person.text
        await person.press("B", "b")
        await rest(person)
        assert groups(person)[-1] == ("Support", "Refund twice")
        assert "Refund twice  Support" not in person.text
        await person.press("tab")
        await rest(person)
        assert "board › stage" in person.text
        assert "Support › Inbox" in person.text
        await person.press("B")
        assert "an agenda is grouped by day" in person.text.lower()
        await person.pilot.resize_terminal(80, 24)
        await person.press()
        assert "Support › Inbox" not in person.text
        assert "Support" in person.text
        # Cards that others add or move are seen.
        card = replace(card_of(store, 2, 21), title="Refund thrice")
        store.views[2] = store.views[2].with_task(card)
        store.news(store.views[2])
        await rest(person)
        assert "Refund thrice" in person.text
        await person.press("g", "d")
        assert "you are already here" in person.text.lower()
        await person.press("escape")
        assert isinstance(person.app.screen, ViewsScreen)


async def test_cards_of_a_view_are_carried_dropped_undone_and_changed() -> None:
    async with views() as (person, store):
        due = NOW + timedelta(9)
        await person.press("g", "d")
        await rest(person)
        await person.press("G", "space", "l", "l")
        await rest(person)
        assert "Moving #21 to " in person.said
        await person.press("enter")
        await rest(person)
        assert card_of(store, 2, 21).due_at == due + timedelta(2)
        await person.press("u")
        await rest(person)
        assert card_of(store, 2, 21).due_at == due
        await person.press("H", "H", "k")
        await rest(person)
        assert card_of(store, 2, 21).due_at == due - timedelta(2)
        await person.press("enter")
        await rest(person)
        assert isinstance(person.app.screen, TaskScreen)
        await person.press("g", "d")
        await rest(person)
        front: object = person.app.screen
        assert type(front) is TimelineScreen


async def test_marked_cards_of_several_boards_move_as_one() -> None:
    async with views() as (person, store):
        await person.press("g", "d")
        await rest(person)
        await person.press("v", "v", "v", "L")
        await rest(person)
        await person.press("space")
        await rest(person)
        await person.press("enter")
        await rest(person)
        dates = [card_of(store, *ids).due_at for ids in ((1, 13), (2, 21))]
        assert dates == [NOW + timedelta(3), NOW + timedelta(10)]


async def test_a_view_without_dates_says_how_to_see_its_cards() -> None:
    async with views() as (person, store):
        bare = replace(store.views[1], tasks={1: (task(31, "Loose"),)})
        store.views = {1: bare, 2: replace(store.views[2], tasks={})}
        store.news(bare)
        await rest(person)
        await person.press("g", "d")
        await rest(person)
        assert "no open cards" in person.text.lower()
        await person.press("x")
        assert "no open cards" in person.text.lower()
