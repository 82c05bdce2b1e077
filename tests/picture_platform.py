"""The board of the design: a team of six in the middle of a week, with all that a card can show."""

from datetime import datetime, timedelta
from typing import Any

from tests.boards import task
from tests.fake_store import FakeStore
from tui.config.preferences import LIMITS, Preferences
from tui.model.board import Board, BoardView, Stage
from tui.model.people import Account
from tui.model.remote_changes import ChangeKind, RemoteChange
from tui.model.task import Label, Person, Priority, Status, Task
from tui.store.events import SyncStatus

MONDAY = datetime(2026, 11, 23, 9, 0)  # noqa: DTZ001 (wall-clock time, as due dates are)

_STAGES = ("Ideas", "Backlog", "In Progress", "Review", "Testing", "Done", "Released", "Won’t do")
_TEAM = {
    initials: Person(number, name, name.split()[0].casefold())
    for number, (initials, name) in enumerate(
        (
            ("AN", "Ann Nwosu"),
            ("BO", "Bob Okafor"),
            ("CO", "Cora Olsen"),
            ("DI", "Dimitri Ionescu"),
            ("EM", "Emeka Mbeki"),
            ("FA", "Fatima Amari"),
        ),
        1,
    )
}
_LABELS = {
    title: Label(number, title, color)
    for number, (title, color) in enumerate(
        {
            "bug": "#f0626b",
            "api": "#6aa5ff",
            "infra": "#56c288",
            "auth": "#f09a59",
            "docs": "#b48cf2",
            "blocked": "#f0626b",
        }.items(),
        1,
    )
}


def _card(number: int, title: str, who: str = "", labels: str = "", **values: Any) -> Task:
    """A card; `days` is when it is due, `done` how many of its subtasks are."""
    days = values.pop("days", None)
    if days is not None:
        values["due_at"] = (MONDAY + timedelta(days=days)).replace(hour=17)
    if values.pop("is_high", False):
        values["priority"] = Priority.HIGH
    people = tuple(_TEAM[initials] for initials in who.split())
    chosen = tuple(_LABELS[label] for label in labels.split())
    return task(number, title, assignees=people, labels=chosen, **values)


def _cards() -> tuple[tuple[Task, ...], ...]:
    closed = Status.CLOSED
    return (
        tuple(_card(40 + number, "Idea") for number in range(5)),
        (
            _card(7, "Document the permission model for partners", "CO", "docs blocked",
                  comments_count=1),
            _card(10, "Audit log export as CSV", "DI", "api"),
            _card(11, "Search: label filter ignores archived boards", "BO", "bug"),
            _card(12, "Flaky test: test_reconnect_twice", "", "bug infra"),
            _card(14, "🚀 Release notes 2.14", "FA", "docs", days=2),
            _card(15, "Delete accounts after 30 days of inactivity (GDPR)", "CO", "auth", days=5,
                  is_high=True),
            _card(16, "Alert on certificate expiry", "EM", "infra"),
            _card(17, "Split the monolith’s billing module", "", "api"),
            _card(18, "Rework onboarding e-mails", "FA"),
            _card(21, "Bulk archive endpoint", "DI"),
            _card(22, "Dashboards for p95 latency", "EM"),
            _card(23, "Rotate TLS tickets", "BO"),
            _card(24, "Größe der Anhänge begrenzen", "DI"),
            _card(25, "Slow query in activity feed", "BO"),
        ),
        (
            _card(1, "Fix login redirect loop after SSO", "AN", "bug auth", days=-4, is_high=True,
                  comments_count=3),
            _card(4, "Rotate signing keys without downtime", "CO EM", "infra", days=10),
            _card(9, "Postgres 17 upgrade: rehearse on staging, write the rollback, tell support",
                  "AN", "infra", days=14, comments_count=1, subtasks_done=2, subtasks_total=5),
            _card(19, "Health check should fail when the queue is stuck", "EM", "bug",
                  is_high=True, comments_count=1),
            _card(3, "Session store leaks file handles under load", "BO", "bug", days=2,
                  is_high=True),
            _card(26, "Invite links expire too early", "FA", "auth"),
        ),
        (
            _card(2, "Rate limits for the public API", "BO", "api", is_high=True,
                  comments_count=1),
            _card(6, "Retry webhooks with exponential backoff", "", "api", comments_count=4),
        ),
        (),
        (
            _card(8, "Move CI to the new runners", "EM", status=closed),
            _card(20, "E-mail digest: wrong time zone in summer", "AN", status=closed,
                  comments_count=2),
            _card(5, "Import of 漢字 and größer umlaut file names", "CO", "bug", status=closed),
            _card(27, "Cache headers for static assets", "DI", status=closed),
        ),
        (),
        (),
    )  # fmt: skip


def view() -> BoardView:
    """The board."""
    return BoardView(
        Board(1, "Platform", people=tuple(_TEAM.values())),
        tuple(
            Stage(i, 1, title, float(i), Status.CLOSED if title == "Done" else Status.OPEN)
            for i, title in enumerate(_STAGES, 1)
        ),
        dict(enumerate(_cards(), 1)),
        labels=tuple(_LABELS.values()),
        people=tuple(_TEAM.values()),
        pending=frozenset({9}),
    )


def store() -> FakeStore:
    """The board in the cache of Ann, four of whose cards others changed."""
    platform = FakeStore(view())
    platform.me = Account("ann", 1)
    platform.now = SyncStatus(checked_at=MONDAY.astimezone())
    platform.marks = {
        number: RemoteChange(number, ChangeKind.COMMENTED) for number in (15, 1, 2, 5)
    }
    return platform


def preferences() -> Preferences:
    """The first column folded, and limits on two others."""
    kept = Preferences()
    kept.keep(1, collapsed=frozenset({1}), **{LIMITS: {3: 5, 4: 3}})
    return kept
