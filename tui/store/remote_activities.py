"""What the store asks of a service to tell who did something."""

from typing import Protocol

from tui.store.documents.shapes import Document


class RemoteActivities(Protocol):
    """What was done on boards. Every method may raise `tui.client.errors.ApiError`."""

    async def board_activities(self, board_id: int) -> list[Document]:
        """What was done on a board lately, newest first, each with its `user`: one page."""
        ...
