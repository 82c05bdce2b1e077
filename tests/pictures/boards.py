"""Boards to look at: as full as boards are at work, with plain titles.

`tests/fakes/boards.py` has the hostile ones.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from tests.fakes.boards import ANN, API, AUTH, BUG, COLOUR, JON, MIRA, NOW, task
from tui.model.board import Board, BoardType, BoardView, Stage
from tui.model.lane import Tally
from tui.model.task import Priority, Status, Task

DESCRIPTION = (
    "<p>Who signs in through the company's provider is sent to the <b>start page</b>, "
    "wherever they came from. The address they wanted is lost between "
    "<code>/sso/start</code> and <code>/sso/callback</code>.</p>"
    "<h3>Done when</h3>"
    "<ul><li>the wanted address survives the round trip,</li>"
    "<li>only addresses of our own are followed,</li>"
    "<li>a link from a mail opens the task it names.</li></ul>"
    '<p>How it came up: <a href="https://example.org/reports/412">the report</a> and '
    '<a href="https://example.org/notes/sso">the notes of the call</a>.</p>'
)


def on_the_wall(days: int, hour: int = 9) -> datetime:
    """An aware time so many days ago at this hour of the local wall clock.

    Told so, it reads the same in every time zone.
    """
    day = NOW - timedelta(days=days)
    return day.replace(hour=hour).astimezone().astimezone(UTC)


def launch() -> BoardView:
    """A team's board in the middle of a week's work."""
    stages = ("Backlog", "Doing", "Review", "Done")
    return BoardView(
        Board(
            1,
            "Website relaunch",
            people=(ANN, MIRA, JON),
            viewers=frozenset({JON.id}),
            managers=frozenset({ANN.id}),
        ),
        tuple(
            Stage(i, 1, title, float(i), Status.CLOSED if title == "Done" else Status.OPEN)
            for i, title in enumerate(stages, 1)
        ),
        {1: _backlog(), 2: _doing(), 3: _review(), 4: _done()},
        labels=(BUG, AUTH, API, COLOUR),
        people=(ANN, MIRA, JON),
        pending=frozenset({403}),
    )


def boards() -> tuple[Board, ...]:
    """The boards of a team, one of them archived."""

    def board(number: int, title: str, done: int, total: int, days: int, *people: int) -> Board:
        members = tuple((ANN, MIRA, JON)[index] for index in people)
        return Board(
            number, title, tasks_count=total, completed_count=done,
            created_at=on_the_wall(days), people=members,
        )  # fmt: skip

    return (
        replace(board(9, "Mobile app", 4, 31, 0, 1), type=BoardType.ROADMAP),
        board(8, "Support", 118, 124, 12, 2, 0),
        board(6, "Moving to the new data centre, floor by floor", 12, 12, 90, 0, 1, 2),
        board(5, "Reading list", 0, 0, 120, 1),
        replace(
            board(3, "Spring campaign", 40, 52, 260, 0),
            archived_at=datetime(2026, 8, 3, tzinfo=UTC),
        ),
    )


def tallies() -> dict[int, Tally]:
    """What their cards need; nobody has read the last one lately."""
    late = NOW - timedelta(days=2)
    return {9: Tally(27, 1, [late]), 8: Tally(6, 0, [late, late]), 6: Tally(0, 0, [])}


def seen() -> dict[int, int]:
    """When the user left them last."""
    hours = {9: 2, 8: 30, 6: 24 * 20}
    return {number: int((NOW - timedelta(hours=ago)).timestamp()) for number, ago in hours.items()}


def _day(day: int, hour: int = 17) -> datetime:
    return NOW.replace(day=day, hour=hour)


def _backlog() -> tuple[Task, ...]:
    return (
        task(
            412, "Fix login redirect after SSO", labels=(BUG, AUTH), priority=Priority.HIGH,
            due_at=_day(18), subtasks_done=1, subtasks_total=4, comments_count=2,
            assignees=(ANN, JON), description=DESCRIPTION, created_at=on_the_wall(9),
        ),
        task(415, "Empty state for search", priority=Priority.MEDIUM, assignees=(JON,)),
        task(418, "Keyboard shortcuts for the calendar", labels=(COLOUR,), comments_count=1),
        task(421, "Say how long an export will take", labels=(API,), due_at=_day(27)),
        task(424, "Cache headers for the fonts", assignees=(MIRA,)),
        task(425, "Invoices as PDF, with the customer's own number", due_at=_day(30)),
        task(430, "Import from a CSV file with a preview of what will be made"),
        task(431, "Retire the old status page", labels=(BUG,), priority=Priority.MEDIUM),
        task(436, "Search by label", subtasks_total=3, assignees=(ANN, MIRA)),
        task(438, "A second mail address for each person", labels=(AUTH,)),
        task(440, "Sort members by name", comments_count=3),
        task(441, "Shorter links in mails"),
        task(442, "Count views of a page without cookies", assignees=(JON,)),
    )  # fmt: skip


def _doing() -> tuple[Task, ...]:
    return (
        task(
            398, "Rate-limit the public API", 2, labels=(API,), priority=Priority.HIGH,
            due_at=_day(20), subtasks_done=2, subtasks_total=5, comments_count=6,
            assignees=(MIRA, ANN),
        ),
        task(403, "Migrate the session store", 2, labels=(AUTH,), assignees=(JON,)),
        task(
            407, "Image upload: say why a file is refused", 2, priority=Priority.MEDIUM,
            comments_count=2,
        ),
        task(409, "Load test with last year's traffic", 2, assignees=(MIRA,), due_at=_day(23)),
    )  # fmt: skip


def _review() -> tuple[Task, ...]:
    return (
        task(377, "Document the retry policy", 3, comments_count=1, assignees=(JON,)),
        task(381, "Dark theme for mails", 3, labels=(COLOUR,), due_at=_day(21)),
        task(
            390, "Passwords: say what is missing", 3, labels=(AUTH, BUG), subtasks_done=4,
            subtasks_total=4, assignees=(ANN,),
        ),
    )  # fmt: skip


def _done() -> tuple[Task, ...]:
    return tuple(
        replace(each, status=Status.CLOSED)
        for each in (
            task(341, "Rotate the signing keys", 4, assignees=(ANN,), labels=(AUTH,)),
            task(352, "Upgrade the search index", 4, labels=(API,)),
            task(360, "Fewer queries on the start page", 4, comments_count=4, assignees=(JON,)),
            task(364, "Names with an apostrophe", 4, labels=(BUG,)),
            task(371, "Backups are tried every Monday", 4, assignees=(MIRA,)),
        )
    )
