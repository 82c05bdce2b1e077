"""Swimlanes: cards in lanes over the same columns, moved with the same keys."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.day.held import Held
from tests.day.world import BOARD, COLLEAGUE, LOGIN, Edition, opened_day
from tests.endpoints.conftest import furnish
from tests.fakes.boards import ANN, BUG, JON, NOW, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened, turn_wheel
from tui.config.preferences import Preferences
from tui.context import Density
from tui.model.board import BoardView, Place
from tui.model.moving.lanes import Grouping
from tui.model.task import Priority
from tui.store.operations import MoveTask

HIGH = Priority.HIGH


def mixed() -> BoardView:
    """A and e are high, the others low."""
    view = small()
    tasks = {
        1: (task(11, "a", priority=HIGH), task(12, "b"), task(13, "c")),
        2: (task(21, "d", 2), task(22, "e", 2, priority=HIGH)),
        3: (),
    }
    return replace(view, tasks=tasks, people=(ANN, JON), labels=(BUG,))


def lines(person: Driver) -> list[str]:
    """The lines of the screen."""
    return person.text.splitlines()


def row_of(person: Driver, words: str) -> int:
    """The line of the screen with these words."""
    return next(y for y, line in enumerate(lines(person)) if words in line)


async def back(person: Driver, store: FakeStore) -> None:
    """Make the board what it was at first, with the cursor on the first card."""
    store.submitted.clear()
    store.steps.clear()
    store.news(mixed())
    await person.burst("escape") if person.deck.marks or person.deck.is_lifting else None
    await person.burst("1", "g", "g")
    assert person.here == "a"


@pytest.mark.long
async def test_the_cursor_moves_through_the_lanes() -> None:
    async with opened(FakeStore(mixed()), density=Density.COMPACT) as person:
        await person.press("B", "r")
        assert row_of(person, "High priority ") < row_of(person, " e ") < row_of(person, "Low pri")
        assert row_of(person, "▌a") == row_of(person, " e ")
        assert row_of(person, " b ") == row_of(person, " d ")
        for keys, title in (
            ("j", "b"),
            ("j j", "c"),
            ("j j j", "c"),
            ("j k", "a"),
            ("k", None),
            ("k j", "a"),
            ("l", "e"),
            ("l j", "d"),
            ("j l", "d"),
            ("j j l", "d"),
            ("j l h", "b"),
            ("3", None),
            ("3 j h", "d"),
            ("3 h", "e"),
            ("G", "c"),
            ("G g g", "a"),
            ("j dollar_sign 0", "b"),
            ("ctrl+d ctrl+d", "c"),
            ("v G V", "c"),
        ):
            await person.burst("1", "g", "g")
            await person.burst(*keys.split())
            assert person.here == title, keys
        assert len(person.deck.marks) == 3
        await person.press("escape", "3")
        assert "▌no cards · n to add one" in person.text
        for key, said in (
            ("x", "No card here  n to add one"),
            ("space", "No card here  n to add one"),
        ):
            await person.burst(key)
            assert said in person.said, key
        await person.press("B")
        assert "No swimlanes" in person.text
        await person.press("n", "1", "g", "g", "j")
        assert person.here == "b"
        assert "priority" not in person.text
        await person.press("minus")
        assert "No swimlanes  B to group" in person.said


@pytest.mark.long
async def test_a_drop_in_another_lane_moves_the_card_and_changes_the_field_as_one_step() -> None:
    store = FakeStore(mixed())
    async with opened(store) as person:
        await person.press("B", "r")
        for keys, steps, moved in (
            ("space j enter", [("high→low", 11)], []),
            ("space j j enter", [("high→low", 11)], [(11, 1, Place(12, 13))]),
            ("space l enter", [], [(11, 2, Place(None, 22))]),
            ("space l j j enter", [("high→low", 11)], [(11, 2, Place(None, 21))]),
            ("space 3 j enter", [("high→low", 11)], [(11, 3, Place(None, None))]),
            ("J", [("high→low", 11)], []),
            ("L", [], [(11, 2, Place(None, 22))]),
            ("j K", [("low→high", 12)], []),
            ("j v j v K", [("low→high", 12), ("low→high", 13)], []),
            ("j v j v space g g enter", [("low→high", 12), ("low→high", 13)],
             [(12, 1, Place(None, 11)), (13, 1, Place(12, 11))]),
            ("space j k enter", [], []),
            ("space j l h escape", [], []),
        ):  # fmt: skip
            await person.press(*keys.split())
            places = [(one.task_id, one.stage_id, one.place) for one in store.moves()]
            view = store.board(1)
            assert view is not None
            changed = [
                (f"{old.priority}→{new.priority}", old.id)
                for old in mixed().all_tasks()
                if (new := view.task(old.id)) is not None and new.priority is not old.priority
            ]
            assert (changed, places) == (steps, moved), keys
            assert len(store.steps) == (1 if steps or moved else 0), keys
            await back(person, store)


@pytest.mark.long
async def test_the_line_of_a_move_says_what_the_card_becomes() -> None:
    view = replace(mixed(), tasks={1: (task(11, "a", assignees=(ANN, JON)), task(12, "b")), 2: ()})
    store = FakeStore(view)
    async with opened(store) as person:
        await person.press("B", "p", "space", "j")
        assert "→ To do 1 · assigned to Jon Reyes" in person.said
        await person.press("j")
        assert "→ To do 1 · unassigned" in person.said
        await person.press("k", "k", "l")
        assert "To do 1 → Doing 1" in person.said
        await person.press("escape", "j", "i", "B", "d")
        assert "No due date" in person.text
        await person.press("B", "r")
        store.news(mixed())
        await person.press("1", "g", "g", "space", "j")
        assert "→ To do 1 · priority low" in person.said
        await person.press("enter")
        assert "Priority low: “a”  u undo" in person.said
        assert person.here == "a"


async def test_a_card_cannot_be_dropped_where_its_field_cannot_become_so() -> None:
    view = small()
    late = task(11, "a", due_at=NOW.replace(day=1))
    store = FakeStore(replace(view, tasks={**view.tasks, 1: (late, task(12, "b"))}))
    async with opened(store) as person:
        await person.press("B", "d", "j", "K")
        assert "A card cannot be made overdue" in person.said
        await person.press("space", "k")
        assert "→ To do 2 · a card cannot be made overdue" in person.said
        await person.press("enter")
        assert "A card cannot be made overdue  esc to cancel" in person.said
        await person.press("h")
        assert "◆ Moving" in person.said
        assert store.submitted == []
        await person.press("j", "enter")
        assert "Nothing was moved" in person.said
        assert store.submitted == []
        await person.press("k", "L")
        assert [type(one) for one in store.submitted] == [MoveTask]


@pytest.mark.long
async def test_lanes_fold_and_stay_so() -> None:
    preferences = Preferences()
    store = FakeStore(mixed())
    async with opened(store, preferences=preferences) as person:
        await person.press("B", "r", "minus")
        assert "+ High priority" in person.text
        assert person.deck.current is None
        assert "#22" not in person.text
        assert row_of(person, "High priority") + 1 == row_of(person, "Low priority")
        await person.press("x")
        assert "The swimlane is folded  - to unfold it" in person.said
        await person.press("j")
        assert person.here == "b"
        await person.press("space", "k")
        assert "– High priority" in person.text  # as long as the ghost is over it
        await person.press("escape")
        assert "+ High priority" in person.text
        assert preferences.text(1, "lanes") == "priority"
    async with opened(store, preferences=preferences) as person:
        assert "+ High priority" in person.text
        await person.pilot.click(offset=(5, row_of(person, "High priority")))
        assert "– High priority" in person.text
        assert person.here == "a"
        await person.press("z")
        assert "– High priority" in person.text
        assert row_of(person, "High priority") < row_of(person, "#22")
        await person.press("z", "Z")
        assert person.columns_shown == [1]
        await person.press("Z", "minus", "B", "l")
        assert preferences.numbers(1, "folded-lanes") == frozenset()
        assert person.deck.grouping is Grouping.LABEL


async def test_a_card_that_is_moved_where_it_is_not_drawn_says_so() -> None:
    async with opened(FakeStore(mixed())) as person:
        await person.press("B", "r", "minus", "j", "K")
        assert "Priority high: “b”: the swimlane is folded  - to unfold it" in person.said
        await person.press("minus")
        assert person.here == "b"
        await person.press("B", "n", "z", "2", "H")
        assert "Moved #22 from Doing to To do: the column is folded  z to unfold it" in person.said
        await person.press("z")
        assert person.here == "e"


async def test_all_columns_scroll_together() -> None:
    tasks = tuple(task(100 + n, f"t{n:02}", priority=HIGH if n < 20 else Priority.LOW)
                  for n in range(40))  # fmt: skip
    view = replace(small(), tasks={1: tasks, 2: (task(21, "d", 2), task(22, "e", 2)), 3: ()})
    async with opened(FakeStore(view), size=(80, 24)) as person:
        await person.press("B", "r")
        assert " d " not in person.text
        assert "more" in lines(person)[-2][:30]
        assert "more" in lines(person)[-2][26:55]
        await person.press("G")
        assert person.here == "t39"
        assert "Low priority" in lines(person)[3]  # although its heading is scrolled out of sight
        tops = {column.top for column in person.deck.columns}
        assert len(tops) == 1
        await person.press("l")
        assert person.here == "e"
        assert len({column.top for column in person.deck.columns}) == 1
        y = row_of(person, "▌e")
        assert "t21" in lines(person)[y]
        before = person.text
        await turn_wheel(person.pilot, person.deck.columns[1], -1)
        assert "t21" not in lines(person)[y]
        assert len({column.top for column in person.deck.columns}) == 1
        await turn_wheel(person.pilot, person.deck.columns[1], 1)
        assert person.text == before
        await person.pilot.click(offset=(4, y + 2))
        assert person.here == "t21"
        await person.pilot.resize_terminal(40, 13)
        for title in ("t22", "t23", "t24", "t25"):
            await person.press("j")
            assert person.here == title
            assert person.text.count("▌") == Density.ROOMY
        assert person.columns_shown == [1]
        await person.press("space")
        assert person.said.startswith(" ◆ Moving “t25”  → To do 6")
        await person.press("escape", "3", "k")
        # A lane without cards in view is its heading alone.
        assert row_of(person, "▌– High priority") + 1 == row_of(person, "– Low priority")
        await person.press("j", "minus", "x")
        assert "▌+ Low priority" in person.text
        assert "The swimlane is folded" in person.said


async def test_a_new_card_belongs_to_the_lane_it_is_typed_in() -> None:
    store = FakeStore(mixed())
    async with opened(store) as person:
        await person.press("B", "r", "3", "n")
        await person.type("new")
        await person.press("enter", "escape")
        assert person.here == "new"
        assert [(one.title, one.priority) for one in person.deck.shown.in_stage(3)] == [
            ("new", HIGH)
        ]
        assert len(store.steps) == 1
        await person.press("n")
        await person.type("mild !med")
        await person.press("enter", "escape")
        assert "Medium priority" in person.text
        assert person.here == "mild"


async def test_news_and_a_filter_leave_the_cursor_and_the_lifted_card() -> None:
    store = FakeStore(mixed())
    async with opened(store) as person:
        await person.press("B", "r", "j")
        assert person.here == "b"
        view = mixed()
        store.news(view.with_task(task(12, "b", priority=Priority.MEDIUM)))
        await person.pilot.pause()
        assert person.here == "b"
        assert "Medium priority" in person.text
        await person.press("space", "k")
        assert "High" not in person.said
        assert "priority high" in person.said
        store.news(view)
        await person.pilot.pause()
        await person.press("enter")
        found = person.deck.whole.task(12)
        assert found is not None
        assert found.priority is HIGH
        await person.press("slash")
        await person.type("c")
        await person.press("enter")
        assert "High" not in person.text
        assert "– Low priority" in person.text
        assert person.here == "c"


async def test_a_card_is_dragged_to_another_lane() -> None:
    store = FakeStore(mixed())
    async with opened(store, density=Density.COMPACT) as person:
        await person.press("B", "r")
        y = row_of(person, "▌a")
        await person.pilot.mouse_down(offset=(4, y))
        await person.pilot.hover(offset=(4, y + 1))
        await person.pilot.hover(offset=(4, row_of(person, " b ")))
        await person.pilot.mouse_up(offset=(4, row_of(person, " b ")))
        await person.pilot.pause()
        found = person.deck.whole.task(11)
        assert found is not None
        assert found.priority is Priority.LOW


@pytest.mark.long
async def test_the_service_holds_what_was_dropped_until_it_is_undone(tmp_path: Path) -> None:
    async with opened_day(Edition("embedded"), tmp_path, furnish) as day:

        def of(held: Held, title: str) -> tuple[str | None, tuple[str, ...], tuple[str, ...], str]:
            card = held.cards[title]
            return card.stage, card.assignees, card.labels, card.priority

        doing = f"{BOARD}/Doing"
        await day.press("j i h a ~bob space enter B p g g j k")
        await day.settled()
        before = day.held()
        assert of(before, "second") == (f"{BOARD}/Backlog", (LOGIN, COLLEAGUE), (), "low")
        assert "Ann Miller" in day.person.text
        await day.go_to_card("second")
        await day.press("space l G enter")
        await day.settled()
        assert of(day.held(), "second") == (doing, (), (), "low")
        await day.press("u")
        await day.settled()
        assert day.held() == before
        await day.press("B l")
        await day.go_to_card("second")
        await day.press("space l g g enter")
        await day.settled()
        assert of(day.held(), "second") == (doing, (LOGIN, COLLEAGUE), ("urgent",), "low")
        await day.press("u")
        await day.settled()
        assert day.held() == before
        await day.press("U")
        await day.settled()
        assert of(day.held(), "second") == (doing, (LOGIN, COLLEAGUE), ("urgent",), "low")
