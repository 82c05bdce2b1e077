"""Boards for tests and pictures: small enough to reason about, real enough to look at."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime
from itertools import chain

from tui.model.board import Board, BoardView, Stage
from tui.model.detail import TaskDetail
from tui.model.lane import Lane
from tui.model.task import Label, Person, Priority, Status, Task
from tui.store.cache.cards import CardCache
from tui.store.cache.schema import MIGRATIONS

NOW = datetime(2026, 11, 20, 9, 0)  # noqa: DTZ001 (wall-clock time, as due dates are)
BUG = Label(1, "bug", "#f87168")
AUTH = Label(2, "auth", "#579dff")
API = Label(3, "api", "#4bce97")
COLOUR = Label(4, "", "#9f8fef")
ANN = Person(1, "Ann Keller", "ann")
MIRA = Person(2, "Mira Novak", "mira")
JON = Person(3, "Jon Reyes", "jon")


def task(number: int, title: str, stage: int = 1, **values: object) -> Task:
    """A task of board 1."""
    return Task(number, 1, stage, title, **values)  # type: ignore[arg-type]  # named by the caller


def packed(tasks: Iterable[Task]) -> Lane:
    """These tasks of one stage as they are read from a cache, in order and packed."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in chain.from_iterable(MIGRATIONS):
            connection.execute(statement)
        cards = CardCache(connection)
        cards.put({task.id: task for task in tasks}, seen_at="")
        (lane,) = cards.lanes(1).values()
    return lane


def titles_of(view: BoardView) -> list[list[str]]:
    """The titles of the cards, stage by stage."""
    return [[task.title for task in view.in_stage(stage.id)] for stage in view.stages]


def small() -> BoardView:
    """Three stages: a, b, c in the first; d, e in the second; the third closes and is empty."""
    return BoardView(
        Board(1, "Small"),
        (Stage(1, 1, "To do"), Stage(2, 1, "Doing"), Stage(3, 1, "Done", 0.0, Status.CLOSED)),
        {
            1: (task(11, "a"), task(12, "b"), task(13, "c")),
            2: (task(21, "d", 2), task(22, "e", 2)),
            3: (),
        },
    )


def bare_details(view: BoardView) -> tuple[TaskDetail, ...]:
    """The tasks of a board as they are opened: read, with nothing around them."""
    return tuple(TaskDetail(each, groups=(), comments=()) for each in view.all_tasks())


def relaunch() -> BoardView:
    """The board of the pictures."""
    stages = ("Backlog", "Doing", "Review", "Done")
    return BoardView(
        Board(1, "Website relaunch", people=(ANN, MIRA, JON)),
        tuple(
            Stage(i, 1, title, float(i), Status.CLOSED if title == "Done" else Status.OPEN)
            for i, title in enumerate(stages, 1)
        ),
        {1: _backlog(), 2: _doing(), 3: _review(), 4: _done()},
        labels=(BUG, AUTH, API, COLOUR),
        people=(ANN, MIRA, JON),
        pending=frozenset({403}),
    )


def _day(day: int, hour: int = 17) -> datetime:
    return datetime(2026, 11, day, hour)  # noqa: DTZ001 (wall-clock time)


def _backlog() -> tuple[Task, ...]:
    return (
        task(
            412, "Fix login redirect after SSO", labels=(BUG, AUTH), priority=Priority.HIGH,
            due_at=_day(18), subtasks_done=1, subtasks_total=4, comments_count=2, assignees=(ANN,),
        ),
        task(415, "Empty state for search", priority=Priority.MEDIUM, assignees=(JON,)),
        task(418, "Keyboard shortcuts for the calendar", labels=(COLOUR,), comments_count=1),
        task(421, "日本語のタイトルもきちんと切る 🙂 with a long tail that is cut", labels=(API,)),
        task(425, "Titles with [brackets] and [/b] stay as they are", due_at=_day(27)),
        task(430, "Import from a CSV file with a preview of what will be made"),
    )  # fmt: skip


def _doing() -> tuple[Task, ...]:
    return (
        task(
            398, "Rate-limit the public API", 2, labels=(API,), priority=Priority.HIGH,
            due_at=_day(20), subtasks_done=2, subtasks_total=5, comments_count=6,
            assignees=(MIRA, ANN),
        ),
        task(403, "Migrate the session store", 2, labels=(AUTH,), assignees=(JON,)),
        task(407, "Image upload: say why a file is refused", 2, priority=Priority.MEDIUM),
    )  # fmt: skip


def _review() -> tuple[Task, ...]:
    return (
        task(377, "Document the retry policy", 3, comments_count=1, assignees=(JON,)),
        task(381, "Dark theme for mails", 3, labels=(COLOUR,), due_at=_day(21)),
    )


def _done() -> tuple[Task, ...]:
    return (
        task(341, "Rotate the signing keys", 4, status=Status.CLOSED, assignees=(ANN,)),
        task(352, "Upgrade the search index", 4, status=Status.CLOSED, labels=(API,)),
    )
