"""Folders that group boards (section 4.8)."""

from collections.abc import Sequence

from tui.client.answers import Listing
from tui.client.endpoints import Endpoint
from tui.client.records import FolderRecord
from tui.client.service import Service


class Folders:
    """Folders of boards, for administrators. Every method may raise `ApiError`.

    Raises `NotOffered` everywhere where the service's edition has no folders, and `NotAllowed`
    for everybody else.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list(self) -> Listing[FolderRecord]:
        """All folders with the ids of their boards (4.8)."""
        answer = await self._service.ask(Endpoint.LIST_FOLDERS)
        return await answer.listing(FolderRecord, "folders")

    async def create(self, title: str) -> FolderRecord:
        """Make a folder; its title has at most 50 characters (4.8).

        Raises `Refused`. Never repeat it blindly.
        """
        answer = await self._service.ask(Endpoint.CREATE_FOLDER, body={"title": title})
        return answer.record(FolderRecord, "folder")

    async def rename(self, folder_id: int, title: str) -> FolderRecord:
        """Rename a folder (4.8). Raises `Refused`, `NotThere`."""
        answer = await self._service.ask(Endpoint.UPDATE_FOLDER, folder_id, body={"title": title})
        return answer.record(FolderRecord, "folder")

    async def delete(self, folder_id: int) -> None:
        """Delete a folder; its boards stay (4.8). Raises `NotThere`."""
        await self._service.ask(Endpoint.DELETE_FOLDER, folder_id)

    async def add_boards(self, folder_id: int, board_ids: Sequence[int]) -> None:
        """Put boards into a folder, out of whichever they were in (4.8).

        Raises `Refused`, `NotThere`.
        """
        body = {"board_ids": list(board_ids)}
        await self._service.ask(Endpoint.ADD_BOARDS_TO_FOLDER, folder_id, body=body)

    async def remove_board(self, folder_id: int, board_id: int) -> None:
        """Take a board out of a folder (4.8). Raises `Refused`, `NotThere`."""
        body = {"board_id": board_id}
        await self._service.ask(Endpoint.REMOVE_BOARD_FROM_FOLDER, folder_id, body=body)
