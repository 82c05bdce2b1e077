"""The part of the protocol between store and client about people, folders and webhooks.

See `tui.store.remote` for what all methods have in common.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from tui.client.documents import Document
from tui.model.people import RoleWord


class Administration(Protocol):
    """Members and roles of boards, users, folders and webhooks of a service."""

    async def members(self, board_id: int) -> list[Document]:
        """The members of a board, each with a `role` (4.1)."""
        ...

    async def assignees(self, board_id: int) -> list[Document]:
        """The members of a board, or all who are assigned to its tasks (4.9)."""
        ...

    async def set_role(self, board_id: int, user_id: int, role: RoleWord) -> list[Document]:
        """Give a user a role on a board, adding or, if it is empty, removing them (4.9).

        Returns the members; empty if the caller may not read them any more.
        """
        ...

    async def everybody(self) -> list[Document]:
        """All users by name, or the members of all boards if users are not listed (4.9)."""
        ...

    async def users(self) -> list[Document]:
        """All users, each with `boards` and the `role` there, for administrators (4.9).

        Raises `NotOffered`.
        """
        ...

    async def search_users(self, text: str) -> list[Document]:
        """The users whose display name contains a text (4.9). Raises `NotOffered`."""
        ...

    async def sync_roles(self, user_id: int, roles: Mapping[int, RoleWord]) -> None:
        """Set the roles of a user on several boards, by board id; empty ones remove them (4.9).

        Raises `NotOffered`, `Refused` for administrators of the whole service.
        """
        ...

    async def remove_user(self, board_id: int, user_id: int) -> None:
        """Remove a user from a board that may not be open (4.9). Raises `NotOffered`."""
        ...

    async def folders(self) -> list[Document]:
        """All folders, each with `boards_ids`, if offered (4.8).

        Folders are for administrators: each of their methods may raise `NotAllowed`.
        """
        ...

    async def create_folder(self, title: str) -> Document:
        """Create a folder; its title has at most 50 characters (4.8)."""
        ...

    async def rename_folder(self, folder_id: int, title: str) -> Document:
        """Rename a folder (4.8)."""
        ...

    async def delete_folder(self, folder_id: int) -> None:
        """Delete a folder; its boards stay (4.8)."""
        ...

    async def add_to_folder(self, folder_id: int, board_ids: Sequence[int]) -> None:
        """Move boards into a folder (4.8)."""
        ...

    async def remove_from_folder(self, folder_id: int, board_id: int) -> None:
        """Take a board out of a folder (4.8)."""
        ...

    async def webhooks(self) -> tuple[list[Document], list[Document]]:
        """All webhooks, and the fields of a task that they accept, for administrators (4.10).

        The addresses are secrets.
        """
        ...

    async def create_webhook(self, name: str, board_id: int, stage_id: int) -> int | None:
        """Create a webhook for a stage of a board; returns its id, if reported (4.10)."""
        ...

    async def delete_webhook(self, webhook_id: int) -> None:
        """Delete a webhook; succeeds if it no longer exists (4.10)."""
        ...

    async def post_to_webhook(self, url: str, fields: Mapping[str, str]) -> Document:
        """Post fields of a task to the address of a webhook, without credentials.

        Returns the reply. Raises `BadAddress` for an address that is not allowed, `Refused` with
        the reason.
        """
        ...
