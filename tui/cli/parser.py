"""The parser of the command line, and how the command that it finds is run."""

import argparse
import re
from collections.abc import Mapping
from importlib import import_module
from inspect import signature
from typing import Any, NoReturn

from tui.text import clean

_CHOICE = re.compile(r"argument \S+: invalid choice: '([^']*)' \(choose from (.*)\)")
_FEW = 9
"""So many choices are named."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong with arguments in a line, and where they are explained."""

    def error(self, message: str) -> NoReturn:
        """End with the message, without the usage and without long lists of choices."""
        hint = f"{self.prog} --help explains it."
        if wrong := _CHOICE.fullmatch(message):
            from tui.config.settings_file import nearest

            choices = re.findall(r"[\w-]+", wrong[2])
            among = f"; use one of {', '.join(choices)}" if len(choices) <= _FEW else ""
            message = f"“{clean.line(wrong[1])}” is not possible here{among}."
            hint = nearest(wrong[1], choices) or hint
        self.exit(2, f"{self.prog}: {message}\n{' ' * len(self.prog)}  {hint}\n")


class Commands:
    """The commands below a parser."""

    def __init__(self, parser: argparse.ArgumentParser, **how: Any) -> None:
        self._all = parser.add_subparsers(title="commands", metavar="COMMAND", **how)

    def add(self, name: str, run: str, brief: str) -> argparse.ArgumentParser:
        """Add a command that is run by `run`: a module of `tui.cli` and a function in it, if any.

        The module is imported when the command is run. The function has a parameter for each
        argument that it needs, or one for several of them: a named tuple or a dataclass.
        """
        parser: argparse.ArgumentParser = self._all.add_parser(name, help=brief)
        parser.set_defaults(run=run)
        return parser


def run_command(options: Mapping[str, Any]) -> int:
    """Run a command with its parsed arguments; the exit code. Raises `CallboardError`."""
    module, _, name = options["run"].partition(":")
    function = getattr(import_module(f"tui.cli.{module}"), name)
    arguments = {}
    for parameter in signature(function).parameters.values():
        # A named tuple or a dataclass is made of the arguments with the names of its fields.
        fields = getattr(parameter.annotation, "__match_args__", None)
        if fields is None:
            arguments[parameter.name] = options[parameter.name]
        else:
            values = {field: options[field] for field in fields if field in options}
            arguments[parameter.name] = parameter.annotation(**values)
    return int(function(**arguments))


def add_switch(
    where: "argparse._ActionsContainer",
    option: str,
    name: str,
    brief: str,
    *,
    letter: str = "",
) -> None:
    """Add an option without a value, for the parameter with this name."""
    options = [letter, option] if letter else [option]
    where.add_argument(*options, dest=name, action="store_true", help=brief)


def add_json(*parsers: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    for parser in parsers:
        add_switch(parser, "--json", "as_json", "for programs")


def whole_number(text: str, least: int, most: int) -> int:
    """The number that was typed. Raises `ArgumentTypeError`."""
    if not text.isdecimal() or not least <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"must be a number from {least} to {most}")
    return int(text)
