"""The standup of two boards to look at: finished, blocked, late and stale cards of three people."""

from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from tests.fakes.boards import ANN, JON, MIRA, NOW, task
from tests.fakes.store import FakeStore
from tests.pictures.boards import launch, on_the_wall
from tui.config.preferences import ALL_BOARDS, Preferences
from tui.model.board import Board, BoardView, Stage
from tui.model.events.history import BoardHistory, Event, EventKind
from tui.model.people import Account
from tui.model.task import Label, Person, Priority, Status, Task

SUPPORT = 8
BLOCKED = Label(9, "Blocked", "#c9372c")
EVE = Person(4, "Eve Hart", "eve")


def website() -> BoardView:
    """The board of the pictures, on which a card is blocked."""
    view = launch()
    waiting = view.task(407)
    assert waiting is not None, "the card 407 is not on the board of `launch`"
    view = view.with_task(replace(waiting, labels=(BLOCKED,), assignees=(MIRA,)))
    return replace(view, labels=(*view.labels, BLOCKED))


def support() -> BoardView:
    """A board with little on it."""
    stages = ("New", "Working", "Solved")

    def card(number: int, title: str, stage: int, **values: object) -> Task:
        return replace(task(number, title, stage, **values), board_id=SUPPORT)

    return BoardView(
        Board(SUPPORT, "Support", people=(ANN, JON, EVE)),
        tuple(
            Stage(80 + i, SUPPORT, title, float(i), Status.CLOSED if i > 2 else Status.OPEN)
            for i, title in enumerate(stages, 1)
        ),
        {
            81: (
                card(811, "Answer about invoices", 81, assignees=(JON,), due_at=_at(23)),
                card(812, "Ask for the log files", 81),
            ),
            82: (
                card(805, "Lost mails of a customer", 82, assignees=(ANN, JON), comments_count=3,
                     priority=Priority.HIGH),
                card(809, "Wrong totals in a report", 82, due_at=_at(19)),
            ),
            83: (
                card(801, "Password cannot be reset", 83, assignees=(JON,), status=Status.CLOSED),
            ),
        },
        people=(ANN, JON, EVE),
    )  # fmt: skip


def store(kind: type[FakeStore] = FakeStore) -> FakeStore:
    """Both boards, with what happened on them."""
    made = kind(website(), support())
    made.histories = {
        1: _history(
            1,
            _did(398, EventKind.MOVED, 8, 11, MIRA, old="Backlog", new="Doing"),
            _did(381, EventKind.MOVED, 3, 10, JON, old="Doing", new="Review"),
            _did(442, EventKind.CREATED, 1, 9, JON),
            _did(403, EventKind.MOVED, 1, 10, JON, old="Backlog", new="Doing"),
            _did(407, EventKind.COMMENTED, 1, 11, MIRA, new="Blocked: waiting for the design"),
            _did(390, EventKind.MOVED, 1, 14, ANN, old="Doing", new="Review"),
            _did(341, EventKind.MOVED, 1, 16, ANN, old="Review", new="Done"),
            _did(341, EventKind.CLOSED, 1, 16, ANN),
            _did(364, EventKind.CLOSED, 0, 8),
        ),
        SUPPORT: _history(
            SUPPORT,
            _did(809, EventKind.MOVED, 2, 12, JON, old="New", new="Working"),
            _did(801, EventKind.CLOSED, 1, 17, JON),
            _did(805, EventKind.COMMENTED, 0, 8, JON, new="The customer called again."),
        ),
    }
    return made


def of_ann() -> FakeStore:
    """The same for Ann, of whom a colleague asks something."""
    made = store()
    made.me = Account(ANN.login, ANN.id)
    history = made.histories[SUPPORT]
    asked = _did(809, EventKind.COMMENTED, 0, 8, JON, new="@ann which report was it?")
    made.histories[SUPPORT] = replace(history, events=(*history.events, asked))
    return made


def preferences() -> Preferences:
    """Both boards chosen, a limit of one stage, and a topic in the parking lot."""
    kept = Preferences()
    kept.keep(ALL_BOARDS, **{"standup-boards": frozenset({1, SUPPORT})})
    kept.keep(ALL_BOARDS, **{"standup-topics": ["Who goes to the fair?"]})
    kept.keep(1, limits={3: 2})
    return kept


def _history(board_id: int, *events: Event) -> BoardHistory:
    events = tuple(replace(event, board_id=board_id) for event in events)
    seen = {377: on_the_wall(12), 409: on_the_wall(4), 805: on_the_wall(2)}
    return BoardHistory(
        board_id, events, on_the_wall(30), on_the_wall(0), records_moves=True,
        seen_since=MappingProxyType(seen),
    )  # fmt: skip


def _did(
    task_id: int, kind: EventKind, days: int, hour: int, by: Person | None = None, **texts: str
) -> Event:
    event = Event(1, task_id, kind, on_the_wall(days, hour), by)
    return replace(event, **texts)  # type: ignore[arg-type]


def _at(day: int) -> datetime:
    return NOW.replace(day=day, hour=17)
