"""Who did what on boards, asked of the client."""

from tui.client.client import Client
from tui.store.documents.shapes import Document

_LATELY = 50


class GatewayActivities:
    """`tui.store.remote.Remote` on a client."""

    _client: Client

    async def board_activities(self, board_id: int) -> list[Document]:
        """What was done on a board lately, newest first: one page (4.1)."""
        async for page in self._client.boards.activities(board_id, per_page=_LATELY):
            return [activity.document() for activity in page.records]
        return []
