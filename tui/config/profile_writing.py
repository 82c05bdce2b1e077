"""Writes a profile into the settings file.

The user's text and comments stay unchanged. The new text is parsed before it replaces the old one;
if it would not have the intended meaning, nothing is written and the user is told what to write.
"""

import json
import re
from pathlib import Path

from tui.config.paths import make_folder, replacing
from tui.config.profiles import TABLE, Profile
from tui.config.settings import Settings, understood
from tui.config.settings_file import SettingsFile
from tui.errors import CallboardError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_DEFAULT = re.compile(r"^[ \t]*default_profile[ \t]*=[^\n]*$", re.MULTILINE)


class NotWritable(CallboardError):
    """The settings file cannot be changed by the program; nothing was changed."""


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
        text = _with_default(text, profile.name)
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


def write(file: SettingsFile) -> None:
    """Replace the settings file atomically; if it is a link, its target.

    Raises `NotWritable`.
    """
    path = file.path.resolve()
    try:
        make_folder(path.parent)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
        with replacing(path, mode) as opened:
            opened.write(file.text.encode())
    except OSError as error:
        reason = (error.strerror or "no reason").lower()
        raise NotWritable(f"the settings in {path} cannot be written: {reason}.") from error


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


def _literal(value: str | bool | tuple[str, ...] | Path, folder: Path = Path()) -> str:
    """A value as TOML; a path relative to a folder, if it is below it."""
    if isinstance(value, Path):
        value = str(value.relative_to(folder) if value.is_relative_to(folder) else value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(_literal(word) for word in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _header(name: str) -> str:
    return f"[{TABLE}.{name if _BARE.fullmatch(name) else _literal(name)}]"


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
    behind = _HEADER.search(text, found.end())
    end = behind.start() if behind else len(text)
    old = re.compile(rf"^[ \t]*(?:{'|'.join(Profile._fields)})[ \t]*=")
    kept = [line for line in text[found.end() : end].splitlines() if not old.match(line)]
    return "\n".join([text[: found.end()], *lines, *kept[1:], text[end:]])


def _with_default(text: str, name: str) -> str:
    """The text with another default profile, set before the first table."""
    line = f"default_profile = {_literal(name)}"
    table = _HEADER.search(text)
    root = text[: table.start()] if table else text
    if _DEFAULT.search(root):
        return _DEFAULT.sub(lambda _: line, root, count=1) + text[len(root) :]
    return f"{line}\n{text}"
