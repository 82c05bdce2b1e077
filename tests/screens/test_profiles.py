"""The list of profiles: opened, added, changed and logged out of."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.fakes.boards import small
from tests.fakes.profiles import FakeProfiles
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, application
from tui.client.http.credentials import Secret
from tui.errors import CallboardError
from tui.profiles.protocol import Login, ProfileChange

PASSWORD = "correct  horse "


@asynccontextmanager
async def listed() -> AsyncIterator[tuple[Driver, FakeProfiles]]:
    """The list of profiles, with the cursor on the first one."""
    profiles = FakeProfiles()
    app = application(FakeStore(small()), profiles=profiles)
    async with app.run_test(size=(120, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "p")
        profiles.asked.clear()
        yield person, profiles


def done(profiles: FakeProfiles) -> list[object]:
    """What was asked, except to be listed."""
    return [one for one in profiles.asked if one != "known"]


def chosen(person: Driver) -> tuple[str, bool, bool] | None:
    """The profile to open next, if any; whether this one is logged out of and keeps changes."""
    asked = person.app.next_profile
    return None if asked is None else (asked.name, asked.leaves, asked.keeps_changes)


async def test_a_row_says_where_for_whom_what_is_kept_and_which_is_open() -> None:
    async with listed() as (person, _):
        rows = [" ".join(line.split()) for line in person.text.splitlines()[1:4]]
        assert rows == [
            "▌ ★ team ann at boards.example.org at start 12 boards ↑3 pending file",
            (
                "▸ client a.very.long.login.name@people.example.com at a-long…"
                " open now 1 board command"
            ),
            "embedded boards on this machine 2 boards",
        ]
        await person.pilot.resize_terminal(40, 15)
        await person.press()
        assert "★ team" in person.text
        assert "↑3 pending" in person.text


async def test_enter_opens_another_profile_and_says_which_is_open() -> None:
    async with listed() as (person, profiles):
        await person.press("j", "enter")
        assert "Profile client is already open" in person.text
        profiles.problem = CallboardError("the settings are wrong.")
        await person.press("k", "enter")
        assert "The settings are wrong." in person.text
        assert chosen(person) is None
        profiles.problem = None
        await person.press("enter")
        assert chosen(person) == ("team", False, True)


@pytest.mark.long
async def test_a_login_is_tried_out_and_the_form_stays_until_it_is_accepted() -> None:
    async with listed() as (person, profiles):
        profiles.problem = CallboardError("The service does not accept it.")
        await person.press("n")
        for text in ("boards.example.net", "ann", PASSWORD):
            await person.type(text)
            await person.press("tab")
        await person.press("tab", "right", "tab", "right", "enter")
        assert "The service does not accept it." in person.text
        assert "boards.example.net" in person.text
        assert PASSWORD.strip() not in person.text
        assert "•" * len(PASSWORD) in person.text
        profiles.problem = None
        await person.press("enter")
        assert "Logged in: new" in person.text
        assert "▌   new" in person.text
    (login,) = done(profiles)
    assert login == Login(
        "boards.example.net", "ann", Secret(PASSWORD), in_keyring=True, is_default=True
    )
    assert PASSWORD not in repr(login)


@pytest.mark.long
async def test_a_profile_is_changed_and_the_embedded_one_only_as_the_default() -> None:
    async with listed() as (person, profiles):
        await person.press("e", "right", "tab", *PASSWORD, "ctrl+s")
        assert "Saved the profile team" in person.text
        await person.press("G", "e", "right", "enter")
        assert "Saved the profile embedded" in person.text
    assert done(profiles) == [
        ("team", ProfileChange("keyring", "", Secret(PASSWORD), "", is_default=True)),
        ("embedded", ProfileChange("", "", Secret(""), "", is_default=True)),
    ]


@pytest.mark.parametrize(("key", "keeps"), [("k", True), ("d", False)])
async def test_logging_out_names_what_was_not_sent_and_asks(key: str, keeps: bool) -> None:
    async with listed() as (person, profiles):
        await person.press("D")
        assert "3 unsent items of team" in person.text
        assert "move “Fix login” to “Done”" in person.text
        await person.press("escape")
        await person.press("D", key)
        assert ("LOST" in person.text) is not keeps
        await person.press("enter", "n")
        assert done(profiles) == []
        await person.press("D", key, "y")
        assert "Logged out of team" in person.text
        assert ("unsent changes are kept" in person.text) is keeps
    assert done(profiles) == [("team", keeps)]


async def test_the_open_profile_is_left_first_and_the_embedded_one_never_logged_out() -> None:
    async with listed() as (person, profiles):
        await person.press("G", "D")
        assert "only on this machine: nothing to log out of" in person.text
        await person.press("k", "D", "y")
        assert chosen(person) == ("embedded", True, False)
    assert done(profiles) == []
