"""Folders of boards, which only services of the extended edition have."""

from tui.client.errors import Refused
from tui.model.folder import Folder
from tui.store.remote import Remote
from tui.text.clean import line, quoted


async def folders(remote: Remote) -> tuple[Folder, ...]:
    """All folders by title."""
    found = [
        Folder(each["id"], line(each.get("title") or ""), frozenset(each.get("boards_ids") or ()))
        for each in await remote.folders()
    ]
    return tuple(sorted(found, key=lambda folder: (folder.title.casefold(), folder.id)))


async def create_folder(remote: Remote, title: str) -> int:
    """Create a folder; returns its id.

    Raises `Refused` if there is one with this title, which may be the result of an earlier try.
    """
    if any(folder.title == title for folder in await folders(remote)):
        raise Refused(f"There is a folder {quoted(title)} already.")
    return int((await remote.create_folder(title))["id"])
