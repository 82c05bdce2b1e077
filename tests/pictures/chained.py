"""The board of the pictures with cards that wait for each other, or that agents work on."""

from dataclasses import replace
from datetime import timedelta

from tests.fakes.boards import ANN, JON, NOW, relaunch
from tests.fakes.store import FakeStore
from tui.model.blocked_by import Blocker
from tui.model.board import BoardView
from tui.model.comment import Comment
from tui.model.detail import TaskDetail
from tui.model.find import Found, Thing
from tui.model.people import Account
from tui.model.task import Label, Task
from tui.text.dates import LocalZone

CODEX, AIDER = Label(31, "◇ codex", "#579dff"), Label(32, "◇ aider", "#4bce97")


def card(view: BoardView, number: int) -> Task:
    """The card with this number."""
    task = view.task(number)
    assert task is not None, f"#{number} is not on the board"
    return task


def blocked() -> FakeStore:
    """#403 waits for #412, and #407 for #403; seen by Ann."""
    view = replace(relaunch(), pending=frozenset())
    for number, blocker in ((403, 412), (407, 403)):
        view = view.with_task(replace(card(view, number), blockers=(Blocker(blocker),)))
    store = FakeStore(view)
    store.me = Account(ANN.login, ANN.id)
    stages = {stage.id: stage.title for stage in view.stages}
    store.found = tuple(
        Found(Thing.CARD, task.id, task.title, 1, view.board.title, stages[task.stage_id or 0])
        for task in view.all_tasks()
    )
    return store


def with_agents(minutes: int = 4) -> BoardView:
    """Codex has #403, as it said so many minutes ago, and aider #398."""
    view = replace(relaunch(), labels=(*relaunch().labels, CODEX, AIDER), pending=frozenset())
    at = (NOW - timedelta(minutes=minutes)).replace(tzinfo=LocalZone())
    for number, label in ((403, CODEX), (398, AIDER)):
        task = card(view, number)
        labels = (*task.labels, label)
        view = view.with_task(replace(task, labels=labels, updated_at=at))
    return view


def agents(minutes: int = 4) -> FakeStore:
    """That board, and what codex said on its card; seen by Jon."""
    view = with_agents(minutes)
    said = Comment(1, 403, "◇ codex: tests green, [b]3[/b] files\nand more", author=JON)
    store = FakeStore(view, details=[TaskDetail(card(view, 403), comments=(said,))])
    store.me = Account(JON.login, JON.id)
    return store
