"""Users, members of boards and their roles (section 4.9)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tui.client.endpoints import Endpoint
from tui.client.records import BoardRecord, FoundUserRecord, UserRecord
from tui.client.resources.caller import Caller
from tui.client.resources.listing import Listing, read_listing
from tui.client.resources.resource import Resource, member

RoleWord = Literal["admin", "member", "viewer", ""]
"""What the roles of a person can be set to; the empty one takes the person off the board."""


@dataclass(frozen=True, slots=True)
class Everybody(Listing[UserRecord]):
    """All users of a service with the boards they belong to, and those boards."""

    boards: list[BoardRecord] = field(default_factory=list)


class People(Resource):
    """The users of a service and what they may do. Every method may raise `ApiError`.

    `path_word` is the service's own word in two of the paths.
    """

    def __init__(self, session: Caller, path_word: str = "service") -> None:
        super().__init__(session)
        self._path_word = path_word

    async def list(self) -> Everybody:
        """Everybody the service knows, with boards and roles, for administrators (4.9).

        Raises `NotOffered` where there is no such list, `NotAllowed`.
        """
        route = Endpoint.LIST_USERS.at(path_word=self._path_word)
        answer = await self._ask(route)
        users = await read_listing(member(route, answer, "users"), UserRecord)
        boards = await read_listing(answer.get("boards"), BoardRecord)
        return Everybody(users.records, users.skipped + boards.skipped, boards.records)

    async def me(self) -> int:
        """The user id of the caller, which the site of a deployed service tells.

        Raises `NotOffered` where the service is no part of a site that tells it, `Nonsense`.
        """
        route = Endpoint.WHO_AM_I.at()
        return self._one(route, {"user": await self._ask(route)}, UserRecord, "user").id

    async def search(self, text: str) -> Listing[FoundUserRecord]:
        """People whose display name holds `text`, with the boards they belong to (4.9).

        Raises `NotOffered` where there is no such search, `NotAllowed`.
        """
        route = Endpoint.SEARCH_USERS.at(path_word=self._path_word)
        rows = await self._ask_rows(route, body={"searchInput": text})
        return await read_listing(rows, FoundUserRecord)

    async def assignees(self, board_id: int) -> Listing[UserRecord]:
        """Those who can be assigned to tasks of a board (4.9).

        Deployed services list only who has a task already: `boards.users` knows everybody.
        Raises `NotThere`, `NotAllowed`.
        """
        route = Endpoint.LIST_ASSIGNEES.at(board_id=board_id)
        return await read_listing(member(route, await self._ask(route), "data"), UserRecord)

    async def add_member(
        self, board_id: int, user_id: int, *, viewer_only: bool = False
    ) -> UserRecord:
        """Make a user a member of a board, or one who may only look (4.9).

        Raises `Refused`, `NotThere`, `NotAllowed`.
        """
        route = Endpoint.ADD_MEMBER.at(board_id=board_id)
        body: dict[str, object] = {"memberId": user_id}
        if viewer_only:
            body["isViewerOnly"] = "yes"
        return self._one(route, await self._ask(route, body=body), UserRecord, "member")

    async def remove_member(self, board_id: int, user_id: int) -> None:
        """Take a member off a board; everybody may leave (4.9). Raises `NotThere`, `NotAllowed`."""
        await self._ask(Endpoint.REMOVE_MEMBER.at(board_id=board_id, user_id=user_id))

    async def make_manager(self, board_id: int, user_id: int) -> UserRecord:
        """Let a member manage the board (4.9). Raises what `make_viewer` raises."""
        return await self._change_role(Endpoint.MAKE_MANAGER, board_id, user_id)

    async def remove_manager(self, board_id: int, user_id: int) -> UserRecord:
        """Make a manager a member again (4.9). Raises what `make_viewer` raises."""
        return await self._change_role(Endpoint.REMOVE_MANAGER, board_id, user_id)

    async def make_member(self, board_id: int, user_id: int) -> UserRecord:
        """Make a viewer or a manager a member (4.9). Raises what `make_viewer` raises."""
        return await self._change_role(Endpoint.MAKE_MEMBER, board_id, user_id)

    async def make_viewer(self, board_id: int, user_id: int) -> UserRecord:
        """Let a member or a manager only look at the board (4.9).

        Raises `NotOffered` where the service's edition has no roles; `Refused`, `NotThere`,
        `NotAllowed`, `Conflict`.
        """
        return await self._change_role(Endpoint.MAKE_VIEWER, board_id, user_id)

    async def remove_from_board(self, board_id: int, user_id: int) -> None:
        """Take a user off a board, as administrators of all boards do it (4.9).

        Raises `NotOffered` where there is no such call; `NotThere`, `NotAllowed`.
        """
        route = Endpoint.REMOVE_USER_FROM_BOARD.at()
        await self._ask(route, body={"boardId": board_id, "userId": user_id})

    async def sync_roles(self, user_id: int, roles: Mapping[int, RoleWord]) -> None:
        """Set what a user is on several boards at once, by board id (4.9).

        An empty role takes the user off that board; other boards stay. Raises `NotOffered`,
        `Refused` for administrators of the whole service, `NotThere`, `NotAllowed`.
        """
        route = Endpoint.SYNC_ROLES.at(user_id=user_id)
        by_id = {str(board_id): role for board_id, role in roles.items()}
        await self._ask(route, body={"roles": by_id})

    async def _change_role(self, endpoint: Endpoint, board_id: int, user_id: int) -> UserRecord:
        route = endpoint.at(board_id=board_id, user_id=user_id)
        return self._one(route, await self._ask(route), UserRecord, "member")
