"""The board of the pictures of a timeline: cards of all kinds of dates, on a Saturday."""

from datetime import datetime, timedelta

from tests.fakes.boards import task
from tests.fakes.store import FakeStore
from tui.model.board import Board, BoardView, Stage
from tui.model.people import Account
from tui.model.task import Label, Person, Task
from tui.store.events import SyncStatus

SATURDAY = datetime(2026, 11, 28, 9, 0)  # noqa: DTZ001 (wall-clock time, as due dates are)
BLOCKED = Label(1, "Blocked", "#f0626b")
ANN, JON, MIRA = (
    Person(1, "Ann Keller", "ann"),
    Person(2, "Jon Reyes", "jon"),
    Person(3, "Mira Novak", "mira"),
)
_STAGES = ("Backlog", "Doing", "Review", "Waiting")


def _card(
    number: int,
    title: str,
    stage: int,
    days: tuple[int | None, int | None],
    *people: Person,
    is_blocked: bool = False,
) -> Task:
    start, due = (
        None if day is None else SATURDAY.replace(hour=17) + timedelta(days=day) for day in days
    )
    labels = (BLOCKED,) if is_blocked else ()
    return task(number, title, stage, started_at=start, due_at=due, assignees=people, labels=labels)


def _cards() -> tuple[Task, ...]:
    return (
        _card(412, "Fix login redirect after SSO", 1, (-9, -2), ANN, JON),
        _card(416, "Release notes for version 3", 1, (None, 17), ANN),
        _card(77, "Postgres 17 upgrade: rehearse, then migrate", 1, (3, 12), ANN),
        _card(425, "Invoices as PDF, with the customer’s own number", 1, (None, 2)),
        _card(424, "Cache headers for the fonts", 1, (5, 8), MIRA),
        _card(420, "New checkout, first version", 1, (9, 30), JON),
        _card(398, "Rate-limit the public API", 2, (-5, 0), MIRA, ANN),
        _card(403, "Migrate the session store", 2, (-4, 6), JON, is_blocked=True),
        _card(409, "Load test with last year’s traffic", 2, (2, 9), MIRA, is_blocked=True),
        _card(84, "Session store leaks file handles under load", 2, (0, 3), JON),
        _card(390, "Passwords: say what is missing", 3, (-4, 6), ANN),
        _card(377, "Document the retry policy", 3, (-10, 2), JON),
        _card(381, "Dark theme for e-mails", 3, (-3, 1)),
        _card(212, "Refund shown twice on the invoice", 4, (-6, -1), MIRA),
        _card(218, "Export fails for file names with umlauts", 4, (-1, 0), JON),
        _card(225, "Slow search on Monday mornings", 4, (None, 13), MIRA),
        *(_card(430 + number, f"Idea {number}", 1, (None, None)) for number in range(14)),
    )


def store() -> FakeStore:
    """The board, seen by Ann."""
    team, stages = (ANN, JON, MIRA), tuple(
        Stage(number, 1, title, float(number)) for number, title in enumerate(_STAGES, 1)
    )  # fmt: skip
    lanes = {
        stage.id: tuple(card for card in _cards() if card.stage_id == stage.id) for stage in stages
    }
    kept = FakeStore(
        BoardView(Board(1, "Website relaunch", people=team), stages, lanes, people=team)
    )
    kept.me = Account(ANN.login, ANN.id)
    kept.now = SyncStatus(checked_at=SATURDAY.astimezone())
    return kept
