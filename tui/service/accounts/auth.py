"""Who is asking (section 5): Basic credentials against accounts, or the process's own session.

A missing account and a wrong password cannot be told apart, neither by the reply nor by how long it
takes. Credentials that were right once are remembered as a digest under a key that never leaves the
process, so that the slow check is not paid on every request.

Wrong passwords make the next attempt wait: after a few of them for a login, or from an address,
passwords are not even looked at for a while, which grows with every further miss but never beyond
half a minute. Attempts during a wait do not make it longer. Somebody who has logged in from an
address before is not kept out there by what others try elsewhere. All of it is in memory, for a
limited number of names, and forgotten after a quarter of an hour without a miss.
"""

import base64
import binascii
import hmac
import math
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tui.service.accounts.accounts import Account, account, hashed, matches
from tui.service.database.base import Database, Row
from tui.service.errors import ServiceError, unauthorized
from tui.service.times import Clock, utc_now

LONGEST_WAIT = timedelta(seconds=30)
_FORGOTTEN_AFTER = timedelta(minutes=15)
_FREE_FOR_A_LOGIN, _FREE_FOR_AN_ADDRESS = 5, 20
_MOST_REMEMBERED, _LONGEST_NAME = 10_000, 100
_REMEMBERED = 1000


@dataclass(slots=True)
class _Misses:
    """How often passwords were wrong, when last, and until when none is looked at."""

    count: int
    last: datetime
    until: datetime


@dataclass(slots=True)
class _Record:
    """Misses by name; after `free` of them there is a wait."""

    free: int
    misses: OrderedDict[str, _Misses] = field(default_factory=OrderedDict)

    def add(self, name: str, now: datetime) -> None:
        """Note a miss; only the beginning of a name counts, for strangers choose its length."""
        name = name[:_LONGEST_NAME]
        known = self.misses.pop(name, None)
        count = 1
        if known is not None and now - known.last < _FORGOTTEN_AFTER:
            count = known.count + 1
        self.misses[name] = _Misses(count, now, now + self._wait(count))
        if len(self.misses) > _MOST_REMEMBERED:
            self.misses.popitem(last=False)

    def remaining(self, name: str, now: datetime) -> timedelta:
        """How long there is still to wait; nothing or less when there is no need to."""
        known = self.misses.get(name[:_LONGEST_NAME])
        return timedelta() if known is None else known.until - now

    def _wait(self, count: int) -> timedelta:
        if count < self.free:
            return timedelta()
        return min(timedelta(seconds=2 ** min(count - self.free, 10)), LONGEST_WAIT)


class Throttle:
    """Counts wrong passwords by login and by address; threads may share it."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._logins = _Record(_FREE_FOR_A_LOGIN)
        self._addresses = _Record(_FREE_FOR_AN_ADDRESS)
        self._at_home: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._turn = threading.Lock()

    def check(self, login: str, address: str) -> None:
        """Raises `ServiceError` 429 while no password for this login is looked at from there."""
        with self._turn:
            now = self._clock()
            wait = self._addresses.remaining(address, now)
            if (login, address) not in self._at_home:
                wait = max(wait, self._logins.remaining(login, now))
        if wait > timedelta():
            raise _too_many(math.ceil(wait.total_seconds()))

    def missed(self, login: str, address: str) -> None:
        """Note a wrong password."""
        with self._turn:
            now = self._clock()
            self._logins.add(login, now)
            self._addresses.add(address, now)

    def succeeded(self, login: str, address: str) -> None:
        """Note a right password: what was missed for the login is forgiven.

        What the address has missed stays, or an account of one's own would let one guess on.
        """
        with self._turn:
            self._logins.misses.pop(login, None)
            self._at_home[login, address] = None
            self._at_home.move_to_end((login, address))
            if len(self._at_home) > _MOST_REMEMBERED:
                self._at_home.popitem(last=False)


def _too_many(seconds: int) -> ServiceError:
    return ServiceError(
        429,
        "too_many_attempts",
        "There were too many wrong passwords; wait a little and try again.",
        headers={"Retry-After": str(seconds)},
    )


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
            row = db.find("account", login=login)
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
