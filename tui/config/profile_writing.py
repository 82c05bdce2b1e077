"""Writes a profile into the settings file.

The user's text and comments stay unchanged. The new text is parsed before it replaces the old one;
if it would not have the intended meaning, nothing is written and the user is told what to write.
"""

import re
from pathlib import Path

from tui.config.profiles import TABLE, Profile
from tui.config.settings import Settings, understood
from tui.config.settings_file import SettingsFile
from tui.config.settings_writing import HEADER, NotWritable, literal, text_with, write
from tui.errors import CallboardError

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def with_profile(file: SettingsFile, profile: Profile, *, is_default: bool) -> SettingsFile:
    """The settings file with a profile added or replaced.

    Raises `SettingsError` if it is invalid now, `NotWritable` if its form cannot be edited.
    """
    lines = _lines(file.path, profile)
    was = understood(file)
    if profile.name in was.profiles:
        text = _replaced(file.text, profile.name, lines)
    else:
        text = "\n".join([*_paragraph(file.text), _header(profile.name), *lines, ""])
    if is_default:
        text = text_with(text, "default_profile", profile.name)
    changed = SettingsFile(file.path, text)
    wanted = was._replace(
        profiles={**was.profiles, profile.name: profile},
        default_profile=profile.name if is_default else was.default_profile,
    )
    if not _says(changed, wanted):
        table = "; ".join([_header(profile.name), *lines])
        raise NotWritable(
            f"the settings in {file.path} are written in a way that cannot be changed safely.",
            hint=f"Write it by hand: {table}",
        )
    return changed


def set_timezone(path: Path, name: str, timezone: str) -> None:
    """Set the time zone of a profile in the settings at `path`.

    Raises what `with_profile` raises, and `UnknownProfile`.
    """
    file = SettingsFile.read(path)
    profile = understood(file).profile(name)._replace(timezone=timezone)
    write(with_profile(file, profile, is_default=False))


def _says(file: SettingsFile, wanted: Settings) -> bool:
    try:
        return understood(file) == wanted
    except CallboardError:
        return False


def _lines(file: Path, profile: Profile) -> list[str]:
    """The lines of a profile, without default values."""
    plain = Profile(profile.name)
    said = {name: value for name, value in profile._asdict().items() if name != "name"}
    return [
        f"{name} = {_literal(value, file.parent)}"
        for name, value in said.items()
        if value != getattr(plain, name)
    ]


def _literal(value: object, folder: Path) -> str:
    """A value as TOML; a path relative to a folder, if it is below it."""
    is_below = isinstance(value, Path) and value.is_relative_to(folder)
    return literal(value.relative_to(folder) if isinstance(value, Path) and is_below else value)


def _header(name: str) -> str:
    return f"[{TABLE}.{name if _BARE.fullmatch(name) else literal(name)}]"


def _paragraph(text: str) -> list[str]:
    """A text with an empty line after it, if there is any text."""
    return [text.rstrip("\n"), ""] if text.strip() else []


def _replaced(text: str, name: str, lines: list[str]) -> str:
    """The text with a table's lines replaced; comments and blank lines around stay."""
    sign = rf"""["']?{re.escape(name)}["']?"""
    header = re.compile(rf"^[ \t]*\[[ \t]*{TABLE}[ \t]*\.[ \t]*{sign}[ \t]*\][^\n]*$", re.MULTILINE)
    found = header.search(text)
    if found is None:
        return text
    behind = HEADER.search(text, found.end())
    end = behind.start() if behind else len(text)
    old = re.compile(rf"^[ \t]*(?:{'|'.join(Profile._fields)})[ \t]*=")
    kept = [line for line in text[found.end() : end].splitlines() if not old.match(line)]
    return "\n".join([text[: found.end()], *lines, *kept[1:], text[end:]])
