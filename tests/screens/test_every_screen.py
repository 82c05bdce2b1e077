"""Every screen and dialog: readable and whole in all sizes and themes, in ASCII, without colours.

Each is looked at in every size, each time in another theme, which changes from screen to screen.
"""

from collections.abc import Iterator
from itertools import cycle

import pytest
from rich.segment import Segment
from textual.color import Color
from textual.screen import ModalScreen
from textual.theme import Theme
from textual.widget import Widget
from textual.widgets import Input, OptionList

from tests.fake_store import FakeStore
from tests.picture_insight import store as half_a_year
from tests.picture_standup import of_ann, preferences as of_standup
from tests.picture_tasks import UNREAD, login_redirect
from tests.scenes import SCENES
from tests.screens.driving import Driver, application
from tests.screens.service_lists import store_with_lists
from tests.test_themes import least, worst
from tui.config.preferences import Preferences
from tui.screens.base import CallboardScreen
from tui.text.cells import width
from tui.theme import ANSI, CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT
from tui.widgets import glyphs
from tui.widgets.line_filters import ColorlessFilter

pytestmark = pytest.mark.long

Size = tuple[int, int]
SIZES: tuple[Size, ...] = ((40, 15), (80, 24), (200, 50))
THEMES = (DARK, LIGHT, CONTRAST_DARK, CONTRAST_LIGHT, ANSI)
BESIDE_TEXT = 2
"""How many cells of a title are enough to know it by, with its ellipsis."""

ON_A_BOARD = """
board = BoardScreen:
lanes = BoardScreen: B r
lifted = BoardScreen: space l
marked = BoardScreen: escape B n v v
lifted together = BoardScreen: space l
filter typed = BoardScreen: escape escape slash l a b e l colon a
filter refused = BoardScreen: x colon z
filter kept = BoardScreen: escape slash l a b e l colon a enter
filter picked = FilterDialog: f
help = HelpDialog: escape escape question_mark
palette = PaletteDialog: escape colon d u e
find = FindAnywhereDialog: escape g f l o g
keys of g = BoardScreen: escape g
keys of a stage = BoardScreen: escape S
new stage = FormDialog: n
order of a stage = ChooseDialog: escape S s
colour of a stage = ChooseDialog: escape S c
priority = ChooseDialog: escape p
date refused = AskDialog: escape d s o o n
assignees = PickMany: escape a
labels of a card = PickLabels: escape t
target = MoveToDialog: escape m
copy = CloneDialog: escape C
deletion = ConfirmDialog: escape D
card form = FormDialog: escape N
new card = BoardScreen: escape n R e a d space # a p i space @ m i
block = AskDialog: escape b
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
pending = PendingScreen: escape escape g u
settings = SettingsScreen: escape g comma
profiles = ProfilesScreen: escape g p
log in = FormDialog: n
"""
IN_FIGURES = """
insight = InsightScreen: g i
figure = InsightScreen: o
"""
IN_A_STANDUP = """
walk = StandupScreen: g s
people = StandupScreen: tab
one speaker = StandupScreen: >
boards to choose = PickMany: B
my work = MyWorkScreen: escape escape escape g m
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


def looks() -> Iterator[tuple[Size, Theme]]:
    """All sizes with all themes, again and again, so that neighbours differ in both."""
    return zip(cycle(SIZES), cycle(THEMES), strict=False)


@pytest.mark.parametrize("name", PROGRAMS)
async def test_every_screen_is_whole_and_readable(name: str) -> None:
    steps, store, preferences = PROGRAMS[name]
    app = application(store(), preferences=preferences())
    turns = looks()
    async with app.run_test(size=SIZES[1]) as pilot:
        person = Driver(app, pilot)
        for step in steps.strip().splitlines():
            what, _, rest = step.partition(" = ")
            expected, _, keys = rest.partition(":")
            await person.press(*keys.split())
            assert type(app.screen).__name__ == expected, what
            for _ in SIZES:
                size, theme = next(turns)
                app.theme = theme.name
                await pilot.resize_terminal(*size)
                await person.press()
                assert app.screen.size == size
                Look(person, f"{what} {size} {theme.name}", size, theme).check()


class Look:
    """A screen in one size and theme."""

    def __init__(self, person: Driver, where: str, size: Size, theme: Theme) -> None:
        self.app, self.screen = person.app, person.app.screen
        self.where, self.size, self.theme = where, size, theme
        strips = self.screen._compositor.render_strips()
        self.lines = [list(strip) for strip in strips]
        self.texts = ["".join(each.text for each in line) for line in self.lines]

    def check(self) -> None:
        """Look at everything."""
        assert [width(text) for text in self.texts] == [self.size[0]] * self.size[1], self.where
        self.is_readable()
        self.is_whole()
        self.works_in_ascii()
        self.works_without_colours()

    def is_readable(self) -> None:
        """Words differ enough from their background; what a dialog covers is dimmed."""
        for segment in self.in_front():
            style = segment.style
            if style is None or not any(letter.isalnum() for letter in segment.text):
                continue
            if style.reverse and style.color is None:
                continue  # in the terminal's own colours
            assert style.color is not None, (self.where, segment)
            assert style.bgcolor is not None, (self.where, segment)
            ratio = worst(style.color, style.bgcolor)
            assert ratio >= least(self.theme.name), (self.where, segment.text, str(style), ratio)

    def in_front(self) -> Iterator[Segment]:
        """The segments of the dialog in front, else of the screen."""
        frames = self.screen.query(".dialog") if isinstance(self.screen, ModalScreen) else ()
        areas = [frame.region for frame in frames] or [self.screen.region]
        for y, line in enumerate(self.lines):
            x = 0
            for segment in line:
                if any(area.contains(x, y) for area in areas):
                    yield segment
                x += width(segment.text)

    def is_whole(self) -> None:
        """The title, the keys and what is typed into are visible."""
        screen = self.screen
        if isinstance(screen, CallboardScreen):
            if screen.status.display:
                is_typing = isinstance(self.app.focused, Input)
                assert is_typing or "? keys" in self.texts[-1], self.where
            title = screen.bar.words.strip().split("  ")[0].partition(" ⌕")[0]
            assert title[: len(title) // BESIDE_TEXT] in self.texts[0], (self.where, self.texts[0])
            return
        seen: list[Widget] = [*screen.query(".dialog, .dialog-keys, .dialog-text")]
        seen += [self.app.focused] if self.app.focused is not None else []
        for one in seen:
            if not one.display:
                continue
            place = screen.find_widget(one)
            assert place.region.area, (self.where, one)
            assert place.visible_region == place.region, (self.where, one, self.texts)

    def works_in_ascii(self) -> None:
        """Each sign has a replacement; letters of other languages stay."""
        text = "".join(self.texts).translate(glyphs.ASCII)
        left = {letter for letter in text if not letter.isascii() and not letter.isalnum()}
        assert not left, (self.where, left)

    def works_without_colours(self) -> None:
        """No colour is left, and a line or letter is reversed wherever one was chosen."""
        without = ColorlessFilter(lambda: self.app.theme_variables, everywhere=True)
        is_reversed = False
        for line in self.lines:
            for _, style, _ in without.apply(line, Color(0, 0, 0)):
                assert style is None or (style.color is None and style.bgcolor is None), self.where
                is_reversed = is_reversed or bool(style and style.reverse)
        if any(each.highlighted is not None for each in self.screen.query(OptionList)):
            assert is_reversed, self.where
