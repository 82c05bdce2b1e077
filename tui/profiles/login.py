"""Adds a profile: finds the service, checks the account, and stores what was accepted.

Only what was checked successfully is stored. The password is in no message and in no argument of a
command; it is stored in a file of its own or in the keyring.
"""

import asyncio
from pathlib import Path

from tui.client.discovery import FoundService, find_service, is_same_place
from tui.client.errors import ApiError, WrongCredentials
from tui.client.http.credentials import Secret
from tui.config.capabilities_file import CapabilitiesFile
from tui.config.passwords import installed_keyring, keep_in_file, keep_in_keyring
from tui.config.paths import Places, make_folder
from tui.config.profiles import Profile, is_profile_name
from tui.config.settings import Settings, understood
from tui.config.settings_file import SettingsFile
from tui.config.settings_writing import with_profile, write
from tui.connecting.profile_check import Findings, failed, look
from tui.errors import WrongInput
from tui.profiles.address import suggested_name, web_address
from tui.profiles.protocol import Login
from tui.text import clean
from tui.workspace import check_move, memory_of


class NotUsable(WrongInput):
    """Input is missing or invalid, or the service does not accept it."""


async def log_in(places: Places, wanted: Login) -> Profile:
    """Check a login and store it as a new profile; without a name one is made from the address.

    Raises `CallboardError`.
    """
    address = web_address(wanted.url)
    name, password = wanted.name or suggested_name(address), wanted.password
    file = SettingsFile.read(places.settings)
    settings = understood(file)
    if name in settings.profiles:
        raise NotUsable(f"there is a profile {name} already.", hint="Choose another name.")
    check_name(name, settings, force=False)
    check_login(wanted.login)
    if not password:
        raise NotUsable("no password was given.")
    if wanted.in_keyring:
        installed_keyring()
    profile = Profile(name, login=wanted.login)
    try:
        service = await service_at(address, wanted, profile)
    except ApiError as error:
        raise as_error(failed(profile._replace(url=address), error)) from error
    if not is_same_place(address, service.url):
        raise NotUsable(
            f"{address} leads to another place, so nothing was sent there.",
            hint=f"If it is right, type it: {service.url}",
        )
    profile = profile_at(wanted, profile, service, places)
    check_move(places, profile, memory_of(places, profile))
    with_profile(file, profile, is_default=wanted.is_default)
    learnt = CapabilitiesFile()
    findings = await look(profile, password, learnt)
    if not findings.is_good:
        raise as_error(findings)
    await asyncio.to_thread(keep, places, profile, password, learnt, is_default=wanted.is_default)
    return profile


async def service_at(address: str, wanted: Login, earlier: Profile) -> FoundService:
    """The service behind an address, with what an earlier profile of the name allowed.

    Raises `ApiError`.
    """
    return await find_service(
        address,
        ca_file=wanted.ca_file or earlier.ca_file,
        allow_plaintext=earlier.allow_plaintext and is_same_place(earlier.url, address),
    )


def as_error(findings: Findings) -> NotUsable:
    """The error that says why a check failed, of a profile that is not kept yet."""
    step, hint = findings.steps[-1], findings.steps[-1].hint
    if isinstance(findings.failure, WrongCredentials):
        hint = "It may want an application password, made on its site."
    return NotUsable(step.said, hint=hint)


def own_file(places: Places, name: str) -> Path:
    """The password file that the program writes for a profile."""
    return places.config / "passwords" / name


def profile_at(wanted: Login, earlier: Profile, service: FoundService, places: Places) -> Profile:
    """The profile to store, completed from an earlier one of its name.

    The earlier one's settings of the service are used only if it is the same service.
    """
    base = earlier if earlier.url == service.url else Profile(earlier.name, login=earlier.login)
    timezone = service.site.timezone if service.site else ""
    ca_file = wanted.ca_file.expanduser().absolute() if wanted.ca_file else earlier.ca_file
    return base._replace(
        url=service.url,
        password_command=(),
        password_file=None if wanted.in_keyring else own_file(places, base.name),
        keyring=wanted.in_keyring,
        path_word=wanted.path_word or service.path_word or base.path_word,
        timezone=wanted.timezone or timezone or base.timezone,
        ca_file=ca_file,
    )


def check_name(name: str, settings: Settings, *, force: bool) -> None:
    """Raise `NotUsable` for an invalid or existing name."""
    if not is_profile_name(name):
        raise NotUsable(
            f"“{clean.line(name)}” cannot be the name of a profile.",
            hint="Use letters, digits, dots and dashes; “embedded” is the program's own.",
        )
    if name in settings.profiles and not force:
        raise NotUsable(
            f"there is a profile {name} already, for {settings.profiles[name].url}.",
            hint=f"Replace it with: callboard login {name} --force",
        )


def check_login(login: str) -> None:
    """Raise `NotUsable` for an invalid login name."""
    if not login or ":" in login or clean.line(login) != login:
        raise NotUsable("a login name cannot be empty or contain a colon or control characters.")


def keep(
    places: Places,
    profile: Profile,
    password: Secret,
    learnt: CapabilitiesFile,
    *,
    is_default: bool,
) -> None:
    """Store a checked profile, its password and what is known of the service."""
    changed = with_profile(SettingsFile.read(places.settings), profile, is_default=is_default)
    keep_password(places, profile, password)
    write(changed)
    if profile.keyring:
        own_file(places, profile.name).unlink(missing_ok=True)
    make_folder(places.data / profile.name)
    memory = memory_of(places, profile)
    if memory.is_about(profile):  # else the files of another service are in the way
        memory.begin(profile)
        memory.keep(learnt.capabilities)


def keep_password(places: Places, profile: Profile, password: Secret) -> None:
    """Store a password where the profile says."""
    if profile.keyring:
        keep_in_keyring(profile, password)
    else:
        keep_in_file(own_file(places, profile.name), password)
