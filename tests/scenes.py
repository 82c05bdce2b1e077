"""The program in states worth looking at, for pictures and for snapshots.

A scene looks the same on every machine, at every hour and in every time zone.
Its clock stands still, the service has always answered equally long ago, and no cursor blinks.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from os import environ
from typing import cast

from textual.pilot import Pilot
from textual.widgets import Input

from tests.fakes.boards import NOW, relaunch
from tests.fakes.store import FakeStore
from tests.pictures.boards import boards, launch, on_the_wall, seen, tallies
from tests.pictures.dated import SATURDAY, store as dated
from tests.pictures.insight import store as half_a_year
from tests.pictures.lists import list_service
from tests.pictures.standup import of_ann, preferences as of_standup, store as two_boards
from tests.pictures.tasks import OPENED, UNREAD, board, login_redirect, without_extras
from tests.screens.driving import Driver, connected
from tui.app import CallboardApp
from tui.config.preferences import ALL_BOARDS, Preferences
from tui.config.saved_views import ViewStore
from tui.config.settings import Settings
from tui.config.settings_writing import CurrentSettings
from tui.context import Context, Density
from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.events.history import BoardHistory, Event, EventKind
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.people import Account
from tui.model.task import Priority
from tui.model.work.saved_view import SavedView, ViewGroup, ViewSort
from tui.store.events import PendingChange, PendingState, SyncStatus, UndoNeedsConfirmation
from tui.store.operations import MoveTask, set_priority, set_title
from tui.store.operations.base import FieldDifference
from tui.theme import DEFAULT_THEME, LIGHT

LIFTED = ("enter", "2", "j", "j", "space", "j", "j")
LANED = ("g", "g", "space", "l", "j", "j")
LARGE, STANDARD, NARROW, HUGE = (120, 36), (80, 24), (40, 20), (200, 50)
_ON_TIMELINE = ("g", "d", "G", "k", "k", "k")


class StillStore(FakeStore):
    """A store whose news is always equally old, whatever the time is."""

    def __init__(
        self,
        *views: BoardView,
        status: SyncStatus | None = None,
        age: timedelta = timedelta(),
        details: Iterable[TaskDetail] = (),
    ) -> None:
        super().__init__(*views, details=details)
        self.now = status or SyncStatus()
        self._age = age

    def status(self, board_id: int | None = None) -> SyncStatus:
        return super().status(board_id)._replace(checked_at=datetime.now(UTC) - self._age)


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of the program: what it opens on, and the keys that lead there.

    `meanwhile` is what happens in the store after these keys.
    """

    name: str
    shows: str
    store: Callable[[], FakeStore]
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = LARGE
    board_id: int | None = 1
    density: Density = Density.ROOMY
    theme: str = DEFAULT_THEME
    preferences: Callable[[], Preferences] = Preferences
    now: datetime = NOW
    meanwhile: Callable[[FakeStore], None] | None = None
    is_plain: bool = False
    """Without colours, and in ASCII."""

    def app(self, *, colours: bool = True, ascii_only: bool = False) -> CallboardApp:
        """The program, not started yet."""
        settings = Settings(theme=self.theme, density=self.density)
        context = Context(
            self.store(), current=CurrentSettings(settings), preferences=self.preferences(),
            now=lambda: self.now, glance_seconds=3600.0,
        )  # fmt: skip
        ascii_only = ascii_only or self.is_plain
        with _colours(wanted=colours and not self.is_plain):
            return CallboardApp(
                context, connect=connected, board_id=self.board_id, ascii_only=ascii_only
            )

    @asynccontextmanager
    async def shown(self, size: tuple[int, int]) -> AsyncIterator[Driver]:
        """Somebody who sees it."""
        async with self.app().run_test(size=size) as pilot:
            await self.play(pilot)
            yield Driver(cast("CallboardApp", pilot.app), pilot)

    async def play(self, pilot: Pilot[None]) -> None:
        """Press the keys, and hold everything still."""
        await pilot.pause()
        for key in self.keys:
            await pilot.press(key)
            await pilot.pause()
        app = pilot.app
        if self.meanwhile is not None:
            assert isinstance(app, CallboardApp), f"{self.name} plays in {app}"
            store = app.context.store
            assert isinstance(store, FakeStore), f"`meanwhile` of {self.name} gets {store}"
            self.meanwhile(store)
        for field in app.screen.query(Input):
            field.cursor_blink = False
        await pilot.pause()


@contextmanager
def _colours(*, wanted: bool) -> Iterator[None]:
    """With or without `NO_COLOR`, which is read when an application is made."""
    before = environ.pop("NO_COLOR", None)
    if not wanted:
        environ["NO_COLOR"] = "1"
    try:
        yield
    finally:
        environ.pop("NO_COLOR", None)
        if before is not None:
            environ["NO_COLOR"] = before


def typed(text: str) -> tuple[str, ...]:
    """The keys that type a text."""
    return tuple({" ": "space", ":": "colon", "\n": "enter"}.get(letter, letter) for letter in text)


def _at_work() -> FakeStore:
    return StillStore(launch(), status=SyncStatus(pending=1))


def _by_date() -> FakeStore:
    store = StillStore(*dated().views.values())
    store.me = Account("ann", 1)
    return store


def _opened() -> FakeStore:
    """A task with everything around it, one comment of which nobody has read."""
    store = StillStore(board(), status=SyncStatus(pending=1), details=(login_redirect(),))
    store.unread = frozenset({UNREAD})
    move = Event(1, OPENED, EventKind.MOVED, on_the_wall(7, 12), old="Doing", new="Backlog")
    store.histories[1] = BoardHistory(1, (move,))
    return store


def _smaller_edition() -> FakeStore:
    """A service that offers neither custom fields nor activities."""
    detail = without_extras()
    return StillStore(board().with_task(detail.task), details=(detail,))


def _hostile() -> FakeStore:
    return StillStore(relaunch(), status=SyncStatus(pending=1))


def _empty() -> FakeStore:
    return StillStore(replace(relaunch(), tasks={}, pending=frozenset()))


def _cut_off() -> FakeStore:
    view = relaunch()
    everything = frozenset(each.id for each in view.all_tasks())
    status = SyncStatus(
        pending=len(everything), refused=2, problem="The service cannot be reached."
    )
    return StillStore(replace(view, pending=everything), status=status, age=timedelta(hours=3))


def _many_stages() -> FakeStore:
    """Seven stages, more than there is room for."""
    view = launch()
    more = tuple(
        replace(view.stages[0], id=10 + number, title=title, position=10.0 + number)
        for number, title in enumerate(("Released", "Measured", "Told"))
    )
    return StillStore(replace(view, stages=(*view.stages, *more)))


def _several() -> FakeStore:
    store = StillStore()
    store.others, store.tallies = boards(), tallies()
    return store


def _online() -> FakeStore:
    store = StillStore(launch())
    store.others = boards()
    store.remote = list_service()
    return store


def _in_folders() -> Preferences:
    """The folders that an earlier run of the program has seen, and a pinned board."""
    folders = [[2, "Customers", [8, 9]], [1, "Inside the house", [6]], [3, "Next year", []]]
    preferences = Preferences()
    preferences.keep(ALL_BOARDS, folders=json.dumps(folders), pinned=frozenset({6}), seen=seen())
    return preferences


def _opened_lately() -> Preferences:
    preferences = Preferences()
    preferences.keep(ALL_BOARDS, seen=seen())
    return preferences


def _two_titles() -> FieldDifference:
    return FieldDifference(
        "title",
        ours="Say what to do when nothing is found",
        current="Empty state for search, with examples",
        base="Empty state for search",
    )


def _heard() -> FakeStore:
    """Others moved a card and closed another."""
    store = StillStore(launch(), status=SyncStatus(pending=188, to_send=500, sent=312))
    store.marks = {
        403: RemoteChange(403, ChangeKind.MOVED, "“Doing”", "Mira Novak"),
        415: RemoteChange(415, ChangeKind.COMMENTED),
    }
    return store


def _differing() -> FakeStore:
    """A change to be taken back that somebody else changed since."""
    store = StillStore(launch())
    store.differs = UndoNeedsConfirmation(
        "Rename “Empty state” to “Empty state for search”", (_two_titles(),)
    )
    return store


def _waiting() -> FakeStore:
    """A conflict, a change that may have arrived, one that was refused, and one on its way."""
    view = launch()
    status = SyncStatus(pending=1, refused=1, unsure=1, conflicts=1)
    store = StillStore(view, status=status)
    first, second, third = view.in_stage(1)[:3]
    place = view.place_of(view.in_stage(2)[0].id)
    assert place is not None, "the first card of the second stage is not on the board"
    store.kept = [
        PendingChange(
            1, 1, set_title(third, "Every key of the calendar"), PendingState.REFUSED,
            on_the_wall(0, 7), 1, "You may not change tasks on this board.",
        ),
        PendingChange(
            2, 1, MoveTask.on(first, 2, place[1], stage_title="Doing"), PendingState.UNSURE,
            on_the_wall(0, 8), 3, "The answer was lost.",
        ),
        PendingChange(
            3, 1, set_priority(second, Priority.HIGH), PendingState.WAITING, on_the_wall(0)
        ),
        PendingChange(
            4, 1, set_title(second, "Say what to do when nothing is found"),
            PendingState.CONFLICT, on_the_wall(0, 8), differences=(_two_titles(),),
        ),
    ]  # fmt: skip
    store.drafts[4] = "Say what to do when nothing is found"
    return store


def _timelines() -> Iterator[Scene]:
    """A board by date in every form."""
    scene = Scene("timeline", "cards by date", _by_date, _ON_TIMELINE, now=SATURDAY)
    yield scene
    keys = (*_ON_TIMELINE, "tab")
    yield replace(scene, name="timeline-80x24", shows="the same, smaller", keys=keys, size=STANDARD)
    yield replace(scene, name="timeline-200x50", shows="the same, larger", size=HUGE)
    yield replace(scene, name="timeline-light", shows="in the light theme", theme=LIGHT.name)
    yield replace(scene, name="timeline-plain", shows="without colours, in ASCII", is_plain=True)
    yield replace(
        scene,
        name="timeline-moving",
        shows="a card carried to other days",
        keys=(*_ON_TIMELINE, "space", "l", "l", "l"),
    )
    yield replace(scene, name="agenda", shows="the days with cards", keys=("g", "d", "tab"))
    yield replace(scene, name="agenda-80x24", shows="smaller", keys=("g", "d"), size=STANDARD)


def with_views() -> Preferences:
    """Views beside those that are there from the start."""
    preferences = Preferences()
    ViewStore(preferences).add(
        [
            SavedView("Bugs", "label:bug is:open"),
            SavedView("By stage", "is:open", group=ViewGroup.STAGE, sort=ViewSort.PRIORITY),
        ]
    )
    return preferences


SCENES = {
    scene.name: scene
    for scene in (
        Scene("board", "a board at work", _at_work, ("l", "j")),
        Scene("board-80x24", "the same in a small terminal", _at_work, ("l", "j"), STANDARD),
        Scene("moving", "a card carried to another column", _at_work, ("space", "l", "j")),
        Scene("swimlanes", "a card carried to another lane", _at_work, ("B", "p", *LANED)),
        Scene("swimlanes-80x24", "lanes of priorities", _at_work, ("B", "r", "l"), STANDARD),
        Scene("many-stages", "more columns than there is room for", _many_stages, ("6",)),
        Scene("hostile", "titles that are hard to draw", _hostile, ("j", "j", "j")),
        Scene("narrow", "a third of a terminal", _hostile, ("j",), NARROW),
        Scene("empty", "a board without cards", _empty),
        Scene("pending", "nothing reaches the service", _cut_off, ("j",)),
        Scene("filter", "a filter being typed", _at_work, ("slash", *typed("label:a @ann"))),
        Scene(
            "boards",
            "the boards of a team",
            _several,
            ("j",),
            board_id=None,
            preferences=_opened_lately,
        ),
        Scene(
            "folders",
            "the same in folders",
            _several,
            ("j",),
            board_id=None,
            preferences=_in_folders,
        ),
        Scene(
            "folders-80x24",
            "one of their folders",
            _several,
            ("F", "f", "1"),
            STANDARD,
            board_id=None,
            preferences=_in_folders,
        ),
        Scene("no-boards", "no board yet", StillStore, board_id=None),
        Scene("task", "a task with everything around it", _opened, ("enter",)),
        Scene("task-80x24", "the same, part by part", _opened, ("enter",), STANDARD),
        Scene("task-narrow", "a task in a third of a terminal", _opened, ("enter", "2"), NARROW),
        Scene("subtask-lifted", "a subtask in the hand", _opened, LIFTED),
        Scene("thread", "what was said about a task", _opened, ("enter", "T")),
        Scene("fields", "the fields of a task", _opened, ("enter", "4"), STANDARD),
        Scene("activity", "what was done to a task", _opened, ("enter", "5")),
        Scene("smaller-edition", "what a service does not offer", _smaller_edition, ("enter",)),
        Scene("standup", "what happened", two_boards, ("g", "s"), preferences=of_standup),
        Scene(
            "standup-80x24",
            "the same, smaller",
            two_boards,
            ("g", "s"),
            STANDARD,
            preferences=of_standup,
        ),
        Scene(
            "speakers", "the same by person", two_boards, ("g", "s", "tab"), preferences=of_standup
        ),
        Scene(
            "speakers-80x24",
            "the same, smaller",
            two_boards,
            ("g", "s", "tab"),
            STANDARD,
            preferences=of_standup,
        ),
        Scene("my-work", "the cards of one person", of_ann, ("g", "m", "j")),
        Scene(
            "views",
            "cards of two boards in a view",
            of_ann,
            ("g", "v", "3", "j"),
            preferences=with_views,
        ),
        Scene(
            "views-80x24",
            "the same, smaller",
            of_ann,
            ("g", "v", "3"),
            STANDARD,
            preferences=with_views,
        ),
        Scene(
            "view-timeline",
            "the cards of a view by date",
            of_ann,
            ("g", "v", "3", "g", "d", "j"),
            preferences=with_views,
        ),
        Scene(
            "view-form", "the form of a view", of_ann, ("g", "v", "3", "V"), preferences=with_views
        ),
        Scene("members", "the members of a board", _online, ("g", "t", "j"), STANDARD),
        Scene("people", "everybody's roles", _online, ("g", "t", "j"), STANDARD, board_id=None),
        Scene("webhooks", "the webhooks of a service", _online, ("g", "w", "j")),
        Scene("archived-cards", "the archive", _online, ("g", "x", "v", "j"), STANDARD),
        Scene("insight", "the figures of a board", half_a_year, ("g", "i"), STANDARD),
        Scene(
            "forecast", "when its cards will be closed", half_a_year, ("g", "i", "tab"), STANDARD
        ),
        Scene(
            "view-insight",
            "the figures of the cards of a view",
            half_a_year,
            ("g", "v", "4", "g", "i"),
            STANDARD,
            preferences=with_views,
        ),
        *_timelines(),
        Scene("activity-of-board", "what happened on a board", _online, ("g", "a", "j")),
        Scene("waiting", "changes that have not arrived", _waiting, ("g", "u")),
        Scene("conflict", "two changes of the same", _waiting, ("g", "u", "enter")),
        Scene("conflict-narrow", "the same, narrow", _waiting, ("g", "u", "enter"), NARROW),
        Scene("news", "what others changed meanwhile", _heard, ("j", "]")),
        Scene("even-so", "taking back what others changed", _differing, ("u",), STANDARD),
        Scene("help", "the keys that work on a board", _at_work, ("question_mark",)),
        Scene(
            "due",
            "a due date being typed",
            _at_work,
            ("j", "d", *typed("next fri 10:00")),
        ),
        Scene("due-refused", "a date nobody understands", _at_work, ("j", "d", *typed("soon"))),
        Scene("stages", "the keys of a stage", _at_work, ("S",), STANDARD),
        Scene("column-moving", "a column carried", _at_work, ("l", "k", "space", "l")),
        Scene("labels", "the labels of a board", _at_work, ("g", "l", "v", "v"), STANDARD),
        Scene("new-label", "the form of a label", _at_work, ("g", "l", "n", "tab"), STANDARD),
        Scene("custom-fields", "a custom field carried", _opened, ("g", "c", "space", "j")),
        Scene("priority", "the choice with this priority", _at_work, ("p",)),
        Scene("delete", "the question before deleting", _at_work, ("D",)),
        Scene(
            "new",
            "a new card typed in place",
            _at_work,
            ("l", "n", *typed("Read the logs #api @mi !high ^fri #sso")),
        ),
        Scene("marked", "several cards marked", _at_work, ("v", "v", "v")),
        Scene("marked-moving", "several cards carried", _at_work, ("v", "v", "v", "space", "l")),
        Scene("folded", "a folded column", _at_work, ("z", "l")),
        Scene("palette", "an action found by its name", _at_work, ("colon", *typed("due"))),
        Scene("compact", "one line a card", _at_work, ("j",), density=Density.COMPACT),
        Scene("preview", "the card at the cursor", _opened, ("backslash",), (160, 45)),
        Scene("light", "the light theme", _at_work, ("l", "j"), theme=LIGHT.name),
        Scene("find-nothing", "nothing is found", _at_work, ("g", "f", *typed("loginzz"))),
    )
}
"""Every scene by its name."""
