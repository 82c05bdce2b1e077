"""Every list and every form of a list: in any size, with hostile texts, and without a service."""

from typing import Any, TypeAlias

import pytest

from tests.fakes.profiles import FakeProfiles
from tests.lint import tables
from tests.screens.driving import Driver, application
from tests.screens.service_lists import store_with_lists
from tests.screens.test_hostile import HOSTILE
from tui.actions.program import LISTS
from tui.client.errors import NotAllowed, NotOffered, Unreachable
from tui.errors import CallboardError
from tui.navigation import ListRequested
from tui.screens.lists.table import TableScreen
from tui.text.cells import width as width_of
from tui.widgets import glyphs

pytestmark = pytest.mark.long

SIZES = ((40, 15), (80, 24), (120, 36), (200, 50))
ASCII = ((80, 24),)
"""Where only ASCII is drawn."""
Sizes: TypeAlias = tuple[tuple[int, int], ...]
DIALOGS = {
    "activity": ("f",),
    "archived_cards": ("D",),
    "archived_stages": (),
    "custom_fields": ("n", "e", "D"),
    "forecast": ("w", "f"),
    "inbox": ("f",),
    "insight": (),
    "labels": ("n", "e", "D"),
    "members": ("n", "r", "D"),
    "my_work": ("b",),
    "people": ("e", "D"),
    "profiles": ("n", "e", "D"),
    "timeline": ("D",),
    "views": ("V", "b"),
    "webhooks": ("enter", "n", "D"),
}
"""The keys that open dialogs, by list."""
CACHED = {
    *("custom_fields", "forecast", "inbox", "insight", "labels", "my_work", "profiles"),
    *("timeline", "views"),
}
"""They show what is kept here, whatever the service says."""
REFUSALS = (NotAllowed("You may not see this."), NotOffered("It does not offer this."))
NO_LIST: dict[tuple[str, type[CallboardError]], str] = {
    ("people", NotAllowed): "No people",
    ("webhooks", NotAllowed): "Webhooks are shown to administrators only.",
}
"""What lists say in their own words."""
FORMS = {
    "people": ("j", "e", "right"),
    "webhooks": ("n", "enter", "x"),
}
"""The keys that open a form and fill it in."""


def test_all_lists_are_here() -> None:
    lines = (f'"{name}": ("KEY THAT OPENS A DIALOG",),' for name in {*LISTS} - DIALOGS.keys())
    tables.check(
        tables.missing(lines, "`DIALOGS`", __file__),
        tables.obsolete(DIALOGS.keys() - {*LISTS}, "`DIALOGS`", __file__),
    )


@pytest.mark.walk
@pytest.mark.parametrize("sizes", [SIZES, ASCII])
async def test_lists_and_their_forms_fit_every_size_with_any_text(sizes: Sizes) -> None:
    store, _ = store_with_lists(*HOSTILE)
    app = application(store, ascii_only=sizes is ASCII, profiles=FakeProfiles(*HOSTILE))
    async with app.run_test(size=sizes[0]) as pilot:
        person = Driver(app, pilot)
        for name, keys in DIALOGS.items():
            screen = await go_to(person, name)
            await in_every_size(person, name, sizes)
            assert len(screen.row_list.rows) > 1, name
            for key in keys if sizes is SIZES else ():
                await person.press("j", key)
                assert app.screen.is_modal, (name, key)
                await in_every_size(person, f"{name} {key}", sizes)
                await person.press("escape")
                assert app.screen is screen, (name, key)
            await person.press("escape")


@pytest.mark.walk
async def test_help_names_lifting_only_where_rows_have_an_order() -> None:
    store, _ = store_with_lists()
    app = application(store, profiles=FakeProfiles())
    async with app.run_test(size=(80, 50)) as pilot:
        person = Driver(app, pilot)
        for name, has_order in (("labels", False), ("custom_fields", True)):
            await go_to(person, name)
            await person.press("question_mark")
            assert ("lift or drop" in person.text) == has_order, name
            await person.press("escape", "escape")


@pytest.mark.walk
async def test_lists_say_why_they_could_not_be_loaded_and_try_again() -> None:
    store, service = store_with_lists()
    app = application(store)
    async with app.run_test(size=(100, 24)) as pilot:
        person = Driver(app, pilot)
        for name in sorted(set(DIALOGS) - CACHED):
            service.problem = Unreachable("The service cannot be reached.")
            screen = await go_to(person, name)
            assert "The service cannot be reached." in screen.status.words, name
            assert "R try now" in person.text, name
            for refusal in REFUSALS:
                service.problem = refusal
                await person.press("R")
                await loaded(person)
                said = NO_LIST.get((name, type(refusal)), refusal.message)
                assert said in person.text, (name, person.text)
            service.problem = None
            await person.press("R")
            await loaded(person)
            assert len(screen.row_list.rows) > 1, name
            assert "try now" not in person.text, name
            await person.press("escape")


@pytest.mark.walk
async def test_a_form_that_the_service_refuses_keeps_what_was_typed() -> None:
    store, service = store_with_lists()
    app = application(store)
    async with app.run_test(size=(100, 24)) as pilot:
        person = Driver(app, pilot)
        for name, keys in FORMS.items():
            screen = await go_to(person, name)
            await person.press(*keys)
            form = app.screen
            service.problem = Unreachable("The service cannot be reached.")
            await person.press("ctrl+s")
            assert app.screen is form, name
            assert "The service cannot be reached." in person.text, name
            service.problem = None
            await person.press("ctrl+s")
            assert app.screen is screen, name
            await loaded(person)
            await person.press("escape")
    assert {"sync_roles", "create_webhook"} <= set(service.asked)


async def in_every_size(person: Driver, where: str, sizes: Sizes) -> None:
    """Look at the screen in every size."""
    for size in sizes:
        await person.pilot.resize_terminal(*size)
        await person.press()
        screen, lines = person.app.screen, person.text.splitlines()
        assert [width_of(line) for line in lines] == [size[0]] * size[1], (where, size)
        text = "".join(lines)
        assert not any(ord(each) < 32 or 127 <= ord(each) < 160 for each in text), (where, size)
        if isinstance(screen, TableScreen):
            room = screen.row_list.size.width - 1
            for row in screen.row_list.rows:
                line = screen.line(row, room)
                assert sum(width_of(part) for part, _ in line) <= room, (where, size, line)
        else:
            focused = [person.app.focused] if person.app.focused is not None else []
            for seen in (*screen.query(".dialog, .dialog-keys"), *focused):
                place = screen.find_widget(seen)
                assert place.region.area, (where, size, seen)
                assert place.visible_region == place.region, (where, size, seen)
        if sizes is ASCII:
            assert not set(text) & set(map(chr, glyphs.ASCII)), where


async def go_to(person: Driver, name: str) -> TableScreen[Any]:
    """Open a list on top of the board, and wait until it is loaded."""
    person.app.screen.post_message(ListRequested(name, 1))
    await person.press()
    await loaded(person)
    assert type(person.app.screen).__module__ == f"tui.screens.lists.{name}"
    assert isinstance(person.app.screen, TableScreen)
    return person.app.screen


async def loaded(person: Driver) -> None:
    """Wait until the list is loaded and drawn."""
    loading = [worker for worker in person.app.workers if worker.group == "load"]
    await person.app.workers.wait_for_complete(loading)
    await person.press()
