"""The program in states worth looking at, for pictures and for snapshots.

The rule it keeps: a scene looks the same on every machine, at every hour and in every time zone.
Its clock stands still, the service has always answered just now, and no cursor blinks.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from os import environ

from textual.pilot import Pilot
from textual.widgets import Input

from tests.boards import NOW, relaunch
from tests.fake_store import FakeStore
from tests.picture_boards import boards, launch
from tests.screens.driving import connected
from tui.app import CallboardApp
from tui.model.board import BoardView
from tui.screens.context import Context
from tui.store.protocol import SyncStatus
from tui.theme import DEFAULT_THEME
from tui.widgets.card import Density

LARGE, NORMAL, NARROW = (120, 36), (80, 24), (40, 20)


class StillStore(FakeStore):
    """A store whose news is always equally old, whatever time it is."""

    def __init__(
        self, *views: BoardView, status: SyncStatus | None = None, age: timedelta = timedelta()
    ) -> None:
        super().__init__(*views)
        self.now = status or SyncStatus()
        self._age = age

    def status(self, board_id: int) -> SyncStatus:
        return replace(super().status(board_id), checked_at=datetime.now(UTC) - self._age)


Making = Callable[[], FakeStore]


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of the program: what it opens on, and the keys that lead there."""

    name: str
    shows: str
    store: Making
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = LARGE
    board_id: int | None = 1
    density: Density = Density.ROOMY
    theme: str = DEFAULT_THEME

    def app(self) -> CallboardApp:
        """The program, not started yet."""
        context = Context(self.store(), density=self.density, now=lambda: NOW)
        with _colours():
            return CallboardApp(
                context, connect=connected, board_id=self.board_id, theme_name=self.theme
            )

    async def play(self, pilot: Pilot[None]) -> None:
        """Press the keys, and hold everything still."""
        await pilot.pause()
        for key in self.keys:
            await pilot.press(key)
            await pilot.pause()
        for each in pilot.app.screen.query(Input):
            each.cursor_blink = False
        await pilot.pause()


@contextmanager
def _colours() -> Iterator[None]:
    """Without `NO_COLOR`, which Textual reads when an application is made."""
    wanted = environ.pop("NO_COLOR", None)
    try:
        yield
    finally:
        if wanted is not None:
            environ["NO_COLOR"] = wanted


def _work() -> FakeStore:
    store = StillStore(launch(), status=SyncStatus(on_the_way=1))
    store.views[1] = replace(launch(), board=replace(launch().board, created_at=None))
    store.others = boards()
    return store


def _hostile() -> FakeStore:
    return StillStore(relaunch(), status=SyncStatus(on_the_way=1))


def _empty() -> FakeStore:
    return StillStore(replace(relaunch(), tasks={}, pending=frozenset()))


def _cut_off() -> FakeStore:
    view = relaunch()
    everything = frozenset(each.id for each in view.all_tasks())
    status = SyncStatus(on_the_way=len(everything), refused=2, problem="no connection")
    return StillStore(replace(view, pending=everything), status=status, age=timedelta(hours=3))


def _several() -> FakeStore:
    store = StillStore()
    store.others = boards()
    return store


def _typed(text: str) -> tuple[str, ...]:
    """The keys that type a text."""
    return tuple({" ": "space", ":": "colon"}.get(letter, letter) for letter in text)


SCENES = {
    scene.name: scene
    for scene in (
        Scene("board", "a board at work", _work, ("l", "j")),
        Scene("board-80x24", "the same in a small terminal", _work, ("j",), NORMAL),
        Scene("moving", "a card carried to another column", _work, ("space", "l", "j")),
        Scene("hostile", "titles that are hard to draw", _hostile, ("j", "j", "j")),
        Scene("narrow", "half a terminal", _hostile, ("j",), NARROW),
        Scene("empty", "a board without cards", _empty),
        Scene("pending", "nothing has reached the service", _cut_off, ("j",)),
        Scene("filter", "a filter being typed", _work, ("slash", *_typed("label:a @ann"))),
        Scene(
            "filtered", "a filter that is on", _work, ("slash", *_typed("label:a"), "enter", "l")
        ),
        Scene("boards", "the boards there are", _several, ("j",), board_id=None),
        Scene("no-boards", "no board yet", StillStore, board_id=None),
        Scene("task", "a task by itself", _work, ("enter",)),
        Scene("task-narrow", "a task in half a terminal", _work, ("enter",), NARROW),
        Scene("help", "the keys that work on a board", _work, ("question_mark",)),
        Scene("due", "a due date being typed", _work, ("l", "d", *_typed("next fri 10:00"))),
        Scene("due-refused", "a due date nobody understands", _work, ("d", *_typed("soonish"))),
        Scene("priority", "the choice of a priority", _work, ("p",)),
        Scene("delete", "the question before deleting", _work, ("D",)),
        Scene("new", "a new card typed in place", _work, ("l", "n", *_typed("Ask for the logs"))),
        Scene("marked", "several cards marked", _work, ("v", "j", "v", "j", "v")),
        Scene("marked-moving", "several cards carried", _work, ("v", "v", "v", "space", "l")),
        Scene("folded", "a folded column", _work, ("z", "l")),
        Scene("zoomed", "one column alone", _work, ("Z",)),
        Scene("palette", "an action found by name", _work, ("colon", *_typed("due"))),
        Scene("dead-key", "a key that does nothing", _work, ("W",)),
        Scene("chord", "what may follow a g", _work, ("g",)),
        Scene("compact", "one line a card", _work, ("j",), density=Density.COMPACT),
        Scene("middle", "two lines a card", _work, ("j",), density=Density.NORMAL),
        Scene("light", "the light theme", _work, ("l", "j"), theme="callboard-light"),
        Scene("waiting", "nothing waits", _work, ("g", "u")),
    )
}
