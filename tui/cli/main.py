"""The command `callboard`: parses arguments, runs commands, and reports errors.

Errors are written to standard error here only, in one line. The exit code is 0 for success, 1 if
the program failed, 2 if it could not be started, 130 if it was interrupted.
"""

import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from traceback import format_exc
from typing import Any, NamedTuple

from tui.cli.terminal import check_terminal
from tui.errors import CallboardError, CannotGoOn

COULD_NOT_GO_ON, COULD_NOT_START, INTERRUPTED = 1, 2, 130


class Asked(NamedTuple):
    """The parsed arguments; `command` runs a command other than the program itself."""

    version: bool = False
    ascii: bool = False
    boards: bool = False
    read_only: bool = False
    profile: str = ""
    command: Callable[[], int] | None = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    _open_closed_streams()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # what its encoding lacks becomes a question mark
    asked = _read(sys.argv[1:] if arguments is None else arguments)
    if asked.version:
        sys.stdout.write(f"callboard {_installed_version()}\n")
        return 0
    try:
        if asked.command is not None:
            return _carried_out(asked.command)
        check_terminal()
        from tui.cli.program import run

        return run(
            ascii_only=asked.ascii,
            boards=asked.boards,
            profile=asked.profile,
            is_read_only=asked.read_only,
        )
    except CannotGoOn as error:
        _complain(error)
        return COULD_NOT_GO_ON
    except CallboardError as error:
        _complain(error)
        return COULD_NOT_START
    except Exception:  # noqa: BLE001  an error of ours must not end in a traceback on the terminal
        from tui.cli.crash import crashed
        from tui.config.paths import Places

        _complain(crashed(format_exc(), Places.find().data))
        return COULD_NOT_GO_ON


def _open_closed_streams() -> None:
    """Replace closed streams by the null device, as after `callboard <&-`.

    Python has None for them; and a file opened later would become standard output.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(null, mode, encoding="utf-8", closefd=False))


def _read(arguments: Sequence[str]) -> Asked:
    """Parse the arguments; exits, as argparse does, if they are invalid."""
    if not arguments:
        return Asked()
    from tui.cli.commands import Parser, add_commands

    parser = Parser(
        prog="callboard",
        usage="callboard [OPTIONS] [COMMAND ...]",
        description="A terminal kanban board: every action a key away, nothing ever lost.",
        epilog="Inside the program ? lists the keys. CALLBOARD_HOME sets where everything is kept."
        " Exit codes: 0 for success, 1 if it failed or nothing was found, 2 for wrong arguments.",
    )
    parser.add_argument("--version", action="store_true", help="say which version this is and end")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII signs only")
    parser.add_argument("--boards", action="store_true", help="open the list of boards")
    parser.add_argument(
        "--read-only", action="store_true", help="change and send nothing, to show boards to others"
    )
    parser.add_argument(
        "--plain", action="store_true", help="line by line, for screen readers and simple terminals"
    )
    parser.add_argument(
        "--board", dest="plain_board", metavar="NAME", default="", help="open it, with --plain"
    )
    parser.add_argument(
        "-p", "--profile", metavar="NAME", default="", help="open this service's boards"
    )
    add_commands(parser)
    found: dict[str, Any] = vars(parser.parse_args(arguments))
    if found["read_only"] and "run" in found and "may_be_read_only" not in found:
        parser.error("--read-only is for the program, not for its commands")
    if found["plain"] and "run" in found:
        parser.error("--plain is for the program, not for its commands")
    if found["plain_board"] and not found["plain"]:
        parser.error("--board is for --plain, or belongs after the command")
    return Asked(
        version=found["version"],
        ascii=found["ascii"],
        boards=found["boards"],
        read_only=found["read_only"],
        profile=found["profile"],
        command=_command(found),
    )


def _command(found: dict[str, Any]) -> Callable[[], int] | None:
    """The command with its arguments, if there is one; plain mode counts as one."""
    run = _converse if found["plain"] else found.get("run")
    return None if run is None else lambda: int(run(found))


def _converse(found: dict[str, Any]) -> int:
    from tui.cli.plain.conversation import converse
    from tui.cli.plain.session import Wanted

    words = (found[name] for name in ("plain_board", "profile", "ascii", "read_only"))
    return converse(Wanted(*words))


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("callboard")
    except PackageNotFoundError:
        return "(not installed)"


def _carried_out(command: Callable[[], int]) -> int:
    """Run a command; exits quietly if its output is closed, or it is interrupted."""
    try:
        code = command()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return COULD_NOT_GO_ON
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _complain(error: CallboardError) -> None:
    """Print an error in one line, and its hint in another."""
    sys.stderr.write(f"callboard: {error.message}\n")
    if error.hint:
        sys.stderr.write(f"           {error.hint}\n")
