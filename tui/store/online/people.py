"""People of the whole service: everybody, a search, and their roles on all boards."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from tui.client.errors import NotAllowed, NotFound, NotOffered
from tui.model.board import Board
from tui.model.people import Role, User
from tui.model.task import Person
from tui.store.documents.assemble import Assembler
from tui.store.remote import Document, Remote
from tui.text.fuzzy import fold


async def administrators(remote: Remote, board_id: int) -> frozenset[int]:
    """The ids of the members of a board who administer the whole service."""
    members = await remote.members(board_id)
    return frozenset(
        user["ID"] for user in members if user.get("is_super") or user.get("is_wpadmin")
    )


async def assignees(remote: Remote, board_id: int) -> tuple[Person, ...]:
    """Those who can be, or are, assigned to tasks of a board: members, and some who left it."""
    return tuple(map(Assembler().person, await remote.assignees(board_id)))


async def users(remote: Remote, boards: Iterable[Board]) -> tuple[User, ...]:
    """All users by name, with their roles; those of these boards if users are not listed."""
    try:
        found = [_user(one, _roles_of(one)) for one in await remote.users()]
    except (NotOffered, NotAllowed):
        found = await _users_of(remote, boards)
    return tuple(sorted(found, key=lambda one: (fold(one.person.name), one.person.id)))


async def _users_of(remote: Remote, boards: Iterable[Board]) -> list[User]:
    documents: dict[int, Document] = {}
    roles: defaultdict[int, dict[int, Role]] = defaultdict(dict)
    for board in boards:
        try:
            members = await remote.members(board.id)
        except (NotAllowed, NotFound):
            continue
        for one in members:
            documents.setdefault(one["ID"], one)
            roles[one["ID"]][board.id] = Role.of(one.get("role")) or Role.MEMBER
    return [_user(one, roles[user_id]) for user_id, one in documents.items()]


def _roles_of(user: Document) -> dict[int, Role]:
    """The roles of a user in the list of all users."""
    boards = user.get("boards") or ()
    return {one["id"]: Role.of(one.get("role")) or Role.MEMBER for one in boards}


def _user(document: Document, roles: Mapping[int, Role]) -> User:
    is_administrator = bool(document.get("is_super") or document.get("is_wpadmin"))
    return User(Assembler().person(document), roles, is_administrator)


async def remove(remote: Remote, board_id: int, user_id: int) -> None:
    """Remove a user from a board."""
    try:
        await remote.remove_user(board_id, user_id)
    except NotOffered:
        await remote.set_role(board_id, user_id, "")


async def everybody(remote: Remote) -> tuple[Person, ...]:
    """All users by name; the members of all boards if the service does not list users."""
    return tuple(map(Assembler().person, await remote.everybody()))


async def search(remote: Remote, words: str) -> tuple[Person, ...]:
    """The users whose name contains the words; nobody if the service does not search."""
    try:
        return tuple(map(Assembler().person, await remote.search_users(words)))
    except (NotOffered, NotAllowed):
        return ()
