"""Pages are made once and begin anew: nothing of the task before is left on them."""

import pytest

from tests.fakes.boards import relaunch
from tests.fakes.store import FakeStore
from tests.pictures.tasks import board, login_redirect
from tests.screens.driving import opened
from tui.model.comment import Comment
from tui.model.detail import TaskDetail
from tui.screens.board.screen import BoardScreen
from tui.screens.task.panes import TaskSection
from tui.screens.task.screen import TaskScreen
from tui.screens.thread.screen import ThreadScreen
from tui.store.operations import set_title


@pytest.mark.long
async def test_a_task_opened_after_another_begins_at_its_top() -> None:
    store = FakeStore(board(), details=(login_redirect(),))
    async with opened(store, size=(120, 36)) as person:
        await person.press("enter", "tab", "j", "v", "tab", "tab", "j", "j", "Z")
        first = person.app.screen
        assert isinstance(first, TaskScreen)
        assert (first.panes.section, first.panes.fields.cursor) == (TaskSection.FIELDS, 2)
        assert first.subtasks.marks
        await person.press("escape", "j", "enter")
        again = person.app.screen
        assert again is first
        assert isinstance(again, TaskScreen)
        assert again.shown.task_id != 412
        assert (again.panes.section, again.panes.fields.cursor) == (TaskSection.TEXT, 0)
        assert "does nothing" not in person.text
        await person.press("escape", "k", "enter")
        assert "Fix login redirect after SSO" in person.text
        assert not again.subtasks.marks
        assert again.subtasks.cursor == 0


async def test_a_task_that_was_left_hears_nothing_and_shows_what_changed_when_it_is_opened() -> (
    None
):
    store = FakeStore(board(), details=(login_redirect(),))
    async with opened(store, size=(120, 36)) as person:
        await person.press("enter", "escape")
        task = person.deck.current
        assert task is not None
        asked = len(store.asked)
        await store.submit(set_title(task, "Another title"))
        await person.press()
        assert [one for one in store.asked[asked:] if one.startswith("open")] == []
        await person.press("enter")
        assert "Another title" in person.text


@pytest.mark.long
async def test_a_window_made_narrow_meanwhile_shows_one_part() -> None:
    async with opened(FakeStore(board()), size=(120, 36)) as person:
        await person.press("enter", "escape")
        await person.pilot.resize_terminal(80, 24)
        await person.press("enter")
        screen = person.app.screen
        assert isinstance(screen, TaskScreen)
        assert not screen.panes.is_wide
        assert not screen.panes.fields.display or not screen.query_one("#task-side").display
        assert "1 Description" in person.text


async def test_a_subtask_stands_in_front_of_its_task_which_is_as_it_was() -> None:
    store = FakeStore(board(), details=(login_redirect(),))
    async with opened(store, size=(120, 36)) as person:
        await person.press("enter", "tab", "j", "enter")
        subtask = person.app.screen
        await person.press("escape")
        task = person.app.screen
        assert isinstance(task, TaskScreen)
        assert subtask is not task
        assert (task.shown.task_id, task.panes.section) == (412, TaskSection.SUBTASKS)
        assert store.asked[-1] == "open task 412 of 1"
        await person.press("escape")
        assert isinstance(person.app.screen, BoardScreen)


async def test_another_thread_begins_folded_with_nothing_said() -> None:
    view = relaunch()
    cards = view.in_stage(1)[:2]
    details = []
    for card in cards:
        reply = Comment(card.id + 2000, card.id, f"Below {card.id}", parent_id=card.id + 1000)
        said = Comment(card.id + 1000, card.id, f"About {card.id}", replies=(reply,))
        details.append(TaskDetail(card, comments=(said,), all_comments=True))
    async with opened(FakeStore(view, details=details)) as person:
        await person.press("T", "enter", "Z")
        first = person.app.screen
        assert f"Below {cards[0].id}" in person.text
        await person.press("escape", "j", "T")
        assert person.app.screen is first
        assert f"About {cards[1].id}" in person.text
        assert "Below" not in person.text
        assert "does nothing" not in person.text
        assert isinstance(first, ThreadScreen)
        assert first.unfolded == frozenset()
