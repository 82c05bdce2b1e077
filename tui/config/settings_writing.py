"""Changes single settings and profiles in the text of the settings file.

All other lines, their comments and their order stay. Files in the usual form are changed line by
line, because tomlkit puts a new setting below the comment of the next table; any other form, such
as tables in braces or texts over several lines, is left to tomlkit. The new text is parsed before
it is used; if it would not have the intended meaning, or would lose a comment inside a value,
nothing is changed and the user is told what to write.
"""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from tui.config.paths import make_folder, write_file
from tui.config.profiles import EMBEDDED, TABLE, Profile
from tui.config.settings import Settings, understood
from tui.config.settings_file import SettingsFile, dotted, flat
from tui.errors import CallboardError, reason_of

_STRING = r""""(?:[^"\\\n]|\\.)*"|'[^'\n]*'"""
_VALUE = rf"(?:{_STRING}|\[(?:{_STRING}|[^\]\[\"'#])*\]|[^\s\"'\[#][^\s#]*)"


class _Edit(NamedTuple):
    """Another value of a name in a table, which is made if it is missing; None removes the name."""

    name: str
    value: Any
    table: tuple[str, ...] = ()


class NotWritable(CallboardError):
    """The settings file cannot be changed by the program; nothing was changed."""


def with_value(file: SettingsFile, name: str, value: Any, table: str = "") -> SettingsFile:
    """The file with another value of a setting, in a table if named; None takes its line out.

    Raises `SettingsError` if it is not TOML, `NotWritable` if its form cannot be edited.
    """
    wanted = dict(flat(file.values()))
    path = f"{table}.{name}" if table else name
    if value is None:
        wanted.pop(path, None)
        hint = f"Remove {path} by hand."
    else:
        wanted[path] = list(value) if isinstance(value, tuple) else value
        hint = f"Write{f' below [{table}]' if table else ''}: {_key(name)} = {literal(value)}"

    def is_meant(changed: SettingsFile) -> bool:
        # As a list, too: a name that is there twice, dotted and in a table, is one in the dict.
        values = list(flat(changed.values()))
        return dict(values) == wanted and len(values) == len(wanted)

    edits = [_Edit(name, value, (table,) if table else ())]
    return _checked(file, _text_with(file.text, edits), edits, is_meant, hint)


def with_profile(file: SettingsFile, profile: Profile, *, is_default: bool) -> SettingsFile:
    """The settings file with a profile added or replaced.

    Raises `SettingsError` if it is invalid now, `NotWritable` if its form cannot be edited.
    """
    settings, folder = understood(file), file.path.parent
    edits = []
    lines = [f"[{TABLE}.{_key(profile.name)}]"]
    for name, default in Profile._field_defaults.items():
        value = getattr(profile, name)
        if value == default:
            value = None
        else:
            if isinstance(value, Path) and value.is_relative_to(folder):
                value = value.relative_to(folder)
            lines.append(f"{name} = {literal(value)}")
        edits.append(_Edit(name, value, (TABLE, profile.name)))
    wanted = settings._replace(profiles={**settings.profiles, profile.name: profile})
    if is_default:
        wanted = wanted._replace(default_profile=profile.name)
        edits.append(_Edit("default_profile", profile.name))
    hint = f"Add by hand: {'; '.join(lines)}"
    text = _text_with(file.text, edits)
    return _checked(file, text, edits, lambda changed: understood(changed) == wanted, hint)


def without_profile(file: SettingsFile, name: str) -> SettingsFile:
    """The settings file without a profile; if it was the default, the embedded one is.

    Comments in its table stay. Raises what `with_profile` raises.
    """
    settings, text = understood(file), file.text
    profiles = {
        profile_name: profile
        for profile_name, profile in settings.profiles.items()
        if profile_name != name
    }
    wanted, edits = settings._replace(profiles=profiles), [_Edit(name, None, (TABLE,))]
    if settings.default_profile == name:
        wanted = wanted._replace(default_profile=EMBEDDED)
        edits.append(_Edit("default_profile", EMBEDDED))
        text = _text_with(text, edits[1:])
    if section := _section(text, TABLE, name):
        start, begin, end = section
        lines = text[begin:end].split("\n")
        comments = "".join(f"{line}\n" for line in lines if line.lstrip().startswith("#"))
        text = f"{_paragraph(text[:start])}{comments}{text[end:]}"
    hint = f"Remove [{TABLE}.{_key(name)}] by hand."
    return _checked(file, text, edits, lambda changed: understood(changed) == wanted, hint)


def set_timezone(path: Path, name: str, timezone: str) -> None:
    """Set the time zone of a profile in the settings at `path`.

    Raises what `with_profile` raises, and `UnknownProfile`.
    """
    file = SettingsFile.read(path)
    profile = understood(file).profile(name)._replace(timezone=timezone)
    write(with_profile(file, profile, is_default=False))


def write(file: SettingsFile) -> None:
    """Replace the settings file atomically; if it is a link, its target. Raises `NotWritable`."""
    path: Path = file.path.resolve()
    try:
        make_folder(path.parent)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
        write_file(path, file.text.encode(), mode=mode)
    except OSError as error:
        raise NotWritable(
            f"the settings in {path} cannot be written: {reason_of(error)}."
        ) from error


class CurrentSettings:
    """The settings now, and their file; without a path they are in memory only."""

    def __init__(self, settings: Settings | None = None, path: Path | None = None) -> None:
        self.settings = settings or Settings()
        self._path = path
        self._file = SettingsFile(path or Path("config.toml"), "")

    def set(self, name: str, value: Any, table: str = "") -> None:
        """Change a setting, in the file too; None takes it out, which means the default.

        Raises `CallboardError` if the file cannot be read or changed, or the value is not allowed;
        then nothing is changed.
        """
        file = self._file if self._path is None else SettingsFile.read(self._path)
        file = with_value(file, name, value, table)
        field = table or name
        settings = self.settings._replace(**{field: getattr(understood(file), field)})
        # The file first: if it cannot be written, the settings of this run stay as they are, too.
        if self._path is not None:
            write(file)
        self._file, self.settings = file, settings


def literal(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | date):
        return f"{value}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(literal, value))}]"
    # A JSON string is a TOML string, except for DEL, which TOML wants escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _checked(
    file: SettingsFile,
    text: str,
    edits: Sequence[_Edit],
    is_meant: Callable[[SettingsFile], bool],
    hint: str,
) -> SettingsFile:
    # `text` was edited by lines; if that does not mean what it should, tomlkit makes the edits.
    changed = file._replace(text=text)
    with suppress(CallboardError):
        if is_meant(changed):
            return changed
    # Whatever tomlkit fails on, the file stays as it is.
    with suppress(Exception):
        changed = file._replace(text=_text_of_any_form_with(file.text, edits))
        # A comment inside a value would go with it. The sign may also be part of a value, but
        # asking the user once too often is better than losing what they wrote.
        if changed.text.count("#") >= file.text.count("#") and is_meant(changed):
            return changed
    raise NotWritable(
        f"the settings in {file.path} cannot be changed safely as they are written.",
        hint=hint,
    )


def _text_of_any_form_with(text: str, edits: Sequence[_Edit]) -> str:
    import tomlkit  # it takes as long as a tenth of a start, and few files need it

    document = tomlkit.parse(text)
    for name, value, table in edits:
        holder: Any = document
        for part in table:
            if part not in holder:
                holder[part] = tomlkit.table(is_super_table=part != table[-1])
            holder = holder[part]
        holder, key = _place_of(holder, name) or (holder, name)
        if value is not None:
            holder[key] = tomlkit.value(literal(value))
        elif key in holder:
            del holder[key]
    return document.as_string()


def _place_of(table: Any, name: str) -> tuple[Any, str] | None:
    # The table that has a name, and its key there: a name with dots may be in tables below.
    if name in table:
        return table, name
    places = (
        _place_of(below, name.removeprefix(f"{key}."))
        for key, below in table.items()
        if isinstance(below, dict) and name.startswith(f"{key}.")
    )
    return next(filter(None, places), None)


def _text_with(text: str, edits: Sequence[_Edit]) -> str:
    for name, value, table in edits:
        text = _text_with_one(text, name, value, table)
    return text


def _text_with_one(text: str, name: str, value: Any, table: Sequence[str]) -> str:
    line = "" if value is None else f"{_key(name)} = {literal(value)}\n"
    place = _section(text, *table)
    if place is None:
        header = f"[{'.'.join(map(_key, table))}]"
        return f"{_paragraph(text)}{header}\n{line}" if line else text
    _, begin, end = place
    section = text[begin:end]
    setting = rf"^([ \t]*{dotted(name)}[ \t]*=[ \t]*){_VALUE}(?=[ \t]*(?:#.*)?$)"
    match = re.search(setting, section, re.MULTILINE)
    if match is None:
        if not line:
            return text
        # Below the last setting: comments after it may belong to the next table.
        setting_lines = list(re.finditer(r"^(?![ \t]*#)[^\n]*\S[^\n]*\n?", section, re.MULTILINE))
        insert_at = setting_lines[-1].end() if setting_lines else 0
        section = f"{_ended(section[:insert_at])}{line}{section[insert_at:]}"
    elif line:
        section = f"{section[: match.end(1)]}{literal(value)}{section[match.end() :]}"
    else:
        section = section[: match.start()] + section[match.end() :].partition("\n")[2]
    return text[:begin] + section + text[end:]


def _section(text: str, *table: str) -> tuple[int, int, int] | None:
    # Where the header of a table begins, and where its lines begin and end; without a table they
    # are the lines before the first one.
    start = begin = 0
    if table:
        header = rf"^[ \t]*\[[ \t]*{dotted(*table)}[ \t]*\][^\n]*\n?"
        match = re.search(header, text, re.MULTILINE)
        if match is None:
            return None
        start, begin = match.span()
    next_header = re.compile(r"^[ \t]*\[", re.MULTILINE).search(text, begin)
    return start, begin, next_header.start() if next_header else len(text)


def _paragraph(text: str) -> str:
    return text.rstrip("\n") + "\n\n" if text.strip() else ""


def _ended(text: str) -> str:
    return f"{text}\n" if text and not text.endswith("\n") else text


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else literal(name)
