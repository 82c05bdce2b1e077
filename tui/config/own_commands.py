"""The user's own commands in the settings file: `[commands.NAME]` with a title and a command line.

This module is imported only if there are any.
"""

import re
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple

from tui.config.profiles import is_command
from tui.config.settings_file import (
    BadSetting,
    Rule,
    SettingsError,
    SettingsFile,
    is_text,
    nearest,
)
from tui.model.work.command_line import OPERATORS, PLACEHOLDERS, pasted, placeholders, program_at
from tui.text import clean

TABLE = "commands"
OUTPUTS = ("pane", "silent", "terminal")
_LONGEST_TITLE = 40
_RULES = {
    "title": Rule(
        lambda value: is_text(value) and len(value) <= _LONGEST_TITLE and value.isprintable(),
        f"a text in quotes of up to {_LONGEST_TITLE} characters",
    ),
    "key": Rule(is_text, 'a key in quotes, such as "alt+r" or "f9"'),
    "run": Rule(is_command, 'a command in quotes, or a list of its words: "gh issue view {id}"'),
    "output": Rule(
        lambda value: value in OUTPUTS, "one of " + ", ".join(f'"{way}"' for way in OUTPUTS)
    ),
}
_REQUIRED = {"title": "Show the issue", "run": "gh issue view {id}"}


class OwnCommand(NamedTuple):
    """A command of the user; `words` are its line with placeholders, the program first.

    `output` says where it shows what it prints: in a pane, nowhere, or in the terminal.
    """

    name: str
    title: str
    words: tuple[str, ...]
    key: str = ""
    output: str = OUTPUTS[0]

    @property
    def id(self) -> str:
        """The id of its action."""
        return f"own.{self.name}"


def read_commands(tables: Mapping[str, Any], file: SettingsFile) -> dict[str, OwnCommand]:
    """The commands in the table `commands` of a settings file. Raises `SettingsError`."""
    return {name: _read_command(name, table, file) for name, table in tables.items()}


def _read_command(name: str, table: Any, file: SettingsFile) -> OwnCommand:
    if not isinstance(table, dict):
        raise BadSetting(name, file.place(name, (TABLE,)), f"a table of its own, [{TABLE}.NAME]")
    where = (TABLE, name)
    if re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,23}", name) is None:
        raise SettingsError(
            f"“{clean.line(name)}” in {file.place(name, (TABLE,))} cannot name a command.",
            hint="Use up to 24 small letters of a to z, digits and dashes; the title says more.",
        )
    file.check(table, _RULES, where)
    for required, example in _REQUIRED.items():
        if required not in table:
            raise SettingsError(
                f"The command “{name}” in {file.place(name, (TABLE,))} has no {required}.",
                hint=f'Add a line below [{TABLE}.{name}], such as: {required} = "{example}"',
            )
    words = _words(table["run"], file.place("run", where))
    _check_words(words, file.place("run", where))
    title = clean.line(table["title"]).strip()
    return OwnCommand(name, title, words, table.get("key", ""), table.get("output", OUTPUTS[0]))


def _words(command: str | list[str], place: str) -> tuple[str, ...]:
    if not isinstance(command, str):
        return tuple(command)
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise SettingsError(
            f"“run” in {place} is not a command: a quote is not closed.",
            hint="Close it, or write the command as a list of its words.",
        ) from error


def _check_words(words: tuple[str, ...], place: str) -> None:
    for name in placeholders(words):
        if name not in PLACEHOLDERS:
            near = nearest(name, PLACEHOLDERS).replace("“", "“{").replace("”", "}”")
            every = ", ".join(f"{{{placeholder}}}" for placeholder in PLACEHOLDERS)
            raise SettingsError(
                f"“run” in {place}: {{{name}}} is not a placeholder.",
                hint=near or f"Placeholders: {every}.",
            )
    if any("\0" in word for word in words):
        raise SettingsError(f"“run” in {place} has a character that no command can have.")
    if name := next(placeholders(words[:1]), ""):
        raise SettingsError(
            f"“run” in {place}: {{{name}}} cannot be the program that is run.",
            hint="Begin with the name of a program.",
        )
    if name := pasted(words):
        raise SettingsError(
            f"“run” in {place}: {{{name}}} would become part of what a shell runs.",
            hint=f'Write "$CALLBOARD_{name.upper()}" there; it has the same value.',
        )
    operator = next((word for word in words if word in OPERATORS), "")
    if operator and program_at(words) < 0:
        raise SettingsError(
            f"“run” in {place}: “{operator}” means something in a shell only, and there is none.",
            hint="Write one: sh -c 'echo \"$CALLBOARD_TITLE\" | wc -w'",
        )
