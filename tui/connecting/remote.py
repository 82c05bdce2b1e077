"""Opens a service elsewhere, reached over the network.

Nothing is asked yet, so that a network that is away is noticed where everything else is; what
cannot work at all is reported at once.
"""

from contextlib import suppress

from tui.client.capabilities import Capabilities, ServiceSettings
from tui.client.client import Client
from tui.client.errors import ApiError
from tui.client.http.credentials import Credentials, Secret
from tui.client.http.session import Session
from tui.client.remote import RemoteService
from tui.config.capabilities_file import CapabilitiesFile
from tui.config.passwords import find_password
from tui.config.profiles import Profile


class RemoteConnection:
    """A client that reaches the service of a profile."""

    def __init__(self, client: Client, login: str) -> None:
        self._client = client
        self._login = login
        self.remote = RemoteService(client)

    @classmethod
    def open(cls, profile: Profile, memory: CapabilitiesFile) -> "RemoteConnection":
        """Get the password and make a client; on a thread, since both take time.

        Raises `PasswordUnknown`, and `BadAddress` or `TlsFailed` where the address, a proxy or the
        file of certificates cannot be used.
        """
        return cls(client_of(profile, find_password(profile), memory), profile.login)

    async def find_out(self) -> int | None:
        """Find out who the person is there, and what the service offers: once, it is remembered.

        Returns the user id, None if nobody tells. Raises `ApiError`.
        """
        user_id = await self._client.people.who_am_i(self._login)
        with suppress(ApiError):
            await self._client.features.probe()
        return user_id

    async def aclose(self) -> None:
        """Wait for what is under way, then close the connections."""
        await self._client.aclose()


def client_of(profile: Profile, password: Secret, memory: CapabilitiesFile) -> Client:
    """A client for the service of a profile, which knows and keeps what is learnt about it."""
    session = Session(
        profile.url,
        Credentials(profile.login, password),
        ca_file=profile.ca_file,
        allow_plaintext=profile.allow_plaintext,
    )
    return Client(
        session,
        capabilities=Capabilities.from_document(memory.capabilities),
        settings=ServiceSettings(profile.path_word, profile.timezone or None),
        learned=lambda capabilities: memory.keep(capabilities.document()),
    )
