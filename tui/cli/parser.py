"""The command line, read."""

from collections.abc import Sequence
from typing import NamedTuple


class Asked(NamedTuple):
    """What was asked on the command line."""

    version: bool = False
    ascii: bool = False
    boards: bool = False


def read(arguments: Sequence[str]) -> Asked:
    """What the arguments ask for; ends the program, as argparse does, where they cannot be read."""
    if not arguments:
        return Asked()
    import argparse  # noqa: PLC0415 (most starts have no arguments, and it takes 10 ms)

    parser = argparse.ArgumentParser(
        prog="callboard",
        description="A terminal kanban board: every action a key away, nothing ever lost.",
        epilog="Inside the program ? lists the keys. CALLBOARD_HOME sets where everything is kept.",
    )
    parser.add_argument("--version", action="store_true", help="say which version this is and end")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII signs only")
    parser.add_argument("--boards", action="store_true", help="open the list of boards")
    return Asked(**vars(parser.parse_args(arguments)))
