"""`callboard login`: finds a service, asks for the account, checks and stores both.

Only what was checked successfully is stored. On a terminal, invalid input is asked for again, with
the previous input as the default; otherwise it is an error. A password is typed without being
shown, or read from standard input or the environment; it is never an argument, never printed, and
stored in a file of its own or in the keyring.
"""

import asyncio
import getpass
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TypeVar

from tui.cli.output import say
from tui.cli.services import say_findings
from tui.client.discovery import FoundService, is_same_place
from tui.client.errors import ApiError, WrongCredentials
from tui.client.http.credentials import Secret
from tui.config.capabilities_file import CapabilitiesFile
from tui.config.passwords import installed_keyring, password_in_environment
from tui.config.paths import Places
from tui.config.profiles import Profile
from tui.config.settings import Settings, understood
from tui.config.settings_file import SettingsFile
from tui.config.settings_writing import with_profile
from tui.connecting.profile_check import Findings, failed, look
from tui.errors import CallboardError, CannotGoOn
from tui.profiles.login import (
    NotUsable,
    as_error,
    check_login,
    check_name,
    keep,
    profile_at,
    service_at,
    suggested_name,
    web_address,
)
from tui.profiles.protocol import Login
from tui.workspace import check_move, memory_of

T = TypeVar("T")

_MOST_TRIES = 5
"""Services lock accounts after repeated wrong passwords."""
_LONGEST = 10_000


def log_in(
    *,
    name: str,
    profile: str,
    url: str,
    login: str,
    ca_file: Path | None,
    path_word: str | None,
    timezone: str | None,
    in_keyring: bool,
    is_default: bool,
    force: bool,
) -> int:
    """Ask for missing arguments, check them, and store the profile. Raises `CallboardError`."""
    wanted = Login(
        url=url,
        login=login,
        name=name or profile,
        in_keyring=in_keyring,
        ca_file=ca_file,
        is_default=is_default,
        path_word=path_word,
        timezone=timezone,
        force=force,
    )
    try:
        return _log_in(wanted, Places.find())
    except (KeyboardInterrupt, EOFError):
        trouble = CannotGoOn("interrupted; nothing was saved.")
    raise trouble


def _log_in(wanted: Login, places: Places) -> int:
    file = SettingsFile.read(places.settings)
    settings = understood(file)
    if wanted.name:
        check_name(wanted.name, settings, force=wanted.force)
    if wanted.in_keyring:
        installed_keyring()
    earlier = settings.profiles.get(wanted.name, Profile(wanted.name))
    service = _found(wanted, earlier)
    name = wanted.name or _until_good(
        lambda: _asked_name(suggested_name(service.url), settings, force=wanted.force)
    )
    profile = profile_at(wanted, settings.profiles.get(name, Profile(name)), service, places)
    learnt = CapabilitiesFile()
    profile, password, findings = _tried(wanted, profile, learnt, places, file)
    keep(places, profile, password, learnt, is_default=wanted.is_default)
    say_findings(findings)
    _say_kept(profile, file.path, is_default=wanted.is_default)
    return 0


def _found(wanted: Login, earlier: Profile) -> FoundService:
    typed = ""

    def find() -> FoundService:
        nonlocal typed
        if typed or not wanted.url:
            typed = _ask("Address of the site", "--url", typed or earlier.url)
        else:
            typed = wanted.url
        address = web_address(typed)
        if sys.stdin.isatty():
            say("Looking for boards there …")
        try:
            service = asyncio.run(service_at(address, wanted, earlier))
        except ApiError as error:
            findings = failed(earlier._replace(url=address), error)
            if sys.stdin.isatty():
                raise as_error(findings) from error
            say_findings(Findings(findings.steps[-1:]))
            raise _not_kept(wanted.name, "no service could be used at that address") from error
        _confirm(address, service.url)
        return service

    service = _until_good(find)
    site = service.site
    if site is not None:
        say(f"Found {site.name or 'a site'}, with boards at {service.url}")
    if site is not None and site.authorization:
        say("An application password for Callboard can be made there, in a browser:")
        say(f"  {site.authorization}")
    return service


def _confirm(typed: str, found: str) -> None:
    """Ask before sending a password to another host than the typed one."""
    if is_same_place(typed, found):
        return
    say(f"{typed} leads to another place: {found}")
    if sys.stdin.isatty() and _ask("Send your password there? y/n", "--url", "n") in ("y", "yes"):
        return
    raise CannotGoOn(
        "that address leads to another host, so nothing was sent there.",
        hint=f"If it is right, name it: --url {quote(found)}",
    )


def _asked_name(suggested: str, settings: Settings, *, force: bool) -> str:
    name = _ask("What to call it here", "NAME", suggested)
    check_name(name, settings, force=force)
    return name


def _tried(
    wanted: Login,
    profile: Profile,
    learnt: CapabilitiesFile,
    places: Places,
    file: SettingsFile,
) -> tuple[Profile, Secret, Findings]:
    """The profile with a login and password that the service accepts, and the results.

    Raises `CannotGoOn`.
    """
    told: Secret | None = password_in_environment(profile.name)
    login = wanted.login
    for _ in range(_MOST_TRIES):
        login = login or _until_good(partial(_asked_login, profile.login))
        check_login(login)
        profile = profile._replace(login=login)
        check_move(places, profile, memory_of(places, profile))
        # Before asking for a password that could not be stored.
        with_profile(file, profile, is_default=wanted.is_default)
        password = told or _until_good(partial(_password, login))
        findings = asyncio.run(look(profile, password, learnt))
        if findings.is_good:
            return profile, password, findings
        say_findings(findings)
        if not (isinstance(findings.failure, WrongCredentials) and sys.stdin.isatty()):
            break
        login, told = "", None
    raise _not_kept(profile.name, "the service could not be used", profile)


def _not_kept(name: str, why: str, profile: Profile | None = None) -> CannotGoOn:
    """The error that ends the command, with a command line to repeat it, without the password."""
    again = "" if profile is None else f" --url {quote(profile.url)} --login {quote(profile.login)}"
    return CannotGoOn(
        f"{why}, so the profile {name} was not saved." if name else f"{why}; nothing was saved.",
        hint=f"Try again with: callboard login {name}{again}" if again else "",
    )


def _asked_login(earlier: str) -> str:
    login = _ask("Login name there", "--login", earlier)
    check_login(login)
    return login


def _password(login: str) -> Secret:
    """The typed password, or the first line of standard input. Raises `NotUsable`."""
    if sys.stdin.isatty():
        password = Secret(getpass.getpass(f"Password of {login}: "))
    else:
        password = Secret(sys.stdin.readline(_LONGEST).rstrip("\r\n"))
    if not password:
        raise NotUsable(
            "no password was given; nothing was saved.",
            hint="Type it, write it to standard input, or set CALLBOARD_PASSWORD.",
        )
    return password


def _until_good(ask: Callable[[], T]) -> T:
    """Ask, on a terminal again and again, until the input is valid.

    Raises `CallboardError` for invalid input without a terminal.
    """
    while True:
        try:
            return ask()
        except CallboardError as error:
            if not sys.stdin.isatty():
                raise
            say(f"callboard: {error.message}")
            if error.hint:
                say(f"           {error.hint}")


def _ask(question: str, option: str, default: str = "") -> str:
    """The user's input, or the default. Raises `NotUsable` without a terminal."""
    if sys.stdin.isatty():
        answer = input(f"{question} [{default}]: " if default else f"{question}: ").strip()
        if answer or default:
            return answer or default
    elif default:
        return default
    raise NotUsable(f"{question.lower()}: no input.", hint=f"Use {option}.")


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
    for line in lines:
        say(line)
