"""Trying out a profile: whether its service is reached, believes the person, and what it offers.

The rule it keeps: nothing at the service is changed, and every step says in words how it went; the
first that fails says what to do and is the last.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from tui.api.client import Client
from tui.api.credentials import Secret
from tui.api.dialect.capabilities import Feature
from tui.api.errors import (
    ApiError,
    BadAddress,
    NotAllowed,
    NotOffered,
    NotThere,
    TimedOut,
    TlsFailed,
    Unreachable,
    WrongCredentials,
)
from tui.api.records import BoardRecord
from tui.connecting.remote import client_of
from tui.errors import CallboardError
from tui.profiles import Profile
from tui.service_memory import ServiceMemory

_STEPS = ("address", "reached", "encryption", "service", "credentials", "boards")
_FAILED_AT: Mapping[type[CallboardError], str] = {
    BadAddress: "address",
    Unreachable: "reached",
    TimedOut: "reached",
    TlsFailed: "encryption",
    WrongCredentials: "credentials",
    NotAllowed: "boards",
}
"""The step that fails with an error; with every other it is the service."""

_NO_SERVICE = "there are no boards at this address."
_ADDRESS_HINT = "Check the address: it has to be the one that ends in /v2."
_ZONES = timedelta(minutes=15)
_SINCE = "%Y-%m-%d %H:%M:%S"
_TOLERATED_SECONDS = 60


Offers = dict[str, bool | None]
"""By the name of a feature, whether the service offers it; None where that is not known."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was tried; `is_good` is None for what could not be told."""

    name: str
    is_good: bool | None
    said: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """How it went, step by step.

    `boards` is how many there are, archived ones too; `features` are what the service offers, None
    where that is not known; `clock_seconds` is by how much its clock is ahead of this machine's.
    """

    steps: tuple[Step, ...]
    boards: int | None = None
    features: Mapping[str, bool | None] | None = None
    clock_seconds: float | None = None
    failure: CallboardError | None = None

    @classmethod
    def without_password(cls, error: CallboardError) -> "Findings":
        """Nothing could be tried."""
        step = Step("password", is_good=False, said=error.message, hint=error.hint)
        return cls((step,), failure=error)

    @property
    def is_good(self) -> bool:
        """Whether the profile can be used."""
        return self.failure is None


async def look(profile: Profile, password: Secret, memory: ServiceMemory) -> Findings:
    """Try out a profile; what its service offers is kept in `memory`."""
    try:
        client = await asyncio.to_thread(client_of, profile, password, memory)
    except CallboardError as error:
        return _failed(profile, error, is_asked=False)
    async with client:
        try:
            active = await client.dialect.boards()
            archived = await client.dialect.boards(archived=True)
        except ApiError as error:
            return _failed(profile, error)
        boards = {board.id: board for board in (*archived.records, *active.records)}
        steps = [*_good_steps(profile, len(_STEPS) - 1), _boards_step(len(boards))]
        newest = next(iter(active.records), None)
        edition, features = await _edition(client, newest)
        ahead = await _clock(client, newest)
        return Findings(
            (*steps, edition, _clock_step(ahead)),
            boards=len(boards),
            features=features,
            clock_seconds=ahead,
        )


async def _edition(client: Client, board: BoardRecord | None) -> tuple[Step, Offers]:
    """What the service offers, asked for anew."""
    known = client.dialect.features
    trouble = ""
    try:
        if board is None:
            await known.probe(again=True)
        else:
            await known.probe(board.id, again=True)
    except ApiError as error:
        trouble = f"; not all could be asked: {error.message}"
    features = {feature.value: known.offers(feature) for feature in Feature}
    offered = [name for name, is_there in features.items() if is_there]
    missing = [name for name, is_there in features.items() if is_there is False]
    words = [f"offers {', '.join(offered)}"] if offered else []
    words += [f"without {', '.join(missing)}"] if missing else []
    said = "; ".join(words) or "what it offers beside boards is not known"
    return Step("edition", None if trouble else True, said + trouble), features


async def _clock(client: Client, board: BoardRecord | None) -> float | None:
    """By how many seconds the service's clock is ahead; None where it does not tell the time.

    It tells the time on its own wall, in a zone that is not said: whole quarters of an hour are
    taken for the zone.
    """
    if board is None:
        return None
    asked = datetime.now(UTC)
    since = (asked - timedelta(hours=12)).strftime(_SINCE)
    try:
        changes = await client.boards.has_data_changed(board.id, since)
        told = datetime.fromisoformat((changes.synced_at or "").partition(".")[0])
    except (ApiError, ValueError):
        return None
    middle = asked + (datetime.now(UTC) - asked) / 2
    apart = told.replace(tzinfo=told.tzinfo or UTC) - middle
    return (apart - round(apart / _ZONES) * _ZONES).total_seconds()


def _failed(profile: Profile, error: CallboardError, *, is_asked: bool = True) -> Findings:
    """The steps up to the one that an error belongs to; but for the address if nobody was asked."""
    at = _STEPS.index(_FAILED_AT.get(type(error), "service"))
    said, hint = error.message, error.hint
    if isinstance(error, NotOffered | NotThere):
        said, hint = _NO_SERVICE, _ADDRESS_HINT
    step = Step(_STEPS[at], is_good=False, said=said, hint=hint)
    good = _good_steps(profile, at if is_asked else min(at, 1))
    return Findings((*good, step), failure=error)


def _good_steps(profile: Profile, count: int) -> list[Step]:
    """The first steps, which went well."""
    is_plain = profile.url.startswith("http:")
    encryption = "the certificate is accepted"
    if is_plain and profile.allow_plaintext:
        encryption = "none: the password is sent in the clear, as allow_plaintext says"
    elif is_plain:
        encryption = "none is needed on this machine"
    said = (profile.url, "somebody answers", encryption, "it keeps boards", "accepted")
    steps = zip(_STEPS[:count], said, strict=False)
    return [Step(name, is_good=True, said=words) for name, words in steps]


def _boards_step(count: int) -> Step:
    said = "1 board" if count == 1 else f"{count:,} boards"
    return Step("boards", is_good=True, said=said if count else "none yet")


def _clock_step(ahead: float | None) -> Step:
    if ahead is None:
        return Step("clock", is_good=None, said="the service does not tell the time")
    if abs(ahead) <= _TOLERATED_SECONDS:
        return Step("clock", is_good=True, said="tells the same time")
    way = "ahead of" if ahead > 0 else "behind"
    said = f"the service's clock is {abs(ahead):.0f} s {way} this machine's"
    return Step("clock", is_good=None, said=said, hint="Ages and due dates may be off by that.")
