"""`callboard login`: finds a service, asks for the account, checks and stores both.

Only what was checked successfully is stored. On a terminal, invalid input is asked for again, with
the previous input as the default; otherwise it is an error. A password is typed without being
shown, or read from standard input or the environment; it is never an argument, never printed, and
stored in a file of its own or in the keyring.
"""

import asyncio
import getpass
import ipaddress
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shlex import quote
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from tui.cli.check import say_findings
from tui.cli.output import say
from tui.client.discovery import Service, find_service, is_same_place
from tui.client.errors import ApiError, WrongCredentials
from tui.client.http.address import is_loopback
from tui.client.http.credentials import Secret
from tui.config.capabilities_file import CapabilitiesFile
from tui.config.passwords import (
    installed_keyring,
    keep_in_file,
    keep_in_keyring,
    password_in_environment,
)
from tui.config.paths import Places, make_folder
from tui.config.profile_writing import with_profile
from tui.config.profiles import Profile, is_profile_name
from tui.config.settings import Settings, understood
from tui.config.settings_file import SettingsFile
from tui.config.settings_writing import write
from tui.connecting.profile_check import Findings, failed, look
from tui.errors import CallboardError, CannotGoOn
from tui.text import clean
from tui.workspace import check_move, memory_of

T = TypeVar("T")

_MOST_TRIES = 5
"""Services lock accounts after repeated wrong passwords."""
_LONGEST = 10_000
_HINT = "Any address of the site will do, such as boards.example.org."


class Wanted(NamedTuple):
    """The arguments; empty ones are asked for, or have a default."""

    name: str = ""
    url: str = ""
    login: str = ""
    ca_file: Path | None = None
    path_word: str | None = None
    timezone: str | None = None
    in_keyring: bool = False
    is_default: bool = False
    force: bool = False


class MissingInput(CallboardError):
    """An argument is missing or invalid, and cannot be asked for."""


def log_in(wanted: Wanted) -> int:
    """Ask for missing arguments, check them, and store the profile. Raises `CallboardError`."""
    try:
        return _log_in(wanted, Places.find())
    except (KeyboardInterrupt, EOFError):
        trouble = CannotGoOn("interrupted; nothing was saved.")
    raise trouble


def _log_in(wanted: Wanted, places: Places) -> int:
    file = SettingsFile.read(places.settings)
    settings = understood(file)
    if wanted.name:
        _check_name(wanted.name, settings, force=wanted.force)
    if wanted.in_keyring:
        installed_keyring()
    earlier = settings.profiles.get(wanted.name, Profile(wanted.name))
    service = _found(wanted, earlier)
    name = wanted.name or _until_good(
        lambda: _asked_name(suggested_name(service.url), settings, force=wanted.force)
    )
    profile = _profile(wanted, settings.profiles.get(name, Profile(name)), service, places)
    learnt = CapabilitiesFile()
    profile, password, findings = _tried(wanted, profile, learnt, places, file)
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
    say_findings(findings)
    _say_kept(profile, file.path, is_default=wanted.is_default)
    return 0


def _own_file(places: Places, name: str) -> Path:
    """The password file of a profile without keyring."""
    return places.config / "passwords" / name


def _found(wanted: Wanted, earlier: Profile) -> Service:
    """The service at the given or typed address. Raises `CallboardError`."""
    typed = ""

    def find() -> Service:
        nonlocal typed
        if typed or not wanted.url:
            typed = _ask("Address of the site", "--url", typed or earlier.url)
        else:
            typed = wanted.url
        address = web_address(typed)
        if sys.stdin.isatty():
            say("Looking for boards there …")
        try:
            service = asyncio.run(
                find_service(
                    address,
                    ca_file=wanted.ca_file or earlier.ca_file,
                    allow_plaintext=earlier.allow_plaintext and is_same_place(earlier.url, address),
                )
            )
        except ApiError as error:
            step = failed(earlier._replace(url=address), error).steps[-1]
            if sys.stdin.isatty():
                raise MissingInput(step.said, hint=step.hint) from error
            say_findings(Findings((step,)))
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
    _check_name(name, settings, force=force)
    return name


def _profile(wanted: Wanted, earlier: Profile, service: Service, places: Places) -> Profile:
    """The profile to store, without the login; completed from an earlier one of its name.

    The earlier one's settings of the service are used only if it is the same service.
    """
    base = earlier if earlier.url == service.url else Profile(earlier.name, login=earlier.login)
    timezone = service.site.timezone if service.site else ""
    ca_file = wanted.ca_file.expanduser().absolute() if wanted.ca_file else earlier.ca_file
    return base._replace(
        url=service.url,
        password_command=(),
        password_file=None if wanted.in_keyring else _own_file(places, base.name),
        keyring=wanted.in_keyring,
        path_word=wanted.path_word or service.path_word or base.path_word,
        timezone=wanted.timezone or timezone or base.timezone,
        ca_file=ca_file,
    )


def _check_name(name: str, settings: Settings, *, force: bool) -> None:
    """Raise `MissingInput` for an invalid or existing name."""
    if not is_profile_name(name):
        raise MissingInput(
            f"“{clean.line(name)}” cannot be the name of a profile.",
            hint="Use letters, digits, dots and dashes; “embedded” is the program's own.",
        )
    if name in settings.profiles and not force:
        raise MissingInput(
            f"there is a profile {name} already, for {settings.profiles[name].url}.",
            hint=f"Replace it with: callboard login {name} --force",
        )


def _tried(
    wanted: Wanted,
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
        _check_login(login)
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


def _remember(places: Places, profile: Profile, learnt: CapabilitiesFile) -> None:
    """Store the service's capabilities, unless another service's files are in the way."""
    make_folder(places.data / profile.name)
    memory = memory_of(places, profile)
    if memory.is_about(profile):
        memory.begin(profile)
        memory.keep(learnt.capabilities)


def _asked_login(earlier: str) -> str:
    login = _ask("Login name there", "--login", earlier)
    _check_login(login)
    return login


def _check_login(login: str) -> None:
    """Raise `MissingInput` for an invalid login name."""
    if not login or ":" in login or clean.line(login) != login:
        raise MissingInput("a login name cannot contain a colon or control characters.")


def _password(login: str) -> Secret:
    """The typed password, or the first line of standard input. Raises `MissingInput`."""
    if sys.stdin.isatty():
        password = Secret(getpass.getpass(f"Password of {login}: "))
    else:
        password = Secret(sys.stdin.readline(_LONGEST).rstrip("\r\n"))
    if not password:
        raise MissingInput(
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
    """The user's input, or the default. Raises `MissingInput` without a terminal."""
    if sys.stdin.isatty():
        answer = input(f"{question} [{default}]: " if default else f"{question}: ").strip()
        if answer or default:
            return answer or default
    elif default:
        return default
    raise MissingInput(f"{question.lower()}: no input.", hint=f"Use {option}.")


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


class BadlyPasted(CallboardError):
    """The text is not a web address."""


def web_address(pasted: str) -> str:
    """The http(s) address in a text, without its fragment. Raises `BadlyPasted`.

    Without a scheme it is https, for this machine http.
    """
    text = clean.line(pasted).strip().strip("<>\"'")
    scheme, mark, rest = text.partition("://")
    if not mark:
        scheme, rest = "", text
    try:
        parts = urlsplit(f"//{rest}")
        host = parts.hostname or ""
        port = parts.port
    except ValueError as error:
        raise BadlyPasted("this is not a web address.", hint=_HINT) from error
    if not host or re.search(r"\s", rest) or scheme.lower() not in {"", "http", "https"}:
        raise BadlyPasted("this is not a web address.", hint=_HINT)
    if "@" in parts.netloc:
        raise BadlyPasted(
            "an address with a login name or a password in it is not taken.",
            hint="Leave out what stands before the @; both are asked for by themselves.",
        )
    scheme = scheme.lower() or ("http" if _is_here(host) else "https")
    netloc = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    query = f"?{parts.query}" if parts.query else ""
    return f"{scheme}://{netloc}{parts.path}{query}"


def suggested_name(address: str) -> str:
    """A profile name for an address."""
    host = urlsplit(address).hostname or ""
    if _is_here(host):
        return "local"
    try:
        ipaddress.ip_address(host)
    except ValueError:
        label = next((part for part in host.split(".") if part != "www"), "")
        return label if is_profile_name(label) else "work"
    return "work"


def _is_here(host: str) -> bool:
    """Whether a host is this machine, where encryption is not needed."""
    return host.endswith(".localhost") or is_loopback(host)
