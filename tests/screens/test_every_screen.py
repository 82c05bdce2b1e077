"""Every screen and dialog: readable and whole in all sizes and themes, in ASCII, without colours.

Each is looked at in every size, in two themes that change from screen to screen, so that every size
meets every theme. Scenes are looked at in their own size and one more. All combinations are
`exhaustive`.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice, product

import pytest
from textual.app import App
from textual.pilot import Pilot

from tests.drivers.patience import patience
from tests.fakes.store import FakeStore
from tests.pictures.insight import store as half_a_year
from tests.pictures.look import OWN_THEMES, SIZES, THEMES, Look, wrong_with_message
from tests.pictures.standup import of_ann, preferences as of_standup
from tests.pictures.tasks import UNREAD, login_redirect
from tests.scenes import SCENES, Scene
from tests.screens.driving import Driver, application
from tests.screens.service_lists import store_with_lists
from tests.surface.__main__ import BOTH_SIZES
from tui.config.preferences import Preferences

pytestmark = pytest.mark.long

Views = Iterator[tuple[tuple[int, int], str]]
"""Sizes with the names of themes."""

ON_A_BOARD = """
board = BoardScreen:
lanes = BoardScreen: B r
lifted = BoardScreen: space l
marked = BoardScreen: escape B n v v
menu of marked = CardMenu: comma
lifted together = BoardScreen: escape space l
filter typed = BoardScreen: escape escape slash l a b e l colon a
filter refused = BoardScreen: x colon z
filter kept = BoardScreen: escape slash l a b e l colon a enter
filter picked = FilterDialog: f
help = HelpDialog: escape escape question_mark
menu of a card = CardMenu: escape comma
palette = PaletteDialog: escape colon d u e
find = FindAnywhereDialog: escape g f l o g
keys of g = BoardScreen: escape g
keys of a stage = BoardScreen: escape S
new stage = FormDialog: n
order of a stage = ChooseDialog: escape S s
colour of a stage = ChooseDialog: escape S c
priority = ChooseDialog: escape p
date refused = DateDialog: escape d s o o n
date in the calendar = DateDialog: escape d tab right
assignees = PickMany: escape a
labels of a card = PickLabels: escape t
target = MoveToDialog: escape m
copy = FormDialog: escape C
deletion = ConfirmDialog: escape D
card form = FormDialog: escape N
new card = BoardScreen: escape n R e a d space # a p i space @ m i
block = BlockedByDialog: escape b
comment = CommentEditor: escape c W h a t ?
boards = BoardsScreen: escape g b
new board = FormDialog: n
text of a board = FormDialog: escape e
archived boards = BoardsScreen: escape t
folders = BoardsScreen: h
people of all boards = PeopleScreen: g t
roles = FormDialog: j e
"""
IN_A_TASK = """
text = TaskScreen: enter
subtasks = TaskScreen: 2
lifted subtask = TaskScreen: j space j
comments = TaskScreen: escape 3
fields = TaskScreen: 4
field = MoveToDialog: enter
activity = TaskScreen: escape 5
thread = ThreadScreen: T
reply = CommentEditor: r Y e s
description = TextEditor: escape escape E
"""
IN_LISTS = """
labels = LabelsScreen: g l
label = FormDialog: e
labels to merge = ChooseDialog: escape v v m
label deleted = ConfirmDialog: escape escape D
custom fields = CustomFieldsScreen: escape escape g c
custom field = FormDialog: n
members = MembersScreen: escape escape g t
role = ChooseDialog: r
archived cards = ArchivedCardsScreen: escape escape g x
archived stages = ArchivedStagesScreen: escape S R
activity = ActivityScreen: escape g a
activity filtered = FormDialog: f
webhooks = WebhooksScreen: escape escape g w
webhook = DetailsDialog: enter
new webhook = PickParent: escape n
agents = AgentLogScreen: escape escape O
pending = PendingScreen: escape escape g u
settings = SettingsScreen: escape g comma
profiles = ProfilesScreen: escape g p
log in = FormDialog: n
"""
IN_FIGURES = """
insight = InsightScreen: g i
figure = InsightScreen: o
forecast = ForecastScreen: tab
what if = AskDialog: w
"""
IN_A_STANDUP = """
walk = StandupScreen: g s
people = StandupScreen: tab
one speaker = StandupScreen: >
boards to choose = PickMany: B
my work = MyWorkScreen: escape escape escape g m
inbox = InboxScreen: g o
"""
IN_PENDING = """
pending = PendingScreen: g u
conflict = ConflictDialog: enter
"""
UNDONE = """
even so = EvenSoDialog: u
"""


def _opened() -> FakeStore:
    """A board of which a task has everything around it."""
    store, _ = store_with_lists()
    store.details = {each.task.id: each for each in (login_redirect(),)}
    store.unread = frozenset({UNREAD})
    return store


PROGRAMS = {
    "board": (ON_A_BOARD, _opened, Preferences),
    "task": (IN_A_TASK, _opened, Preferences),
    "lists": (IN_LISTS, _opened, Preferences),
    "figures": (IN_FIGURES, half_a_year, Preferences),
    "standup": (IN_A_STANDUP, of_ann, of_standup),
    "pending": (IN_PENDING, SCENES["waiting"].store, Preferences),
    "undone": (UNDONE, SCENES["even-so"].store, Preferences),
}
EVERY_SCENE = {
    # Without colours nothing is filled, so these are looked at as snapshots alone.
    **{name: scene for name, scene in SCENES.items() if not scene.is_plain},
    **{f"surface-{scene.name}": scene for scene in BOTH_SIZES},
}
REACHED = """
activity activity-of-board archived-cards board board-80x24 boards conflict delete due due-refused
even-so fields filter forecast help insight labels light marked members my-work new new-label
palette people priority speakers speakers-80x24 stages standup standup-80x24 task task-80x24 thread
waiting webhooks surface-board surface-boards surface-chord_go surface-find surface-forecast
surface-help surface-inbox surface-insight surface-labels surface-members surface-menu
surface-mywork surface-palette surface-standup_person
surface-standup_walk surface-state_conflict surface-task
"""
"""Scenes of screens that the steps above reach in the same state, in more sizes."""
SOME_OR_ALL = [
    pytest.param(
        name, each, marks=[pytest.mark.exhaustive] * (each == "all" or name in REACHED.split())
    )
    for name in EVERY_SCENE
    for each in ("in turn", "all")
]
ONE_OR_ALL = [
    "in turn",
    pytest.param("all", marks=[pytest.mark.exhaustive, pytest.mark.timeout(240)]),
]


async def resized(app: App[None], pilot: Pilot[None], size: tuple[int, int]) -> None:
    """Resize the terminal, and wait until all of it is drawn."""
    await pilot.resize_terminal(*size)
    async with patience(f"{size} to be drawn"):
        while app.screen.size != size or not Look(app).fills(size):
            await pilot.pause()


async def wrong_in(
    app: App[None], pilot: Pilot[None], views: Views, titles: list[str]
) -> list[str]:
    """What is wrong with what is in front, seen so."""
    for own in OWN_THEMES:
        app.register_theme(own)
    wrong = []
    for size, theme in views:
        if app.theme != theme:  # which takes long
            app.theme = theme
        await resized(app, pilot, size)
        seen = [*Look(app).wrong(titles), *await wrong_with_message(app)]
        wrong += [f"{size} {theme}: {line}" for line in seen]
    return wrong


def titles_of(store: FakeStore) -> list[str]:
    """The titles of all cards and boards."""
    cards = (card.title for view in store.views.values() for card in view.all_tasks())
    return [*cards, *(board.title for board in store.boards())]


def in_turn() -> Iterator[str]:
    """The names of all themes, again and again."""
    return cycle([theme.name for theme in THEMES])


def in_two_themes(themes: Iterator[str]) -> Views:
    """Every size; the next theme for the first two of them, and the one after for the others."""
    names = list(islice(themes, 2))
    return ((size, names[place * 2 // len(SIZES)]) for place, size in enumerate(SIZES))


def all_views() -> Views:
    return ((size, theme.name) for size, theme in product(SIZES, THEMES))


@pytest.mark.walk
@pytest.mark.parametrize("each", ONE_OR_ALL)
@pytest.mark.parametrize("name", PROGRAMS)
async def test_every_screen_is_whole_and_readable(name: str, each: str) -> None:
    steps, make_store, preferences = PROGRAMS[name]
    store, themes, wrong = make_store(), in_turn(), list[str]()
    app = application(store, preferences=preferences())
    async with app.run_test(size=(80, 24)) as pilot:
        person = Driver(app, pilot)
        for step in steps.strip().splitlines():
            what, _, rest = step.partition(" = ")
            expected, _, keys = rest.partition(":")
            await person.press(*keys.split())
            assert type(app.screen).__name__ == expected, what
            views = all_views() if each == "all" else in_two_themes(themes)
            seen = await wrong_in(app, pilot, views, titles_of(store))
            wrong += [f"{what} {line}" for line in seen]
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.walk
@pytest.mark.parametrize(("name", "each"), SOME_OR_ALL)
async def test_every_scene_is_whole_and_readable(name: str, each: str) -> None:
    scene, turn = EVERY_SCENE[name], list(EVERY_SCENE).index(name)
    theme = THEMES[turn % len(THEMES)].name
    some = ((size, theme) for size in (scene.size, SIZES[turn % len(SIZES)]))
    app = replace(scene, theme=theme).app()
    async with app.run_test(size=scene.size) as pilot:
        await scene.play(pilot)
        titles = titles_of(scene.store())
        wrong = await wrong_in(app, pilot, all_views() if each == "all" else some, titles)
    assert not wrong, "\n".join(wrong[:20])


async def looks_at_every_size(scene: Scene, app: App[None]) -> list[Look]:
    """What is drawn of a scene, at one size after the other."""
    looks = []
    async with app.run_test(size=scene.size) as pilot:
        await scene.play(pilot)
        for size in SIZES:
            await resized(app, pilot, size)
            looks.append(Look(app))
    return looks


@pytest.mark.walk
@pytest.mark.exhaustive
@pytest.mark.parametrize("name", EVERY_SCENE)
async def test_without_colours_what_is_chosen_is_reversed(name: str) -> None:
    scene = EVERY_SCENE[name]
    looks = await looks_at_every_size(scene, scene.app(colours=False))
    assert not [line for look in looks for line in look.wrong_without_colours()]


@pytest.mark.walk
@pytest.mark.exhaustive
@pytest.mark.parametrize("name", EVERY_SCENE)
async def test_ascii_is_enough(name: str) -> None:
    scene = EVERY_SCENE[name]
    looks = await looks_at_every_size(scene, scene.app(ascii_only=True))
    assert not [line for look in looks for line in look.wrong_in_ascii()]
