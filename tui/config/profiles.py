"""Profiles: services, logins, and where the passwords are stored.

The settings file never holds a password; a profile says where to read it. This module is imported
before the first paint.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tui.config.settings_file import (
    SWITCH,
    BadSetting,
    Rule,
    SettingsError,
    SettingsFile,
    is_text,
    nearest,
)
from tui.errors import WrongInput
from tui.text import clean

EMBEDDED = "embedded"
"""The name of the profile of the embedded service."""

PROFILE_VARIABLE = "CALLBOARD_PROFILE"
TABLE = "profiles"

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
        return not self.url


class UnknownProfile(WrongInput):
    """There is no profile with this name."""

    def __init__(self, name: str, names: Iterable[str], where: str = "") -> None:
        super().__init__(
            f"there is no profile “{clean.line(name)}”{where}.",
            hint=nearest(name, names) or "callboard profiles lists them; callboard login adds one.",
        )


def is_profile_name(name: str) -> bool:
    """Whether a name is valid for a profile, whose files are in folders with it."""
    return re.fullmatch(r"[\w@-][\w@.-]*", name) is not None and name != EMBEDDED


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
    return isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_-]+", value) is not None


def _is_address(value: Any) -> bool:
    if not is_text(value):
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc


def is_command(value: Any) -> bool:
    """Whether a value is a command: a line, or a list of words."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(word, str) for word in value) and is_text(value[0])
    return is_text(value)


_PATH = Rule(lambda value: is_text(value) and "\0" not in value, "the path of a file in quotes")
_RULES = {
    "url": Rule(
        _is_address,
        'an address without login and password in it, such as "https://example.org/…/v2"',
    ),
    "login": Rule(
        lambda value: is_text(value) and ":" not in value,
        "a login name in quotes; it cannot hold a colon",
    ),
    "password_command": Rule(is_command, "a command in quotes, or a list of its words"),
    "password_file": _PATH,
    "keyring": SWITCH,
    "path_word": Rule(is_path_word, 'one word in quotes, such as "service"'),
    "timezone": Rule(is_timezone, 'a time zone such as "Europe/Berlin", or "+06:00"'),
    "ca_file": _PATH,
    "allow_plaintext": SWITCH,
    "card_url": Rule(
        lambda value: _is_address(value) and "{id}" in value,
        'the web address of a card, such as "https://example.org/boards/{board}/cards/{id}"',
    ),
}
_REQUIRED = {"url": "https://example.org/…/v2", "login": "ann"}


def read_profile(name: str, table: Any, file: SettingsFile) -> Profile:
    """A profile in the table `profiles` of a settings file. Raises `SettingsError`."""
    where = (TABLE, name)
    if not isinstance(table, dict):
        raise BadSetting(name, file.place(name, (TABLE,)), f"a table of its own, [{TABLE}.NAME]")
    if not is_profile_name(name):
        raise SettingsError(
            f"“{clean.line(name)}” in {file.place('url', where)} cannot be the name of a profile.",
            hint="Use letters, digits, dots and dashes; “embedded” is the program’s own.",
        )
    for secret in _SECRETS:
        if secret in table:
            raise SettingsError(
                f"“{secret}” in {file.place(secret, where)}: passwords must not be in this file,"
                " which others may read.",
                hint=f"Remove the line; callboard login {name} --force asks for it and stores it"
                " safely.",
            )
    file.check(table, _RULES, where)
    for required, example in _REQUIRED.items():
        if required not in table:
            raise SettingsError(
                f"The profile “{name}” in {file.path} has no {required}.",
                hint=f'Add a line below [{TABLE}.{name}], such as: {required} = "{example}"',
            )
    values = dict(table)
    if isinstance(command := values.get("password_command"), list):
        values["password_command"] = tuple(command)
    for key in {"password_file", "ca_file"} & values.keys():
        # Relative to the settings file; an absolute path replaces its folder.
        try:
            values[key] = file.path.parent / Path(values[key]).expanduser()
        except RuntimeError as error:
            raise BadSetting(key, file.place(key, where), "a path that leads somewhere") from error
    return Profile(name, **values)
