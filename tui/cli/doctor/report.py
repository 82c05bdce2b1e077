"""What `callboard doctor` does: looks at everything, a part at a time, and says what it found."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from tui.cli.chosen import chosen_name
from tui.cli.doctor.connection import examine_connection
from tui.cli.doctor.profile import examine_places, examine_profile
from tui.cli.doctor.repair import repair
from tui.cli.doctor.terminal import examine_terminal
from tui.config.paths import Places
from tui.config.profiles import Profile
from tui.config.settings import Settings, load_settings
from tui.errors import CallboardError
from tui.store.doctor.cache import examine_cache
from tui.store.doctor.outbox import examine_outbox, examine_sender
from tui.store.doctor.report import Level, Remark
from tui.text import clean

PROBLEMS = 1

_PROGRAM = "program"
_MARGIN = " " * 20


def examine(name: str, *, as_json: bool, is_offline: bool, repairs: bool, says_yes: bool) -> int:
    """Look at everything and print what was found; 0 if there is no problem, else 1."""
    places = Places.find()
    settings, found = _settings(places)
    profile, more = _profile(name, settings)
    found += more
    if profile is not None and repairs:
        say = _to_stderr if as_json else _say
        repair(places, profile, is_offline=is_offline, says_yes=says_yes, say=say)
        profile = _settings(places)[0].profile(profile.name)
    found += [
        remark for look in _looks(places, profile, is_offline=is_offline) for remark in _safe(look)
    ]
    if as_json:
        _write_json(found)
    else:
        _write(found)
    return PROBLEMS if any(remark.level is Level.PROBLEM for remark in found) else 0


def _settings(places: Places) -> tuple[Settings, list[Remark]]:
    """The settings; the defaults with a remark where they cannot be used."""
    about = "settings"
    try:
        settings = load_settings(places.settings)
        if settings.keys:
            from tui.screens.binding_ids import binding_ids

            load_settings(places.settings, binding_ids())
    except CallboardError as error:
        return Settings(), [Remark(Level.PROBLEM, about, error.message, error.hint)]
    there = "can be used" if places.settings.exists() else "is not there: all is as it comes"
    return settings, [Remark(Level.OK, about, f"{places.settings} {there}.")]


def _profile(name: str, settings: Settings) -> tuple[Profile | None, list[Remark]]:
    try:
        return settings.profile(chosen_name(name, settings)), []
    except CallboardError as error:
        return None, [Remark(Level.PROBLEM, "profile", error.message, error.hint)]


Look = Callable[[], Iterable[Remark]]


def _looks(places: Places, profile: Profile | None, *, is_offline: bool) -> list[Look]:
    """Everything that is looked at, in the order in which it is told."""
    now = datetime.now(UTC)
    looks: list[Look] = [lambda: examine_places(places)]
    if profile is not None:
        data, cache = places.data / profile.name, places.cache / profile.name
        looks += [
            lambda: examine_profile(profile),
            lambda: examine_outbox(data / "outbox.sqlite3", now),
            lambda: examine_sender(data / "sender.lock"),
            lambda: examine_cache(cache / "cache.sqlite3", now),
            lambda: examine_connection(places, profile, is_offline=is_offline),
        ]
    looks.append(lambda: examine_terminal(os.environ, _size()))
    return looks


def _safe(look: Look) -> list[Remark]:
    """What a look finds; a mistake in it is told, and the others are taken all the same."""
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
    """The columns and lines of the terminal, None where there is none."""
    if not sys.stdout.isatty():
        return None
    columns, lines = shutil.get_terminal_size((0, 0))
    return columns, lines


def _write(found: Iterable[Remark]) -> None:
    for remark in found:
        _say(f"{remark.level.value:9}{remark.about:11}{_short(remark.text)}")
        if remark.hint:
            _say(f"{_MARGIN}{_short(remark.hint)}")


def _write_json(found: list[Remark]) -> None:
    document = {
        "ok": all(remark.level is not Level.PROBLEM for remark in found),
        "remarks": [remark._asdict() for remark in found],
    }
    sys.stdout.write(f"{json.dumps(document, indent=2)}\n")


def _short(text: str) -> str:
    """A text with the person's own folder called ~."""
    home = str(Path.home())
    return text.replace(f"{home}/", "~/") if home != "/" else text


def _say(line: str) -> None:
    sys.stdout.write(f"{clean.line(line).rstrip()}\n")


def _to_stderr(line: str) -> None:
    sys.stderr.write(f"{clean.line(line).rstrip()}\n")
