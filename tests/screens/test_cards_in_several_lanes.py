"""A card of several people is in the lane of each: cursor, lift, marks and news know in which."""

from dataclasses import replace
from random import Random

import pytest

from tests.fakes.boards import ANN, API, BUG, JON, MIRA, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.context import Density
from tui.model.board import BoardView, Place
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.task import Person

A, B, C, D, E = 11, 12, 13, 21, 22


def shared() -> BoardView:
    """Ann and Jon have a and d, Jon has b, Ann has e, nobody has c."""
    tasks = {
        1: (task(A, "a", assignees=(ANN, JON)), task(B, "b", assignees=(JON,)), task(C, "c")),
        2: (task(D, "d", 2, assignees=(JON, ANN)), task(E, "e", 2, assignees=(ANN,))),
        3: (),
    }
    return replace(small(), tasks=tasks, people=(ANN, MIRA, JON), labels=(BUG, API))


def place(person: Driver) -> tuple[str | None, str]:
    """The card at the cursor, and its lane."""
    lane = person.deck.lane
    assert lane is not None
    return person.here, lane.title.split()[0]


def assigned(store: FakeStore, task_id: int) -> tuple[Person, ...]:
    """To whom the store has a card assigned."""
    view = store.board(1)
    assert view is not None
    found = view.task(task_id)
    assert found is not None
    return found.assignees


def row_of(person: Driver, words: str, nth: int = 0) -> int:
    """The line of the screen with these words, or the next one with them."""
    return [y for y, line in enumerate(person.text.splitlines()) if words in line][nth]


@pytest.mark.long
async def test_the_cursor_is_on_each_card_as_often_as_it_is_drawn() -> None:
    async with opened(FakeStore(shared()), density=Density.COMPACT) as person:
        await person.press("B", "p")
        assert "– Ann Keller 3 " in person.text
        assert "– Jon Reyes 3 " in person.text
        assert "– Unassigned 1 " in person.text
        heading = person.text.splitlines()[row_of(person, "To do")]
        assert [word for word in heading.split() if word.isdigit()] == ["3", "2", "2", "3", "0"]
        walk = [place(person)]
        for _ in range(3):
            await person.press("j")
            assert person.text.count("▌") == 1
            walk.append(place(person))
        assert walk == [("a", "Ann"), ("a", "Jon"), ("b", "Jon"), ("c", "Unassigned")]
        await person.press("k", "l")
        assert place(person) == ("d", "Jon")
        await person.press("k", "k", "h", "j")
        assert place(person) == ("a", "Jon")


@pytest.mark.long
async def test_the_cursor_stays_in_its_lane_when_the_board_is_drawn_again() -> None:
    store = FakeStore(shared())
    async with opened(store, size=(100, 40)) as person:
        await person.press("B", "p", "j")
        assert place(person) == ("a", "Jon")
        store.news(shared().with_task(task(A, "a", assignees=(MIRA, ANN, JON))))
        await person.pilot.pause()
        assert place(person) == ("a", "Jon")
        await person.press("x")
        assert place(person) == ("a", "Jon")
        await person.press("u")
        assert place(person) == ("a", "Jon")
        await person.press("slash", *"@ann", "enter")
        assert place(person) == ("a", "Jon")
        await person.press("escape", "e", *"bc", "enter")
        assert place(person) == ("abc", "Jon")
        await person.press("slash", *"e", "enter", "slash", "escape")
        await person.press("enter", "escape")
        store.news(shared())
        await person.press("1", "g", "g", "j", "slash", *"#22")
        assert place(person) == ("e", "Ann")
        await person.press("escape")
        assert place(person) == ("a", "Jon")
        store.news(shared().with_task(task(A, "a", assignees=(ANN,))))
        await person.pilot.pause()
        assert place(person) == ("a", "Ann")


async def test_the_cursor_stays_in_the_lane_of_a_label_that_gets_its_id() -> None:
    new = replace(BUG, id=-5, title="new")
    view = replace(shared(), labels=(API, new))
    store = FakeStore(view.with_task(task(A, "a", labels=(API, new))))
    async with opened(store) as person:
        await person.press("B", "l", "j")
        assert place(person) == ("a", "new")
        made = replace(new, id=99)
        view = replace(shared(), labels=(made, API))
        store.views[1] = view.with_task(task(A, "a", labels=(API, made)))
        store.news(store.views[1], **{"_-5": 99})
        await person.pilot.pause()
        assert place(person) == ("a", "new")


@pytest.mark.long
async def test_a_drop_replaces_the_person_of_the_lane_it_comes_from_as_one_step() -> None:
    store = FakeStore(shared())
    async with opened(store) as person:
        await person.press("B", "p")
        for keys, people, moved, end in (
            ("space j enter", (JON,), [], "Jon"),
            ("space j j enter", (JON,), [(A, 1, Place(B, None))], "Jon"),
            ("space G enter", (), [(A, 1, Place(C, None))], "Unassigned"),
            ("j space k enter", (ANN,), [], "Ann"),
            ("j space j enter", (ANN, JON), [(A, 1, Place(B, None))], "Jon"),
            ("j space j k enter", (ANN, JON), [], "Jon"),
            ("j L", (ANN, JON), [(A, 2, Place(None, D))], "Jon"),
            ("J", (JON,), [], "Jon"),
            ("j K", (ANN,), [], "Ann"),
            ("j J", (ANN, JON), [(A, 1, Place(B, None))], "Jon"),
            ("space l j enter", (ANN, JON), [(A, 2, Place(D, E))], "Ann"),
        ):  # fmt: skip
            await person.press(*keys.split())
            places = [(one.task_id, one.stage_id, one.place) for one in store.moves()]
            assert (assigned(store, A), places) == (people, moved), keys
            assert len(store.steps) == (1 if moved or people != (ANN, JON) else 0), keys
            assert place(person) == ("a", end), keys
            if store.steps:
                await person.press("u")
            assert assigned(store, A) == (ANN, JON)
            store.submitted.clear()
            store.steps.clear()
            await person.press("1", "g", "g")
            assert place(person) == ("a", "Ann")


async def test_a_card_in_a_lane_of_a_third_person_goes_to_that_one_and_stays_in_the_other() -> None:
    view = shared().with_task(task(C, "c", assignees=(MIRA,)))
    store = FakeStore(view)
    async with opened(store) as person:
        await person.press("B", "p", "space", "j")
        assert "→ To do 1 · assigned to Mira Novak, Jon Reyes" in person.said
        await person.press("j", "j")
        assert "→ To do 1 · assigned to Jon Reyes" in person.said
        await person.press("k", "enter")
        assert "Assigned to Mira Novak, Jon Reyes: “a”  u undo" in person.said
        assert set(assigned(store, A)) == {MIRA, JON}
        assert place(person) == ("a", "Mira")
        await person.press("space", "G", "escape", "j", "j")
        assert place(person) == ("a", "Jon")


@pytest.mark.long
async def test_a_carried_card_is_an_outline_wherever_it_was() -> None:
    store = FakeStore(shared())
    async with opened(store, size=(100, 50), density=Density.NORMAL) as person:
        await person.press("B", "p", "space", "G")
        outlined = [line for line in person.text.splitlines() if "┌ a ╌" in line]
        assert len(outlined) == 2
        assert "▌a" in person.text
        store.news(shared().with_task(task(A, "a", assignees=(JON,))))
        await person.pilot.pause()
        assert len([line for line in person.text.splitlines() if "┌ a ╌" in line]) == 1
        assert "unassigned" in person.said
        await person.press("k", "k", "enter")
        assert assigned(store, A) == (JON,)
        assert place(person) == ("a", "Jon")


async def test_marked_cards_leave_the_lane_of_the_cursor() -> None:
    store = FakeStore(shared())
    async with opened(store) as person:
        await person.press("B", "p", "j", "v", "v")
        assert person.deck.marks == {A, B}
        await person.press("k", "space", "k")
        assert "assigned to Ann Keller" in person.said
        await person.press("enter")
        assert assigned(store, A) == assigned(store, B) == (ANN,)
        assert len(store.steps) == 1
        assert person.titles(1) == ["a", "b", "c"]
        await person.press("u", "1", "g", "g", "v", "j", "v", "g", "g", "space", "j")
        assert "assigned to Jon Reyes" in person.said
        await person.press("enter")  # b is not in the lane that is left, but in this one already
        assert assigned(store, A) == assigned(store, B) == (JON,)
        await person.press("u", "1", "g", "g", "v", "j", "v", "g", "g", "space", "G", "enter")
        assert assigned(store, A) == assigned(store, B) == ()


async def test_a_range_goes_from_where_the_mark_was_made() -> None:
    store = FakeStore(shared())
    async with opened(store) as person:
        await person.press("B", "p", "j", "v", "j", "V")
        assert person.deck.marks == {A, B, C}
        await person.press("escape", "2", "g", "g", "j", "v", "g", "g", "V")
        assert person.deck.marks == {D, E}
        await person.press("escape", "g", "g", "j", "j", "v", "k", "V")
        assert person.deck.marks == {D}


async def test_a_mouse_points_at_the_card_in_the_lane_where_it_is() -> None:
    store = FakeStore(shared())
    async with opened(store, density=Density.COMPACT) as person:
        await person.press("B", "p", "3")
        await person.pilot.click(offset=(4, row_of(person, " a ", 1)))
        assert place(person) == ("a", "Jon")
        await person.pilot.mouse_down(offset=(4, row_of(person, "▌a")))
        to = row_of(person, " c ")
        await person.pilot.hover(offset=(4, to - 1))
        await person.pilot.hover(offset=(4, to))
        assert "unassigned" in person.said
        await person.pilot.hover(offset=(4, row_of(person, "Ann Keller") + 1))
        assert "assigned to Ann Keller" in person.said
        await person.pilot.mouse_up(offset=(4, row_of(person, "Ann Keller") + 1))
        await person.pilot.pause()
        assert assigned(store, A) == (ANN,)
        assert place(person) == ("a", "Ann")


async def test_brackets_go_to_each_changed_card_once() -> None:
    store = FakeStore(shared())
    store.marks = {each: RemoteChange(each, ChangeKind.RENAMED) for each in (A, C, D)}
    async with opened(store) as person:
        await person.press("B", "p")
        seen = []
        for _ in range(4):
            await person.press("right_square_bracket")
            seen.append(person.here)
        assert seen == ["c", "d", "a", "c"]
        await person.press("1", "g", "g", "j", "left_square_bracket")
        assert person.here == "d"


async def test_brackets_go_from_an_opened_card_to_each_neighbour_once() -> None:
    async with opened(FakeStore(shared())) as person:
        await person.press("B", "p", "j", "enter")
        assert "› To do › #11" in person.text
        for number in (B, C):
            await person.press("right_square_bracket")
            assert f"› To do › #{number}" in person.text
        await person.press("right_square_bracket")
        assert "This is the last card here" in person.text
        await person.press("escape")
        assert place(person) == ("a", "Jon")


async def test_a_card_typed_with_two_people_is_followed_in_the_lane_it_was_typed_in() -> None:
    store = FakeStore(shared())
    async with opened(store) as person:
        await person.press("B", "p", "j", "n")
        await person.type("new @ann @jon")
        await person.press("enter", "escape")
        assert place(person) == ("new", "Jon")
        await person.press("k", "k")
        assert place(person) == ("new", "Ann")


async def test_folding_a_lane_leaves_its_cards_in_the_others() -> None:
    store = FakeStore(shared())
    async with opened(store) as person:
        await person.press("B", "p", "minus")
        assert "+ Ann Keller 3" in person.text
        assert "#11" in person.text
        await person.press("j", "x")
        assert place(person) == ("a", "Jon")
        await person.press("u")
        assert place(person) == ("a", "Jon")
        assert "+ Ann Keller" in person.text
        await person.press("k", "k")
        person.deck.go_to_task(D)
        assert place(person) == ("d", "Ann")
        assert "– Ann Keller" in person.text


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
async def test_whatever_is_pressed_each_card_is_in_the_lanes_of_its_people(seed: int) -> None:
    random = Random(seed)  # noqa: S311 (an order, no secret)
    store = FakeStore(shared())
    keys = [*"hjkl" * 3, *"HJKLGvVx-zu[]", "space", "space", "home", "enter", "escape"]
    async with opened(store, size=(100, 40), density=Density.COMPACT) as person:
        for number in range(60):
            key = random.choice(keys)
            if number % 20 == 0:
                await person.press("B", random.choice("pl"))
            elif number % 9 == 0:
                people = tuple(random.sample((ANN, MIRA, JON), random.randrange(4)))
                view = store.views[1]
                old = random.choice(list(view.all_tasks()))
                store.news(view.with_task(replace(old, assignees=people, labels=(BUG, API))))
            if not (key == "enter" and not person.deck.is_lifting):
                await person.burst(key)
            deck = person.deck
            cells, by = deck.grid.cells, deck.grid.by
            assert by is not None
            drawn = sorted(each.id for each in cells.all_tasks())
            everything = list(store.views[1].all_tasks())
            assert drawn == sorted(each.id for each in everything for _ in by.lanes_of(each))
            assert sorted(each.id for each in everything) == [A, B, C, D, E]
            assert deck.lift is None or deck.lift.stage_id in {cell.id for cell in cells.stages}
            assert person.text.count("▌") <= 1 + 3 * deck.is_lifting, (number, key)
