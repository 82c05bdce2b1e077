"""The settings file as text, and its errors with file and line."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tui.errors import CallboardError, WrongInput, reason_of
from tui.text import clean


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint with the most similar name; empty if there is none."""
    from difflib import get_close_matches  # for what is wrong alone

    near = get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f"Did you mean “{near[0]}”?" if near else ""


class SettingsError(WrongInput):
    """The settings file is invalid; the message says where and why."""


class UnknownSetting(SettingsError):
    """The settings file has an unknown setting."""

    def __init__(self, name: str, names: Iterable[str], place: str) -> None:
        super().__init__(
            f"“{clean.line(name)}” in {place} is not a setting.",
            hint=nearest(name, names) or "Remove the line, or correct it.",
        )


class BadSetting(SettingsError):
    """The settings file has an invalid value."""

    def __init__(self, name: str, place: str, wanted: str) -> None:
        super().__init__(
            f"“{clean.line(name)}” in {place} must be {wanted}.",
            hint="Correct the line, or remove it to use the default.",
        )


class Rule(NamedTuple):
    """The allowed values of a setting, and their description."""

    accepts: Callable[[Any], bool]
    wanted: str


SWITCH = Rule(lambda value: isinstance(value, bool), "true or false")


def is_text(value: Any) -> bool:
    """Whether a value is a non-empty text."""
    return isinstance(value, str) and bool(value.strip())


def flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a table by full name: TOML makes nested tables of dotted names."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def dotted(*names: str) -> str:
    """A pattern of names in TOML, bare or quoted, with dots between them."""
    return r"[ \t]*\.[ \t]*".join(rf"""["']?{re.escape(name)}["']?""" for name in names)


class SettingsFile(NamedTuple):
    """The text of a settings file, empty without one."""

    path: Path
    text: str

    @classmethod
    def read(cls, path: Path) -> "SettingsFile":
        """Read a file. Raises `CallboardError` if it exists and cannot be read."""
        try:
            return cls(path, path.read_text("utf-8-sig"))
        except FileNotFoundError:
            return cls(path, "")
        except UnicodeDecodeError as error:
            raise SettingsError(
                f"The settings in {path} cannot be read: the file is not UTF-8 text.",
                hint="Save it as UTF-8, or move it away to use the defaults.",
            ) from error
        except OSError as error:
            raise CallboardError(
                f"The settings in {path} cannot be read: {reason_of(error)}.",
                hint="Make the file readable, or move it away to use the defaults.",
            ) from error

    def values(self) -> dict[str, Any]:
        """The parsed file. Raises `SettingsError` if it is not TOML."""
        if not self.text.strip():
            return {}
        import tomllib

        try:
            return tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:
            reason, _, where = str(error).partition(" (at ")
            where = where.rstrip(")").replace("end of document", "the end") or "some line"
            reason = clean.line(reason).lower()
            reason = reason.replace("cannot overwrite a value", "a setting appears twice")
            raise SettingsError(
                f"The settings in {self.path} are not valid TOML at {where}: {reason}.",
                hint="Correct the line, or move the file away to use the defaults.",
            ) from error

    def place(self, name: str, table: tuple[str, ...] = ()) -> str:
        """The file and, if it can be found, the line of a setting in a table."""
        path = dotted(*table, name)
        setting = rf"^[ \t]*(?:{path}[ \t]*[=.]|\[+[ \t]*{path}[ \t]*[\].])"
        starts = [match.start() for match in re.finditer(setting, self.text, re.MULTILINE)]
        for depth in range(1, len(table) + 1):
            header = rf"^[ \t]*\[[ \t]*{dotted(*table[:depth])}[ \t]*\].*\n(?:(?![ \t]*\[).*\n)*?"
            line = rf"(?P<line>[ \t]*{dotted(*table[depth:], name)}[ \t]*[=.])"
            match = re.search(header + line, self.text, re.MULTILINE)
            starts += [match.start("line")] if match else []
        # What is not found is missing, or in an inline table: the line of its table helps.
        if not starts:
            return self.place(table[-1], table[:-1]) if table else str(self.path)
        return f"{self.path}, line {self.text.count(chr(10), 0, min(starts)) + 1}"

    def check(
        self, values: Mapping[str, Any], rules: Mapping[str, Rule], table: tuple[str, ...] = ()
    ) -> None:
        """Raise `UnknownSetting` or `BadSetting` for a value of a table that violates its rule."""
        for name, value in values.items():
            if name not in rules:
                raise UnknownSetting(name, rules, self.place(name, table))
            if not rules[name].accepts(value):
                raise BadSetting(name, self.place(name, table), rules[name].wanted)
