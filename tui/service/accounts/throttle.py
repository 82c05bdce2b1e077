"""Wrong passwords make the next attempt wait (section 5).

After a few wrong passwords for a login, or from an address, passwords are not even looked at for a
while, which grows with every further miss but never beyond half a minute. Attempts during a wait do
not make it longer. Somebody who has logged in from an address before is not kept out there by what
others try elsewhere. All of it is in memory, for a limited number of names, and forgotten after a
quarter of an hour without a miss.
"""

import math
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tui.service.errors import ServiceError
from tui.service.times import Clock, utc_now

LONGEST_WAIT = timedelta(seconds=30)
_FORGOTTEN_AFTER = timedelta(minutes=15)
_FREE_FOR_A_LOGIN, _FREE_FOR_AN_ADDRESS = 5, 20
_MOST_REMEMBERED, _LONGEST_NAME = 10_000, 100


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
