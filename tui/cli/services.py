"""`callboard profiles`, `callboard check` and `callboard logout`: the services that were added."""

import asyncio
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from tui.cli.output import say, write_json
from tui.config.capabilities_file import CapabilitiesFile
from tui.config.passwords import PasswordUnknown, find_password, source_in_words
from tui.config.paths import Places, make_folder
from tui.config.profiles import Profile
from tui.config.settings import chosen_name, load_settings
from tui.config.settings_writing import set_timezone
from tui.connecting.profile_check import Findings, look
from tui.errors import CannotGoOn, WrongInput
from tui.profiles import logout
from tui.profiles.local import known_profiles
from tui.text import clean
from tui.text.clean import counted
from tui.workspace import memory_of

NOT_GOOD = 1
_MARGIN = " " * 21
_WORDS = {True: "ok", False: "failed", None: "note"}
_SHOWN = 20


def list_profiles(*, as_json: bool) -> int:
    """Print every profile, the embedded one last. Raises `SettingsError`."""
    places = Places.find()
    default = chosen_name("", load_settings(places.settings))
    rows = [
        {
            "name": known.profile.name,
            "url": known.profile.url,
            "login": known.profile.login,
            "password": "" if known.profile.is_embedded else source_in_words(known.profile),
            "is_default": known.is_current,
            "waiting": known.pending,
            "boards": known.boards,
        }
        for known in known_profiles(places, default)
    ]
    if as_json:
        write_json(rows)
        return 0
    width = max(len(str(row["name"])) for row in rows)
    for row in rows:
        where = "the boards that the program keeps itself"
        if row["url"]:
            where = f"{row['url']}  {row['login']}  password: {row['password']}"
        waiting = f"  pending changes: {row['waiting']}" if row["waiting"] else ""
        mark = "*" if row["is_default"] else " "
        say(f"{mark} {row['name']:{width}}  {where}{waiting}")
    return 0


def check(name: str, profile: str, *, as_json: bool) -> int:
    """Check a profile and print the result; 0 if it can be used, else 1.

    Raises `SettingsError` and `UnknownProfile`.
    """
    places = Places.find()
    settings = load_settings(places.settings)
    checked = settings.profile(chosen_name(name or profile, settings))
    findings = Findings(()) if checked.is_embedded else _found(checked, places)
    if as_json:
        _write_json(checked, findings)
    elif checked.is_embedded:
        say(f"{checked.name}: the boards that the program keeps itself; nothing to be reached.")
    else:
        say_findings(findings)
        if findings.timezone and sys.stdin.isatty() and sys.stdout.isatty():
            _offer_zone(places, checked, findings.timezone)
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


def log_out(name: str, *, keeps_changes: bool, says_yes: bool) -> int:
    """Log out of a profile; ask before something that was not sent is lost.

    Raises `CallboardError`.
    """
    places = Places.find()
    logout.profile_to_leave(places, name)
    lost = () if keeps_changes else logout.left_behind(places, name)
    if lost and not says_yes:
        keeps_changes = _keeps(name, lost)
    left = logout.log_out(places, name, keeps_changes=keeps_changes)
    if keeps_changes:
        say(f"The password and the cache of {name} are removed; what was not sent is kept.")
        say(f"It is sent after: callboard login {name} --force")
    else:
        say(f"The profile {name} is removed, with its password and its cache.")
    if left:
        say(f"{left[:1].upper()}{left[1:]}.")
    return 0


def _keeps(name: str, lost: Sequence[str]) -> bool:
    """Ask whether what was not sent is kept. Raises `CallboardError` without a decision."""
    things = counted(len(lost), "thing")
    say(f"{things} of {name} did not reach the service:")
    for words in lost[:_SHOWN]:
        say(f"  {words}")
    if len(lost) > _SHOWN:
        say(f"  … and {len(lost) - _SHOWN} more")
    if not sys.stdin.isatty():
        raise WrongInput(
            f"{things} would be lost; nothing was changed.",
            hint="Use --keep-changes to keep them, or --yes to discard them.",
        )
    try:
        answer = input("Keep them, discard them, or cancel? [k/d/C] ").strip().lower()
    except (KeyboardInterrupt, EOFError):
        answer = ""
    if answer not in ("k", "keep", "d", "discard"):
        raise CannotGoOn("cancelled; nothing was changed.")
    return answer.startswith("k")
