"""Users, board members and roles (section 4.9)."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Literal

from tui.client.capabilities import Feature
from tui.client.endpoints import Endpoint
from tui.client.errors import (
    ApiError,
    NotAllowed,
    NotFound,
    NotOffered,
    Refused,
    UnexpectedAnswer,
)
from tui.client.http.bodies import without_none
from tui.client.records.boards import BoardRecord, FoundUserRecord, UserRecord
from tui.client.resources.boards import Boards
from tui.client.service import Service
from tui.text.fuzzy import fold

_NOT_FOR_US = (NotAllowed, NotFound)
"""Errors of one board, which must not hide the people of the others."""
RoleWord = Literal["admin", "member", "viewer", ""]
"""A role on a board; the empty one removes the person from the board."""

_Step = Callable[[int, int], Awaitable[object]]
"""A request about a user on a board, by the ids of the board and the user."""
_IN_WORDS: Mapping[RoleWord, str] = {
    "admin": "a manager", "member": "a member", "viewer": "a viewer", "": "nothing",
}  # fmt: skip
_LATELY = 100
"""How many activities of a board are searched for a person."""


class People:
    """Users and their roles.

    `path_word` is the service's own segment in two of the paths.
    """

    def __init__(self, service: Service, boards: Boards, path_word: str) -> None:
        self._service = service
        self._boards = boards
        self._path_word = path_word

    async def list(self) -> Sequence[UserRecord]:
        """All users, with boards and roles, for administrators (4.9).

        Raises `NotOffered` if there is no such list.
        """
        answer = await self._service.ask(Endpoint.LIST_USERS, self._path_word)
        return await answer.listing(UserRecord, "users")

    async def me(self) -> int:
        """The user id of the caller, which the site of a deployed service reports.

        Raises `NotOffered` if the service is not part of a site, `UnexpectedAnswer`.
        """
        answer = await self._service.ask(Endpoint.WHO_AM_I)
        return answer.record(UserRecord).id

    async def search(self, text: str) -> Sequence[FoundUserRecord]:
        """People whose display name contains `text`, with their boards (4.9).

        Raises `NotOffered` if there is no such search.
        """
        body = {"searchInput": text}
        answer = await self._service.ask(
            Endpoint.SEARCH_USERS, self._path_word, body=body, array="users"
        )
        return await answer.listing(FoundUserRecord, "users")

    async def assignees(self, board_id: int) -> Sequence[UserRecord]:
        """The people who can be assigned to tasks of a board (4.9).

        Deployed services list only those who have a task already; use `Boards.users` for all.
        """
        answer = await self._service.ask(Endpoint.LIST_ASSIGNEES, board_id)
        return await answer.listing(UserRecord, "data")

    async def add_member(
        self, board_id: int, user_id: int, *, viewer_only: bool = False
    ) -> UserRecord:
        """Make a user a member or viewer of a board (4.9)."""
        body = without_none(memberId=user_id, isViewerOnly="yes" if viewer_only else None)
        answer = await self._service.ask(Endpoint.ADD_MEMBER, board_id, body=body)
        return answer.record(UserRecord, "member")

    async def remove_member(self, board_id: int, user_id: int) -> None:
        """Remove a member from a board; everybody may leave (4.9)."""
        await self._service.ask(Endpoint.REMOVE_MEMBER, board_id, user_id)

    async def make_manager(self, board_id: int, user_id: int) -> UserRecord:
        """Let a member manage the board (4.9)."""
        return await self._change_role(Endpoint.MAKE_MANAGER, board_id, user_id)

    async def remove_manager(self, board_id: int, user_id: int) -> UserRecord:
        """Make a manager a member again (4.9)."""
        return await self._change_role(Endpoint.REMOVE_MANAGER, board_id, user_id)

    async def make_member(self, board_id: int, user_id: int) -> UserRecord:
        """Make a viewer or a manager a member (4.9)."""
        return await self._change_role(Endpoint.MAKE_MEMBER, board_id, user_id)

    async def make_viewer(self, board_id: int, user_id: int) -> UserRecord:
        """Make a member or manager a viewer (4.9).

        Raises `NotOffered` if the service's edition has no roles; `Refused`, `NotFound`,
        `NotAllowed`, `Conflict`.
        """
        return await self._change_role(Endpoint.MAKE_VIEWER, board_id, user_id)

    async def set_role(self, board_id: int, user_id: int, role: RoleWord) -> Sequence[UserRecord]:
        """Give a user a role on a board, adding or removing them; returns the members (4.9).

        Takes as many steps as the service needs from the user's present role. The members are empty
        if the caller removed themselves and may not read them any more. Raises `Refused` if the
        user ends up with another role, as where an edition adds no viewers; `NotOffered`.
        """
        members = await self._boards.users(board_id)
        for step in self._steps(_role_of(members, user_id), role):
            await step(board_id, user_id)
        try:
            members = await self._boards.users(board_id)
        except NotAllowed:
            if role:
                raise
            return []
        present = _role_of(members, user_id)
        if present != role:
            raise Refused(f"The service made this person {_IN_WORDS[present]} instead.")
        return members

    async def remove_from_board(self, board_id: int, user_id: int) -> None:
        """Remove a user from a board, as an administrator of all boards (4.9).

        Raises `NotOffered` if there is no such endpoint.
        """
        body = {"boardId": board_id, "userId": user_id}
        await self._service.ask(Endpoint.REMOVE_USER_FROM_BOARD, body=body)

    async def sync_roles(self, user_id: int, roles: Mapping[int, RoleWord]) -> None:
        """Set the roles of a user on several boards, by board id (4.9).

        An empty role removes the user from that board; other boards are unchanged. Raises
        `NotOffered`, `Refused` for administrators of the whole service.
        """
        by_id = {str(board_id): role for board_id, role in roles.items()}
        await self._service.ask(Endpoint.SYNC_ROLES, user_id, body={"roles": by_id})

    async def everybody(self) -> Sequence[UserRecord]:
        """All users, or the members of all boards if listing users is not allowed.

        Without duplicates, by name; records from boards have the role on the first board.
        """
        if self._service.offers(Feature.SERVICE_USERS) is not False:
            with suppress(NotOffered, NotAllowed):
                everybody = await self.list()
                self._service.learn_features({Feature.SERVICE_USERS: True})
                return _by_name(everybody)
        found: dict[int, UserRecord] = {}
        async for users in self._users_of_boards():
            for user in users:
                found.setdefault(user.id, user)
        return _by_name(found.values())

    async def who_am_i(self, name: str, *, again: bool = False) -> int | None:
        """The user id of the caller, whose login name or e-mail is `name`.

        None if it cannot be found.

        Asks the site of the service. Without one, the name is searched among members of boards and
        then among the people of recent activities; that fails if members have no login names, and
        e-mails may be masked. The result is stored, also None.
        """
        known = self._service.capabilities
        if not again and known.user_login == name:
            return known.user_id
        found = await self._known_to_site()
        if found is None:
            wanted = name.strip().casefold()
            async for user in self._everybody_seen():
                if _is_called(user, wanted):
                    found = user.id
                    break
        self._service.learn(
            user_id=found, user_login=name, is_administrator=None, was_asked_rights=False
        )
        return found

    async def is_administrator(self, user_id: int) -> bool | None:
        """Whether the caller, who has this id, administers the whole service.

        None if the service does not report it. The result is stored, also None.
        """
        known = self._service.capabilities
        if known.is_administrator is not None or known.was_asked_rights:
            return known.is_administrator
        found = await self._reported_administrator(user_id)
        self._service.learn(is_administrator=found, was_asked_rights=True)
        return found

    async def _reported_administrator(self, user_id: int) -> bool | None:
        """Asks for the list of all users, which is for administrators, then for members."""
        try:
            listings = [await self.list()]
        except NotAllowed:
            return False
        except NotOffered:
            listings = [users async for users in self._users_of_boards()]
        flags = {
            flag
            for users in listings
            for user in users
            if user.id == user_id
            for flag in (user.is_super, user.is_wpadmin)
        }
        return True if True in flags else False if False in flags else None

    def _steps(self, present: RoleWord, role: RoleWord) -> Iterable[_Step]:
        """The requests that lead from one role to another (section 3)."""
        if present == role:
            return
        if not role:
            yield self.remove_member
        elif not present:
            yield partial(self.add_member, viewer_only=role == "viewer")
        elif role == "viewer":
            yield self.make_viewer
        elif role == "member":
            yield self.remove_manager if present == "admin" else self.make_member
        elif present == "viewer":
            yield self.make_member
        if role == "admin":
            yield self.make_manager

    async def _change_role(self, endpoint: Endpoint, board_id: int, user_id: int) -> UserRecord:
        answer = await self._service.ask(endpoint, board_id, user_id)
        return answer.record(UserRecord, "member")

    async def _known_to_site(self) -> int | None:
        try:
            return await self.me()
        except ApiError as error:
            if isinstance(error, NotOffered | UnexpectedAnswer) or (
                error.status and not error.is_passing
            ):
                return None
            raise

    async def _everybody_seen(self) -> AsyncIterator[UserRecord]:
        """Members and people of activities, board by board, the cheap requests first."""
        boards = await self._boards.list()
        for board in boards:
            for user in board.users:
                yield user
        async for users in self._users_of_boards(boards):
            for user in users:
                yield user
        for board in boards:
            with suppress(*_NOT_FOR_US):
                latest = await self._boards.activities(board.id, per_page=_LATELY)
                for activity in latest.records:
                    if activity.user is not None:
                        yield activity.user

    async def _users_of_boards(
        self, boards: Iterable[BoardRecord] | None = None
    ) -> AsyncIterator[Sequence[UserRecord]]:
        if boards is None:
            boards = await self._boards.list()
        for board in boards:
            with suppress(*_NOT_FOR_US):
                yield await self._boards.users(board.id)


def _role_of(members: Sequence[UserRecord], user_id: int) -> RoleWord:
    """The role of a member; empty for others. A member without a known role is a `member`."""
    role = next((one.role or "member" for one in members if one.id == user_id), "")
    return role if role in _IN_WORDS else "member"  # type: ignore[return-value]


def _by_name(users: Iterable[UserRecord]) -> list[UserRecord]:
    return sorted(users, key=lambda user: (fold(user.display_name), user.id))


def _is_called(user: UserRecord, name: str) -> bool:
    names = (user.user_login, user.user_email, user.email)
    return bool(name) and any(one is not None and one.casefold() == name for one in names)
