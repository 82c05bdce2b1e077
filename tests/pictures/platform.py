"""The boards of the design: a team of six in the middle of a week, all that a card can show."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.fakes.boards import task
from tests.fakes.store import FakeStore
from tui.config.preferences import ALL_BOARDS, SEEN, STANDUP_BOARDS, Preferences
from tui.config.stage_settings import LIMITS
from tui.model.board import Board, BoardView, Stage
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.lane import Tally
from tui.model.people import Account
from tui.model.task import Label, Person, Priority, Status, Task
from tui.store.events import SyncStatus

MONDAY = datetime(2026, 11, 23, 9, 0)  # noqa: DTZ001 (wall-clock time, as due dates are)
PLATFORM, MOBILE = 1, 2

_NAMES = (
    "Ann Berger", "Bob Okafor", "Cora Lindqvist", "Dimitri Ionescu", "Emeka Nwosu", "Fatima Rahal",
)  # fmt: skip
TEAM = {
    name[:2].upper(): Person(number, name, name.split()[0].casefold())
    for number, name in enumerate(_NAMES, 1)
}
INVITED = Person(7, "jürgen@example.org")
_COLORS = {
    "bug": "#f0626b",
    "api": "#6aa5ff",
    "infra": "#56c288",
    "auth": "#f09a59",
    "docs": "#b48cf2",
    "Größeres Thema": "#e5c453",
    "bugs": "#f0626b",
    "漢字": "#6aa5ff",
    "blocked": "#f0626b",
    "sync": "#56c288",
    "ux": "#b48cf2",
}
_LABELS = {
    title: Label(number, title, color) for number, (title, color) in enumerate(_COLORS.items(), 1)
}
_OF_PLATFORM = tuple(_LABELS.values())[:9]


def at(days: int, time: str = "09:00") -> datetime:
    """So many days after the Monday of the pictures, as an aware time."""
    hour, minute = map(int, time.split(":"))
    day = MONDAY + timedelta(days=days)
    return day.replace(hour=hour, minute=minute).astimezone().astimezone(UTC)


def _card(number: int, title: str, who: str = "", labels: str = "", **values: Any) -> Task:
    """A card; `days` is when it is due, `old` how many days ago it was made."""
    days, old = values.pop("days", None), values.pop("old", None)
    if days is not None:
        values["due_at"] = (MONDAY + timedelta(days=days)).replace(hour=17)
    if old is not None:
        values["created_at"] = at(-old)
    if values.pop("is_high", False):
        values["priority"] = Priority.HIGH
    people = tuple(TEAM[initials] for initials in who.split())
    chosen = tuple(_LABELS[label] for label in labels.split())
    return task(number, title, 0, assignees=people, labels=chosen, **values)


def _on_platform() -> dict[str, tuple[Task, ...]]:
    closed = Status.CLOSED
    return {
        "Ideas": tuple(_card(37 + number, "Idea") for number in range(5)),
        "Backlog": (
            _card(7, "Document the permission model for partners", "CO", "docs blocked",
                  comments_count=1),
            _card(10, "Audit log export as CSV", "DI", "api"),
            _card(11, "Search: label filter ignores archived boards", "BO", "bug", old=11),
            _card(12, "Flaky test: test_reconnect_twice", "", "bug infra"),
            _card(14, "🚀 Release notes 2.14", "FA", "docs", days=2),
            _card(15, "Delete accounts after 30 days of inactivity (GDPR)", "CO", "auth", days=5,
                  is_high=True, old=21),
            _card(16, "Alert on certificate expiry", "EM", "infra"),
            _card(17, "Split the monolith’s billing module", "", "api"),
            _card(18, "Rework onboarding e-mails", "FA"),
            _card(21, "Bulk archive endpoint", "DI"),
            _card(22, "Dashboards for p95 latency", "EM"),
            _card(23, "Rotate TLS tickets", "BO"),
            _card(24, "Größe der Anhänge begrenzen", "DI", old=6),
            _card(25, "Slow query in activity feed", "BO"),
        ),
        "In Progress": (
            _card(1, "Fix login redirect loop after SSO", "AN", "bug auth", days=-4, is_high=True,
                  comments_count=3),
            _card(4, "Rotate signing keys without downtime", "CO EM", "infra", days=10),
            _card(9, "Postgres 17 upgrade: rehearse on staging, write the rollback, tell support",
                  "AN", "infra", days=14, comments_count=1, subtasks_done=2, subtasks_total=5),
            _card(19, "Health check should fail when the queue is stuck", "EM", "bug",
                  is_high=True, comments_count=1),
            _card(3, "Session store leaks file handles under load", "BO", "bug", days=4,
                  is_high=True, created_at=at(0, "05:00")),
            _card(26, "Invite links expire too early", "FA", "auth", old=2),
        ),
        "Review": (
            _card(2, "Rate limits for the public API", "BO", "api", is_high=True,
                  comments_count=1),
            _card(6, "Retry webhooks with exponential backoff", "", "api", comments_count=4),
        ),
        "Testing": (),
        "Done": (
            _card(8, "Move CI to the new runners", "EM", status=closed),
            _card(20, "E-mail digest: wrong time zone in summer", "AN", status=closed,
                  comments_count=2),
            _card(5, "Import of 漢字 and größer umlaut file names", "CO", "bug", status=closed),
            _card(27, "Cache headers for static assets", "DI", status=closed),
        ),
        "Released": (),
        "Won’t do": (),
    }  # fmt: skip


def _on_mobile() -> dict[str, tuple[Task, ...]]:
    return {
        "Ideas": (
            _card(29, "Offline drafts: conflict wording", "AN", "sync", days=7, old=12),
            _card(34, "Beta feedback form", "AN", "ux", old=20),
            _card(46, "Talk: what we learned from the SSO outage", "AN", days=2, old=6),
            _card(52, "Login mit Passkeys (größere Geräte zuerst)", "DI", "", old=9),
            _card(53, "Swipe between boards", old=30),
            _card(54, "Widget for the cards of today", old=31),
        ),
        "Doing": (
            _card(33, "Push notifications on iOS 19", "DI", "blocked", days=2, comments_count=2),
            _card(35, "Offline drafts", "FA"),
            _card(36, "Startzeit halbieren (Größe der Bündel)", "EM", old=1),
            _card(44, "Beta-Rückmeldungen sichten (Größe, Töne, 漢字)", "AN", days=0, old=1),
        ),
        "Review": (
            _card(31, "Dark mode: Android status bar unreadable", "FA", "bug",
                  due_at=MONDAY - timedelta(hours=25)),
        ),
        "Done": (),
    }  # fmt: skip


def _view(number: int, title: str, cards: dict[str, tuple[Task, ...]], done: int = 0) -> BoardView:
    """A board of the team with its cards by stage; so many more are done."""
    opened = sum(not card.is_closed for lane in cards.values() for card in lane)
    ids = {title: 10 * number - 9 + place for place, title in enumerate(cards)}
    return BoardView(
        Board(
            number,
            title,
            people=tuple(TEAM.values()),
            managers=frozenset({TEAM["AN"].id}),
            viewers=frozenset({TEAM["FA"].id}),
            tasks_count=opened + done,
            completed_count=done,
            created_at=at(-200),
        ),
        tuple(
            Stage(ids[stage], number, stage, float(ids[stage]), _status(stage)) for stage in cards
        ),
        {
            ids[stage]: tuple(
                replace(card, board_id=number, stage_id=ids[stage]) for card in cards[stage]
            )
            for stage in cards
        },
        labels=_OF_PLATFORM if number == PLATFORM else tuple(_LABELS.values()),
        people=tuple(TEAM.values()),
    )


def _status(stage: str) -> Status:
    return Status.CLOSED if stage == "Done" else Status.OPEN


def view() -> BoardView:
    """The board of most pictures."""
    platform = _view(PLATFORM, "Platform", _on_platform(), done=12)
    return replace(platform, pending=frozenset({9}))


def store(*views: BoardView) -> FakeStore:
    """These boards in the cache of Ann, four of whose cards others changed; else Platform alone."""
    kept = FakeStore(*(views or (view(),)))
    kept.me = Account("ann", TEAM["AN"].id)
    kept.now = SyncStatus(checked_at=MONDAY.astimezone())
    kept.marks = {number: RemoteChange(number, ChangeKind.COMMENTED) for number in (15, 1, 2, 5)}
    return kept


class _OfEachBoard(FakeStore):
    """A store that knows on which board a changed card is."""

    def changed_by_others(self, board_id: int) -> dict[int, RemoteChange]:
        view = self.views.get(board_id)
        ids = () if view is None else [task.id for task in view.among(self.marks)]
        return {task_id: self.marks[task_id] for task_id in ids}


def all_boards() -> FakeStore:
    """Both boards of the team, the boards of others, and two that are archived."""
    kept = _OfEachBoard(view(), mobile())
    kept.me, kept.now = Account("ann", TEAM["AN"].id), SyncStatus(checked_at=MONDAY.astimezone())
    changed = (15, 1, 2, 5, 31, 33, 44)
    kept.marks = {number: RemoteChange(number, ChangeKind.COMMENTED) for number in changed}
    friday = MONDAY - timedelta(days=3)
    kept.tallies = {
        3: Tally(20, 0, [friday, friday]),
        4: Tally(12, 1, []),
        5: Tally(5, 0, [MONDAY + timedelta(days=30)]),
        6: Tally(18, 0, []),
    }
    counts = {
        "Website relaunch": (80, 20),
        "Design system: tokens, icons and components": (28, 12),
        "On-call & incidents": (45, 5),
        "Umzug Büro München": (2, 18),
        "Spring campaign": (40, 0),
        "Old intranet": (12, 3),
    }
    kept.others = tuple(
        Board(
            number,
            title,
            tasks_count=done + opened,
            completed_count=done,
            people=tuple(TEAM.values())[: number % 4 + 1],
            created_at=at(-90),
            archived_at=at(-30) if number > MOBILE + 4 else None,
        )
        for number, (title, (done, opened)) in enumerate(counts.items(), MOBILE + 1)
    )
    return kept


def mobile() -> BoardView:
    """The other board of the team."""
    return _view(MOBILE, "Mobile app", _on_mobile(), done=7)


def without_cards() -> FakeStore:
    """A new board with four stages."""
    stages = ("Backlog", "In Progress", "Review", "Done")
    kept = store(_view(PLATFORM, "Platform", dict.fromkeys(stages, ())))
    kept.marks = {}
    return kept


def preferences() -> Preferences:
    """The first column folded, limits on three others, folders, and boards for the standup."""
    kept = Preferences()
    kept.keep(PLATFORM, collapsed=frozenset({1}), **{LIMITS: {3: 5, 4: 3}})
    kept.keep(MOBILE, **{LIMITS: {12: 4}})
    folders = [[1, "Product", [3, 4]], [2, "Operations", [5, 6]], [3, "Kunden & Größeres", []]]
    kept.keep(
        ALL_BOARDS,
        folders=json.dumps(folders),
        pinned=frozenset({PLATFORM, MOBILE}),
    )
    ago = {PLATFORM: 0, MOBILE: 2, 3: 7, 4: 3 * 24, 5: 11 * 24, 6: 21 * 24}
    seen = {board: MONDAY - timedelta(hours=hours) for board, hours in ago.items()}
    kept.keep(ALL_BOARDS, **{SEEN: {board: int(when.timestamp()) for board, when in seen.items()}})
    kept.keep(ALL_BOARDS, **{STANDUP_BOARDS: frozenset({PLATFORM, MOBILE})})
    topics = ["Who answers Apple?", "Staging is full again"]
    kept.keep(ALL_BOARDS, **{"standup-topics": topics})
    return kept
