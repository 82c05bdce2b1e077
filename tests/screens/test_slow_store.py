"""Keys that come all at once on a slow disk and service do what they do typed slowly on fast ones.

Random keys are pressed twice on each screen: one after the other where everything answers at once,
and in bursts where every answer takes many turns of the event loop. What a person sees after each
burst, and what the store and the service were asked to change, must be the same.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from difflib import unified_diff
from inspect import iscoroutinefunction
from random import Random
from typing import Any, NamedTuple, cast

import pytest
from textual.screen import Screen
from textual.widgets import Input

from tests.fakes.boards import bare_details
from tests.fakes.profiles import FakeProfiles
from tests.fakes.store import FakeStore
from tests.scenes import SCENES
from tests.screens.driving import Driver, application
from tests.screens.service_lists import store_with_lists
from tui.actions.program import LISTS
from tui.app import CallboardApp
from tui.navigation import ListRequested, SettingsRequested
from tui.screens.base import CallboardScreen

pytestmark = pytest.mark.long

TURNS = 60
"""Of the event loop, for each answer: more than a key takes where everything answers at once."""

OF_SCENES = ("board", "task", "thread", "waiting", "boards", "standup")
SCREENS = (*OF_SCENES, *LISTS, "settings")
SEEDS = (0, pytest.param(1, marks=pytest.mark.exhaustive))
BURSTS = 12
LONGEST_BURST = 6
MOST_ESCAPES = 8
MOSTLY = 0.7
ANSWERS = (
    "enter", "enter", "enter", "escape", "y", "n", "a", "m", "1", "down", "up", "space", "tab",
    "ctrl+s", "j", "backspace",
)  # fmt: skip
"""What a dialog is answered with."""
LEFT_OUT = {
    "board.refresh", "boards.refresh", "list.refresh", "thread.refresh", "webhook.test",
    "comment.link", "task.links", "standup.shuffle",
}  # fmt: skip
"""They work in the background, open a browser, or leave something to chance."""

DROPPED = "typed meanwhile w"
EDGE_OF_EDITOR = re.compile(r"─+ (saved as a draft · )?(?=[\d,]+ (of|characters))")
"""Whether a text was saved by then, which it is a moment after it is typed."""


def slow(thing: Any) -> None:
    """Let each answer of a store, a service or profiles take a while."""

    def late(answer: Callable[..., Any]) -> Callable[..., Any]:
        async def answered(*given: object, **named: object) -> Any:
            await _a_while()
            result = await answer(*given, **named)
            await _a_while()
            return result

        return answered

    for name in dir(thing):
        if not name.startswith("_") and iscoroutinefunction(getattr(thing, name)):
            setattr(thing, name, late(getattr(thing, name)))


async def _a_while() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


class SlowService:
    """A service each of whose answers takes a while."""

    def __init__(self, service: object) -> None:
        self._service = service

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def answer(*given: object, **named: object) -> Any:
            await _a_while()
            answered = await getattr(self._service, name)(*given, **named)
            await _a_while()
            return answered

        return answer


class Seen(NamedTuple):
    """What a person sees, where they are, and what was changed."""

    text: str
    screens: tuple[str, ...]
    focused: str
    changes: tuple[str, ...]

    def differs_from(self, due: "Seen") -> Iterator[str]:
        """Lines that differ."""
        for own, other in zip(self._lines(), due._lines(), strict=True):
            yield from (
                line
                for line in unified_diff(other, own, "typed slowly", "on a slow store", n=0)
                if not line.startswith("@@")
            )

    def _lines(self) -> tuple[Sequence[str], ...]:
        # What was copied says whether all had been read by then.
        lines = self.text.splitlines()
        text = [
            EDGE_OF_EDITOR.sub("─ ", line) for line in lines if not line.startswith(" Copied as ")
        ]
        return text, self.screens, (self.focused,), self.changes


class Session:
    """A person on a screen, and all that they change."""

    def __init__(self, person: Driver, asked: Callable[[], Iterable[object]]) -> None:
        self.person = person
        self._asked = asked

    async def is_back_on(self, screen: Screen[Any]) -> bool:
        """Whether Esc led back to the screen."""
        for _ in range(MOST_ESCAPES):
            if self.person.app.screen is screen and not isinstance(screen.focused, Input):
                return True
            await self.person.press("escape")
        return False

    def seen(self) -> Seen:
        app = self.person.app
        store = cast("FakeStore", app.context.store)
        return Seen(
            self.person.text,
            tuple(type(screen).__name__ for screen in app.screen_stack),
            type(app.focused).__name__,
            (*(each.describe() for step in store.steps for each in step), *map(str, self._asked())),
        )


@asynccontextmanager
async def session(name: str, *, is_slow: bool) -> AsyncIterator[Session]:
    """Somebody on a screen by its name."""
    asked: list[str] = []
    profiles = FakeProfiles()
    app: CallboardApp
    if name in OF_SCENES:
        app = SCENES[name].app()
        store = cast("FakeStore", app.context.store)
    else:
        store, service = store_with_lists()
        asked = service.asked
        app = application(store, profiles=profiles)
        if is_slow:
            store.remote = cast("Any", SlowService(service))
    # Keys wait for a card that is opened until it has been read.
    read = [one for view in store.views.values() for one in bare_details(view)]
    store.details = {one.task.id: one for one in read} | store.details
    app.patience = 600.0
    if is_slow:
        slow(store)
        slow(profiles)
    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press()
        if name in OF_SCENES:
            await person.press(*SCENES[name].keys)
        elif name == "settings":
            app.screen.post_message(SettingsRequested())
        else:
            app.screen.post_message(ListRequested(name, 1))
        await person.press()
        await person.pilot.pause()

        def changed() -> Iterator[object]:
            yield from (each for each in asked if not each.startswith(READS))
            yield from (each for each in profiles.asked if each != "known")

        yield Session(person, changed)


READS = (
    "activity_page", "all_", "archived", "assignees", "board", "boards", "changes", "comments",
    "custom_fields",
    "find", "folders", "get", "labels", "list", "log", "members", "people", "read", "search",
    "stages", "tasks", "used", "user", "webhooks",
)  # fmt: skip
"""How methods of the service begin that change nothing: how often they are asked may differ."""


def keys_of(screen: CallboardScreen, *, asking: bool) -> list[Sequence[str]]:
    """The keys of the actions of a screen, or of those that ask."""
    return [
        action.keys.split(",")[0].split()
        for action in screen.actions.actions
        if action.keys and (action.asks or not asking) and action.id not in LEFT_OUT
    ]


def bursts(screen: CallboardScreen, random: Random) -> Iterator[list[str]]:
    """Bursts of keys, most of which begin with an action that asks."""
    asking, every = keys_of(screen, asking=True), keys_of(screen, asking=False)
    for _ in range(BURSTS):
        burst = [*random.choice(asking if asking and random.random() < MOSTLY else every)]
        while len(burst) < LONGEST_BURST:
            is_answer = random.random() < MOSTLY
            burst += [random.choice(ANSWERS)] if is_answer else random.choice(every)
        yield burst


async def compare(name: str, seed: int) -> None:
    """Compare both ways of pressing the same keys."""
    pressed: list[list[str]] = []
    expected: list[Seen] = []
    async with session(name, is_slow=False) as fast:
        screen = fast.person.app.screen
        assert isinstance(screen, CallboardScreen)
        for burst in bursts(screen, Random(seed)):  # noqa: S311  the same in each run
            await fast.person.press(*burst)
            if fast.person.app.next_profile is not None:
                break  # it ends
            pressed.append(burst)
            expected.append(fast.seen())
            if not await fast.is_back_on(screen):
                break
    async with session(name, is_slow=True) as late:
        screen = late.person.app.screen
        for burst, due in zip(pressed, expected, strict=True):
            await late.person.burst(*burst)
            if DROPPED in late.person.text:
                break  # an error came late
            difference = "\n".join(late.seen().differs_from(due))
            assert not difference, f"{name}, seed {seed}: {' '.join(burst)}\n{difference}"
            await late.is_back_on(screen)


@pytest.mark.walk
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SCREENS)
async def test_random_keys_on_a_slow_store_do_the_same(name: str, seed: int) -> None:
    await compare(name, seed)
