"""Checks a profile: connection, login, and features of the service.

Nothing is changed at the service. Each step has a description of its result; the first failed step
is the last, with a hint.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from operator import itemgetter

from tui.client.capabilities import FOR_ADMINISTRATORS, Feature
from tui.client.client import Client
from tui.client.discovery import read_site
from tui.client.documents import Document
from tui.client.editions.probing import probe, who_am_i
from tui.client.errors import (
    ApiError,
    BadAddress,
    NotAllowed,
    NotFound,
    NotOffered,
    TimedOut,
    TlsFailed,
    Unreachable,
    WrongCredentials,
)
from tui.client.http.credentials import Secret
from tui.client.site_time import parse_zone
from tui.config.capabilities_file import CapabilitiesFile
from tui.config.profiles import Profile
from tui.connecting.connections import client_of
from tui.errors import CallboardError
from tui.record import record
from tui.text import clean
from tui.text.cells import cut
from tui.text.keyed import keyed

Offers = dict[str, bool | None]
"""Feature names with whether the service offers them; None if not known."""

_STEPS = ("address", "reached", "encryption", "service", "credentials", "boards")
_FAILED_AT: Mapping[type[CallboardError], str] = {
    BadAddress: "address",
    Unreachable: "reached",
    TimedOut: "reached",
    TlsFailed: "encryption",
    WrongCredentials: "credentials",
    NotAllowed: "boards",
}
"""The step that fails with an error; any other error belongs to the service step."""

_TOLERATED = timedelta(minutes=1)
_ROOM = 56
"""Cells for the titles of boards in a line of 80."""

_NO_BOARD = "unknown until there is a board"


@record
class CheckStep:
    """One step of the check; `is_good` is None if it could not be determined."""

    name: str
    is_good: bool | None
    said: str
    hint: str = ""


@record
class CheckResults:
    """The results of a check.

    `boards` is their number, archived ones too; `features` are those of the service, None if not
    known; `clock_seconds` is how far its clock is ahead of this machine's; `timezone` is the zone
    of the site if the profile has another one; `user_id` is the user's.
    """

    steps: tuple[CheckStep, ...]
    boards: int | None = None
    features: Mapping[str, bool | None] | None = None
    clock_seconds: float | None = None
    timezone: str = ""
    user_id: int | None = None
    failure: CallboardError | None = None

    @property
    def is_good(self) -> bool:
        return self.failure is None


async def look(profile: Profile, password: Secret, memory: CapabilitiesFile) -> CheckResults:
    """Check a profile; the service's features and the user's id are stored in `memory`."""
    try:
        client = await asyncio.to_thread(client_of, profile, password, memory)
    except CallboardError as error:
        return failed(profile, error, is_asked=False)
    async with client:
        try:
            active = await client.list_boards()
            archived = await client.list_boards(archived=True)
        except ApiError as error:
            return failed(profile, error)
        user_id = None
        with suppress(ApiError):
            user_id = await who_am_i(client, profile.login, again=True)
        boards = {
            board["id"]: board["title"]
            for listing in (archived, active)
            for board in sorted(listing, key=itemgetter("id"), reverse=True)
        }
        newest = max(active, key=itemgetter("id"), default=None)
        edition, features = await _edition(client, newest)
        clock, ahead, zone = await _clock(profile, client, newest)
    titles = clean.line(", ".join(boards.values()))
    listed = cut(f"{len(boards):,} {'board' if len(boards) == 1 else 'boards'}: {titles}", _ROOM)
    return CheckResults(
        (
            *_good_steps(profile, len(_STEPS) - 1),
            CheckStep("boards", is_good=True, said=listed if boards else "none yet"),
            _person_step(user_id, has_board=newest is not None),
            edition,
            clock,
        ),
        boards=len(boards),
        features=features,
        clock_seconds=None if ahead is None else ahead.total_seconds(),
        timezone=zone,
        user_id=user_id,
    )


async def _edition(client: Client, board: Document | None) -> tuple[CheckStep, Offers]:
    problem = ""
    try:
        if board is None:
            await probe(client, again=True)
        else:
            await probe(client, board["id"], again=True)
    except ApiError as error:
        problem = f"; not all responded: {error.message}"
    features = {feature.value: client.offers(feature) for feature in Feature}
    offered, missing = (
        # Some are two features for programs, and one in words.
        dict.fromkeys(_in_words(feature) for feature in Feature if client.offers(feature) is wanted)
        for wanted in (True, False)
    )
    words = [f"offers {', '.join(offered)}"] if offered else []
    words += [f"without {', '.join(missing)}"] if missing else []
    text = "; ".join(words) or "its other features are unknown"
    return CheckStep("edition", None if problem else True, text + problem), features


def _in_words(feature: Feature) -> str:
    return feature.value if feature in FOR_ADMINISTRATORS else feature.words


def failed(profile: Profile, error: CallboardError, *, is_asked: bool = True) -> CheckResults:
    """The steps up to the failed one; only the address step if no request was made."""
    at = _STEPS.index(_FAILED_AT.get(type(error), "service"))
    text, hint = error.message, error.hint
    if isinstance(error, NotOffered | NotFound):
        text = "no boards at this address."
        hint = "Check the address; callboard login finds it from any page of the site."
    elif isinstance(error, Unreachable | TimedOut):
        hint = f"Check the address {profile.url} and the network of this machine."
    elif isinstance(error, WrongCredentials):
        hint = (
            "It may need an application password, created on its site;"
            f" callboard login {profile.name} --force asks again."
        )
    step = CheckStep(_STEPS[at], is_good=False, said=text, hint=hint)
    good = _good_steps(profile, at if is_asked else min(at, 1))
    return CheckResults((*good, step), failure=error)


def _good_steps(profile: Profile, count: int) -> list[CheckStep]:
    is_plain = profile.url.startswith("http:")
    encryption = "the certificate is accepted"
    if is_plain and profile.allow_plaintext:
        encryption = "none: the password is sent unencrypted because of allow_plaintext"
    elif is_plain:
        encryption = "not needed on this machine"
    texts = (profile.url, "server responded", encryption, "boards found", "accepted")
    steps = zip(_STEPS[:count], texts, strict=False)
    return [CheckStep(name, is_good=True, said=text) for name, text in steps]


def _person_step(user_id: int | None, *, has_board: bool) -> CheckStep:
    if user_id is None and not has_board:
        return CheckStep("you", is_good=None, said=_NO_BOARD)
    if user_id is None:
        hint = keyed("Your own comments may show as new, and {task.assign-me:i} cannot assign you.")
        return CheckStep(
            "you", is_good=None, said="the service does not say who you are", hint=hint
        )
    return CheckStep("you", is_good=True, said=f"user {user_id} of the service")


async def _clock(
    profile: Profile, client: Client, board: Document | None
) -> tuple[CheckStep, timedelta | None, str]:
    # The step, how far the clock is ahead of this machine's, if known, and the zone of the site if
    # times are read wrong in that of the profile.
    def step(is_good: bool | None, text: str, hint: str = "") -> CheckStep:
        return CheckStep("clock", is_good=is_good, said=text, hint=hint)

    difference = None if board is None else await _time_difference(client, board)
    ahead, offset = difference or (None, None)
    zone, now = "", datetime.now(UTC)
    with suppress(ApiError):
        site = await read_site(profile.url, ca_file=profile.ca_file)
        zone = site.timezone if site else ""
    moments = [now, now + timedelta(days=182)]  # two zones may differ only in summer
    # A measured offset holds for today only, since the zone's rules are not known.
    if not zone and offset is not None:
        zone, moments = str(timezone(offset)).removeprefix("UTC") or "+00:00", [now]
    errors = [_misread_by(zone, profile.timezone, moment) for moment in moments if zone]
    if off_by := next(filter(None, errors), None):
        hours = f"{abs(off_by) / timedelta(hours=1):g} h"
        read_in = profile.timezone or "the zone of this machine"
        text = f"the site’s is {zone}, read as {read_in}: dates are off by {hours}"
        hint = f"callboard doctor {profile.name} --repair sets the time zone of the profile."
        return step(None, text, hint), ahead, zone
    if ahead is None:
        if zone:
            return step(True, f"the site’s is {zone}, as in the profile"), ahead, ""
        text = _NO_BOARD if board is None else "the service does not send its time"
        return step(None, text), ahead, ""
    if abs(ahead) <= _TOLERATED:
        return step(True, "clock in sync"), ahead, ""
    way = "ahead of" if ahead > timedelta() else "behind"
    text = f"the service’s clock is {abs(ahead).total_seconds():.0f} s {way} this machine’s"
    return step(None, text, "Ages and due dates may be off by as much."), ahead, ""


async def _time_difference(client: Client, board: Document) -> tuple[timedelta, timedelta] | None:
    # How far the service's clock is ahead, and the offset of its zone from UTC. It reports its wall
    # time without a zone: whole quarters of an hour count as the zone.
    asked_at = datetime.now(UTC)
    try:
        changes = await client.changes_since(board["id"], "")
        service_time = datetime.fromisoformat(
            changes.synced_at.partition(".")[0] if changes else ""
        )
    except (ApiError, ValueError):
        return None
    # The best guess at when the service read its clock is halfway through the request.
    middle = asked_at + (datetime.now(UTC) - asked_at) / 2
    difference = service_time.replace(tzinfo=UTC) - middle
    quarter = timedelta(minutes=15)
    offset = round(difference / quarter) * quarter
    return (difference - offset, offset) if abs(offset) < timedelta(days=1) else None


def _misread_by(site: str, own: str, moment: datetime) -> timedelta:
    # The error of times in the zone `site` that are read in the zone `own`, empty for that of this
    # machine.
    right, shown = (
        moment.astimezone(parse_zone(zone) if zone else None).utcoffset() or timedelta()
        for zone in (site, own)
    )
    return right - shown
