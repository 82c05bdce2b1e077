"""`callboard doctor`: examines folders, profile, files, service and terminal, and repairs them.

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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tui.cli.output import say, say_beside, write_beside, write_json
from tui.cli.services import keep_zone
from tui.cli.terminal import COLUMNS, LINES
from tui.config.passwords import find_password, source_in_words
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import EMBEDDED, Profile
from tui.config.settings import Settings, chosen_name
from tui.errors import CallboardError
from tui.store import doctor as files
from tui.store.doctor import Level, Remark, counted_or_no, megabytes
from tui.store.files.database import check_whole, is_empty, set_aside_files
from tui.store.files.waiting_changes import cached_boards
from tui.widgets.plain_ascii import shows_utf8
from tui.workspace import lost_board_file

if TYPE_CHECKING:
    from tui.connecting.profile_check import CheckResults

SERVICE, PLACES, PROFILE, TERMINAL = "service", "places", "profile", "terminal"
_SETTINGS, _PROGRAM = "settings", "program"

_LEVELS = {True: Level.OK, False: Level.PROBLEM, None: Level.NOTE}
_LITTLE = 100 << 20
_COMFORTABLE = 80, 24
_BETWEEN = {
    "TMUX": "tmux",
    "STY": "screen",
    "ZELLIJ": "zellij",
    "MOSH_CONNECTION": "mosh",
    "SSH_CONNECTION": "ssh",
}

_ok = partial(Remark, Level.OK)
_note = partial(Remark, Level.NOTE)
_problem = partial(Remark, Level.PROBLEM)


def examine(
    name: str, profile: str, *, as_json: bool, is_offline: bool, repairs: bool, says_yes: bool
) -> int:
    """Examine everything and print the report; 0 if there is no problem, else 1."""
    places = Places.find()
    settings, remarks = _settings(places)
    chosen: Profile | None = None
    try:
        chosen = settings.profile(chosen_name(name or profile, settings))
    except CallboardError as error:
        remarks.append(_problem(PROFILE, error.message, error.hint))
    if chosen is not None and repairs:
        tell = say_beside if as_json else say
        repair(places, chosen, is_offline=is_offline, says_yes=says_yes, say=tell)
        # A repair may have set the time zone of the profile in the settings.
        chosen = _settings(places)[0].profile(chosen.name)
    looks: list[Callable[[], Iterable[Remark]]] = [partial(examine_places, places)]
    if chosen is not None:
        data, cache = places.data / chosen.name, places.cache / chosen.name / "cache.sqlite3"
        outbox, now = data / "outbox.sqlite3", datetime.now(UTC)
        looks += [
            partial(examine_profile, chosen),
            lambda: files.examine_outbox(outbox, now, is_used=_is_used(data, cache)),
            partial(files.examine_sender, data / "sender.lock"),
            partial(files.examine_cache, cache, now),
            partial(examine_connection, places, chosen, is_offline=is_offline),
        ]
    size = shutil.get_terminal_size((0, 0)) if sys.stdout.isatty() else None
    looks.append(partial(examine_terminal, os.environ, size))
    for look in looks:
        remarks += _remarks_of(look)
    is_well = all(remark.level is not Level.PROBLEM for remark in remarks)
    if as_json:
        write_json({"ok": is_well, "remarks": [remark._asdict() for remark in remarks]})
    else:
        for level, about, text, hint in remarks:
            say(f"{level.value:9}{about:11}{_short(text)}")
            if hint:
                say(f"{'':20}{_short(hint)}")
    return int(not is_well)


def _short(text: str) -> str:
    home = str(Path.home())
    return text.replace(f"{home}/", "~/") if home != "/" else text


def _settings(places: Places) -> tuple[Settings, list[Remark]]:
    # The defaults if the settings are invalid.
    try:
        from tui.cli.settings import read_settings

        settings, warnings = read_settings(places)
    except CallboardError as error:
        return Settings(), [_problem(_SETTINGS, error.message, error.hint)]
    remarks = [_note(_SETTINGS, f"{warning}.") for warning in warnings]
    there = "can be used" if places.settings.exists() else "is not there: using defaults"
    return settings, remarks or [_ok(_SETTINGS, f"{places.settings} {there}.")]


def _is_used(data: Path, cache: Path) -> bool:
    # A profile that has been used has an outbox.
    return data.exists() and not is_empty(cache)


def _remarks_of(look: Callable[[], Iterable[Remark]]) -> list[Remark]:
    try:
        return list(look())
    except CallboardError as error:
        return [_problem(_PROGRAM, error.message, error.hint)]
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        text = f"{error.filename or 'something'} cannot be read: {reason}."
        return [_problem(_PROGRAM, text, "Check its permissions.")]
    except Exception as error:  # noqa: BLE001  whatever is broken, the rest is still to be told
        text = f"check failed ({type(error).__name__}); this is a bug in Callboard."
        return [_problem(_PROGRAM, text)]


def examine_places(places: Places) -> Iterator[Remark]:
    """Whether the folders are usable and private."""
    yield _folder(places.config, "settings")
    yield _folder(places.data, "boards and changes")
    yield _folder(places.cache, "cache")
    if places.last_frame.exists():
        yield _ok(PLACES, f"{places.last_frame} is what the next start shows at once.")
    if places.data.exists() and (free := shutil.disk_usage(places.data).free) < _LITTLE:
        text = f"The disk of {places.data} has {megabytes(free)} left."
        yield _problem(PLACES, text, "Free some space: changes must be saved.")


def _folder(folder: Path, holds: str) -> Remark:
    if not folder.exists():
        above = next((parent for parent in folder.parents if parent.exists()), None)
        if above is not None and not os.access(above, os.W_OK | os.X_OK):
            text = f"{folder} ({holds}) cannot be created: {above} is not writable."
            hint = f"Create it by hand, or set another folder in {HOME_VARIABLE}."
            return _problem(PLACES, text, hint)
        return _ok(PLACES, f"{folder} ({holds}) will be created when needed.")
    if not folder.is_dir():
        hint = f"Move it away, or set another folder in {HOME_VARIABLE}."
        return _problem(PLACES, f"{folder} ({holds}) is not a folder.", hint)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        hint = f"Type: chmod u+rwx '{folder}'"
        # chmod does not help on a file system that is mounted read-only.
        if os.statvfs(folder).f_flag & os.ST_RDONLY:
            hint = f"Its disk is read-only: set another folder in {HOME_VARIABLE}."
        return _problem(PLACES, f"{folder} ({holds}) cannot be written to.", hint)
    if folder.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        text = f"{folder} ({holds}) can be used, also by other users of this machine."
        return _note(PLACES, text, f"Type: chmod 700 '{folder}'")
    return _ok(PLACES, f"{folder} ({holds}) can be used.")


def examine_profile(profile: Profile) -> list[Remark]:
    """The contents of a profile: service, login, source of the password."""
    if profile.is_embedded:
        return [_ok(PROFILE, f"“{profile.name}”: the boards on this machine.")]
    remarks = [
        _ok(PROFILE, f"“{profile.name}”: {profile.login} at {profile.url}"),
        _ok(PROFILE, f"The password comes from the {source_in_words(profile)}."),
    ]
    if profile.allow_plaintext and profile.url.startswith("http://"):
        text = "The password goes over the network unencrypted, as allow_plaintext allows."
        remarks.append(_note(PROFILE, text, "Use an address with https if there is one."))
    return remarks


def examine_connection(places: Places, profile: Profile, *, is_offline: bool) -> list[Remark]:
    """Whether a profile's service can be reached and accepts the login, and its features."""
    if profile.is_embedded:
        return [_boards(places)]
    if is_offline:
        return [_ok(SERVICE, "Skipped, because of --offline.")]
    try:
        steps = _look(profile).steps
    except CallboardError as error:
        return [_problem(SERVICE, error.message, error.hint)]
    return [
        Remark(_LEVELS[step.is_good], SERVICE, f"{step.name}: {step.said}", step.hint)
        for step in steps
    ]


def _look(profile: Profile) -> "CheckResults":
    from tui.config.capabilities_file import CapabilitiesFile
    from tui.connecting.profile_check import look

    # Not the profile's own file: an examination changes nothing.
    return asyncio.run(look(profile, find_password(profile), CapabilitiesFile()))


def _boards(places: Places) -> Remark:
    from tui.service.database.schema import MIGRATIONS

    path = places.boards
    holds = f"{path}, which holds your boards,"
    if lost := lost_board_file(places, cached_boards(places.cache, EMBEDDED)):
        return _problem(SERVICE, lost.message, lost.hint)
    if not path.exists():
        return _ok(SERVICE, f"{path} is not there yet; the first start creates it.")
    try:
        with files.read_only(path) as connection:
            check_whole(connection)
            if files.version_of(connection) > len(MIGRATIONS):
                text = f"{holds} was written by a newer version."
                return _problem(SERVICE, text, "Update this program.")
            (boards,) = connection.execute("select count(*) from board").fetchone()
            (tasks,) = connection.execute("select count(*) from task").fetchone()
    except files.UnreadableError as error:
        hint = "Copy it before anything else; callboard import restores an archive."
        return _problem(SERVICE, f"{holds} cannot be used: {error}.", hint)
    counts = f"{counted_or_no(boards, 'board')}, {counted_or_no(tasks, 'card')}"
    return _ok(SERVICE, f"{holds} is intact: {megabytes(path.stat().st_size)}, {counts}.")


def examine_terminal(
    environment: Mapping[str, str], size: tuple[int, int] | None, encoding: str = ""
) -> Iterator[Remark]:
    """The remarks about a terminal, by the environment; `size` is columns and lines, if known."""
    if size is None:
        text = "Not checked: this is a pipe or a job, not a terminal."
        yield _note(TERMINAL, text, "Run it in the terminal you use.")
        return
    yield _size(*size)
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    if term in ("", "dumb", "unknown"):
        text = f"TERM is {f'“{term}”' if term else 'not set'}: nothing to draw with."
        yield _problem(TERMINAL, text, "Type: export TERM=xterm-256color")
    else:
        yield _ok(TERMINAL, f"TERM is “{term}”{f', program {program}' if program else ''}.")
    yield _colours(environment)
    if shows_utf8(environment, encoding or sys.stderr.encoding):
        yield _ok(TERMINAL, "Letters are UTF-8.")
    else:
        names = ("LC_ALL", "LC_CTYPE", "LANG")
        set_names = [f"{name}={environment[name]}" for name in names if environment.get(name)]
        said = ", ".join(set_names) or encoding
        text = f"Letters are not UTF-8 ({said}): everything is drawn in ASCII."
        yield _note(TERMINAL, text, "If the terminal shows UTF-8, type: export LC_ALL=C.UTF-8")
    between = [name for variable, name in _BETWEEN.items() if environment.get(variable)]
    yield _ok(TERMINAL, f"In between: {', '.join(between) or 'nothing'}.")
    text = "Copying asks the terminal (OSC 52); it may not allow that."
    if "tmux" in between:
        yield _note(TERMINAL, text, "In tmux type: tmux set -g set-clipboard on")
    elif "screen" in between or "mosh" in between:
        yield _note(TERMINAL, text, "screen and older mosh block it.")
    else:
        yield _ok(TERMINAL, text)
    yield _ok(
        TERMINAL,
        "Keys such as shift+arrows may not arrive; H J K L do the same everywhere.",
        "In tmux type: tmux set -g xterm-keys on" if "tmux" in between else "",
    )


def _size(columns: int, lines: int) -> Remark:
    text, (good_columns, good_lines) = f"{columns}×{lines} cells.", _COMFORTABLE
    if columns < COLUMNS or lines < LINES:
        hint = f"Make it at least {COLUMNS}×{LINES}; {good_columns}×{good_lines} is good."
        return _problem(TERMINAL, text, hint)
    if columns < good_columns or lines < good_lines:
        return _note(TERMINAL, text, "ctrl+e on a board shows more cards in less room.")
    return _ok(TERMINAL, text)


def _colours(environment: Mapping[str, str]) -> Remark:
    if environment.get("NO_COLOR"):
        return _ok(TERMINAL, "No colours, because of NO_COLOR; signs say everything.")
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return _ok(TERMINAL, "All colours, from COLORTERM.")
    if "256" in environment.get("TERM", ""):
        hint = "If it can show all colours, type: export COLORTERM=truecolor"
        return _ok(TERMINAL, "256 colours, from TERM.", hint)
    return _note(TERMINAL, "16 colours, from TERM.", "The theme ansi suits it.")


def repair(
    places: Places,
    profile: Profile,
    *,
    is_offline: bool,
    says_yes: bool,
    say: Callable[[str], None],
) -> None:
    """Offer repairs, and run accepted ones; none while a program uses the profile."""
    data, cache = places.data / profile.name, places.cache / profile.name / "cache.sqlite3"
    # A program that is open would go on writing to the files that are set aside.
    if files.is_in_use(data / "sender.lock"):
        say("Nothing is repaired while Callboard is open on this profile. Quit it and try again.")
        return
    offers = _offers(data / "outbox.sqlite3", cache)
    if not (is_offline or profile.is_embedded):
        with suppress(CallboardError):
            if zone := _look(profile).timezone:
                question = f"Read the times of {profile.name} as {zone}, the zone of its site?"
                offers[question] = partial(keep_zone, places, profile.name, zone)
    if not offers:
        say("Nothing to repair.")
    for question, mend in offers.items():
        if says_yes or _accepted(question):
            try:
                say(mend())
            except (OSError, sqlite3.Error, CallboardError) as error:
                say(f"Repair failed: {str(error).rstrip('.')}.")


def _offers(outbox: Path, cache: Path) -> dict[str, Callable[[], str]]:
    # Repairs by their questions; each returns a description.
    now, offers = datetime.now(UTC), dict[str, Callable[[], str]]()
    is_used = _is_used(outbox.parent, cache)
    if files.has_damaged_outbox(outbox, is_used=is_used):
        question = "Save what can be read of the damaged file of changes? The file itself is kept."
        offers[question] = partial(files.save_what_can_be_read, outbox, now, is_used=is_used)
    if files.has_damaged_cache(cache):
        question = "Set the damaged cache aside? It will be rebuilt from the service."
        offers[question] = partial(files.put_aside, cache, now)
    elif cache.exists():
        question = "Rewrite the cache without its unused space?"
        offers[question] = partial(files.compact, cache)
    if set_aside_files(cache):
        question = "Remove the caches that were set aside earlier?"
        offers[question] = partial(files.remove_set_aside, cache)
    return offers


def _accepted(question: str) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        say_beside(f"{question} Add --yes: there is no terminal to ask on.")
        return False
    write_beside(f"{question} [y/N] ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
