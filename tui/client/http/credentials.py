"""Login name and API password of an account.

A password never appears in a traceback, log, repr or pickle; it is revealed only where it is sent.
Texts kept for the log are redacted. Imports nothing heavy, so that profiles can be read before the
first paint.
"""

import base64
import html
import json
from collections.abc import Iterator
from typing import Final, NoReturn
from urllib.parse import quote, quote_plus

from tui.client.errors import WrongCredentials

_SHORTEST_SECRET = 4
_MASK = "•••"


class Secret:
    """A text that is not shown by accident; `reveal` it as late as possible, into no variable."""

    __slots__ = ("_hidden",)

    def __init__(self, text: str) -> None:
        self._hidden: Final = text.encode(errors="surrogatepass")

    def reveal(self) -> str:
        """The text."""
        return self._hidden.decode(errors="surrogatepass")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._hidden == other._hidden

    def __hash__(self) -> int:
        return hash(self._hidden)

    def __bool__(self) -> bool:
        return bool(self._hidden)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_MASK!r})"

    def __str__(self) -> str:
        return _MASK

    def __format__(self, spec: str) -> str:
        return format(_MASK, spec)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not written down")


class Credentials:
    """A login name and a password, sent as HTTP Basic credentials in UTF-8 (section 5).

    Raises `WrongCredentials` if the login name holds a colon, which Basic cannot carry.
    """

    __slots__ = ("login", "password")

    def __init__(self, login: str, password: str | Secret) -> None:
        self.login: Final = login
        self.password: Final = password if isinstance(password, Secret) else Secret(password)
        del password  # A traceback may show local variables.
        if ":" in login:
            raise WrongCredentials(
                "A login name cannot hold a colon.", hint="Check the login name of this profile."
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Credentials):
            return NotImplemented
        return (self.login, self.password) == (other.login, other.password)

    def __hash__(self) -> int:
        return hash((self.login, self.password))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(login={self.login!r})"

    def authorization(self) -> str:
        """The value of the `Authorization` header."""
        # A password that is not UTF-8 was read with surrogates, and is sent as the same bytes.
        pair = f"{self.login}:{self.password.reveal()}".encode(errors="surrogateescape")
        return f"Basic {base64.b64encode(pair).decode('ascii')}"

    def redact(self, text: str) -> str:
        """Replace the password in a text, in every form in which a service may echo it."""
        for spelling in self._spellings():
            # Masking a shorter text would damage words that merely contain it.
            if len(spelling) >= _SHORTEST_SECRET:
                text = text.replace(spelling, _MASK)
        return text

    def _spellings(self) -> Iterator[str]:
        """The longest first, so that no part of one remains."""
        password = self.password.reveal()
        plain = password.encode(errors="replace").decode()
        # An application password works with its spaces and without them.
        plain_forms = {password, password.replace(" ", ""), html.escape(plain), quote(plain)}
        token = self.authorization().removeprefix("Basic ")
        plain_forms |= {quote_plus(plain), quote(plain, safe=""), token, token.rstrip("=")}
        plain_forms.add(base64.b64encode(plain.encode()).decode("ascii"))
        escaped = {json.dumps(text)[1:-1] for text in plain_forms}
        escaped |= {json.dumps(text, ensure_ascii=False)[1:-1] for text in plain_forms}
        # PHP writes `/` as `\/` in JSON.
        slashed = {text.replace("/", "\\/") for text in escaped}
        yield from sorted(plain_forms | escaped | slashed, key=len, reverse=True)
