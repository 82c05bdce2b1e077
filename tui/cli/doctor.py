"""`callboard doctor`: examines folders, profile, files and service, and repairs them.

It works when everything else is broken: an error during an examination becomes a line of the
report. Without `--repair` nothing is changed, and pending changes are never lost. The source of a
password may be reported, the password never.
"""

import asyncio
import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tui.cli.doctor_terminal import examine_terminal
from tui.cli.output import say, say_beside, write_json
from tui.config.passwords import source_in_words
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import EMBEDDED, Profile
from tui.config.settings import Settings, chosen_name
from tui.config.settings_writing import set_timezone
from tui.errors import CallboardError
from tui.store.doctor import (
    Level,
    Remark,
    UnreadableError,
    compact,
    counted,
    examine_cache,
    examine_outbox,
    examine_sender,
    has_damaged_cache,
    has_damaged_outbox,
    is_in_use,
    megabytes,
    put_aside,
    read_only,
    remove_set_aside,
    save_what_can_be_read,
    version_of,
)
from tui.store.files.database import check_whole, is_empty, set_aside_files
from tui.store.files.waiting_changes import cached_boards
from tui.workspace import lost_board_file

PROBLEMS = 1
SERVICE = "service"
PLACES, PROFILE = "places", "profile"

_PROGRAM = "program"
_MARGIN = " " * 20
_LEVELS = {True: Level.OK, False: Level.PROBLEM, None: Level.NOTE}
_LITTLE = 100 << 20
_OTHERS = stat.S_IRWXG | stat.S_IRWXO

Say = Callable[[str], None]
Look = Callable[[], Iterable[Remark]]


def examine(
    name: str, profile: str, *, as_json: bool, is_offline: bool, repairs: bool, says_yes: bool
) -> int:
    """Examine everything and print the report; 0 if there is no problem, else 1."""
    places = Places.find()
    settings, found = _settings(places)
    chosen, more = _profile(name or profile, settings)
    found += more
    if chosen is not None and repairs:
        tell = say_beside if as_json else say
        repair(places, chosen, is_offline=is_offline, says_yes=says_yes, say=tell)
        chosen = _settings(places)[0].profile(chosen.name)
    found += [
        remark for look in _looks(places, chosen, is_offline=is_offline) for remark in _safe(look)
    ]
    if as_json:
        _write_json(found)
    else:
        _write(found)
    return PROBLEMS if any(remark.level is Level.PROBLEM for remark in found) else 0


def _settings(places: Places) -> tuple[Settings, list[Remark]]:
    """The settings; the defaults with a remark if they are invalid."""
    about = "settings"
    try:
        from tui.cli.settings import read_settings

        settings, warnings = read_settings(places)
    except CallboardError as error:
        return Settings(), [Remark(Level.PROBLEM, about, error.message, error.hint)]
    there = "can be used" if places.settings.exists() else "is not there: all is as it comes"
    remarks = [Remark(Level.NOTE, about, f"{each}.") for each in warnings]
    return settings, remarks or [Remark(Level.OK, about, f"{places.settings} {there}.")]


def _profile(name: str, settings: Settings) -> tuple[Profile | None, list[Remark]]:
    try:
        return settings.profile(chosen_name(name, settings)), []
    except CallboardError as error:
        return None, [Remark(Level.PROBLEM, "profile", error.message, error.hint)]


def _looks(places: Places, profile: Profile | None, *, is_offline: bool) -> list[Look]:
    now = datetime.now(UTC)
    looks: list[Look] = [lambda: examine_places(places)]
    if profile is not None:
        data, cache = places.data / profile.name, places.cache / profile.name
        looks += [
            lambda: examine_profile(profile),
            lambda: examine_outbox(
                data / "outbox.sqlite3", now, is_used=_is_used(data, cache / "cache.sqlite3")
            ),
            lambda: examine_sender(data / "sender.lock"),
            lambda: examine_cache(cache / "cache.sqlite3", now),
            lambda: examine_connection(places, profile, is_offline=is_offline),
        ]
    looks.append(lambda: examine_terminal(os.environ, _size()))
    return looks


def _safe(look: Look) -> list[Remark]:
    """The remarks of an examination; an error in it becomes a remark."""
    try:
        return list(look())
    except CallboardError as error:
        return [Remark(Level.PROBLEM, _PROGRAM, error.message, error.hint)]
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        text = f"{error.filename or 'something'} cannot be looked at: {reason}."
        return [Remark(Level.PROBLEM, _PROGRAM, text, "See that you may read it.")]
    except Exception as error:  # noqa: BLE001  whatever is broken, the rest is still to be told
        text = f"looking went wrong ({type(error).__name__}); that is a mistake of this program."
        return [Remark(Level.PROBLEM, _PROGRAM, text)]


def _size() -> tuple[int, int] | None:
    """The columns and lines of the terminal, None without one."""
    if not sys.stdout.isatty():
        return None
    columns, lines = shutil.get_terminal_size((0, 0))
    return columns, lines


def _write(found: Iterable[Remark]) -> None:
    for remark in found:
        say(f"{remark.level.value:9}{remark.about:11}{_short(remark.text)}")
        if remark.hint:
            say(f"{_MARGIN}{_short(remark.hint)}")


def _write_json(found: list[Remark]) -> None:
    document = {
        "ok": all(remark.level is not Level.PROBLEM for remark in found),
        "remarks": [remark._asdict() for remark in found],
    }
    write_json(document)


def _short(text: str) -> str:
    """A text with the user's home folder as ~."""
    home = str(Path.home())
    return text.replace(f"{home}/", "~/") if home != "/" else text


def examine_connection(places: Places, profile: Profile, *, is_offline: bool) -> list[Remark]:
    """Whether a profile's service can be reached and accepts the login, and its features."""
    if profile.is_embedded:
        return _boards(places)
    if is_offline:
        return [Remark(Level.OK, SERVICE, "It was left alone, as --offline says.")]
    from tui.config.capabilities_file import CapabilitiesFile
    from tui.config.passwords import find_password
    from tui.connecting.profile_check import look

    try:
        password = find_password(profile)
    except CallboardError as error:
        return [Remark(Level.PROBLEM, SERVICE, error.message, error.hint)]
    findings = asyncio.run(look(profile, password, CapabilitiesFile()))
    return [
        Remark(_LEVELS[step.is_good], SERVICE, f"{step.name}: {step.said}", step.hint)
        for step in findings.steps
    ]


def _boards(places: Places) -> list[Remark]:
    """The state of the embedded service's database file."""
    from tui.service.database.schema import MIGRATIONS

    path = places.boards
    if lost := lost_board_file(places, cached_boards(places.cache, EMBEDDED)):
        return [Remark(Level.PROBLEM, SERVICE, lost.message, lost.hint)]
    if not path.exists():
        return [Remark(Level.OK, SERVICE, f"{path} is not there yet; the first start makes it.")]
    try:
        with read_only(path) as connection:
            check_whole(connection)
            if version_of(connection) > len(MIGRATIONS):
                text = f"{path}, which holds your boards, was written by a newer version."
                return [Remark(Level.PROBLEM, SERVICE, text, "Update this program.")]
            (boards,) = connection.execute("select count(*) from board").fetchone()
            (tasks,) = connection.execute("select count(*) from task").fetchone()
    except UnreadableError as error:
        text = f"{path}, which holds your boards, cannot be used: {error}."
        hint = "Make a copy of it before anything else; callboard import brings an archive back."
        return [Remark(Level.PROBLEM, SERVICE, text, hint)]
    text = (
        f"{path}, which holds your boards, is whole: {megabytes(path.stat().st_size)}, "
        f"{counted(boards, 'board')}, {counted(tasks, 'card')}."
    )
    return [Remark(Level.OK, SERVICE, text)]


def examine_places(places: Places) -> list[Remark]:
    """Whether the folders are usable and private."""
    found = []
    for folder, holds in (
        (places.config, "settings"),
        (places.data, "boards and changes"),
        (places.cache, "cache"),
    ):
        found.append(_folder(folder, holds))
    if places.data.exists() and (free := shutil.disk_usage(places.data).free) < _LITTLE:
        text = f"The disk of {places.data} has {megabytes(free)} left."
        found.append(Remark(Level.PROBLEM, PLACES, text, "Make room: changes have to be written."))
    return found


def _folder(folder: Path, holds: str) -> Remark:
    if not folder.exists():
        return _missing(folder, holds)
    if not folder.is_dir():
        hint = f"Move it away, or name another folder in {HOME_VARIABLE}."
        return Remark(Level.PROBLEM, PLACES, f"{folder} ({holds}) is not a folder.", hint)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        text = f"{folder} ({holds}) cannot be written to."
        hint = f"Type: chmod u+rwx '{folder}'"
        if os.statvfs(folder).f_flag & os.ST_RDONLY:
            hint = f"Its disk is read-only: name another folder in {HOME_VARIABLE}."
        return Remark(Level.PROBLEM, PLACES, text, hint)
    if folder.stat().st_mode & _OTHERS:
        text = f"{folder} ({holds}) can be used, also by others of this machine."
        return Remark(Level.NOTE, PLACES, text, f"Type: chmod 700 '{folder}'")
    return Remark(Level.OK, PLACES, f"{folder} ({holds}) can be used.")


def _missing(folder: Path, holds: str) -> Remark:
    above = next((each for each in folder.parents if each.exists()), None)
    if above is not None and not os.access(above, os.W_OK | os.X_OK):
        text = f"{folder} ({holds}) cannot be made: {above} cannot be written to."
        hint = f"Make it by hand, or name another folder in {HOME_VARIABLE}."
        return Remark(Level.PROBLEM, PLACES, text, hint)
    return Remark(Level.OK, PLACES, f"{folder} ({holds}) is made when it is needed.")


def examine_profile(profile: Profile) -> list[Remark]:
    """The contents of a profile: service, login, source of the password."""
    if profile.is_embedded:
        text = f"“{profile.name}”: the boards that the program keeps itself."
        return [Remark(Level.OK, PROFILE, text)]
    source = source_in_words(profile)
    found = [
        Remark(Level.OK, PROFILE, f"“{profile.name}”: {profile.login} at {profile.url}"),
        Remark(Level.OK, PROFILE, f"The password comes from the {source}."),
    ]
    if profile.allow_plaintext and profile.url.startswith("http://"):
        text = "The password goes over the network unencrypted, as allow_plaintext says."
        found.append(
            Remark(Level.NOTE, PROFILE, text, "Use an address with https if there is one.")
        )
    return found


class Offer(NamedTuple):
    """A repair: its question, and the function that does it and returns a description."""

    question: str
    do: Callable[[], str]


def repair(places: Places, profile: Profile, *, is_offline: bool, says_yes: bool, say: Say) -> None:
    """Offer repairs, and run accepted ones; none while a program uses the profile."""
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


def _is_used(data: Path, cache: Path) -> bool:
    """Whether a profile has been used, so that it has an outbox."""
    return data.exists() and not is_empty(cache)


def _offers(outbox: Path, cache: Path) -> list[Offer]:
    """The repairs of a profile's files."""
    offers = []
    is_used = _is_used(outbox.parent, cache)
    if has_damaged_outbox(outbox, is_used=is_used):
        question = "Save what can be read of the damaged file of changes? The file itself is kept."
        save = partial(save_what_can_be_read, outbox, datetime.now(UTC), is_used=is_used)
        offers.append(Offer(question, save))
    if has_damaged_cache(cache):
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
    from tui.config.capabilities_file import CapabilitiesFile
    from tui.config.passwords import find_password
    from tui.connecting.profile_check import look

    try:
        zone = asyncio.run(look(profile, find_password(profile), CapabilitiesFile())).timezone
    except CallboardError:
        return []

    def write() -> str:
        set_timezone(places.settings, profile.name, zone)
        return f"The profile {profile.name} has the time zone {zone} now."

    question = f"Read the times of {profile.name} as {zone}, the zone of its site?"
    return [Offer(question, write)] if zone else []


def _accepted(question: str) -> bool:
    """Whether the user says yes; False without a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        sys.stderr.write(f"{question} Not without --yes, since nobody can be asked here.\n")
        return False
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
