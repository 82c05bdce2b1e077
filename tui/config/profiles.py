"""Profiles: services, logins, and where the passwords are stored.

The settings file never holds a password; a profile says where to read it. This module is imported
before the first paint.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tui.config.settings_file import (
    BadSetting,
    Rule,
    SettingsError,
    SettingsFile,
    is_switch,
    is_text,
    nearest,
)
from tui.errors import WrongInput
from tui.text import clean

EMBEDDED = "embedded"
"""The name of the profile of the embedded service."""

PROFILE_VARIABLE = "CALLBOARD_PROFILE"
TABLE = "profiles"

_NAME = re.compile(r"[\w@-][\w@.-]*")
_WORD = re.compile(r"[A-Za-z0-9_-]+")
_SECRETS = ("password", "api_password", "secret", "token")


class Profile(NamedTuple):
    """An account at a service; without a `url` it is the embedded one.

    `password_command` is a line or a list of words; `path_word` is a segment that services choose
    for some of their paths; `timezone` is the service's, a name or an offset such as `+06:00`,
    empty for that of this machine; `card_url` is the web address of a card, with `{id}` and perhaps
    `{board}` in it.
    """

    name: str
    url: str = ""
    login: str = ""
    password_command: str | tuple[str, ...] = ()
    password_file: Path | None = None
    keyring: bool = False
    path_word: str = "service"
    timezone: str = ""
    ca_file: Path | None = None
    allow_plaintext: bool = False
    card_url: str = ""

    @property
    def is_embedded(self) -> bool:
        """Whether it is the embedded service."""
        return not self.url


class UnknownProfile(WrongInput):
    """There is no profile with this name."""

    def __init__(self, name: str, known: Iterable[str], where: str = "") -> None:
        super().__init__(
            f"there is no profile “{clean.line(name)}”{where}.",
            hint=nearest(name, known)
            or "callboard profiles lists those there are; callboard login makes one.",
        )


def is_profile_name(name: str) -> bool:
    """Whether a name is valid for a profile, whose files are in folders with it."""
    return bool(_NAME.fullmatch(name)) and name != EMBEDDED


def is_timezone(value: Any) -> bool:
    """Whether a value is a time zone's name or an offset."""
    if not is_text(value):
        return False
    from tui.client.site_time import UnknownZone, parse_zone

    try:
        parse_zone(value)
    except UnknownZone:
        return False
    return True


def is_path_word(value: Any) -> bool:
    """Whether a value may be a path segment."""
    return isinstance(value, str) and bool(_WORD.fullmatch(value))


def _is_address(value: Any) -> bool:
    if not is_text(value):
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc


def _is_card_address(value: Any) -> bool:
    return _is_address(value) and "{id}" in value


def _is_login(value: Any) -> bool:
    return is_text(value) and ":" not in value


def _is_command(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(word, str) for word in value) and is_text(value[0])
    return is_text(value)


def _is_path(value: Any) -> bool:
    return is_text(value) and "\0" not in value


_RULES = {
    "url": Rule(
        _is_address,
        'an address without login and password in it, such as "https://example.org/…/v2"',
    ),
    "login": Rule(_is_login, "a login name in quotes; it cannot hold a colon"),
    "password_command": Rule(_is_command, "a command in quotes, or a list of its words"),
    "password_file": Rule(_is_path, "the path of a file in quotes"),
    "keyring": Rule(is_switch, "true or false"),
    "path_word": Rule(is_path_word, 'one word in quotes, such as "service"'),
    "timezone": Rule(is_timezone, 'a time zone such as "Europe/Berlin", or "+06:00"'),
    "ca_file": Rule(_is_path, "the path of a file in quotes"),
    "allow_plaintext": Rule(is_switch, "true or false"),
    "card_url": Rule(
        _is_card_address,
        'the web address of a card, such as "https://example.org/boards/{board}/cards/{id}"',
    ),
}
_REQUIRED = {"url": "https://example.org/…/v2", "login": "ann"}


def read_profiles(tables: Mapping[str, Any], file: SettingsFile) -> dict[str, Profile]:
    """The profiles in the table `profiles` of a settings file. Raises `SettingsError`."""
    return {name: _profile(name, table, file) for name, table in tables.items()}


def _profile(name: str, table: Any, file: SettingsFile) -> Profile:
    where = (TABLE, name)
    if not isinstance(table, dict):
        raise BadSetting(name, file.place(name, (TABLE,)), f"a table of its own, [{TABLE}.NAME]")
    if not is_profile_name(name):
        raise SettingsError(
            f"“{clean.line(name)}” in {file.place('url', where)} cannot be the name of a profile.",
            hint="Use letters, digits, dots and dashes; “embedded” is the program's own.",
        )
    for secret in _SECRETS:
        if secret in table:
            raise _secret_told(name, secret, file.place(secret, where))
    file.check(table, _RULES, where)
    for wanted, example in _REQUIRED.items():
        if wanted not in table:
            raise SettingsError(
                f"The profile “{name}” in {file.path} has no {wanted}.",
                hint=f'Add a line below [{TABLE}.{name}], such as: {wanted} = "{example}"',
            )
    values = dict(table)
    command = values.get("password_command", ())
    values["password_command"] = tuple(command) if isinstance(command, list) else command
    for path in ("password_file", "ca_file"):
        if path in values:
            values[path] = _path(values[path], path, where, file)
    return Profile(name, **values)


def _path(value: str, name: str, table: tuple[str, ...], file: SettingsFile) -> Path:
    """A path, relative to the folder of the settings file."""
    try:
        return file.path.parent / Path(value).expanduser()
    except RuntimeError as problem:
        raise BadSetting(name, file.place(name, table), "a path that leads somewhere") from problem


def _secret_told(name: str, secret: str, place: str) -> SettingsError:
    return SettingsError(
        f"“{secret}” in {place}: passwords must not be in this file, which others may read.",
        hint=f"Remove the line; callboard login {name} --force asks for it and stores it safely.",
    )
