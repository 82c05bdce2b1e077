"""Folders of boards, and webhooks, for administrators (sections 4.8 and 4.10)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tui.client.documents import Document
from tui.client.endpoints import Endpoint
from tui.client.errors import UnexpectedAnswer
from tui.client.records.boards import AcceptedField, FolderRecord, WebhookRecord, WebhookTarget
from tui.client.records.values import as_integer
from tui.client.service import Service


class Folders:
    """Folders of boards.

    Raises `NotOffered` if the service's edition has no folders, `NotAllowed` for users who are not
    administrators.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list(self) -> Sequence[FolderRecord]:
        """All folders with the ids of their boards (4.8)."""
        answer = await self._service.ask(Endpoint.LIST_FOLDERS)
        return await answer.listing(FolderRecord, "folders")

    async def create(self, title: str) -> FolderRecord:
        """Create a folder; its title has at most 50 characters (4.8)."""
        answer = await self._service.ask(Endpoint.CREATE_FOLDER, body={"title": title})
        return answer.record(FolderRecord, "folder")

    async def rename(self, folder_id: int, title: str) -> FolderRecord:
        """Rename a folder (4.8)."""
        answer = await self._service.ask(Endpoint.UPDATE_FOLDER, folder_id, body={"title": title})
        return answer.record(FolderRecord, "folder")

    async def delete(self, folder_id: int) -> None:
        """Delete a folder; its boards stay (4.8)."""
        await self._service.ask(Endpoint.DELETE_FOLDER, folder_id)

    async def add_boards(self, folder_id: int, board_ids: Sequence[int]) -> None:
        """Move boards into a folder (4.8)."""
        body = {"board_ids": list(board_ids)}
        await self._service.ask(Endpoint.ADD_BOARDS_TO_FOLDER, folder_id, body=body)

    async def remove_board(self, folder_id: int, board_id: int) -> None:
        """Take a board out of a folder (4.8)."""
        body = {"board_id": board_id}
        await self._service.ask(Endpoint.REMOVE_BOARD_FROM_FOLDER, folder_id, body=body)


@dataclass(frozen=True, slots=True)
class WebhookListing:
    """Webhooks, and the task fields that all of them accept."""

    webhooks: Sequence[WebhookRecord]
    fields: Sequence[AcceptedField]


@dataclass(frozen=True, slots=True)
class MadeWebhook:
    """A new webhook, and the list of all webhooks with it."""

    target: WebhookTarget
    webhook_id: int | None
    webhooks: Sequence[WebhookRecord]


class Webhooks:
    """Webhooks, which create tasks from posted data, for administrators.

    Raises `NotAllowed` for users who are not administrators. The addresses are secrets: never log
    them.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list(self, search: str = "") -> WebhookListing:
        """The webhooks whose name contains `search`, and the fields they accept (4.10)."""
        query = {"search": search} if search else None
        answer = await self._service.ask(Endpoint.LIST_WEBHOOKS, query=query)
        hooks = await answer.listing(WebhookRecord, "webhooks")
        fields = await answer.listing(AcceptedField, "fields", is_due=False)
        return WebhookListing(hooks, fields)

    async def create(self, name: str, board_id: int, stage_id: int) -> MadeWebhook:
        """Create a webhook that creates tasks in a stage of a board (4.10)."""
        body = {"name": name, "board": board_id, "stage": stage_id}
        answer = await self._service.ask(Endpoint.CREATE_WEBHOOK, body=body)
        target = answer.record(WebhookTarget, "webhook")
        hooks = await answer.listing(WebhookRecord, "webhooks", is_due=False)
        return MadeWebhook(target, as_integer(answer.value.get("id")), hooks)

    async def delete(self, webhook_id: int) -> Sequence[WebhookRecord]:
        """Delete a webhook; returns the remaining ones (4.10).

        Deleting it again raises `NotFound` or succeeds, depending on the service.
        """
        answer = await self._service.ask(Endpoint.DELETE_WEBHOOK, webhook_id)
        return await answer.listing(WebhookRecord, "webhooks", is_due=False)

    async def post(self, url: str, fields: Mapping[str, str]) -> Document:
        """Post fields of a task to a webhook's address, without credentials (2.13, 6.1).

        Raises `BadAddress`.
        """
        told = await self._service.session.post_form(url, fields)
        if not isinstance(told, dict):
            raise UnexpectedAnswer("The webhook sent an unexpected answer.", may_have_happened=True)
        return told
