"""What `callboard doctor --repair` offers to do.

Each thing is asked about, or accepted at once with `--yes`. The cache fills again. Of a damaged
file of changes everything that can be read is saved, and the damaged file is kept. The time zone of
a profile is taken from its site. Nothing is done while a program uses the profile.
"""

import asyncio
import sqlite3
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tui.config.paths import Places
from tui.config.profile_writing import set_timezone
from tui.config.profiles import Profile
from tui.errors import CallboardError
from tui.store.doctor.cache import compact, put_aside, remove_set_aside
from tui.store.doctor.outbox import is_in_use, save_what_can_be_read
from tui.store.doctor.report import UnreadableError, check_whole, read_only
from tui.store.files.database import set_aside_files

Say = Callable[[str], None]


class Offer(NamedTuple):
    """Something that can be done, as a question, and what does it and says so."""

    question: str
    do: Callable[[], str]


def repair(places: Places, profile: Profile, *, is_offline: bool, says_yes: bool, say: Say) -> None:
    """Offer what can be done, and do what is accepted."""
    if is_in_use(places.data / profile.name / "sender.lock"):
        say("Nothing is repaired while Callboard is open on this profile. Leave it and try again.")
        return
    offers = _offers(
        places.data / profile.name / "outbox.sqlite3", places.cache / profile.name / "cache.sqlite3"
    )
    if not (is_offline or profile.is_embedded):
        offers += _zone_offers(places, profile)
    if not offers:
        say("There is nothing to repair.")
    for offer in offers:
        if says_yes or _accepted(offer.question):
            try:
                say(offer.do())
            except (OSError, sqlite3.Error, CallboardError) as error:
                say(f"That could not be done: {str(error).rstrip('.')}.")


def _offers(outbox: Path, cache: Path) -> list[Offer]:
    """What can be done about the files of a profile."""
    offers = []
    if _is_damaged(outbox):
        question = "Save what can be read of the damaged file of changes? The file itself is kept."
        offers.append(Offer(question, lambda: save_what_can_be_read(outbox, datetime.now(UTC))))
    if _is_damaged(cache):
        question = "Set the damaged cache aside? It fills again from the service."
        offers.append(Offer(question, lambda: put_aside(cache, datetime.now(UTC))))
    elif cache.exists():
        question = "Write the cache anew, without room that holds nothing?"
        offers.append(Offer(question, lambda: compact(cache)))
    if set_aside_files(cache):
        question = "Remove the caches that were set aside earlier?"
        offers.append(Offer(question, lambda: remove_set_aside(cache)))
    return offers


def _zone_offers(places: Places, profile: Profile) -> list[Offer]:
    """What can be done about a profile that misreads the times of its service."""
    from tui.config.capabilities_file import ServiceMemory
    from tui.config.passwords import find_password
    from tui.connecting.profile_check import look

    try:
        zone = asyncio.run(look(profile, find_password(profile), ServiceMemory())).timezone
    except CallboardError:
        return []

    def write() -> str:
        set_timezone(places.settings, profile.name, zone)
        return f"The profile {profile.name} has the time zone {zone} now."

    question = f"Read the times of {profile.name} as {zone}, the zone of its site?"
    return [Offer(question, write)] if zone else []


def _is_damaged(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        with read_only(path) as connection:
            check_whole(connection)
    except UnreadableError as error:
        return error.is_damaged
    return False


def _accepted(question: str) -> bool:
    """Whether a person says yes; nobody does where there is no terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        sys.stderr.write(f"{question} Not without --yes, since nobody can be asked here.\n")
        return False
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
