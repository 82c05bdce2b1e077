"""Every action of every screen: it changes something, opens something, or says why not."""

from collections.abc import Callable, Sized
from importlib import import_module
from itertools import count
from typing import cast

import pytest

from tests.fakes.profiles import FakeProfiles
from tests.fakes.store import FakeStore
from tests.scenes import SCENES
from tests.screens.driving import Driver, application
from tests.screens.service_lists import store_with_lists
from tui.actions.action import declared_actions
from tui.actions.card_actions import CardActions
from tui.actions.program import LISTS
from tui.navigation import ListRequested, SettingsRequested
from tui.runtime.textual_patches import ProgramScreen
from tui.screens.agent_log import AgentLogScreen
from tui.screens.base import CallboardScreen
from tui.screens.board.screen import BoardScreen
from tui.screens.boards.screen import BoardsScreen
from tui.screens.lists.cards import ListedCardActions
from tui.screens.pending.screen import PendingScreen
from tui.screens.settings.screen import SettingsScreen
from tui.screens.standup.screen import StandupScreen
from tui.screens.task.screen import TaskScreen
from tui.screens.thread.screen import ThreadScreen

pytestmark = pytest.mark.long

LIST_SCREENS: tuple[type[CallboardScreen], ...] = tuple(
    import_module(f"tui.screens.lists.{name}").SCREEN for name in LISTS
)
SCREENS: tuple[type[CallboardScreen], ...] = (
    AgentLogScreen, BoardScreen, BoardsScreen, PendingScreen, SettingsScreen, StandupScreen,
    TaskScreen, ThreadScreen, *LIST_SCREENS,
)  # fmt: skip
MOST_CLASSES = 6
MOST_METHODS = 107
"""Without the actions, which their decorators show."""

SMALL = (100, 18)
"""Where a task has more lines than there is room for."""

ON_CARDS = frozenset(
    action.id for owner in (CardActions, ListedCardActions) for _, action in declared_actions(owner)
)
"""The actions on lists of cards, which the standup tries."""

LEAVING = {
    "activity.open",
    "board.agents",
    "agents.open",
    "archived.open",
    "board.back",
    "boards.back",
    "boards.open",
    "card.open",
    "forecast.figures",
    "go.blocker",
    "go.boards",
    "go.inbox",
    "go.jump-back",
    "go.next",
    "insight.forecast",
    "list.back",
    "task.back",
    "thread.back",
    "waiting.back",
}
"""They go to another screen, so they come last, after what takes the task away."""
REMOVING = {"task.archive"}
BEFORE = {
    "task.page-down": "task.previous",
    "task.page-up": "task.page-down",
    "task.scroll-up": "task.scroll-down",
    "thread.before": "thread.next",
    "thread.first": "thread.last",
    "thread.next": "thread.first",
    "thread.next-unread": "thread.first",
    "thread.page-down": "thread.first",
    "thread.page-up": "thread.page-down",
}
"""What has to be done before, so that there is something to do."""


@pytest.mark.parametrize("screen", SCREENS)
def test_one_can_see_what_a_screen_does(screen: type[CallboardScreen]) -> None:
    ours = [each for each in screen.__mro__ if each.__module__.startswith("tui.")]
    actions = {name for name, _ in declared_actions(screen)}
    methods = {
        name
        for each in ours
        for name, value in vars(each).items()
        if (callable(value) or isinstance(value, property)) and name not in actions
    }
    assert len(ours) <= MOST_CLASSES, ours
    assert ours[-1] is ProgramScreen
    assert len(methods) <= MOST_METHODS, sorted(methods)


@pytest.mark.walk
@pytest.mark.parametrize("scene", ["board", "task", "thread", "waiting", "boards", "standup"])
async def test_every_action_does_something_or_says_why_not(scene: str) -> None:
    async with SCENES[scene].shown(SMALL) as person:
        screen = cast("CallboardScreen", person.app.screen)
        asked = cast("FakeStore", screen.store).asked
        await every_action(screen, person, lambda: len(asked))


@pytest.mark.walk
@pytest.mark.timeout(180)
async def test_every_action_of_every_list_does_something_or_says_why_not() -> None:
    store, service = store_with_lists()
    profiles = FakeProfiles()
    app = application(store, profiles=profiles)
    async with app.run_test(size=SMALL) as pilot:
        person = Driver(app, pilot)
        await person.press()
        logs: tuple[Sized, ...] = (store.asked, service.asked, profiles.asked)
        for name, screen in zip(LISTS, LIST_SCREENS, strict=True):
            app.screen.post_message(ListRequested(name, 1))
            await person.press("down")
            assert isinstance(app.screen, screen)
            await every_action(app.screen, person, lambda: sum(len(log) for log in logs), ON_CARDS)
        app.screen.post_message(SettingsRequested())
        await person.press("down")
        assert isinstance(app.screen, SettingsScreen)
        await every_action(app.screen, person, count().__next__)


async def every_action(
    screen: CallboardScreen,
    person: Driver,
    count_requests: Callable[[], int] = int,
    done: frozenset[str] = frozenset(),
) -> None:
    """Run all actions of a screen but those `done`, the leaving ones last, until it is left.

    Refreshing a list may change nothing that is seen, but something has to be asked for.
    """
    ids = sorted(
        {each.id for each in screen.actions.actions} - done,
        key=lambda one: (one in LEAVING, one in REMOVING, one),
    )
    assert len(ids) >= 5
    for action_id in ids:
        if person.app.screen is not screen:
            assert action_id in LEAVING
            break
        if action_id in BEFORE:
            screen.actions.perform(BEFORE[action_id])
            await person.press()
        before, asked = seen(person), count_requests()
        screen.actions.perform(action_id)
        await person.press()
        is_asked_for = action_id == "list.refresh" and count_requests() > asked
        assert is_asked_for or seen(person) != before, action_id
        await back_to(screen, person)


def seen(person: Driver) -> tuple[object, ...]:
    """What a person sees, and where they are."""
    return person.text, tuple(map(type, person.app.screen_stack)), person.app.focused


async def back_to(screen: CallboardScreen, person: Driver) -> None:
    """Leave dialogs and inputs, and forget what was said."""
    for _ in range(6):
        focused = person.app.focused
        is_begun = focused is not None and "Input" in type(focused).__name__
        is_begun = is_begun or bool(screen.waits_for)
        if person.app.screen is screen and not is_begun:
            break
        await person.press("escape")
    screen.status.clear()
    await person.pilot.pause()
