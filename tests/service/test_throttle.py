"""Wrong passwords make the next attempt wait, but nobody for long."""

import base64
import hashlib

import pytest

from tests.service.world import FrozenClock, memory_database
from tui.service.accounts.accounts import create_account
from tui.service.accounts.auth import LONGEST_WAIT, Authenticator, Throttle
from tui.service.errors import ServiceError
from tui.service.times import SiteClock

_HERE, _THERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def throttle(clock: FrozenClock) -> Throttle:
    return Throttle(clock)


def _wait(throttle: Throttle, login: str = "ann", address: str = _HERE) -> int:
    """How many seconds an attempt has to wait."""
    try:
        throttle.check(login, address)
    except ServiceError as refusal:
        return int(refusal.headers["Retry-After"])
    return 0


def _miss(throttle: Throttle, times: int, login: str = "ann", address: str = _HERE) -> None:
    for _ in range(times):
        throttle.missed(login, address)


def test_a_few_misses_cost_nothing(throttle: Throttle) -> None:
    _miss(throttle, 4)
    assert _wait(throttle) == 0


def test_the_wait_doubles_and_has_an_end(throttle: Throttle, clock: FrozenClock) -> None:
    _miss(throttle, 4)
    waits = []
    for _ in range(8):
        throttle.missed("ann", _HERE)
        waits.append(_wait(throttle))
        clock.advance(seconds=waits[-1])
        assert _wait(throttle) == 0
    assert waits == [1, 2, 4, 8, 16, 30, 30, 30]
    assert LONGEST_WAIT.total_seconds() == 30


def test_a_login_waits_wherever_the_misses_came_from(throttle: Throttle) -> None:
    _miss(throttle, 5)
    assert _wait(throttle, address=_THERE) == 1
    assert _wait(throttle, login="bob", address=_HERE) == 0


def test_an_address_waits_whatever_login_it_tries(throttle: Throttle) -> None:
    for number in range(20):
        throttle.missed(f"person {number}", _HERE)
    assert _wait(throttle, login="ann") == 1
    assert _wait(throttle, login="ann", address=_THERE) == 0


def test_who_has_been_in_from_an_address_is_not_kept_out_there(throttle: Throttle) -> None:
    throttle.succeeded("ann", _HERE)
    _miss(throttle, 9, address=_THERE)
    assert _wait(throttle, address=_HERE) == 0
    assert _wait(throttle, address=_THERE) > 0


def test_a_right_password_forgives_the_login_but_not_the_address(throttle: Throttle) -> None:
    _miss(throttle, 5)
    throttle.succeeded("ann", _THERE)
    assert _wait(throttle) == 0
    _miss(throttle, 15, login="bob")
    assert _wait(throttle, login="cid") == 1


def test_after_a_while_all_is_forgotten(throttle: Throttle, clock: FrozenClock) -> None:
    _miss(throttle, 9)
    clock.advance(minutes=16)
    throttle.missed("ann", _HERE)
    assert _wait(throttle) == 0


def test_what_is_remembered_has_a_limit(throttle: Throttle) -> None:
    _miss(throttle, 9, login="first")
    for number in range(10_000):
        throttle.missed(f"person {number}", f"address {number}")
    assert _wait(throttle, login="first", address="elsewhere") == 0
    assert len(throttle._logins.misses) == 10_000


def test_long_names_are_cut_short(throttle: Throttle) -> None:
    _miss(throttle, 5, login="x" * 60_000)
    assert _wait(throttle, login="x" * 60_000) == 1
    assert max(map(len, throttle._logins.misses)) == 100


def _kept(password: str) -> str:
    """A password as it is kept, but quickly checked."""
    digest = hashlib.scrypt(password.encode(), salt=b"salt", n=16, r=8, p=1)
    encoded = (base64.b64encode(part).decode() for part in (b"salt", digest))
    return "$".join(("scrypt", "16", "8", "1", *encoded))


def test_no_password_is_looked_at_during_a_wait(clock: FrozenClock) -> None:
    database = memory_database()
    with database.transaction(writing=True) as db:
        create_account(db, SiteClock(clock), login="ann", display_name="Ann")
        db.run("update account set password_hash = :hash", hash=_kept("right"))
    gate = Authenticator(database, throttle=Throttle(clock))

    def status(password: str, address: str = _HERE) -> int:
        header = "Basic " + base64.b64encode(f"ann:{password}".encode()).decode()
        try:
            gate.account(header, address)
        except ServiceError as refusal:
            return refusal.status
        return 200

    assert [status(f"wrong {turn}") for turn in range(6)] == [401] * 5 + [429]
    assert status("right") == 429
    clock.advance(seconds=1)
    assert status("right") == 200
    assert [status(f"wrong {turn}", _THERE) for turn in range(6)] == [401] * 5 + [429]
    assert status("right", _THERE) == 200
    database.close()


def test_credentials_that_are_missing_or_unreadable_are_no_guesses(clock: FrozenClock) -> None:
    database = memory_database()
    gate = Authenticator(database, throttle=Throttle(clock))
    for header in [None, "Basic !!!", "Bearer x"] * 9:
        with pytest.raises(ServiceError) as caught:
            gate.account(header, _HERE)
        assert caught.value.status == 401
    database.close()
