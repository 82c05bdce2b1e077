"""Two boards of a team with what happened there, looked at on a Monday morning."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tui.model.board import Board, BoardView, Stage
from tui.model.events.history import BoardHistory, Event, EventKind
from tui.model.standup.report import BoardSource, Standup, standup
from tui.model.standup.window import WorkingDays
from tui.model.task import Label, Person, Priority, Status, Task

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 9, 8, 45, tzinfo=BERLIN)
SINCE = WorkingDays().since(NOW)
LONG_AGO = datetime(2026, 10, 1, tzinfo=UTC)
ANN = Person(1, "Ann Lee", "ann")
BOB = Person(2, "Bob Ray", "bob")
EVE = Person(3, "Eve Moss", "eve")
VIC = Person(4, "Vic Hall", "vic")
BLOCKED = Label(1, "Blocked")


def at(text: str) -> datetime:
    """A time in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def task(number: int, title: str, stage: int, *people: Person, **values: object) -> Task:
    """A task of the board that the stage is of; created long ago."""
    given = {"created_at": LONG_AGO, **values}
    return Task(number, stage // 10, stage, title, assignees=people, **given)  # type: ignore[arg-type]  # named by the caller


def stages(board: int, *titles: str) -> tuple[Stage, ...]:
    """The stages of a board; the last one closes cards."""
    return tuple(
        Stage(
            10 * board + index,
            board,
            title,
            default_status=Status.CLOSED if index == len(titles) - 1 else Status.OPEN,
            limit=1 if title == "Review" else None,
        )
        for index, title in enumerate(titles)
    )


def _event(task_id: int, kind: EventKind, when: str, by: Person | None, **values: object) -> Event:
    return Event(task_id // 100, task_id, kind, at(when), by, **values)  # type: ignore[arg-type]  # named by the caller


def website() -> BoardSource:
    """A board with a case of everything."""
    board = Board(1, "Website", people=(ANN, BOB, EVE, VIC), viewers=frozenset({4}))
    backlog = (
        task(101, "Buy *stars*", 10),
        task(102, "Pay the bill", 10, ANN, due_at=datetime(2026, 11, 11, 17)),  # noqa: DTZ001
        task(103, "Overdue here", 10, BOB, due_at=datetime(2026, 11, 7, 17)),  # noqa: DTZ001
        task(104, "Just made", 10, EVE, created_at=at("2026-11-07 10:00")),
        task(105, "Closed in place", 10, status=Status.CLOSED),
    )
    doing = (
        task(111, "Fresh", 11, ANN, BOB, subtasks_done=4, subtasks_total=7),
        task(112, "Seen for long", 11, ANN, priority=Priority.HIGH),
        task(113, "Nobody's", 11),
    )
    review = (
        task(121, "For the viewer", 12, VIC, priority=Priority.MEDIUM),
        task(122, "Waits", 12, BOB, labels=(BLOCKED,), due_at=datetime(2026, 11, 7, 17)),  # noqa: DTZ001
    )
    done = (task(131, "Finished", 13, ANN, status=Status.CLOSED),)
    made = (
        _event(111, EventKind.MOVED, "2026-10-10 10:00", ANN, old="Doing", new="Backlog"),
        _event(122, EventKind.COMMENTED, "2026-11-02 10:00", BOB, new="Blocked: the DNS\nreally"),
        _event(122, EventKind.COMMENTED, "2026-11-02 11:00", BOB, new="Still."),
        _event(122, EventKind.MOVED, "2026-11-03 09:00", BOB, old="Doing", new="Review"),
        _event(131, EventKind.CLOSED, "2026-11-06 11:00", BOB),
        _event(131, EventKind.REOPENED, "2026-11-06 12:00", BOB),
        _event(131, EventKind.MOVED, "2026-11-06 13:00", BOB, old="Doing", new="Review"),
        _event(131, EventKind.CLOSED, "2026-11-06 13:05", EVE),
        _event(131, EventKind.MOVED, "2026-11-06 13:05", EVE, old="Review", new="Done"),
        _event(141, EventKind.CLOSED, "2026-11-06 14:00", None, is_observed=True),
        _event(121, EventKind.MOVED, "2026-11-06 15:00", BOB, old="Review", new="Doing"),
        _event(121, EventKind.MOVED, "2026-11-06 15:01", BOB, old="Doing", new="Review"),
        _event(104, EventKind.CREATED, "2026-11-07 10:00", EVE),
        _event(111, EventKind.MOVED, "2026-11-09 07:00", ANN, old="Backlog", new="Doing"),
        _event(122, EventKind.COMMENTED, "2026-11-09 07:30", BOB, new="Tomorrow, they say"),
    )
    tasks = {10: backlog, 11: doing, 12: review, 13: done}
    view = BoardView(
        board, stages(1, "Backlog", "Doing", "Review", "Done"), tasks, people=board.people
    )
    history = BoardHistory(
        1, made, LONG_AGO, at("2026-11-09 07:44"), seen_since={112: at("2026-11-02 08:00")}
    )
    archived = (
        task(141, "Put away", 13, status=Status.CLOSED, archived_at=at("2026-11-07 10:00")),
        task(142, "Given up", 11, BOB, archived_at=at("2026-11-07 10:00")),
    )
    return BoardSource(view, history, archived)


def platform() -> BoardSource:
    """A small board, whose log was read long ago and not far back."""
    board = Board(2, "Platform", people=(ANN, EVE))
    tasks = {20: (task(201, "First of the queue", 20, EVE), task(202, "Second", 20, EVE))}
    view = BoardView(board, stages(2, "Queue", "Building", "Shipped"), tasks, people=board.people)
    history = BoardHistory(2, (), at("2026-11-07 09:00"), at("2026-11-09 07:30"))
    return BoardSource(view, history)


def both() -> Standup:
    """The standup of both boards."""
    return standup([website(), platform()], NOW, SINCE)
