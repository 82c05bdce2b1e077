"""The commands beside the program itself.

The rule it keeps: each is a parser that names, as `run`, the function that carries it out with the
values that were read; that function imports what it needs when it is called.
"""

import argparse

from tui.cli.archive import add_archive
from tui.cli.doctor.command import add_doctor
from tui.cli.serve import add_serve
from tui.cli.services import add_services


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Let a parser read every command."""
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    add_services(commands)
    add_doctor(commands)
    add_serve(commands)
    add_archive(commands)
