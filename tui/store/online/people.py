"""People of the whole service: everybody, a search, and their roles on all boards."""

from tui.client.errors import NotAllowed, NotOffered
from tui.model.task import Person
from tui.store.documents.assemble import Assembler
from tui.store.remote import Remote


async def administrators(remote: Remote, board_id: int) -> frozenset[int]:
    """The ids of the members of a board who administer the whole service."""
    members = await remote.members(board_id)
    return frozenset(
        user["ID"] for user in members if user.get("is_super") or user.get("is_wpadmin")
    )


async def everybody(remote: Remote) -> tuple[Person, ...]:
    """All users by name; the members of all boards if the service does not list users."""
    return tuple(map(Assembler().person, await remote.everybody()))


async def search(remote: Remote, words: str) -> tuple[Person, ...]:
    """The users whose name contains the words; nobody if the service does not search."""
    try:
        return tuple(map(Assembler().person, await remote.search_users(words)))
    except (NotOffered, NotAllowed):
        return ()
