"""Finds people whom services list only to administrators of their site, or not at all (4.9)."""

from contextlib import suppress

from tui.client.capabilities import Feature
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.errors import ApiError, NotOffered, UnexpectedAnswer
from tui.client.service import not_offered


class CheckedPeople(Client):
    """Finds people on no board too, if the site of the service shows its users to the caller."""

    async def search_users(self, text: str) -> list[Document]:
        """Those of the site, or else those whom the service finds, mostly members of boards."""
        # For people on no board the service's own search answers `[]`, or is missing.
        with suppress(NotOffered):
            return await self.site_users(text)
        return await super().search_users(text)

    async def site_users(self, text: str = "") -> list[Document]:
        """Raises `NotOffered` also for those who are no administrators; that is remembered."""
        try:
            users = await super().site_users(text)
        except ApiError as error:
            # A site that cannot be reached says nothing about who may see its users.
            is_definite = error.status or isinstance(error, NotOffered | UnexpectedAnswer)
            if error.is_passing or not is_definite:
                raise
            self.service.learn_features({Feature.SITE_USERS: False})
            raise not_offered(Feature.SITE_USERS, error) from error
        self.service.learn_features({Feature.SITE_USERS: True})
        return users

    async def _listed(self) -> list[Document]:
        try:
            return await super()._listed()
        except NotOffered:
            return await self.site_users()
