"""Authentication (section 5): Basic credentials of accounts, or the process's own session.

A missing account and a wrong password cannot be distinguished, neither by the reply nor by its
timing. Verified credentials are cached as a digest with a random key of this process, with their
account, to avoid the slow hash on every request. A request with such credentials looks at the
account together with all else that it needs, and authenticates anew if anything of it has changed.

Wrong passwords are throttled: after a few of them for a login, or from an address, passwords are
not checked for a while, which grows with every further failure up to half a minute. Attempts during
that time do not extend it. Somebody who has logged in from an address before is not locked out
there by attempts from elsewhere. All of this is in memory, for a limited number of names, and
expires a quarter of an hour after the last failure. Keys of webhooks are throttled by address.
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

from tui.service.accounts.accounts import Caller, account, hashed, matches
from tui.service.database.base import Database, Row, first
from tui.service.errors import BUSY, RETRY_AFTER, ServiceError, unauthorized
from tui.service.times import Clock, utc_now

LONGEST_WAIT = timedelta(seconds=30)
_FORGOTTEN_AFTER = timedelta(minutes=15)
_FREE_FOR_A_LOGIN, _FREE_FOR_AN_ADDRESS = 5, 20
_MOST_REMEMBERED, _LONGEST_NAME = 10_000, 100
_REMEMBERED = 1000


@dataclass(slots=True)
class _Record:
    """Failures by name, as their number and the time of the last one.

    There is a lockout after `free` of them.
    """

    free: int
    misses: OrderedDict[str, tuple[int, datetime]] = field(default_factory=OrderedDict)

    def add(self, name: str, now: datetime) -> None:
        """Record a failure; names are truncated, because clients choose their length."""
        name = name[:_LONGEST_NAME]
        count, last = self.misses.pop(name, (0, now))
        if now - last >= _FORGOTTEN_AFTER:
            count = 0
        # Inserted anew, so that the names that failed longest ago come first and are dropped first.
        self.misses[name] = (count + 1, now)
        if len(self.misses) > _MOST_REMEMBERED:
            self.misses.popitem(last=False)

    def remaining(self, name: str, now: datetime) -> timedelta:
        """The remaining lockout; zero or less if there is none."""
        count, last = self.misses.get(name[:_LONGEST_NAME], (0, now))
        if count < self.free:
            return timedelta()
        # 2 ** 10 is over the limit already; a larger power would overflow `timedelta`.
        wait = min(timedelta(seconds=2 ** min(count - self.free, 10)), LONGEST_WAIT)
        return last + wait - now


class Throttle:
    """Counts wrong passwords by login and by address; thread-safe."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._logins = _Record(_FREE_FOR_A_LOGIN)
        self._addresses = _Record(_FREE_FOR_AN_ADDRESS)
        self._at_home: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._turn = threading.Lock()

    def check(self, login: str, address: str) -> None:
        """Raises `ServiceError` 429 during a lockout for this login from there."""
        with self._turn:
            now = self._clock()
            wait = self._addresses.remaining(address, now)
            if (login, address) not in self._at_home:
                wait = max(wait, self._logins.remaining(login, now))
        _refuse_during(wait, "passwords")

    def missed(self, login: str, address: str) -> None:
        """Record a wrong password."""
        with self._turn:
            now = self._clock()
            self._logins.add(login, now)
            self._addresses.add(address, now)

    def succeeded(self, login: str, address: str) -> None:
        """Record a correct password, which resets the failures of the login.

        Those of the address stay; otherwise logging in to one's own account would allow further
        guesses.
        """
        with self._turn:
            self._logins.misses.pop(login, None)
            self._at_home[login, address] = None
            self._at_home.move_to_end((login, address))
            if len(self._at_home) > _MOST_REMEMBERED:
                self._at_home.popitem(last=False)


class KeyThrottle:
    """Counts wrong keys, as of webhooks, by address; thread-safe.

    A key that was right before is never held up, since many programs may share an address.
    """

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._addresses = _Record(_FREE_FOR_AN_ADDRESS)
        self._right: OrderedDict[str, None] = OrderedDict()
        self._turn = threading.Lock()

    def check(self, key: str, address: str) -> None:
        """Raises `ServiceError` 429 during a lockout of this address."""
        with self._turn:
            if key in self._right:
                return
            wait = self._addresses.remaining(address, self._clock())
        _refuse_during(wait, "keys")

    def missed(self, key: str, address: str) -> None:
        """Record a wrong key."""
        with self._turn:
            # The key of a deleted webhook is as wrong as any other.
            self._right.pop(key, None)
            self._addresses.add(address, self._clock())

    def succeeded(self, key: str) -> None:
        """Record a right key; the failures of its address stay."""
        with self._turn:
            self._right[key] = None
            self._right.move_to_end(key)
            if len(self._right) > _REMEMBERED:
                self._right.popitem(last=False)


def _refuse_during(wait: timedelta, things: str) -> None:
    if wait > timedelta():
        raise ServiceError(
            429,
            "too_many_attempts",
            f"There were too many wrong {things}; wait a little and try again.",
            headers={RETRY_AFTER: str(math.ceil(wait.total_seconds()))},
        )


@dataclass(frozen=True, slots=True)
class LocalSession:
    """Credentials that are valid in this process only, with a random password."""

    login: str
    password: str = field(repr=False, default_factory=lambda: secrets.token_urlsafe(32))


class AccountChanged(ServiceError):
    """503: the account of a request has changed since its credentials were verified."""

    def __init__(self) -> None:
        super().__init__(503, BUSY, "The account was changed just now; try again.")


class Authenticator:
    """Authenticates the `Authorization` header of requests."""

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
        self._verified: dict[bytes, Caller] = {}
        self._decoy = ""

    def account(self, header: str | None, address: str = "") -> Caller:
        """The account with these credentials; `address` is the client's.

        Raises `ServiceError` 401 for missing or wrong ones, and 429 during a lockout. Cached
        credentials are never throttled.
        """
        login, password = _credentials(header)
        row = first(self._database.rows("select * from account where login = :login", login=login))
        is_right = self._is_session(login, password) or self._is_password(
            row, login, password, address
        )
        if row is None or not is_right:
            raise unauthorized()
        if len(self._verified) >= _REMEMBERED:
            self._verified.clear()
        person = self._verified[self._digest(login, password)] = account(row)
        return person

    def remembered(self, header: str | None) -> Caller | None:
        """The cached account of credentials that were verified before; it may be outdated.

        Raises 401 for malformed credentials.
        """
        return self._verified.get(self._digest(*_credentials(header)))

    def _digest(self, login: str, password: str) -> bytes:
        return hmac.digest(self._key, f"{login}\0{password}".encode(), "sha256")

    def _is_session(self, login: str, password: str) -> bool:
        return (
            self._session is not None
            and hmac.compare_digest(login.encode(), self._session.login.encode())
            and hmac.compare_digest(password.encode(), self._session.password.encode())
        )

    def _is_password(self, row: Row | None, login: str, password: str, address: str) -> bool:
        stored = row["password_hash"] if row else None
        verified = self._verified.get(self._digest(login, password))
        # A new password ends what is remembered of the old one.
        if stored is not None and verified is not None and verified.password_hash == stored:
            return True
        if self._throttle is not None:
            # Before the hash, which takes long: guesses during a lockout cost the service nothing.
            self._throttle.check(login, address)
        is_right = matches(password, stored or self._stand_in()) and stored is not None
        if self._throttle is not None:
            note = self._throttle.succeeded if is_right else self._throttle.missed
            note(login, address)
        return is_right

    def _stand_in(self) -> str:
        # An unknown account takes as long to refuse as a wrong password.
        self._decoy = self._decoy or hashed(secrets.token_urlsafe())
        return self._decoy


def _credentials(header: str | None) -> tuple[str, str]:
    scheme, _, encoded = (header or "").partition(" ")
    if scheme.lower() != "basic":
        raise unauthorized()
    try:
        decoded = base64.b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise unauthorized() from error
    login, colon, password = decoded.partition(":")
    if not colon or "\0" in decoded:  # not every database can look for it
        raise unauthorized()
    return login, password
