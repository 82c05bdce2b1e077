"""`callboard check`: checks a profile, prints the result, and offers to set its time zone."""

import asyncio
import shutil
import sys
import textwrap
from dataclasses import asdict

from tui.cli.output import say, write_json
from tui.config.capabilities_file import CapabilitiesFile
from tui.config.passwords import PasswordUnknown, find_password
from tui.config.paths import Places, make_folder
from tui.config.profile_writing import set_timezone
from tui.config.profiles import Profile
from tui.config.settings import chosen_name, load_settings
from tui.connecting.profile_check import Findings, look
from tui.text import clean
from tui.workspace import memory_of

NOT_GOOD = 1
_MARGIN = " " * 21
_WORDS = {True: "ok", False: "failed", None: "note"}


def check(name: str, *, as_json: bool) -> int:
    """Check a profile and print the result; 0 if it can be used, else 1.

    Raises `SettingsError` and `UnknownProfile`.
    """
    places = Places.find()
    settings = load_settings(places.settings)
    profile = settings.profile(chosen_name(name, settings))
    findings = Findings(()) if profile.is_embedded else _found(profile, places)
    if as_json:
        _write_json(profile, findings)
    elif profile.is_embedded:
        say(f"{profile.name}: the boards that the program keeps itself; nothing to be reached.")
    else:
        say_findings(findings)
        if findings.timezone and sys.stdin.isatty() and sys.stdout.isatty():
            _offer_zone(places, profile, findings.timezone)
    return 0 if findings.is_good else NOT_GOOD


def say_findings(findings: Findings) -> None:
    """Print every step with its hint, no wider than the terminal."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    for step in findings.steps:
        lines = [f"{_WORDS[step.is_good]:8}{step.name:13}{step.said}"]
        if step.hint:
            lines.append(f"{_MARGIN}{step.hint}")
        for line in lines:
            for part in textwrap.wrap(
                clean.line(line),
                width,
                subsequent_indent=_MARGIN,
                break_long_words=False,
                break_on_hyphens=False,
            ):
                say(part)


def _found(profile: Profile, places: Places) -> Findings:
    """Check a profile; the service's capabilities are stored."""
    try:
        password = find_password(profile)
    except PasswordUnknown as error:
        return Findings.without_password(error)
    make_folder(places.data / profile.name)
    memory = memory_of(places, profile)
    if memory.is_about(profile):
        memory.begin(profile)
    else:
        memory = CapabilitiesFile()
    return asyncio.run(look(profile, password, memory))


def _offer_zone(places: Places, profile: Profile, timezone: str) -> None:
    """Offer to set the profile's time zone. Raises `CallboardError`."""
    answer = input(f"Read its times as {timezone} from now on? [y/N] ").strip().lower()
    if answer in ("y", "yes"):
        set_timezone(places.settings, profile.name, timezone)
        say(f"The profile {profile.name} has the time zone {timezone} now.")


def _write_json(profile: Profile, findings: Findings) -> None:
    document = {
        "profile": profile.name,
        "url": profile.url,
        "login": profile.login,
        "ok": findings.is_good,
        "boards": findings.boards,
        "clock_seconds": findings.clock_seconds,
        "site_timezone": findings.timezone,
        "user_id": findings.user_id,
        "features": findings.features,
        "steps": [asdict(step) for step in findings.steps],
    }
    write_json(document)
