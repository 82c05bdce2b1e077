"""The settings file: how a person wants Callboard to look and behave.

The rule it keeps: nothing in the file is passed over in silence. A setting that is not known, not
of its kind or out of range is an error that names the file, the line and what would do. A missing
file means the defaults.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tui.errors import CallboardError
from tui.text import clean

DENSITIES = range(1, 4)
POLL_SECONDS = range(5, 601)


class Settings(NamedTuple):
    """What can be set in `config.toml`, with its defaults.

    `density` is how many lines a card has; `ascii` asks for signs that every terminal has;
    `poll_seconds` is how often the service is asked for news; `keys` maps the ids of bindings to
    the keys that are to do it, several separated by commas.
    """

    density: int = 3
    theme: str = "callboard-dark"
    ascii: bool = False
    poll_seconds: int = 10
    keys: Mapping[str, str] = MappingProxyType({})


class SettingsError(CallboardError):
    """The settings file cannot be used; the message says where and why."""


class UnknownSetting(SettingsError):
    """The settings file names something that is no setting."""

    def __init__(self, name: str, known: Iterable[str], place: str) -> None:
        near = get_close_matches(name, list(known), n=1, cutoff=0.5)
        super().__init__(
            f"“{clean.line(name)}” in {place} is not a setting.",
            hint=f"Did you mean “{near[0]}”?" if near else "Take the line out, or correct it.",
        )


class BadSetting(SettingsError):
    """The settings file gives a setting a value it cannot have."""

    def __init__(self, name: str, place: str, wanted: str) -> None:
        super().__init__(
            f"“{clean.line(name)}” in {place} must be {wanted}.",
            hint="Correct the line, or take it out to have the default.",
        )


class _Rule(NamedTuple):
    """What a setting can be, and that in words."""

    accepts: Callable[[Any], bool]
    wanted: str


def _one_of(numbers: range) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and value in numbers


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


_RULES = {
    "density": _Rule(_one_of(DENSITIES), "1, 2 or 3, the lines of a card"),
    "theme": _Rule(_is_text, 'the name of a theme in quotes, such as "callboard-dark"'),
    "ascii": _Rule(_is_switch, "true or false"),
    "poll_seconds": _Rule(
        _one_of(POLL_SECONDS), f"a whole number from {POLL_SECONDS[0]} to {POLL_SECONDS[-1]}"
    ),
    "keys": _Rule(lambda value: isinstance(value, dict), "a table of its own, [keys]"),
}
_WANTED_KEY = 'a key in quotes, such as "ctrl+n", or several such as "n,ctrl+n"'


def load_settings(file: Path, known_keys: Iterable[str] | None = None) -> Settings:
    """The settings in a file; the defaults where there is none.

    `known_keys` are the ids of the bindings there are, if the caller knows them; an id may be
    written with its dot in quotes or without. Raises `UnknownSetting`, `BadSetting` or, where the
    file cannot be read at all, `SettingsError`.
    """
    source = _source(file)
    if not source.strip():
        return Settings()
    values = _parsed(source, file)
    for name, value in values.items():
        if name not in _RULES:
            raise UnknownSetting(name, _RULES, _place(file, source, name))
        if not _RULES[name].accepts(value):
            raise BadSetting(name, _place(file, source, name), _RULES[name].wanted)
    keys = dict(_flat(values.pop("keys", {})))
    known = list(keys if known_keys is None else known_keys)
    for name, value in keys.items():
        if name not in known:
            raise UnknownSetting(name, known, _place(file, source, name))
        if not _is_text(value):
            raise BadSetting(name, _place(file, source, name), _WANTED_KEY)
    return Settings(**values, keys=keys)


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a table by full name: TOML makes tables of names with a dot."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def _source(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as problem:
        raise SettingsError(
            f"The settings in {file} cannot be read: the file is not UTF-8 text.",
            hint="Save it as UTF-8, or move it away to have the defaults.",
        ) from problem
    except OSError as problem:
        raise SettingsError(
            f"The settings in {file} cannot be read: {(problem.strerror or 'no reason').lower()}.",
            hint="Make the file readable, or move it away to have the defaults.",
        ) from problem


def _parsed(source: str, file: Path) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 (most people have no settings: spares every start 10 ms)

    try:
        return tomllib.loads(source)
    except (ValueError, RecursionError) as problem:
        said, _, where = str(problem).partition(" (at ")
        where = where.rstrip(")").replace("end of document", "the end") or "some line"
        said = clean.line(said).lower().replace("cannot overwrite a value", "a setting comes twice")
        raise SettingsError(
            f"The settings in {file} are not valid TOML at {where}: {said}.",
            hint="Correct the line, or move the file away to have the defaults.",
        ) from problem


def _place(file: Path, source: str, name: str) -> str:
    """The file and, where it can be told, the line that a setting is on."""
    sign = rf"""["']?{re.escape(name)}["']?"""
    line = re.compile(rf"^[ \t]*(?:{sign}[ \t]*[=.]|\[+[ \t]*{sign}[ \t]*[\].])", re.MULTILINE)
    found = line.search(source)
    return f"{file}, line {source.count(chr(10), 0, found.start()) + 1}" if found else str(file)
