"""Connections of the store: to the embedded service, or to one over the network.

Opening a remote one makes no request, so that an unreachable network is reported like any failed
request; a configuration that cannot work raises immediately.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

from tui.client.capabilities import Capabilities
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.editions.probing import is_administrator, probe, who_am_i
from tui.client.errors import ApiError
from tui.client.http.credentials import Credentials, Secret
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import HttpSession
from tui.client.recording import Recording
from tui.config.capabilities_file import CapabilitiesFile
from tui.config.passwords import find_password
from tui.config.profiles import Profile
from tui.errors import CannotGoOn
from tui.runtime.input_priority import INPUT_PRIORITY


class ServiceConnection:
    """A client for a service; `close_service` ends an embedded one."""

    def __init__(
        self, client: Client, login: str, close_service: Callable[[], None] | None = None
    ) -> None:
        self.remote = client
        self._login = login
        self._close_service = close_service

    async def prepare(self) -> None:
        """Nothing is left to do before the first change."""

    async def find_out(self) -> int | None:
        """Find out the user's id and rights and the service's features, once, and store them.

        Returns the user id, None if it cannot be found. Raises `ApiError`.
        """
        user_id = await who_am_i(self.remote, self._login)
        # Without these the program works, and the requests themselves show what is missing.
        with suppress(ApiError):
            await probe(self.remote)
        if user_id is not None:
            with suppress(ApiError):
                await is_administrator(self.remote, user_id)
        return user_id

    async def aclose(self) -> None:
        """Wait for running requests, then close the connections, and an embedded service."""
        # The client first: it waits for requests that the service is still carrying out.
        await self.remote.aclose()
        if self._close_service is not None:
            self._close_service()


def open_embedded(database: Path, login: str, *, is_read_only: bool = False) -> ServiceConnection:
    """Open the database file of the embedded service for the user with that login name.

    Raises `CannotGoOn` if the file cannot be used; it is left unchanged.
    """
    from tui.service import embedded

    try:
        opened = embedded.open_embedded(
            database, login=login, display_name=login, pause=INPUT_PRIORITY.block_after_input
        )
    except embedded.DatabaseUnusable as error:
        raise CannotGoOn(error.message, hint=error.hint) from error
    session = HttpSession(
        embedded.BASE_URL,
        Credentials(opened.login, opened.password),
        transport=InProcessTransport(opened.application),
        is_read_only=is_read_only,
    )
    return ServiceConnection(
        Client(session, capabilities=Capabilities.embedded()), login, opened.close
    )


def open_remote(
    profile: Profile, memory: CapabilitiesFile, *, is_read_only: bool
) -> ServiceConnection:
    """Read the password of a profile and create a client; on a thread, since both take time.

    Raises `PasswordUnknown`, and `BadAddress` or `TlsFailed` if the address, a proxy or the
    certificate file cannot be used.
    """
    client = client_of(profile, find_password(profile), memory, is_read_only=is_read_only)
    return ServiceConnection(client, profile.login)


def client_of(
    profile: Profile, password: Secret, memory: CapabilitiesFile, *, is_read_only: bool = False
) -> Client:
    """A client for the service of a profile, with its stored capabilities."""
    session = HttpSession(
        profile.url,
        Credentials(profile.login, password),
        ca_file=profile.ca_file,
        allow_plaintext=profile.allow_plaintext,
        is_read_only=is_read_only,
    )
    return client_for(
        session,
        capabilities=Capabilities.from_document(memory.capabilities),
        path_word=profile.path_word,
        timezone=profile.timezone,
        learned=lambda capabilities: memory.keep(capabilities.document()),
    )


def recorded(recording: Recording, profile: Profile, memory: CapabilitiesFile) -> Client:
    """The service of a profile as far as it is known, whose requests are recorded and not sent."""
    capabilities = Capabilities.from_document(memory.capabilities)
    return client_for(
        cast("HttpSession", recording),
        capabilities=Capabilities.embedded() if profile.is_embedded else capabilities,
        path_word=profile.path_word,
        timezone=profile.timezone,
    )
