"""Changes a profile: where its password comes from, the time zone, and the default."""

import asyncio
from contextlib import suppress

from tui.config.capabilities_file import CapabilitiesFile
from tui.config.passwords import (
    answer_of,
    command_in_words,
    find_password,
    forget_in_keyring,
    source_in_words,
)
from tui.config.paths import Places
from tui.config.profiles import EMBEDDED, Profile, is_timezone
from tui.config.settings import Settings, understood
from tui.config.settings_file import SettingsFile
from tui.config.settings_writing import with_profile, with_value, write
from tui.connecting.profile_check import look
from tui.errors import CallboardError
from tui.profiles.login import NotUsable, as_error, keep_password, own_file
from tui.profiles.protocol import ProfileChange


async def change_profile(places: Places, name: str, change: ProfileChange) -> None:
    """Change a profile; a new password, or its new source, is tried out first.

    Raises `CallboardError`; then nothing was changed.
    """
    settings = understood(SettingsFile.read(places.settings))
    profile = settings.profile(name)
    if profile.is_embedded:
        _set_default(places, settings, name, is_default=change.is_default)
        return
    wanted = _wanted(places, profile, change)
    is_moved = wanted.password_command == () and change.source != source_in_words(profile)
    password = change.password
    if change.source == "command" and wanted.password_command != profile.password_command:
        password = await asyncio.to_thread(answer_of, wanted.password_command)
    elif change.source != "environment" and is_moved and not password:
        password = await asyncio.to_thread(find_password, profile)
    if password:
        findings = await look(wanted, password, CapabilitiesFile())
        if not findings.is_good:
            raise as_error(findings)
    file = with_profile(SettingsFile.read(places.settings), wanted, is_default=False)
    if password and change.source in ("file", "keyring"):
        await asyncio.to_thread(keep_password, places, wanted, password)
    write(file)
    if profile.keyring and not wanted.keyring:
        with suppress(CallboardError):  # what is left there is not read any more
            await asyncio.to_thread(forget_in_keyring, profile)
    if wanted.password_file != own_file(places, name):
        own_file(places, name).unlink(missing_ok=True)
    _set_default(places, settings, name, is_default=change.is_default)


def _wanted(places: Places, profile: Profile, change: ProfileChange) -> Profile:
    """The changed profile. Raises `NotUsable`."""
    if change.timezone and not is_timezone(change.timezone):
        raise NotUsable("there is no such time zone.", hint="Such as Europe/Berlin, or +06:00.")
    command: str | tuple[str, ...] = ()
    if change.source == "command":
        command = change.command
        if not command:
            raise NotUsable("the password command is missing.", hint="Such as: pass show work")
        if command == command_in_words(profile):
            command = profile.password_command
    elif change.command and change.command != command_in_words(profile):
        raise NotUsable("a command is given, but the password does not come from it.")
    if change.password and change.source not in ("file", "keyring"):
        raise NotUsable("a password is kept in a file or in the keyring only.")
    file = None
    if change.source == "file":
        stays = source_in_words(profile) == "file" and not change.password
        file = profile.password_file if stays else own_file(places, profile.name)
    return profile._replace(
        password_command=command,
        password_file=file,
        keyring=change.source == "keyring",
        timezone=change.timezone,
    )


def _set_default(places: Places, settings: Settings, name: str, *, is_default: bool) -> None:
    """Make a profile the default one, or no longer."""
    if is_default != (settings.default_profile == name):
        if name == EMBEDDED and not is_default:
            raise NotUsable("one profile is the default.", hint="Make another one the default.")
        file = SettingsFile.read(places.settings)
        write(with_value(file, "default_profile", name if is_default else EMBEDDED))
