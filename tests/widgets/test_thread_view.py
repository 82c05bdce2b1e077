"""A thread as drawn: what is laid out, what is in sight, and where the cursor stays."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

from textual.app import App, ComposeResult
from textual.pilot import Pilot

from tests.fakes.boards import ANN, NOW
from tests.screens.driving import screen_text, turn_wheel
from tui.model.comment import Comment, CommentImage, Order, Rows, Thread, thread_rows
from tui.screens.thread.view import CommentLook, RowFace, ThreadView, words
from tui.text.cells import width as cell_width
from tui.theme import DARK
from tui.widgets.line_list import LineSpot, down, offset, up
from tui.widgets.painted import Line

LOOK = CommentLook(NOW, frozenset({"ann"}))


def thread(count: int, text: str = "words") -> Thread:
    """Comments, latest first."""
    return tuple(Comment(n, 11, f"{text} {n}", author=ANN) for n in range(count, 0, -1))


def rows(said: Thread, *unfolded: int) -> Rows:
    """What is drawn of it."""
    return thread_rows(said, Order.LATEST, unfolded, ())


def plain(lines: list[Line]) -> list[str]:
    """Lines as text."""
    return ["".join(text for text, _ in line) for line in lines]


def laid_out() -> int:
    """How many comments were laid out so far."""
    return words.cache_info().misses


class ThreadApp(App[None]):
    """A thread and nothing else."""

    def __init__(self, said: Thread) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name
        self.view = ThreadView(LOOK)
        self.view.show(rows(said), LOOK, None)

    def compose(self) -> ComposeResult:
        yield self.view


@asynccontextmanager
async def shown(
    said: Thread, size: tuple[int, int] = (60, 12)
) -> AsyncIterator[tuple[ThreadApp, Pilot[None]]]:
    """The thread on a screen."""
    app = ThreadApp(said)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


async def test_of_a_thousand_comments_only_those_in_sight_are_laid_out() -> None:
    words.cache_clear()
    async with shown(thread(1000)) as (app, pilot):
        view = app.view
        assert laid_out() <= 6
        for _ in range(8):
            view.move(1)
        view.page(1)
        view.page(1)
        view.go_to(999)
        view.page(-1)
        await pilot.pause()
        assert laid_out() <= 25
        assert "words 3 " in screen_text(app)
        before = laid_out()
        view.move(-1)
        view.move(1)
        view.show(rows(thread(1000)), LOOK, view.rows[view.cursor].comment)
        assert laid_out() <= before + 2


async def test_the_cursor_stays_on_its_comment_and_where_it_was() -> None:
    said = thread(40)
    async with shown(said) as (app, pilot):
        view = app.view
        view.go_to(20)
        view.move(-1)
        await pilot.pause()
        here = view.rows[view.cursor].comment
        line = next(n for n, row in enumerate(screen_text(app).split("\n")) if "words 21" in row)
        news = (replace(said[0], id=77, text="news\nof\nmany lines"), *said)
        view.show(rows(news), LOOK, here, "loading")
        await pilot.pause()
        assert view.row is not None
        assert view.row.comment.id == here.id == 21
        assert "words 21" in screen_text(app).split("\n")[line]
        assert "loading" in screen_text(app).split("\n")[-1]
        view.show(rows(news[:3]), LOOK, here, "loading", note_first=True)
        await pilot.pause()
        assert view.cursor == 2
        assert "loading" in screen_text(app).split("\n")[0]
        assert "many lines" in screen_text(app)
        view.show((), LOOK, here)
        for move in (view.move, view.go_to, view.page):
            move(1)
        assert view.in_sight == (0, 0)


async def test_a_comment_taller_than_the_window_is_read_through() -> None:
    tall = Comment(50, 11, "\n".join(f"line {n}" for n in range(40)), author=ANN)
    async with shown((tall, *thread(5))) as (app, pilot):
        view = app.view
        seen: set[str] = set()
        for _ in range(9):
            await pilot.pause()
            seen |= set(screen_text(app).split())
            view.move(1)
            if view.cursor:
                break
        assert view.cursor == 1
        assert {str(n) for n in range(40)} <= seen
        view.move(-1)
        await pilot.pause()
        assert view.cursor == 0
        assert "line 0 " in screen_text(app)
        view.page(1)
        assert view.cursor == 0
        view.move(-1)
        view.move(-1)
        await pilot.pause()
        assert "Ann Keller" in screen_text(app)


async def test_the_mouse_scrolls_and_chooses_and_a_new_width_wraps_anew() -> None:
    async with shown(thread(30, "many words " * 8)) as (app, pilot):
        view = app.view
        await turn_wheel(pilot, view, 2)
        assert view.cursor == 0
        await pilot.click(ThreadView, offset=(5, 9))
        assert view.cursor == 3
        await turn_wheel(pilot, view, -1)
        before = laid_out()
        await pilot.resize_terminal(30, 12)
        await pilot.pause()
        assert laid_out() > before
        assert view.in_sight[0] <= 3 <= view.in_sight[1]


def test_every_line_of_a_row_fills_its_width_and_no_more() -> None:
    said = Comment(
        9, 11, "日本語 [b]words[/b] 🙂 https://example.test/" + "x" * 90, author=ANN,
        created_at=datetime(2026, 11, 20, 7, 0, tzinfo=UTC), edited=True, is_private=False,
        images=(CommentImage(1, "shot.png", size="34 KB"), CommentImage(-2, "")),
        replies=(Comment(10, 11, "again", parent_id=9),),
    )  # fmt: skip
    for width in (20, 40, 79, 200):
        for each in (said, replace(said, parent_id=3, author=None), replace(said, id=-5)):
            (row, *_) = thread_rows((each,), Order.LATEST, (), {9, 10})
            lines = RowFace(row, width, LOOK, is_current=width == 40).lines()
            assert {sum(cell_width(text) for text, _ in line) for line in lines} == {width}
    text = "\n".join(plain(RowFace(row, 79, LOOK, is_current=True).lines()))
    for sign in ("edited", "public", "1 reply", "1 unread", "▪ shot.png  34 KB", "↑ picture", "↑ "):
        assert sign in text


def test_when_it_was_written_stands_behind_the_name() -> None:
    for at, when in (
        (datetime(2026, 11, 20, 7, 0), "2h ago"),  # noqa: DTZ001
        (datetime(2026, 11, 12, 14, 0), "Thu 12 Nov 14:00"),  # noqa: DTZ001
        (datetime(2025, 1, 2, 8, 30), "Thu 2 Jan 2025 08:30"),  # noqa: DTZ001
    ):
        said = Comment(9, 11, "words", author=ANN, created_at=at.astimezone(), edited=True)
        (row,) = rows((said,))
        head = plain(RowFace(row, 79, LOOK, is_current=False).lines())[0]
        assert head.strip() == f"Ann Keller  {when}  edited"


def test_ways_up_and_down_meet() -> None:
    heights = [3, 1, 5, 2]

    def height(row: int) -> int:
        return heights[row]

    every = [LineSpot(row, line) for row, lines in enumerate(heights) for line in range(lines)]
    for index, spot in enumerate(every):
        assert down(LineSpot(0, 0), index, 4, height) == spot
        assert up(spot, index, height) == LineSpot(0, 0)
        assert up(LineSpot(4, 0), 11 - index, height) == spot
    assert up(LineSpot(1, 0), 9, height) == LineSpot(0, 0)
    assert down(LineSpot(3, 1), 5, 4, height) == LineSpot(4, 0)
    assert offset(LineSpot(2, 4), 3, 10, height) == 1
    assert offset(LineSpot(2, 4), 2, 10, height) == -4
    assert offset(LineSpot(2, 0), 1, 10, height) is None
    assert offset(LineSpot(0, 0), 3, 9, height) is None
