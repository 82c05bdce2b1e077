"""What the declarations of commands have in common: arguments, and how a command is added."""

import argparse
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from tui.cli.arguments import Parser, add_argument

AGENT = "--as NAME", "the agent that acts for you", "agent"
BOARD = "--board NAME", "where the card is, by title, part of it, or id"
BOARDS = "--board NAME...", "by title, part of it, or id", "boards"
CARD = "CARD", "its number, its title, or part of it"
DATABASE = "--database PATH", "the file of the boards (default: your own boards)"
DESCRIPTION = "--description FILE", "Markdown of a file, or - for input"
DRY_RUN = "-n --dry-run", "print the first request of each change, send nothing", "is_dry"
HOST = "--host HOST", "the address to listen on (127.0.0.1)"
JSON = "--json", "as JSON, for programs", "as_json"
ONLY_IDS = "-q --quiet", "print only the ids", "only_ids"
QUIET = "-q --quiet", "print errors only", "is_quiet"
UPLOADS = "--attachments FOLDER", "where uploads are kept"
NAMED = "by title, part of it, or id"
CHANGING = JSON, QUIET, DRY_RUN, AGENT
"""The options of everything that changes something."""


def path(text: str) -> object:
    """The type of an argument that names a file."""
    return import_module("pathlib").Path(text)


class Commands:
    """The commands below a parser, with the brief of each by its name."""

    def __init__(
        self, parser: argparse.ArgumentParser, briefs: Mapping[str, str], **how: Any
    ) -> None:
        self._briefs = briefs
        self._all = parser.add_subparsers(title="commands", metavar="COMMAND", **how)

    def add(
        self, name: str, run: str, *arguments: tuple[str, str] | tuple[str, str, str]
    ) -> Parser:
        """Add a command that is run by `run`: a module of `tui.cli` and a function in it, if any.

        The module is imported when the command is run.
        """
        parser: Parser = self._all.add_parser(name, help=self._briefs[name])
        parser.set_defaults(run=run)
        for argument in arguments:
            add_argument(parser, *argument)
        return parser

    def lines(self) -> list[argparse.Action]:
        """The lines of the help, of which each has the name of its command as `dest`."""
        return self._all._choices_actions  # noqa: SLF001 (argparse has one list, without headings)
