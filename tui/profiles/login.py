"""Adds, changes and removes profiles: what the commands and the list of profiles both do.

Only what was checked successfully is stored. The password is in no message and in no argument of a
command; it is stored in a file of its own or in the keyring.
"""

import asyncio
import ipaddress
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from tui.client.discovery import FoundService, find_service, is_same_place
from tui.client.errors import ApiError, WrongCredentials
from tui.client.http.address import is_loopback
from tui.client.http.credentials import Secret
from tui.config.capabilities_file import CapabilitiesFile
from tui.config.passwords import (
    answer_of,
    command_in_words,
    find_password,
    forget_in_keyring,
    installed_keyring,
    keep_in_file,
    keep_in_keyring,
    source_in_words,
)
from tui.config.paths import Places, make_folder, remove_folder
from tui.config.profiles import EMBEDDED, Profile, is_profile_name, is_timezone
from tui.config.settings import understood
from tui.config.settings_file import SettingsFile
from tui.config.settings_writing import with_profile, with_value, without_profile, write
from tui.connecting.profile_check import CheckResults, failed, look
from tui.errors import CallboardError, WrongInput, reason_of
from tui.profiles.protocol import Login, ProfileChange
from tui.store.doctor import UnreadableError, is_in_use, read_only
from tui.store.outbox.codec import UnreadableOperationError, decode
from tui.text import clean
from tui.text.clean import counted
from tui.workspace import check_move, memory_of

_ADDRESS_HINT = "Any address of the site will do, such as boards.example.org."


class NotUsable(WrongInput):
    """Input is missing or invalid, or the service does not accept it."""


class CheckFailed(NotUsable):
    """The check of a profile that is not stored failed; `findings` are its results."""

    def __init__(self, findings: CheckResults) -> None:
        step, hint = findings.steps[-1], findings.steps[-1].hint
        if isinstance(findings.failure, WrongCredentials):
            hint = "It may need an application password, created on its site."
        super().__init__(step.said, hint=hint)
        self.findings = findings


class NewProfile:
    """Makes a profile step by step, each of them checked; nothing is stored before `store`.

    `profile` starts as the one that it replaces, if any, and is completed. All methods may raise
    `CallboardError`.
    """

    def __init__(self, places: Places, wanted: Login) -> None:
        self.file = SettingsFile.read(places.settings)
        self._places = places
        self._wanted = wanted
        self._profiles = understood(self.file).profiles
        self._learned = CapabilitiesFile()
        self._earlier = self.profile = Profile("")
        if wanted.name:
            self.set_name(wanted.name)
        if wanted.login:
            check_login(wanted.login)
        if wanted.in_keyring:
            installed_keyring()

    def set_name(self, name: str) -> None:
        """Raises `NotUsable` for an invalid or existing name."""
        if not is_profile_name(name):
            raise NotUsable(
                f"“{clean.line(name)}” cannot be the name of a profile.",
                hint="Use letters, digits, dots and dashes; “embedded” is the program’s own.",
            )
        if name in self._profiles and not self._wanted.force:
            raise NotUsable(
                f"profile {name} already exists, for {self._profiles[name].url}.",
                hint=f"Choose another name, or replace it with: callboard login {name} --force",
            )
        self._earlier = self.profile = self._profiles.get(name, Profile(name))

    async def find(self, address: str) -> FoundService:
        """The service behind an address. Raises `CheckFailed`."""
        earlier = self._earlier
        try:
            return await find_service(
                address,
                ca_file=self._wanted.ca_file or earlier.ca_file,
                allow_plaintext=earlier.allow_plaintext and is_same_place(earlier.url, address),
            )
        except ApiError as error:
            raise CheckFailed(failed(earlier._replace(url=address), error)) from error

    def complete(self, service: FoundService, login: str) -> None:
        """Complete the profile, and raise what would keep it from being stored.

        The settings of the earlier profile are used only if it is of the same service.
        """
        wanted, earlier = self._wanted, self._earlier
        base = earlier if earlier.url == service.url else Profile(earlier.name)
        timezone = service.site.timezone if service.site else ""
        self.profile = base._replace(
            url=service.url,
            login=check_login(login),
            password_command=(),
            password_file=None if wanted.in_keyring else own_file(self._places, base.name),
            keyring=wanted.in_keyring,
            path_word=wanted.path_word or service.path_word or base.path_word,
            timezone=wanted.timezone or timezone or base.timezone,
            ca_file=wanted.ca_file.expanduser().absolute() if wanted.ca_file else earlier.ca_file,
        )
        check_move(self._places, self.profile, memory_of(self._places, self.profile))
        # Only for its errors: better now than after the password was sent.
        with_profile(self.file, self.profile, is_default=wanted.is_default)

    async def try_out(self, password: Secret) -> CheckResults:
        return await look(self.profile, password, self._learned)

    def store(self, password: Secret) -> None:
        """Store the checked profile, its password and what is known of the service."""
        places, profile = self._places, self.profile
        # Read again: the file may have changed while the user typed.
        file = SettingsFile.read(places.settings)
        file = with_profile(file, profile, is_default=self._wanted.is_default)
        # The password first, so that no profile is written that cannot be opened.
        _keep_password(places, profile, password)
        write(file)
        if profile.keyring:
            _remove_own_file(places, profile.name)
        make_folder(places.data / profile.name)
        memory = memory_of(places, profile)
        if memory.begin(profile):  # else the files of another service are in the way
            memory.keep(self._learned.capabilities)


async def log_in(places: Places, wanted: Login) -> str:
    """Check a complete login and store it as a new profile; returns its name.

    Without a name one is made from the address. Raises `CallboardError`.
    """
    address, password = web_address(wanted.url), wanted.password
    new_profile = NewProfile(places, wanted._replace(name=wanted.name or suggested_name(address)))
    check_login(wanted.login)
    if not password:
        raise NotUsable("no password was given.")
    service = await new_profile.find(address)
    if not is_same_place(address, service.url):
        raise NotUsable(
            f"{address} redirects elsewhere, so nothing was sent.",
            hint=f"If that is right, type it: {service.url}",
        )
    new_profile.complete(service, wanted.login)
    findings = await new_profile.try_out(password)
    if not findings.is_good:
        raise CheckFailed(findings)
    await asyncio.to_thread(new_profile.store, password)
    return new_profile.profile.name


def web_address(pasted: str) -> str:
    """The http(s) address in a text, without its fragment. Raises `NotUsable`.

    Without a scheme it is https, for this machine http.
    """
    text = clean.line(pasted).strip().strip("<>\"'")
    scheme, mark, remaining = text.partition("://")
    if not mark:
        scheme, remaining = "", text
    try:
        parts = urlsplit(f"//{remaining}")
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise NotUsable("not a web address.", hint=_ADDRESS_HINT) from error
    if not host or re.search(r"\s", remaining) or scheme.lower() not in {"", "http", "https"}:
        raise NotUsable("not a web address.", hint=_ADDRESS_HINT)
    if "@" in parts.netloc:
        raise NotUsable(
            "an address cannot contain a login name or password.",
            hint="Remove everything before the @; you will be asked for both.",
        )
    # A server on this machine is unlikely to have a certificate.
    scheme = scheme.lower() or ("http" if _is_this_machine(host) else "https")
    netloc = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    query = f"?{parts.query}" if parts.query else ""
    return f"{scheme}://{netloc}{parts.path}{query}"


def suggested_name(address: str) -> str:
    """A profile name for an address."""
    host = urlsplit(address).hostname or ""
    if _is_this_machine(host):
        return "local"
    try:
        ipaddress.ip_address(host)
    except ValueError:
        label = next((part for part in host.split(".") if part != "www"), "")
        return label if is_profile_name(label) else "work"
    return "work"


def _is_this_machine(host: str) -> bool:
    return host.endswith(".localhost") or is_loopback(host)


def check_login(login: str) -> str:
    """The login name. Raises `NotUsable` if it is invalid."""
    if not login or ":" in login or clean.line(login) != login:
        raise NotUsable("a login name cannot be empty or contain a colon or control characters.")
    return login


def own_file(places: Places, name: str) -> Path:
    """The password file that the program writes for a profile."""
    return places.config / "passwords" / name


def _remove_own_file(places: Places, name: str) -> None:
    path = own_file(places, name)
    try:
        path.unlink()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise WrongInput(f"{path} cannot be removed: {reason_of(error)}.") from error


def _keep_password(places: Places, profile: Profile, password: Secret) -> None:
    if profile.keyring:
        keep_in_keyring(profile, password)
    else:
        keep_in_file(own_file(places, profile.name), password)


async def change_profile(places: Places, name: str, change: ProfileChange) -> None:
    """Change a profile; a new password, or its new source, is tried out first.

    Raises `CallboardError`; then nothing was changed.
    """
    settings = understood(SettingsFile.read(places.settings))
    profile = settings.profile(name)
    if not profile.is_embedded:
        await _change_account(places, profile, change)
    if change.is_default != (settings.default_profile == name):
        if name == EMBEDDED and not change.is_default:
            raise NotUsable(
                "one profile must be the default.", hint="Make another one the default."
            )
        default = name if change.is_default else EMBEDDED
        write(with_value(SettingsFile.read(places.settings), "default_profile", default))


async def _change_account(places: Places, profile: Profile, change: ProfileChange) -> None:
    changed, password = _changed(places, profile, change), change.password
    is_stored = change.source in ("file", "keyring")
    if change.source == "command" and changed.password_command != profile.password_command:
        password = await asyncio.to_thread(answer_of, changed.password_command)
    elif is_stored and change.source != source_in_words(profile) and not password:
        password = await asyncio.to_thread(find_password, profile)
    if password:
        findings = await look(changed, password, CapabilitiesFile())
        if not findings.is_good:
            raise CheckFailed(findings)
    file = with_profile(SettingsFile.read(places.settings), changed, is_default=False)
    # New password, settings, old password: an error in between leaves a profile that works.
    if password and is_stored:
        await asyncio.to_thread(_keep_password, places, changed, password)
    write(file)
    if profile.keyring and not changed.keyring:
        with suppress(CallboardError):  # what is left there is not read any more
            await asyncio.to_thread(forget_in_keyring, profile)
    if changed.password_file != own_file(places, profile.name):
        _remove_own_file(places, profile.name)


def _changed(places: Places, profile: Profile, change: ProfileChange) -> Profile:
    if change.timezone and not is_timezone(change.timezone):
        raise NotUsable("no such time zone.", hint="Such as Europe/Berlin, or +06:00.")
    command: str | tuple[str, ...] = ()
    if change.source == "command":
        command = change.command
        if not command:
            raise NotUsable("the password command is missing.", hint="Such as: pass show work")
        # Unchanged: it stays a list of words if it was one.
        if command == command_in_words(profile):
            command = profile.password_command
    elif change.command and change.command != command_in_words(profile):
        raise NotUsable("a command is set, but the password does not come from it.")
    if change.password and change.source not in ("file", "keyring"):
        raise NotUsable("a password can be kept in a file or the keyring only.")
    file = None
    if change.source == "file":
        # A file of the user's own is not overwritten: a new password goes to the program's file.
        stays = source_in_words(profile) == "file" and not change.password
        file = profile.password_file if stays else own_file(places, profile.name)
    return profile._replace(
        password_command=command,
        password_file=file,
        keyring=change.source == "keyring",
        timezone=change.timezone,
    )


def left_behind(places: Places, name: str) -> Sequence[str]:
    """What logging out of a profile would lose, in words: pending changes, drafts."""
    folder = places.data / name
    texts = (folder / "drafts").glob("*.md")
    drafts = sum(not path.stem.endswith("-made") for path in texts)  # not marks of submitted ones
    words = [counted(drafts, "text") + " being written"] if drafts else []
    path = folder / "outbox.sqlite3"
    if not path.exists():
        return words
    try:
        with read_only(path) as connection:
            rows = connection.execute("select operation from entry order by seq").fetchall()
    except UnreadableError as error:
        return [f"changes in a file that cannot be read: {error}", *words]
    changes = []
    for (text,) in rows:
        try:
            changes.append(decode(text).describe())
        except UnreadableOperationError:
            changes.append("a change that cannot be read")
    return [*changes, *words]


def profile_to_leave(places: Places, name: str) -> Profile:
    """The profile with this name. Raises `CallboardError` if it cannot be logged out of."""
    profile = understood(SettingsFile.read(places.settings)).profile(name or EMBEDDED)
    if profile.is_embedded:
        raise WrongInput(
            "these boards are only on this machine: nothing to log out of.",
            hint="Delete boards one by one in the list of boards.",
        )
    if is_in_use(places.data / name / "sender.lock"):
        raise WrongInput(
            f"Callboard is open on the profile {name}.", hint="Quit it there and try again."
        )
    return profile


def forget_profile(places: Places, name: str, *, keeps_changes: bool) -> str:
    """Forget the password and the cache of a profile; returns what is left, in words.

    With `keeps_changes` its address, login, pending changes and drafts stay. A password file that
    the program did not write always does. The settings come last, so that it can be repeated after
    an error. Raises `CallboardError`.
    """
    profile = profile_to_leave(places, name)
    file = SettingsFile.read(places.settings)
    if keeps_changes:
        bare = profile._replace(password_command=(), password_file=None, keyring=False)
        changed = with_profile(file, bare, is_default=False)
    else:
        changed = without_profile(file, name)
    if profile.keyring:
        forget_in_keyring(profile)
    # Pending changes and drafts are in the data folder.
    folders = [places.cache / name] if keeps_changes else [places.cache / name, places.data / name]
    _remove_own_file(places, name)
    try:
        # It may show a board of this profile.
        places.last_frame.unlink(missing_ok=True)
        for folder in folders:
            remove_folder(folder)
    except OSError as error:
        raise WrongInput(f"{error.filename} cannot be removed: {reason_of(error)}.") from error
    write(changed)
    is_users_own = profile.password_file not in (None, own_file(places, name))
    return (
        f"the password file {profile.password_file} is your own and was kept"
        if is_users_own
        else ""
    )
