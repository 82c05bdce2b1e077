"""Changes single settings in the text of the settings file.

All other lines, their comments and their order stay. The new text is parsed before it is used; if
it would not have the intended meaning, nothing is changed and the user is told what to write.
"""

import json
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from tui.config.paths import make_folder, replacing
from tui.config.settings_file import SettingsFile, flat
from tui.errors import CallboardError

HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = r""""(?:[^"\\\n]|\\.)*"|'[^'\n]*'"""
_VALUE = rf"(?:{_STRING}|\[(?:{_STRING}|[^\]\[\"'#])*\]|[^\s\"'\[#][^\s#]*)"


class NotWritable(CallboardError):
    """The settings file cannot be changed by the program; nothing was changed."""


def with_value(file: SettingsFile, name: str, value: Any, table: str = "") -> SettingsFile:
    """The file with another value of a setting, in a table if named; None takes its line out.

    Raises `SettingsError` if it is not TOML, `NotWritable` if its form cannot be edited.
    """
    wanted = dict(flat(file.values()))
    whole = f"{table}.{name}" if table else name
    if value is None:
        wanted.pop(whole, None)
    else:
        wanted[whole] = list(value) if isinstance(value, tuple) else value
    changed = SettingsFile(file.path, text_with(file.text, name, value, table))
    try:
        said = list(flat(changed.values()))
    except CallboardError:
        said = []
    if dict(said) != wanted or len(said) != len(wanted):
        header = f" below [{table}]" if table else ""
        line = f"Write{header}: {_key(name)} = {literal(value)}"
        raise NotWritable(
            f"the settings in {file.path} are written in a way that cannot be changed safely.",
            hint=f"Take {whole} out by hand." if value is None else line,
        )
    return changed


def text_with(text: str, name: str, value: Any, table: str = "") -> str:
    """The text with another value of a setting, which may not be what it means then."""
    begin, end = _section(text, table)
    if begin < 0:
        return text if value is None else f"{_paragraph(text)}[{table}]\n{_line(name, value)}"
    section = text[begin:end]
    sign = rf"""["']?{re.escape(name)}["']?"""
    found = re.search(
        rf"^([ \t]*{sign}[ \t]*=[ \t]*){_VALUE}(?=[ \t]*(?:#.*)?$)", section, re.MULTILINE
    )
    if found is None:
        if value is None:
            return text
        lines = list(re.finditer(r"^(?![ \t]*#)[^\n]*\S[^\n]*\n?", section, re.MULTILINE))
        at = lines[-1].end() if lines else 0
        before = section[:at] if not at or section[at - 1] == "\n" else f"{section[:at]}\n"
        section = f"{before}{_line(name, value)}{section[at:]}"
    elif value is None:
        newline = section.find("\n", found.end())
        section = section[: found.start()] + (section[newline + 1 :] if newline >= 0 else "")
    else:
        section = f"{section[: found.end(1)]}{literal(value)}{section[found.end() :]}"
    return text[:begin] + section + text[end:]


def _section(text: str, table: str) -> tuple[int, int]:
    """Where the lines of a table begin and end, or those before any table; -1 if there is none."""
    begin = 0
    if table:
        found = re.search(
            rf"^[ \t]*\[[ \t]*{re.escape(table)}[ \t]*\][^\n]*\n?", text, re.MULTILINE
        )
        if found is None:
            return -1, -1
        begin = found.end()
    behind = HEADER.search(text, begin)
    return begin, behind.start() if behind else len(text)


def _paragraph(text: str) -> str:
    """A text with an empty line after it, if there is any text."""
    return f"{text.rstrip()}\n\n" if text.strip() else ""


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else literal(name)


def _line(name: str, value: Any) -> str:
    return f"{_key(name)} = {literal(value)}\n"


def literal(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | date):
        return f"{value}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(literal, value))}]"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def write(file: SettingsFile) -> None:
    """Replace the settings file atomically; if it is a link, its target.

    Raises `NotWritable`.
    """
    path: Path = file.path.resolve()
    try:
        make_folder(path.parent)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
        with replacing(path, mode) as opened:
            opened.write(file.text.encode())
    except OSError as error:
        reason = (error.strerror or "no reason").lower()
        raise NotWritable(f"the settings in {path} cannot be written: {reason}.") from error
