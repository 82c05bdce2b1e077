"""A task by itself: read, changed by the board's keys, left."""

from tests.boards import relaunch, small, task
from tests.fake_store import FakeStore
from tests.screens.driving import Driver, opened
from tui.screens.board import BoardScreen
from tui.screens.task import TaskScreen
from tui.store.operations import SetStatus, SetTitle


def said(person: Driver) -> str:
    """The status line of the task screen."""
    assert isinstance(person.app.screen, TaskScreen)
    return person.app.screen.status.words


async def test_enter_opens_and_esc_comes_back() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await person.press("enter")
        assert isinstance(person.app.screen, TaskScreen)
        for words in ("Fix login redirect after SSO", "Backlog", "high", "bug", "Ann Keller"):
            assert words in person.text
        assert "Wednesday 18 November 2026, 17:00" in person.text
        await person.press("escape")
        assert isinstance(person.app.screen, BoardScreen)


async def test_the_description_is_read_not_shown_as_html() -> None:
    html = '<h2>Why</h2><p>Users <b>land</b> on <a href="https://example.test/x">a page</a></p>'
    view = small().with_task(task(11, "a", description=html + "<ul><li>one</li></ul>"))
    async with opened(FakeStore(view)) as person:
        await person.press("enter")
        assert "Why" in person.text
        assert "• one" in person.text
        assert "[1] https://example.test/x" in person.text
        assert "<" not in person.text


async def test_brackets_go_to_the_neighbours() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("enter", "right_square_bracket")
        assert "#12 in To do" in person.text
        await person.press("left_square_bracket", "left_square_bracket")
        assert "this is the first card here" in said(person)
        await person.press("right_square_bracket", "right_square_bracket", "right_square_bracket")
        assert "this is the last card here" in said(person)


async def test_the_boards_keys_change_the_task() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("enter", "x")
        assert "closed ✓" in person.text
        await person.press("e", "backspace", "z", "enter")
        assert [type(each) for each in store.submitted] == [SetStatus, SetTitle]
        assert store.views[1].in_stage(1)[0].title == "z"
        await person.press("u")
        assert store.views[1].in_stage(1)[0].title == "a"


async def test_giving_a_title_up_leaves_it() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("enter", "e", "q", "escape")
        assert store.submitted == []
        assert isinstance(person.app.screen, TaskScreen)


async def test_a_task_that_is_deleted_says_so_and_can_be_left() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("enter", "D", "y")
        assert "no longer on the board" in person.text
        await person.press("right_square_bracket", "j", "ctrl+d", "escape")
        assert isinstance(person.app.screen, BoardScreen)


async def test_a_long_description_scrolls() -> None:
    html = "".join(f"<p>paragraph {i}</p>" for i in range(100))
    view = small().with_task(task(11, "a", description=html))
    async with opened(FakeStore(view), size=(80, 24)) as person:
        await person.press("enter")
        assert "paragraph 50" not in person.text
        await person.press(*["ctrl+d"] * 9)
        assert "paragraph 50" in person.text
        await person.press("ctrl+u", "k", "up", "down", "j", "pagedown", "pageup")
        assert isinstance(person.app.screen, TaskScreen)
