"""The command line, read.

The rule it keeps: what reads it is loaded only when there is something to read, and what a command
needs only when that command runs.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """What was asked on the command line; `command` carries out what is not the program itself."""

    version: bool = False
    ascii: bool = False
    boards: bool = False
    profile: str = ""
    command: Callable[[], int] | None = None


def read(arguments: Sequence[str]) -> Asked:
    """What the arguments ask for; ends the program, as argparse does, where they cannot be read."""
    if not arguments:
        return Asked()
    import argparse

    from tui.cli.commands import add_commands

    parser = argparse.ArgumentParser(
        prog="callboard",
        description="A terminal kanban board: every action a key away, nothing ever lost.",
        epilog="Inside the program ? lists the keys. CALLBOARD_HOME sets where everything is kept.",
    )
    parser.add_argument("--version", action="store_true", help="say which version this is and end")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII signs only")
    parser.add_argument("--boards", action="store_true", help="open the list of boards")
    parser.add_argument(
        "-p", "--profile", metavar="NAME", default="", help="open this service's boards"
    )
    add_commands(parser)
    found: dict[str, Any] = vars(parser.parse_args(arguments))
    return Asked(
        version=found["version"],
        ascii=found["ascii"],
        boards=found["boards"],
        profile=found["profile"],
        command=_command(found),
    )


def _command(found: dict[str, Any]) -> Callable[[], int] | None:
    """The command that was asked for, with everything that was said to it."""
    run = found.get("run")
    return None if run is None else lambda: int(run(found))
