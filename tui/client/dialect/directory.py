"""The boards and the people that the person can see, whatever the service is able to list.

Filtering and sorting are done here, because services ignore those parameters or call them something
else; pages are followed to the last one; one board that cannot be read never hides the people of
the others.
"""

from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from typing import Literal

from tui.client.capabilities import Feature
from tui.client.dialect.features import Features
from tui.client.dialect.memory import Memory
from tui.client.errors import ApiError, Nonsense, NotAllowed, NotOffered, NotThere
from tui.client.records import BoardRecord, UserRecord
from tui.client.resources.boards import Boards
from tui.client.resources.listing import Listing
from tui.client.resources.people import People
from tui.text.fuzzy import fold

_NOT_FOR_US = (NotAllowed, NotThere)
BoardOrder = Literal["id", "title", "created_at"]


class Directory:
    """Lists boards and people (4.1, 4.9)."""

    def __init__(self, boards: Boards, people: People, features: Features, memory: Memory) -> None:
        self._boards = boards
        self._people = people
        self._features = features
        self._memory = memory

    async def boards(
        self,
        *,
        archived: bool = False,
        search: str = "",
        board_type: str | None = None,
        order_by: BoardOrder = "id",
        descending: bool = True,
    ) -> Listing[BoardRecord]:
        """The active or the archived boards, with `search` in the title, in order (4.1).

        Some services list no roadmap boards at all.
        """
        listing = await self._boards.list(archived=archived)
        wanted = fold(search)
        found = [
            board
            for board in listing.records
            if wanted in fold(board.title) and board_type in {None, board.type}
        ]
        found.sort(key=lambda board: _rank(board, order_by), reverse=descending)
        return Listing(found, listing.skipped)

    async def people(self) -> Listing[UserRecord]:
        """Everybody the person can see: all users, or those of all boards where none are listed.

        Each comes once, by name; records from boards have the role on the first board.
        """
        if self._features.offers(Feature.SERVICE_USERS) is not False:
            try:
                everybody = await self._people.list()
            except (NotOffered, NotAllowed):
                pass
            else:
                self._memory.learn_features({Feature.SERVICE_USERS: True})
                return Listing(_by_name(everybody.records), everybody.skipped)
        found: dict[int, UserRecord] = {}
        skipped: list[str] = []
        async for users in self._users_of_boards():
            for user in users.records:
                found.setdefault(user.id, user)
            skipped.extend(users.skipped)
        return Listing(_by_name(found.values()), tuple(skipped))

    async def who_am_i(self, name: str, *, again: bool = False) -> int | None:
        """The user id of the caller, whose login name or e-mail is `name`; None if nobody tells.

        Asks the site of the service, which knows it by the credentials. Where there is none, looks
        for the name among members of boards and then among those who did things there lately; that
        fails where members carry no login names, and e-mails may be masked. The answer is
        remembered, also that there is none.
        """
        known = self._memory.capabilities
        if not again and known.user_login == name:
            return known.user_id
        found = await self._known_to_site()
        if found is None:
            wanted = name.strip().casefold()
            async for user in self._everybody_seen():
                if _is_called(user, wanted):
                    found = user.id
                    break
        self._memory.learn(replace(self._memory.capabilities, user_id=found, user_login=name))
        return found

    async def _known_to_site(self) -> int | None:
        """Who the site says is asking; sites may keep that to themselves in any way they like."""
        try:
            return await self._people.me()
        except ApiError as error:
            if isinstance(error, NotOffered | Nonsense) or (error.status and not error.is_passing):
                return None
            raise

    async def _everybody_seen(self) -> AsyncIterator[UserRecord]:
        """Members and those who did something, board by board, the cheap places first."""
        boards = (await self._boards.list()).records
        for board in boards:
            for user in board.users:
                yield user
        async for users in self._users_of_boards(boards):
            for user in users.records:
                yield user
        for board in boards:
            for user in await self._lately_active(board.id):
                yield user

    async def _lately_active(self, board_id: int) -> list[UserRecord]:
        """Who did something on a board, as far as its first page of activities goes back."""
        try:
            async for page in self._boards.activities(board_id):
                return [activity.user for activity in page.records if activity.user is not None]
        except _NOT_FOR_US:
            pass
        return []

    async def _users_of_boards(
        self, boards: Iterable[BoardRecord] | None = None
    ) -> AsyncIterator[Listing[UserRecord]]:
        if boards is None:
            boards = (await self._boards.list()).records
        for board in boards:
            try:
                yield await self._boards.users(board.id)
            except _NOT_FOR_US:
                continue


def _rank(board: BoardRecord, order_by: BoardOrder) -> tuple[object, ...]:
    if order_by == "title":
        return (fold(board.title), board.id)
    if order_by == "created_at":
        created_at = board.created_at
        return (created_at is not None, created_at.timestamp() if created_at else 0.0, board.id)
    return (board.id,)


def _by_name(users: Iterable[UserRecord]) -> list[UserRecord]:
    return sorted(users, key=lambda user: (fold(user.display_name), user.id))


def _is_called(user: UserRecord, name: str) -> bool:
    names = (user.user_login, user.user_email, user.email)
    return bool(name) and any(one is not None and one.casefold() == name for one in names)
