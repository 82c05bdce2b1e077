"""Who is asking (section 5): Basic credentials against accounts, or the process's own session.

A missing account and a wrong password cannot be told apart, neither by the reply nor by how long it
takes. Credentials that were right once are remembered as a digest under a key that never leaves the
process, so that the slow check is not paid on every request.
"""

import base64
import binascii
import hmac
import secrets
from dataclasses import dataclass, field

from tui.service.accounts.accounts import Account, account, hashed, matches
from tui.service.accounts.throttle import Throttle
from tui.service.database.base import Database, Row
from tui.service.errors import unauthorized

_REMEMBERED = 1000
_BY_LOGIN = "select * from account where login = :login"


@dataclass(frozen=True, slots=True)
class LocalSession:
    """The right of this very process to act as one account, without a password on disk."""

    login: str
    password: str = field(repr=False, default_factory=lambda: secrets.token_urlsafe(32))


class Authenticator:
    """Turns the `Authorization` header of a request into an account."""

    def __init__(
        self,
        database: Database,
        session: LocalSession | None = None,
        throttle: Throttle | None = None,
    ) -> None:
        self._database = database
        self._session = session
        self._throttle = throttle
        self._key = secrets.token_bytes(32)
        self._verified: dict[bytes, str] = {}
        self._decoy = ""

    def account(self, header: str | None, address: str = "") -> Account:
        """The account whose credentials these are; `address` is where they came from.

        Raises `ServiceError` 401 when there are none, or wrong ones, and 429 when there were too
        many wrong ones before. Credentials that were right before never wait.
        """
        login, password = _credentials(header)
        with self._database.transaction(writing=False) as db:
            row = db.one(_BY_LOGIN, login=login)
        is_right = self._is_session(login, password) or self._is_password(
            row, login, password, address
        )
        if row is None or not is_right:
            raise unauthorized()
        return account(row)

    def _is_session(self, login: str, password: str) -> bool:
        return (
            self._session is not None
            and hmac.compare_digest(login.encode(), self._session.login.encode())
            and hmac.compare_digest(password.encode(), self._session.password.encode())
        )

    def _is_password(self, row: Row | None, login: str, password: str, address: str) -> bool:
        kept = row["password_hash"] if row else None
        digest = hmac.digest(self._key, f"{login}\0{password}".encode(), "sha256")
        if kept is not None and self._verified.get(digest) == kept:
            return True
        if self._throttle is not None:
            self._throttle.check(login, address)
        is_right = matches(password, kept or self._stand_in()) and kept is not None
        if self._throttle is not None:
            note = self._throttle.succeeded if is_right else self._throttle.missed
            note(login, address)
        if kept is None or not is_right:
            return False
        if len(self._verified) >= _REMEMBERED:
            self._verified.clear()
        self._verified[digest] = kept
        return True

    def _stand_in(self) -> str:
        """A hash nobody knows the password of, to spend the same time on unknown accounts."""
        self._decoy = self._decoy or hashed(secrets.token_urlsafe())
        return self._decoy


def _credentials(header: str | None) -> tuple[str, str]:
    """The login and the password of a Basic header."""
    scheme, _, encoded = (header or "").partition(" ")
    if scheme.lower() != "basic":
        raise unauthorized()
    try:
        decoded = base64.b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise unauthorized() from error
    login, colon, password = decoded.partition(":")
    if not colon:
        raise unauthorized()
    return login, password
