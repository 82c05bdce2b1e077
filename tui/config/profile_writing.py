"""Writes a profile into the settings file.

The user's text and comments stay unchanged. The new text is parsed before it replaces the old one;
if it would not have the intended meaning, nothing is written and the user is told what to write.
"""

import re
from pathlib import Path

from tui.config.profiles import EMBEDDED, TABLE, Profile
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
    wanted = was._replace(
        profiles={**was.profiles, profile.name: profile},
        default_profile=profile.name if is_default else was.default_profile,
    )
    table = "; ".join([_header(profile.name), *lines])
    return _checked(file.path, text, wanted, f"Write it by hand: {table}")


def without_profile(file: SettingsFile, name: str) -> SettingsFile:
    """The settings file without a profile; if it was the default, the embedded one is.

    Raises what `with_profile` raises.
    """
    was = understood(file)
    default = EMBEDDED if was.default_profile == name else was.default_profile
    wanted = was._replace(
        profiles={known: one for known, one in was.profiles.items() if known != name},
        default_profile=default,
    )
    text = (
        file.text
        if default == was.default_profile
        else text_with(file.text, "default_profile", default)
    )
    return _checked(
        file.path, _replaced(text, name, None), wanted, f"Take out {_header(name)} by hand."
    )


def _checked(path: Path, text: str, wanted: Settings, hint: str) -> SettingsFile:
    """The file with a new text. Raises `NotWritable` if it would not mean what is wanted."""
    changed = SettingsFile(path, text)
    try:
        is_wanted = understood(changed) == wanted
    except CallboardError:
        is_wanted = False
    if not is_wanted:
        raise NotWritable(
            f"the settings in {path} are written in a way that cannot be changed safely.", hint=hint
        )
    return changed


def set_timezone(path: Path, name: str, timezone: str) -> None:
    """Set the time zone of a profile in the settings at `path`.

    Raises what `with_profile` raises, and `UnknownProfile`.
    """
    file = SettingsFile.read(path)
    profile = understood(file).profile(name)._replace(timezone=timezone)
    write(with_profile(file, profile, is_default=False))


def _lines(file: Path, profile: Profile) -> list[str]:
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


def _replaced(text: str, name: str, lines: list[str] | None) -> str:
    """The text with a table's lines replaced; comments and blank lines around stay.

    None takes the table out.
    """
    sign = rf"""["']?{re.escape(name)}["']?"""
    header = re.compile(rf"^[ \t]*\[[ \t]*{TABLE}[ \t]*\.[ \t]*{sign}[ \t]*\][^\n]*$", re.MULTILINE)
    found = header.search(text)
    if found is None:
        return text
    behind = HEADER.search(text, found.end())
    end = behind.start() if behind else len(text)
    old = re.compile(rf"^[ \t]*(?:{'|'.join(Profile._fields)})[ \t]*=")
    there = text[found.end() : end].removesuffix("\n")
    kept = [line for line in there.split("\n") if not old.match(line)]
    if lines is None:
        comments = [line for line in kept if line.strip()]
        before = _paragraph(text[: found.start()])
        return "\n".join([*before, *comments, text[end:]] if comments else [*before, text[end:]])
    return "\n".join([text[: found.end()], *lines, *kept[1:], text[end:]])
