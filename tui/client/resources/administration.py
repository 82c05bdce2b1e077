"""Folders of boards, and webhooks, for administrators (sections 4.8 and 4.10).

Others get `NotAllowed`. The addresses of webhooks are secrets: never log them.
"""

from collections.abc import Mapping, Sequence

from tui.client.documents import Document
from tui.client.endpoints import Endpoint
from tui.client.errors import UnexpectedAnswer
from tui.client.service import RemoteService
from tui.client.values import as_integer
from tui.schema.boards import Folder, Webhook, WebhookField, WebhookValue


class Folders:
    """Folders of boards, which only some editions have (section 4.8)."""

    service: RemoteService

    async def folders(self) -> list[Document]:
        """All folders with the ids of their boards (4.8)."""
        answer = await self.service.ask(Endpoint.LIST_FOLDERS)
        return await answer.documents(Folder, "folders")

    async def create_folder(self, title: str) -> Document:
        """Create a folder; its title has at most 50 characters (4.8)."""
        answer = await self.service.ask(Endpoint.CREATE_FOLDER, body={"title": title})
        return answer.document(Folder, "folder")

    async def rename_folder(self, folder_id: int, title: str) -> Document:
        """Rename a folder (4.8)."""
        answer = await self.service.ask(Endpoint.UPDATE_FOLDER, folder_id, body={"title": title})
        return answer.document(Folder, "folder")

    async def delete_folder(self, folder_id: int) -> None:
        """Delete a folder, if it still exists; its boards stay (4.8)."""
        await self.service.delete(Endpoint.DELETE_FOLDER, folder_id)

    async def add_to_folder(self, folder_id: int, board_ids: Sequence[int]) -> None:
        """Move boards into a folder (4.8)."""
        body = {"board_ids": list(board_ids)}
        await self.service.ask(Endpoint.ADD_BOARDS_TO_FOLDER, folder_id, body=body)

    async def remove_from_folder(self, folder_id: int, board_id: int) -> None:
        """Take a board out of a folder (4.8)."""
        body = {"board_id": board_id}
        await self.service.ask(Endpoint.REMOVE_BOARD_FROM_FOLDER, folder_id, body=body)


class Webhooks:
    """Webhooks, which create tasks from posted data (section 4.10)."""

    service: RemoteService

    async def webhooks(self, search: str = "") -> tuple[list[Document], list[Document]]:
        """The webhooks whose name contains `search`, and the task fields they accept (4.10)."""
        query = {"search": search} if search else None
        answer = await self.service.ask(Endpoint.LIST_WEBHOOKS, query=query)
        webhooks = await answer.documents(Webhook, "webhooks")
        fields = await answer.documents(WebhookField, "fields", is_due=False)
        return webhooks, [field for field in fields if "key" in field]

    async def create_webhook(self, name: str, board_id: int, stage_id: int) -> int | None:
        """Create a webhook for tasks in a stage; returns its id, if reported (4.10)."""
        body = {"name": name, "board": board_id, "stage": stage_id}
        answer = await self.service.ask(Endpoint.CREATE_WEBHOOK, body=body)
        answer.document(WebhookValue, "webhook")
        return as_integer(answer.value.get("id"))

    async def delete_webhook(self, webhook_id: int) -> None:
        """Delete a webhook, if it still exists (4.10)."""
        await self.service.delete(Endpoint.DELETE_WEBHOOK, webhook_id)

    async def post_to_webhook(self, url: str, fields: Mapping[str, str]) -> Document:
        """Post fields of a task to a webhook's address, without credentials (2.13, 6.1).

        Raises `BadAddress`.
        """
        reply = await self.service.session.post_form(url, fields)
        if not isinstance(reply, dict):
            raise UnexpectedAnswer("The webhook sent an unexpected answer.", may_have_happened=True)
        return reply
