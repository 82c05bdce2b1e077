"""What `callboard login` does: asks for a service, tries it out and keeps it.

The rule it keeps: nothing is kept that was not tried out with success. A password is typed without
being shown, or comes by standard input or the environment; it is never an argument, never printed,
and kept in a file of its own or in the keyring, never in the settings.
"""

import asyncio
import getpass
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tui.api.credentials import Secret
from tui.api.errors import WrongCredentials
from tui.cli.check import say
from tui.cli.pasted_address import fitting_address, suggested_name
from tui.config import Settings, understood
from tui.connecting.checking import Findings, look
from tui.errors import CallboardError, CannotGoOn
from tui.passwords import (
    installed_keyring,
    keep_in_file,
    keep_in_keyring,
    password_in_environment,
)
from tui.paths import Places, make_folder
from tui.profile_writing import with_profile, write
from tui.profiles import Profile, is_profile_name
from tui.service_memory import ServiceMemory
from tui.settings_file import SettingsFile
from tui.text import clean
from tui.workspace import check_move, memory_of

_TRIES = 3
_LONGEST = 10_000


class Wanted(NamedTuple):
    """What was said on the command line; what is empty is asked for, or has its default."""

    name: str = ""
    url: str = ""
    login: str = ""
    ca_file: Path | None = None
    path_word: str | None = None
    timezone: str | None = None
    in_keyring: bool = False
    is_default: bool = False
    force: bool = False


class NotSaid(CallboardError):
    """Something was neither said as an argument nor can be asked for, or it cannot be used."""


def log_in(wanted: Wanted) -> int:
    """Ask for what was not said, try it out, keep it, and say where. Raises `CallboardError`."""
    try:
        return _log_in(wanted, Places.find())
    except (KeyboardInterrupt, EOFError):
        trouble = CannotGoOn("stopped before the end; nothing was kept.")
    raise trouble


def _log_in(wanted: Wanted, places: Places) -> int:
    file = SettingsFile.read(places.settings)
    settings = understood(file)
    _check_name(wanted.name, settings, force=wanted.force)
    if wanted.in_keyring:
        installed_keyring()
    profile = _asked(wanted, settings, places)
    check_move(places, profile, memory_of(places, profile))
    # Tried once before, so that nobody types a password that cannot be kept.
    with_profile(file, profile, is_default=wanted.is_default)
    learnt = ServiceMemory()
    password, findings = _tried(profile, learnt)
    changed = with_profile(SettingsFile.read(file.path), profile, is_default=wanted.is_default)
    own_file = _own_file(places, profile.name)
    if profile.keyring:
        keep_in_keyring(profile, password)
    else:
        keep_in_file(own_file, password)
    write(changed)
    if profile.keyring:
        own_file.unlink(missing_ok=True)
    _remember(places, profile, learnt)
    say(findings)
    _say_kept(profile, file.path, is_default=wanted.is_default)
    return 0


def _own_file(places: Places, name: str) -> Path:
    """Where the password of a profile is kept that is not in the keyring."""
    return places.config / "passwords" / name


def _asked(wanted: Wanted, settings: Settings, places: Places) -> Profile:
    """The profile that is to be kept, with what an earlier one of its name said beside."""
    name, url = wanted.name, wanted.url
    if not name:
        url = fitting_address(url or _ask("Address of the service", "--url"))
        name = _ask("What to call it here", "NAME", suggested_name(url))
        _check_name(name, settings, force=wanted.force)
    base = settings.profiles.get(name, Profile(name))
    url = fitting_address(url or _ask("Address of the service", "--url", base.url))
    login = wanted.login or _ask("Login name there", "--login", base.login)
    if not login or ":" in login or clean.line(login) != login:
        raise NotSaid("a login name holds no colon and no control characters.")
    return base._replace(
        url=url,
        login=login,
        password_command=(),
        password_file=None if wanted.in_keyring else _own_file(places, name),
        keyring=wanted.in_keyring,
        path_word=wanted.path_word or base.path_word,
        timezone=wanted.timezone or base.timezone,
        ca_file=wanted.ca_file.expanduser().absolute() if wanted.ca_file else base.ca_file,
    )


def _check_name(name: str, settings: Settings, *, force: bool) -> None:
    """Raise `NotSaid` for a name that cannot be given, or that is taken; an empty one is asked."""
    if name and not is_profile_name(name):
        raise NotSaid(
            f"“{clean.line(name)}” cannot be the name of a profile.",
            hint="Use letters, digits, dots and dashes; “embedded” is the program's own.",
        )
    if name in settings.profiles and not force:
        raise NotSaid(
            f"there is a profile {name} already, for {settings.profiles[name].url}.",
            hint=f"Replace it with: callboard login {name} --force",
        )


def _tried(profile: Profile, learnt: ServiceMemory) -> tuple[Secret, Findings]:
    """The password that the service accepts, and what was found. Raises `CannotGoOn`."""
    for password in _passwords(profile):
        findings = asyncio.run(look(profile, password, learnt))
        if findings.is_good:
            return password, findings
        say(findings)
        if not isinstance(findings.failure, WrongCredentials):
            break
    raise CannotGoOn("the service could not be used, so nothing was kept.")


def _remember(places: Places, profile: Profile, learnt: ServiceMemory) -> None:
    """Keep what the service was found to offer, unless another one's files have to make way."""
    make_folder(places.data / profile.name)
    memory = memory_of(places, profile)
    if memory.is_about(profile):
        memory.begin(profile)
        memory.keep(learnt.capabilities)


def _passwords(profile: Profile) -> Iterator[Secret]:
    """Passwords to try: the one in the environment, or that is read, or a few that are typed."""
    told = password_in_environment(profile.name)
    if told:
        yield told
    elif sys.stdin.isatty():
        for _ in range(_TRIES):
            yield _needed(Secret(getpass.getpass(f"Password of {profile.login}: ")))
    else:
        yield _needed(Secret(sys.stdin.readline(_LONGEST).rstrip("\r\n")))


def _needed(password: Secret) -> Secret:
    if not password:
        raise NotSaid(
            "no password was given; nothing was kept.",
            hint="Type it, write it to standard input, or set CALLBOARD_PASSWORD.",
        )
    return password


def _ask(question: str, option: str, default: str = "") -> str:
    """What a person answers, or the default. Raises `NotSaid` where nobody can be asked."""
    if sys.stdin.isatty():
        answer = input(f"{question} [{default}]: " if default else f"{question}: ").strip()
        if answer or default:
            return answer or default
    elif default:
        return default
    raise NotSaid(f"{question.lower()}: nothing was said.", hint=f"Say it with {option}.")


def _say_kept(profile: Profile, settings: Path, *, is_default: bool) -> None:
    where = "the keyring of this system"
    if profile.password_file is not None:
        where = f"{profile.password_file}, which you alone can read"
    opens = "callboard" if is_default else f"callboard -p {profile.name}"
    lines = (
        f"The profile {profile.name} is kept in {settings}.",
        f"The password is kept in {where}.",
        f"Open it with: {opens}",
    )
    sys.stdout.write("".join(f"{clean.line(line)}\n" for line in lines))
