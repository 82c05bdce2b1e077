"""The lists of members and people: who left, whom the search finds, what is said."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest

from tests.fakes.boards import ANN, JON, MIRA, NOW, small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tests.screens.service_lists import store_with_lists
from tui.client.capabilities import Feature
from tui.client.documents import Document
from tui.client.errors import NotOffered, Unreachable
from tui.context import Context
from tui.errors import CallboardError
from tui.model.people import Account, Role, User
from tui.model.task import Person
from tui.screens.boards.screen import BoardsScreen
from tui.screens.lists.members import MemberRow, MembersScreen
from tui.screens.lists.people import PeopleScreen
from tui.store.operations import SetRole
from tui.store.remote import Remote
from tui.widgets.painted import line_width

EVE = Person(9, "Eve Hart", "eve")
LEFT = Person(8, "Lou Gone", "lou")


class PeopleService:
    """A service that finds Eve by her login, once she is searched for."""

    def __init__(self) -> None:
        self.problem: CallboardError | None = None

    async def members(self, board_id: int) -> list[Document]:
        """Ann administers the service."""
        del board_id
        return [{"ID": ANN.id, "is_super": True}]

    async def assignees(self, board_id: int) -> list[Document]:
        """Somebody who left is still assigned."""
        del board_id
        return [_document(ANN), _document(LEFT)]

    async def everybody(self) -> list[Document]:
        """The members."""
        return [_document(ANN), _document(JON)]

    async def folders(self) -> list[Document]:
        """None."""
        return []

    async def search_users(self, text: str) -> list[Document]:
        """Eve, whom nobody knows."""
        if self.problem is not None:
            raise self.problem
        return [_document(EVE)] if text == "eve" else []


def _document(person: Person) -> Document:
    return {"ID": person.id, "display_name": person.name, "user_login": person.login}


def board_of_people() -> tuple[FakeStore, PeopleService]:
    """A board that Ann manages, and its service."""
    view, service = small(), PeopleService()
    board = replace(
        view.board,
        people=(ANN, MIRA, JON),
        managers=frozenset({ANN.id}),
        viewers=frozenset({JON.id}),
    )
    store = FakeStore(replace(view, board=board, people=board.people))
    store.me = Account("ann", ANN.id)
    store.remote = cast("Remote", service)
    return store, service


def rows(person: Driver) -> list[str]:
    """The names in the list, with their roles."""
    lines = (line.strip(" ▌") for line in person.text.splitlines()[2:-2])
    return [line.partition("  ")[2] for line in lines if line]


_SHARE = "To invite people, share this board: callboard serve"


@pytest.mark.long
async def test_roles_change_as_far_as_they_differ_also_of_who_left_but_is_assigned() -> None:
    store, _ = board_of_people()
    async with opened(store) as person:
        await person.press("g", "t")
        assert [row.split()[0] for row in rows(person)] == ["Ann", "Mira", "Jon", "Lou"]
        assert [re.split("  +", row)[1] for row in rows(person)] == [
            "manager", "member", "viewer", "left",
        ]  # fmt: skip
        await person.press("G", "D")
        assert "Already left the board" in person.text
        await person.press("r", "m", "g", "g", "j", "j", "r", "m")
        assert "Already member: Mira Novak" in person.text
        await person.press("v", "v", "r", "v")
    added, changed = SetRole(1, LEFT, "member", ""), SetRole(1, MIRA, "viewer", "member")
    assert store.submitted == [added, changed]


async def test_members_have_their_open_and_late_cards_and_their_login() -> None:
    store, _ = board_of_people()
    async with opened(store) as person:
        await person.press("g", "t")
        assert " Small  › Members  3 people  1 left " in person.text.splitlines()[0]
        heads = person.text.splitlines()[1].split()
        assert heads == ["who", "name", "role", "open", "overdue", "login"]
        (mira,) = (line for line in person.text.splitlines() if "Mira" in line)
        assert mira.split() == ["MN", "Mira", "Novak", "member", "·", "·", "mira"]
        late = store.views[1].in_stage(1)[0]
        late = replace(late, assignees=(MIRA,), due_at=NOW - timedelta(days=1))
        store.news(store.views[1].with_task(late))
        await person.press()
        (mira,) = (line for line in person.text.splitlines() if "Mira" in line)
        assert mira.split()[-3:] == ["1", "1", "mira"]


@pytest.mark.long
async def test_somebody_unknown_is_found_while_typing_and_added() -> None:
    store, service = board_of_people()
    async with opened(store) as person:
        await person.press("g", "t", "n")
        await person.type("eve")
        assert "Eve Hart" in person.text
        await person.press("escape", "n")
        service.problem = Unreachable("The service cannot be reached.")
        await person.type("e")
        assert "The service cannot be reached." in person.text
        service.problem = NotOffered("There is no search.")
        await person.type("x")
        assert "no one matches “ex”" in person.text
        service.problem = None
        await person.press("backspace")
        await person.type("ve")
        await person.press("enter", "v")
    assert store.submitted == [SetRole(1, EVE, "viewer", "")]


@pytest.mark.long
@pytest.mark.parametrize("missing", [set(), {Feature.VIEWER_ROLES}])
async def test_editions_without_viewers_offer_none(missing: set[Feature]) -> None:
    store, _ = board_of_people()
    store.missing = missing
    has_viewers = not missing
    async with opened(store) as person:
        await person.press("g", "t", "n")
        await person.type("eve")
        await person.press("enter")
        assert "manager: can also manage members" in person.text
        assert ("viewer: can view" in person.text) is has_viewers
        await person.press("escape", "g", "g", "j", "r")
        assert "Role of Mira Novak" in person.text
        assert ("viewer: can view" in person.text) is has_viewers


@pytest.mark.parametrize("missing", [set(), {Feature.VIEWER_ROLES}])
async def test_a_form_of_roles_offers_no_role_that_the_edition_lacks(missing: set[Feature]) -> None:
    store, _ = store_with_lists()
    store.missing = missing
    async with opened(store, board_id=None) as person:
        await person.press("g", "t", "j", "e")
        seen = set()
        for _ in range(4):
            await person.press("right")
            seen |= {role for role in Role if f"‹ {role.in_words} ›" in person.text}
        assert seen == {Role.MEMBER, Role.MANAGER} | (set() if missing else {Role.VIEWER})


async def test_editions_without_roles_say_so_and_add_no_managers() -> None:
    store, _ = board_of_people()
    store.missing = {Feature.ROLES}
    async with opened(store) as person:
        await person.press("g", "t", "r")
        assert "does not offer changing roles" in person.text
        await person.press("n")
        await person.type("eve")
        await person.press("enter")
        assert "viewer" in person.text
        assert "manager: can also" not in person.text


async def test_members_leave_but_remove_nobody_else() -> None:
    store, _ = board_of_people()
    store.me = Account("mira", MIRA.id)
    async with opened(store) as person:
        await person.press("g", "t", "D")
        assert "Only managers of this board may do that" in person.text
        await person.press("j", "D")
        assert "Leave “Small”?" in person.text
        await person.press("y")
        assert isinstance(person.app.screen, BoardsScreen)
        assert len(person.app.screen_stack) == 1
        assert "Left “Small”" in person.text.splitlines()[-2]
    assert store.submitted == [SetRole(1, MIRA, "", "member")]


@pytest.mark.long
async def test_who_may_not_change_members_is_told_so_below_them() -> None:
    store, _ = board_of_people()
    for me, words in ((ANN, ""), (MIRA, " Only managers can change members.")):
        store.me = Account(me.login, me.id)
        async with opened(store, size=(120, 30)) as person:
            await person.press("g", "t")
            *_, edge, hints = person.text.splitlines()
            assert edge.rstrip() == words
            own = " n add  ↵ role " if me is ANN else ""
            assert hints.startswith(f"{own} D remove  / search  u undo  esc back ")


@pytest.mark.long
async def test_members_of_boards_of_this_machine_say_how_others_come_in() -> None:
    store, _ = board_of_people()
    for is_embedded in (True, False):
        async with opened(store, is_embedded=is_embedded) as person:
            await person.press("g", "t")
            assert (_SHARE in person.text) is is_embedded
            await person.press("n", *"xyz")
            assert "no one matches “xyz”" in person.text
            assert (_SHARE if is_embedded else "ask the host of the service") in person.text
            await person.press("escape", "escape", "a", *"xyz")
            assert "no one matches “xyz”" in person.text
            assert (
                _SHARE if is_embedded else "To invite people: g t members, then n"
            ) in person.text


@pytest.mark.parametrize("name", ["An extraordinarily long name", "山田太郎", "山田太郎" * 30])
def test_columns_are_aligned_whatever_letters_the_names_have(name: str) -> None:
    store, _ = board_of_people()
    people, members = PeopleScreen(Context(store)), MembersScreen(Context(store), 1)
    wide = replace(MIRA, name=name)
    user = User(wide, {1: Role.VIEWER})
    for width in (20, 40, 60, 80, 120):
        assert line_width(people.line(user, width)) <= width
        for is_me in (True, False):
            assert line_width(members.line(MemberRow(wide, Role.VIEWER, is_me), width)) == width
    view = store.views[1]
    board = replace(view.board, people=(wide, wide, wide))
    for width in (40, 80, 120):
        assert line_width(BoardsScreen(Context(store)).line(board, width)) == width
