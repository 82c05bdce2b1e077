"""The command: reads what was asked, opens the program, and says in one line what went wrong.

The rule it keeps: standard error and the exit codes are told here and nowhere else: 0 done, 1 the
program could not go on, 2 it could not be started as asked.
"""

import os
import sys
from collections.abc import Callable, Sequence
from traceback import format_exc

from tui.cli.parser import read
from tui.cli.terminal import check_terminal
from tui.errors import CallboardError, CannotGoOn

COULD_NOT_GO_ON, COULD_NOT_START = 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    _open_closed_streams()
    asked = read(sys.argv[1:] if arguments is None else arguments)
    if asked.version:
        from tui.cli.version import installed_version

        sys.stdout.write(f"callboard {installed_version()}\n")
        return 0
    try:
        if asked.command is not None:
            return _carried_out(asked.command)
        check_terminal()
        from tui.cli.program import run

        return run(ascii_only=asked.ascii, boards=asked.boards, profile=asked.profile)
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
    """Put the null device in the place of streams that are closed, as by `callboard <&-`.

    Python has None for them; and a file opened later would be taken for standard output.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(null, mode, encoding="utf-8", closefd=False))


def _carried_out(command: Callable[[], int]) -> int:
    """Carry out a command; it ends quietly where nobody reads what it says any more."""
    try:
        code = command()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return COULD_NOT_GO_ON
    return code


def _complain(error: CallboardError) -> None:
    """Say what went wrong, in one line and what to do in another."""
    sys.stderr.write(f"callboard: {error.message}\n")
    if error.hint:
        sys.stderr.write(f"           {error.hint}\n")
