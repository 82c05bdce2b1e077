"""What the edition lacks and what the role forbids is not offered, and a key says why."""

import re
from dataclasses import replace

import pytest

from tests.fakes.boards import ANN, JON, bare_details, small
from tests.fakes.store import FakeStore
from tests.lint import tables
from tests.screens.driving import opened
from tui.actions.action import declared_actions
from tui.actions.availability import CHANGING_KEYS, MEMBER, VIEWER, unavailable
from tui.actions.card_actions import CardActions
from tui.actions.tasks.history import HistoryActions
from tui.actions.tasks.refresh import RefreshActions
from tui.client.capabilities import Feature
from tui.model.board import Board, BoardView
from tui.model.people import Account, Role
from tui.screens.binding_ids import key_map
from tui.screens.board.screen import BoardScreen
from tui.screens.board.stages import StageActions
from tui.screens.board.typing import CardTyping
from tui.screens.boards.actions import BoardActions
from tui.screens.task.subtask_list import SubtaskList
from tui.screens.thread.screen import ThreadScreen

OWNERS = (
    BoardActions,
    BoardScreen,
    CardActions,
    CardTyping,
    HistoryActions,
    RefreshActions,
    StageActions,
    SubtaskList,
    ThreadScreen,
)
OFFERED = tuple(action for owner in OWNERS for _, action in declared_actions(owner))
ACTIONS = {action.id: action for action in OFFERED if action.keys}
CHANGES = {
    *CHANGING_KEYS,
    *(name for name, action in ACTIONS.items() if action.changes_board or action.manages_board),
}

_ABOUT_THINGS = ("board.", "boards.", "comment.", "field.", "stage.", "subtask.", "task.")
_IN_DIALOGS = {"comment.attach", "comment.take-off", "comment.whole"}
"""What is done while something is written that may be written."""
_READING = {
    *(
        "board.agents",
        "board.back",
        "board.density",
        "board.filter",
        "board.filter-mine",
        "board.pick-filter",
    ),
    *("board.preview", "board.refresh", "board.swimlanes"),
    *(
        "boards.archived",
        "boards.back",
        "boards.boards-pane",
    ),
    *("boards.folders-pane", "boards.new", "boards.other-pane", "boards.pin", "boards.refresh"),
    *("boards.search", "boards.sort", "boards.type"),
    *("comment.copy", "comment.link", "comment.picture"),
    *("field.before", "field.first", "field.last", "field.next", "field.page-down"),
    *("field.page-up", "subtask.down", "subtask.first", "subtask.group-after"),
    *("subtask.group-before", "subtask.last", "subtask.mark", "subtask.mark-range"),
    *("subtask.open", "subtask.page-down", "subtask.page-up", "subtask.put-back"),
    *(
        "stage.archived",
        "subtask.stay",
        "subtask.top",
        "subtask.up",
        *(f"subtask.group-{n}" for n in range(1, 10)),
    ),
    *("task.copy-branch", "task.copy-link", "task.copy-title"),
    *("task.back", "task.comments", "task.empty-fields", "task.links", "task.mark", "task.menu"),
    *("task.mark-range", "task.next"),
    *("task.open", "task.page-down", "task.page-up", "task.part", "task.part-activity"),
    *("task.part-before", "task.part-comments", "task.part-fields", "task.part-subtasks"),
    *("task.part-text", "task.previous", "task.scroll-down", "task.scroll-up", "task.thread"),
}
"""What changes nothing, so that a viewer may do it."""


def lacking(*features: Feature) -> FakeStore:
    """A board at an edition that lacks some features."""
    store = FakeStore(small())
    store.others = (Board(2, "Elsewhere"),)
    store.missing = set(features)
    return store


def viewed(view: BoardView) -> FakeStore:
    """A board that the person may only read."""
    return FakeStore(replace(view, board=replace(view.board, is_view_only=True)))


def test_every_action_is_a_change_or_none() -> None:
    about_things = {one for one in key_map().ids if one.startswith(_ABOUT_THINGS)}
    known = CHANGES | _READING | _IN_DIALOGS
    tables.check(
        tables.Edit(
            "What changes a board: declare it with `board_action` in a class of `OWNERS`, or add it"
            " to `CHANGING_KEYS` in tui/actions/availability.py if a widget handles the key.\n"
            "What changes nothing: add it to `_READING` in tests/screens/test_availability.py:",
            sorted(f'"{name}",' for name in about_things - known),
        ),
        tables.obsolete(known - about_things, "`_READING`, `_IN_DIALOGS` or `OWNERS`", __file__),
        tables.obsolete(CHANGES & _READING, "`_READING`, as it changes a board,", __file__),
    )


@pytest.mark.parametrize("action", sorted(CHANGES))
def test_a_viewer_changes_nothing(action: str) -> None:
    store = FakeStore(small())
    assert unavailable(action, ACTIONS.get(action), store, Role.VIEWER) == VIEWER
    assert unavailable(action, ACTIONS.get(action), store, Role.MANAGER) is None


async def test_in_read_only_mode_every_screen_says_so_and_nothing_can_be_changed() -> None:
    store = FakeStore(small())
    store.is_read_only = True
    async with opened(store, size=(40, 15)) as person:
        assert "read-only mode" in person.text.splitlines()[0]
        assert "lift" not in person.said
        for key in ("n", "space", "A", "c", "u"):
            await person.press(key)
            assert "Read-only mode" in person.said, key
        await person.pilot.mouse_down(offset=(5, 2))
        await person.pilot.mouse_up(offset=(30, 2))
        await person.press("enter")
        assert "read-only mode" in person.text.splitlines()[0]
        await person.press("escape", "g", "b", "n")
        assert "read-only mode" in person.text.splitlines()[0]
        assert "Read-only mode" in person.text
        assert store.submitted == []


@pytest.mark.parametrize("offered", [True, None])
def test_what_is_not_known_to_be_missing_is_offered(offered: bool | None) -> None:
    class Store(FakeStore):
        def offers(self, feature: Feature) -> bool | None:
            del feature
            return offered

    store = Store(small())
    found = {unavailable(one, ACTIONS.get(one), store, Role.MANAGER) for one in CHANGES}
    assert found == {None}


def test_only_managers_manage_a_board() -> None:
    manages = [name for name, action in ACTIONS.items() if action.manages_board]
    assert "boards.delete" in manages
    for name in manages:
        assert unavailable(name, ACTIONS[name], FakeStore(small()), Role.MEMBER) == MEMBER


def test_the_role_is_told_by_the_board() -> None:
    board = Board(1, "B", people=(ANN, JON), viewers=frozenset({JON.id}))
    assert board.role_of(Account("jon")) is Role.VIEWER
    assert board.role_of(Account("somebody@else.example", JON.id)) is Role.VIEWER
    assert replace(board, is_view_only=True).role_of(Account("ann")) is Role.VIEWER
    managed = replace(board, viewers=frozenset(), managers=frozenset({ANN.id}))
    assert managed.role_of(Account("ann")) is Role.MANAGER
    assert managed.role_of(Account("jon")) is Role.MEMBER
    unmanaged = replace(managed, managers=frozenset(), members=frozenset({JON.id}))
    assert unmanaged.role_of(Account("jon")) is Role.MEMBER, "its managers are no members"
    assert unmanaged.role_of(Account("jon", is_administrator=True)) is Role.MANAGER
    assert unmanaged.with_role(JON, "admin").role_of(Account("jon")) is Role.MANAGER
    assert unmanaged.with_role(JON, "viewer").role_of(Account("jon")) is Role.VIEWER


def test_a_role_that_is_not_known_hinders_nothing() -> None:
    board = Board(1, "B", people=(ANN, JON))
    assert board.role_of(Account("ann")) is Role.MANAGER
    assert board.role_of(Account("stranger")) is Role.MANAGER


@pytest.mark.long
async def test_a_viewer_is_told_in_the_header_and_by_every_key() -> None:
    store = viewed(small())
    async with opened(store) as person:
        assert "read only: you are a viewer" in person.text.splitlines()[0]
        for key in ("space", "L", "n", "e", "x", "p", "d", "A", "D", "m", "i", "u"):
            await person.press(key)
            assert VIEWER in person.said, key
            await person.press("j")
        assert store.submitted == []


async def test_a_board_that_turns_out_to_be_read_only_stops_hinting_at_changes() -> None:
    store = FakeStore(small(), details=bare_details(small()))
    async with opened(store) as person:
        assert "lift" in person.hints
        store.news(viewed(small()).views[1])
        await person.pilot.pause()
        assert "lift" not in person.hints
        await person.press("enter")
        assert "read only" in person.text.splitlines()[0]
        await person.press("T")
        assert "read only" in person.text.splitlines()[0]


async def test_a_viewer_is_hinted_at_nothing_that_changes() -> None:
    async with opened(viewed(small())) as person:
        assert "lift" not in person.hints
        assert "open" in person.hints
        await person.press("?")
        assert "j ↓  next card" in person.text
        await person.type("delete")
        assert not re.search("(?i)delete (card|task)|archive, delete", person.text)


async def test_a_viewer_drags_nothing() -> None:
    store = viewed(small())
    async with opened(store) as person:
        await person.pilot.mouse_down(offset=(5, 2))
        await person.pilot.hover(offset=(40, 2))
        await person.pilot.mouse_up(offset=(40, 2))
        await person.pilot.pause()
        assert store.submitted == []
        assert VIEWER in person.said


async def test_the_palette_lists_what_cannot_be_had_with_the_reason() -> None:
    store = lacking(Feature.TASK_DELETION)
    async with opened(store, size=(120, 30)) as person:
        await person.press("ctrl+p")
        await person.type("Delete card")
        assert re.search("Delete card … +not in this edition +D ", person.text)
        assert "Not available: This service’s edition does not offer deleting" in person.text
        await person.press("enter")
        assert "does not offer deleting cards" in person.said
        assert store.submitted == []


@pytest.mark.parametrize(
    ("key", "feature", "said"),
    [
        ("D", Feature.TASK_DELETION, "deleting cards.  A to archive it instead"),
        (">", Feature.SUBTASKS, "does not offer subtasks."),
        ("C", Feature.TASK_COPIES, "does not offer duplicating cards."),
    ],
)
async def test_a_key_says_what_the_edition_lacks(key: str, feature: Feature, said: str) -> None:
    store = lacking(feature)
    async with opened(store) as person:
        await person.press(key)
        assert said in person.said
        assert len(person.app.screen_stack) == 1


@pytest.mark.parametrize(
    ("key", "feature", "said"),
    [
        ("n", Feature.BOARD_CREATION, "Only administrators of this service may create boards."),
        ("D", Feature.BOARD_DELETION, "may delete boards.  A to archive it instead"),
        ("A", Feature.BOARD_ARCHIVE, "does not offer archiving boards."),
        ("C", Feature.BOARD_COPIES, "does not offer duplicating boards."),
    ],
)
async def test_what_nobody_may_do_with_boards_opens_no_form(
    key: str, feature: Feature, said: str
) -> None:
    async with opened(lacking(feature), board_id=None) as person:
        await person.press(key)
        assert said in person.said
        assert len(person.app.screen_stack) == 1


async def test_no_board_is_offered_where_tasks_cannot_go_to_another() -> None:
    async with opened(lacking(Feature.BOARD_MOVES)) as person:
        await person.press("m", "down")
        assert "this service’s edition cannot move cards to other boards" in person.text
        assert "Elsewhere" not in person.text
        await person.type("Elsew")
        await person.press("enter")
        assert "Elsewhere" not in person.text


async def test_a_board_that_may_only_be_read_is_not_renamed_in_the_list() -> None:
    store = viewed(small())
    async with opened(store, board_id=None) as person:
        for key in ("e", "A", "D"):
            await person.press(key)
            assert VIEWER in person.text
        assert store.asked == ["close", "refresh None"]
