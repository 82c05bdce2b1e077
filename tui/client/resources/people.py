"""Users, board members and roles (section 4.9)."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Literal

from tui.client.answers import read_documents
from tui.client.documents import Document
from tui.client.endpoints import Endpoint
from tui.client.errors import NotAllowed, NotFound, NotOffered, Refused
from tui.client.http.bodies import without_none
from tui.client.resources.boards import Boards
from tui.client.values import as_rows
from tui.schema.boards import FoundUser, User
from tui.text.fuzzy import fold

NOT_FOR_US = (NotAllowed, NotFound)
"""Errors of one board, which must not hide the people of the others."""
RoleWord = Literal["admin", "member", "viewer", ""]
"""A role on a board; the empty one removes the person from the board."""

_MOST_FOUND = 100
"""The most users that a site lists at once."""
_Step = Callable[[int, int], Awaitable[object]]
"""A request about a user on a board, by the ids of the board and the user."""
_IN_WORDS: Mapping[RoleWord, str] = {
    "admin": "a manager", "member": "a member", "viewer": "a viewer", "": "nothing",
}  # fmt: skip


class People(Boards):
    """Users and their roles (section 4.9).

    `path_word` is the service's own segment in two of the paths.
    """

    path_word: str

    async def users(self) -> list[Document]:
        """All users, with boards and roles, for administrators (4.9).

        Raises `NotOffered` if there is no such list.
        """
        answer = await self.service.ask(Endpoint.LIST_USERS, self.path_word)
        return await answer.documents(User, "users")

    async def me(self) -> int:
        """The user id of the caller, which the site of a deployed service reports.

        Raises `NotOffered` if the service is not part of a site, `UnexpectedAnswer`.
        """
        answer = await self.service.ask(Endpoint.WHO_AM_I)
        person_id: int = answer.document(User)["ID"]
        return person_id

    async def search_users(self, text: str) -> list[Document]:
        """People whose display name contains `text`, with their boards (4.9).

        Raises `NotOffered` if there is no such search.
        """
        body = {"searchInput": text}
        answer = await self.service.ask(
            Endpoint.SEARCH_USERS, self.path_word, body=body, array="users"
        )
        return await answer.documents(FoundUser, "users")

    async def site_users(self, text: str = "") -> list[Document]:
        """The first users of a deployed service's site whose names contain `text`.

        Also those on no board; for administrators. Raises `NotOffered` if there is no such list.
        """
        # Only this context shows e-mail addresses, and only to administrators.
        query = {"context": "edit", "per_page": str(_MOST_FOUND)}
        if text:
            query["search"] = text
        answer = await self.service.ask(Endpoint.LIST_SITE_USERS, query=query, array="users")
        rows = [_of_site(row) for row in as_rows(answer.array("users")) if isinstance(row, dict)]
        return await read_documents(rows, User, site=answer.site)

    async def assignees(self, board_id: int) -> list[Document]:
        """The people who can be assigned to tasks of a board (4.9).

        Deployed services list only those who have a task already; use `members` for all.
        """
        answer = await self.service.ask(Endpoint.LIST_ASSIGNEES, board_id)
        return await answer.documents(User, "data")

    async def add_member(
        self, board_id: int, user_id: int, *, viewer_only: bool = False
    ) -> Document:
        """Make a user a member or viewer of a board (4.9)."""
        body = without_none(memberId=user_id, isViewerOnly="yes" if viewer_only else None)
        answer = await self.service.ask(Endpoint.ADD_MEMBER, board_id, body=body)
        return answer.document(User, "member")

    async def remove_member(self, board_id: int, user_id: int) -> None:
        """Remove a member from a board; everybody may leave (4.9)."""
        await self.service.ask(Endpoint.REMOVE_MEMBER, board_id, user_id)

    async def make_manager(self, board_id: int, user_id: int) -> Document:
        """Let a member manage the board (4.9)."""
        return await self._change_role(Endpoint.MAKE_MANAGER, board_id, user_id)

    async def remove_manager(self, board_id: int, user_id: int) -> Document:
        """Make a manager a member again (4.9)."""
        return await self._change_role(Endpoint.REMOVE_MANAGER, board_id, user_id)

    async def make_member(self, board_id: int, user_id: int) -> Document:
        """Make a viewer or a manager a member (4.9)."""
        return await self._change_role(Endpoint.MAKE_MEMBER, board_id, user_id)

    async def make_viewer(self, board_id: int, user_id: int) -> Document:
        """Make a member or manager a viewer (4.9).

        Raises `NotOffered` if the service's edition has no roles; `Refused`, `NotFound`,
        `NotAllowed`, `Conflict`.
        """
        return await self._change_role(Endpoint.MAKE_VIEWER, board_id, user_id)

    async def set_role(self, board_id: int, user_id: int, role: RoleWord) -> list[Document]:
        """Give a user a role on a board, adding or removing them; returns the members (4.9).

        Takes as many steps as the service needs from the user's present role. The members are empty
        if the caller removed themselves and may not read them any more. Raises `Refused` if the
        user ends up with another role, as where an edition adds no viewers; `NotOffered`.
        """
        members = await self.members(board_id)
        # An edition without viewers makes a member of one and answers 200, so the result is read.
        for step in self._steps(_role_of(members, user_id), role):
            await step(board_id, user_id)
        try:
            members = await self.members(board_id)
        except NotAllowed:
            if role:
                raise
            return []
        present = _role_of(members, user_id)
        if present != role:
            raise Refused(f"The service made this person {_IN_WORDS[present]} instead.")
        return members

    async def remove_user(self, board_id: int, user_id: int) -> None:
        """Remove a user from a board, as an administrator of all boards (4.9).

        Raises `NotOffered` if there is no such endpoint.
        """
        body = {"boardId": board_id, "userId": user_id}
        await self.service.ask(Endpoint.REMOVE_USER_FROM_BOARD, body=body)

    async def sync_roles(self, user_id: int, roles: Mapping[int, RoleWord]) -> None:
        """Set the roles of a user on several boards, by board id (4.9).

        An empty role removes the user from that board; other boards are unchanged. Raises
        `NotOffered`, `Refused` for administrators of the whole service.
        """
        by_id = {str(board_id): role for board_id, role in roles.items()}
        await self.service.ask(Endpoint.SYNC_ROLES, user_id, body={"roles": by_id})

    async def everybody(self) -> list[Document]:
        """All users, or the members of all boards if listing users is not allowed (4.9).

        Without duplicates, by name; those from boards have the role on the first board.
        """
        with suppress(NotOffered, NotAllowed):
            return _by_name(await self._listed())
        by_id: dict[int, Document] = {}
        async for members in self.members_of_boards():
            for member in members:
                by_id.setdefault(member["ID"], member)
        return _by_name(by_id.values())

    async def _listed(self) -> list[Document]:
        return await self.users()

    async def members_of_boards(
        self, boards: Iterable[Document] | None = None
    ) -> AsyncIterator[list[Document]]:
        """The members of each board, without those of boards that may not be read."""
        if boards is None:
            boards = await self.list_boards()
        for board in boards:
            with suppress(*NOT_FOR_US):
                yield await self.members(board["id"])

    def _steps(self, present: RoleWord, role: RoleWord) -> Iterable[_Step]:
        # The requests that lead from one role to another (section 3).
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

    async def _change_role(self, endpoint: Endpoint, board_id: int, user_id: int) -> Document:
        answer = await self.service.ask(endpoint, board_id, user_id)
        return answer.document(User, "member")


def _of_site(row: Mapping[str, object]) -> dict[str, object]:
    """A user of a site, by the names that a service has for the same."""
    login = row.get("username") or row.get("slug")
    email, name = row.get("email"), row.get("name")
    return {"ID": row.get("id"), "display_name": name, "user_login": login, "user_email": email}


def _by_name(users: Iterable[Document]) -> list[Document]:
    return sorted(users, key=lambda user: (fold(user.get("display_name", "")), user["ID"]))


def _role_of(members: Sequence[Document], user_id: int) -> RoleWord:
    # Empty for those who are no members. A member without a known role is a `member`.
    for member in members:
        if member["ID"] == user_id:
            role: RoleWord = member.get("role") or "member"
            return role if role in _IN_WORDS else "member"
    return ""
