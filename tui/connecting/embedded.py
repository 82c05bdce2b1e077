"""The embedded service, reached in process."""

from pathlib import Path

from tui.client.capabilities import Capabilities
from tui.client.client import Client
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import Session
from tui.client.remote import RemoteService
from tui.errors import CannotGoOn
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.service.embedded import BASE_URL, DatabaseUnusable, Embedded, open_embedded


class EmbeddedConnection:
    """The embedded service, opened, with a client that reaches it."""

    def __init__(self, embedded: Embedded, client: Client) -> None:
        self._embedded = embedded
        self._client = client
        self.remote = RemoteService(client)

    @classmethod
    def open(cls, database: Path, login: str) -> "EmbeddedConnection":
        """Open the boards in the file at `database`, for the person of that login name.

        Raises `CannotGoOn` if the file cannot be used; it is left exactly as it was.
        """
        try:
            embedded = open_embedded(
                database, login=login, display_name=login, pause=INPUT_PRIORITY.block_after_input
            )
        except DatabaseUnusable as error:
            raise CannotGoOn(error.message, hint=error.hint) from error
        credentials = Credentials(embedded.login, embedded.password)
        transport = InProcessTransport(embedded.application)
        session = Session(BASE_URL, credentials, transport=transport)
        return cls(embedded, Client(session, capabilities=Capabilities.embedded()))

    async def find_out(self) -> None:
        """Not needed: everybody has a login name here, and everything is offered."""

    async def aclose(self) -> None:
        """Wait for what is under way, then close the service and its file."""
        await self._client.aclose()
        self._embedded.close()
