"""Who calls: an account's login name and API password.

The rule it keeps: the password is in no repr, and what is kept for the log has been searched for
it. Light, so that profiles can be read before the first paint.
"""

import base64
import json
from dataclasses import dataclass, field

from tui.api.errors import WrongCredentials

_SHORTEST_SECRET = 4
_MASK = "•••"


@dataclass(frozen=True, slots=True)
class Credentials:
    """A login name and a password, sent as HTTP Basic credentials in UTF-8 (section 5).

    Raises `WrongCredentials` if the login name holds a colon, which Basic cannot carry.
    """

    login: str
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if ":" in self.login:
            raise WrongCredentials(
                "A login name cannot hold a colon.", hint="Check the login name of this profile."
            )

    def authorization(self) -> str:
        """The value of the `Authorization` header."""
        return f"Basic {self._token()}"

    def redact(self, text: str) -> str:
        """The text without the password, however a service may have echoed it."""
        escaped = json.dumps(self.password)[1:-1]
        spaceless = self.password.replace(" ", "")
        for secret in (self._token(), self.password, escaped, spaceless):
            if len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, _MASK)
        return text

    def _token(self) -> str:
        pair = f"{self.login}:{self.password}".encode(errors="surrogateescape")
        return base64.b64encode(pair).decode("ascii")
