"""Creates and deletes boards where some editions let only administrators do that (4.1)."""

from collections.abc import Mapping, Sequence

from tui.client.capabilities import Feature, why_missing
from tui.client.documents import Document
from tui.client.editions.deletion import CheckedDeletions
from tui.client.errors import ApiError, NotAllowed


class CheckedBoards(CheckedDeletions):
    """Creates and deletes boards, and learns what the user may not do on any board."""

    async def create_board(
        self,
        title: str,
        description: str,
        board_type: str,
        *,
        currency: str | None = None,
        folder_id: int | None = None,
        stages: Sequence[Mapping[str, object]] | None = None,
    ) -> Document:
        try:
            board = await super().create_board(
                title,
                description,
                board_type,
                currency=currency,
                folder_id=folder_id,
                stages=stages,
            )
        except NotAllowed as error:
            raise self._reserved(Feature.BOARD_CREATION, error) from error
        # Corrects a refusal from before the user was given the right.
        self.service.learn_features({Feature.BOARD_CREATION: True})
        return board

    async def delete_board(self, board_id: int) -> None:
        try:
            await super().delete_board(board_id)
        except NotAllowed as error:
            # Older free and both paid editions refuse even the manager who created the board. A
            # refusal of anybody else says nothing about boards that they manage.
            if not await self._manages(board_id):
                raise
            raise self._reserved(Feature.BOARD_DELETION, error) from error

    def _reserved(self, feature: Feature, error: NotAllowed) -> NotAllowed:
        self.service.learn_features({feature: False})
        return NotAllowed(why_missing(feature), details=error.details, status=error.status)

    async def _manages(self, board_id: int) -> bool:
        try:
            members = await self.members(board_id)
        except ApiError:
            return False
        user_id = self.service.capabilities.user_id
        roles = (member.get("role") for member in members if member["ID"] == user_id)
        return "admin" in roles
