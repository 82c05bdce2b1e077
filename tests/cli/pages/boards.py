"""Pages to look at: a board with hostile texts among others, a standup and insight."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, timedelta

from tests.fakes.boards import NOW, relaunch, task
from tests.pictures import insight as half_a_year
from tests.pictures.standup import store as two_boards
from tui.cli.pages.board import board_page
from tui.cli.pages.insight import insight_page
from tui.cli.pages.saved_view import view_page
from tui.cli.pages.standup import standup_page
from tui.model.board import BoardView
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.people import Account
from tui.model.standup.insight import insight
from tui.model.standup.report import BoardSource, standup
from tui.model.task import Label, Status
from tui.model.work.saved_view import SavedView, ViewColumn, ViewGroup
from tui.model.work.view_rows import view_rows

HOSTILE = (
    "<script>fetch('https://evil.example')</script>",
    "</style><style>*{background:url(https://evil.example/a.png)}",
    "\"><img src=x onerror='alert(1)'> &lt;b&gt; &#60;",
    "javascript:alert(1) \x1b[31mred\x00 \u202etxt.exe\u202c",
    "W" * 120,
)
DESCRIPTION = (
    "<h2>Steps</h2><p>Log in at <a href='https://app.example/login?a=1&b=2'>the start page</a>, or"
    " <a href='javascript:alert(1)'>here</a>.</p><ul><li>[x] one</li><li>[ ] two</li></ul>"
    "<img src='https://evil.example/seen.png' alt='the form'><script>alert(1)</script>"
    "<pre>if (a &lt; b) { " + "go(); " * 30 + "}</pre><table><tr><th>a</th><td>1</td></tr></table>"
)
LABELS = tuple(Label(90 + at, color, color) for at, color in enumerate(("#777", "#111111")))


def hostile_board() -> BoardView:
    """The board of the pictures, with a stage of hostile titles."""
    view = relaunch()
    stage = replace(view.stages[0], id=9, title=HOSTILE[0])
    cards = [task(900 + at, title, 9, labels=LABELS) for at, title in enumerate(HOSTILE)]
    return replace(
        view, stages=(*view.stages, stage), tasks={**view.tasks, 9: cards}
    )  # fmt: skip


def a_board() -> str:
    """The page of that board."""
    view = hostile_board()
    first = view.task(412)
    assert first is not None, "the card 412 is not on the board of `relaunch`"
    subtasks = (task(1, "Find it"), task(2, HOSTILE[0], status=Status.CLOSED))
    detail = TaskDetail(first, groups=(SubtaskGroup(1, "Steps", subtasks),))
    address = "https://boards.example/{board}/{id}"
    return board_page(view, {412: DESCRIPTION}, {412: detail}, NOW, address)


def a_standup() -> str:
    """The page of the standup of the pictures."""
    store, now = two_boards(), NOW.replace(tzinfo=UTC)
    sources = [BoardSource(view, store.histories[key]) for key, view in store.views.items()]
    return standup_page(standup(sources, now, now - timedelta(days=3)))


def an_insight() -> str:
    """The page of a board with half a year of history."""
    view, now = half_a_year.store().views[1], NOW.astimezone()
    return insight_page([insight(view, half_a_year.history(weeks=20), now, 8)])


def hostile_view(group: ViewGroup = ViewGroup.BOARD) -> str:
    """The page of a view of the hostile board, with all columns."""
    view = SavedView(HOSTILE[0], HOSTILE[1], group=group, columns=tuple(ViewColumn))
    board = replace(hostile_board().board, title=HOSTILE[2])
    rows = view_rows([replace(hostile_board(), board=board)], view, Account("ann"), NOW)
    return view_page(view, rows, NOW, "https://boards.example/{board}/{id}")


PAGES: Mapping[str, Callable[[], str]] = {
    "board": a_board,
    "standup": a_standup,
    "insight": an_insight,
    "view": hostile_view,
    "view by label": lambda: hostile_view(ViewGroup.LABEL),
}
"""All kinds of pages."""
