"""The command `callboard`: parses arguments, runs commands, and reports errors.

Errors are written to standard error here only, in one line. The exit code is 0 for success, 1 if it
failed or nothing was found, 2 for wrong arguments or settings, 130 if it was interrupted.
"""

import errno
import gc
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import copy_context
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from typing import Any

from tui.cli.terminal import check_terminal
from tui.errors import CallboardError, CannotGoOn, WrongInput, reason_of
from tui.runtime.last_frame import last_frame

FAILED, WRONG_INPUT, INTERRUPTED = 1, 2, 130
_IS_COROUTINE = 0x80
"""The flag of coroutine functions, as `inspect` has it, which takes long to import."""
_OF_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.ENXIO}
"""What writing to a full disk, a lost terminal or a closed stream fails with."""
_MANY = 100_000
"""New objects that are looked through for garbage; modules and cards last as long as a command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code. What it sets for itself ends with it."""
    return copy_context().run(_main, sys.argv[1:] if arguments is None else arguments)


def _main(arguments: Sequence[str]) -> int:
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # what its encoding lacks becomes a question mark
    options = _read(arguments)
    try:
        if options.get("version"):
            return _run(_print_version)
        if "run" in options:
            return _run(lambda: _run_command(options))
        check_terminal()
        from tui.cli.program import run

        return run(
            ascii_only=options.get("ascii_only", False),
            boards=options.get("lists_boards", False),
            profile=options.get("profile", ""),
            is_read_only=options.get("is_read_only", False),
        )
    except CallboardError as error:
        _complain(error)
        return WRONG_INPUT if isinstance(error, WrongInput) else FAILED
    except Exception:  # noqa: BLE001  an error of ours must not end in a traceback on the terminal
        from traceback import format_exc

        from tui.cli.output import crashed
        from tui.config.paths import Places

        _complain(crashed(format_exc(), Places.find().data))
        return FAILED


def _open_closed_streams() -> None:
    # After `callboard <&-` Python has None for a stream, and a file opened later would become
    # standard output.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(null, mode, encoding="utf-8", closefd=False))


def _read(arguments: Sequence[str]) -> Mapping[str, Any]:
    if not arguments:
        return {}
    # Answered before argparse and all commands are imported.
    if list(arguments) == ["--version"]:
        return {"version": True}
    from tui.cli.arguments import Parser, add_argument
    from tui.cli.commands.table import add_commands
    from tui.cli.output import ascii_only
    from tui.widgets.plain_ascii import shows_utf8

    is_plain = not shows_utf8(os.environ)
    ascii_only.set(is_plain or "--ascii" in arguments)  # for what is said of the arguments
    parser = Parser(
        prog="callboard",
        usage="callboard [OPTIONS] [COMMAND ...]   (COMMAND --help has examples)",
    )
    add_argument(parser, "--version", "show the version and exit")
    add_argument(parser, "--ascii", "use ASCII characters only", "ascii_only")
    add_argument(parser, "--boards", "open the list of boards", "lists_boards")
    add_argument(
        parser,
        "--read-only",
        "change and send nothing, for showing boards to others",
        "is_read_only",
    )
    add_argument(parser, "--plain", "line by line, for screen readers and simple terminals")
    add_argument(parser, "--board NAME", "open it, with --plain", "plain_board")
    add_argument(parser, "-p --profile NAME", "open this service’s boards")
    add_commands(parser, arguments[0])
    options = {"program": parser, **vars(parser.parse_args(arguments))}
    ascii_only.set(is_plain or options["ascii_only"])
    if options["is_read_only"] and "run" in options and "may_be_read_only" not in options:
        parser.error("--read-only is for the program, not for its commands")
    if options["plain"] and "run" in options:
        parser.error("--plain is for the program, not for its commands")
    if options["plain_board"] and not options["plain"]:
        parser.error("--board is for --plain, or belongs after the command")
    if options["plain"]:
        options["run"] = "plain:converse"
    return options


def _run_command(options: Mapping[str, Any]) -> int:
    """Run a command with its parsed arguments; the exit code. Raises `CallboardError`.

    Its function has a parameter for each argument that it needs, or one for several of them: a
    named tuple or a dataclass with fields of these names. A coroutine function works on the opened
    profile, its first parameter; a plan that it returns is carried out. What may read standard
    input is none: asyncio would keep ctrl+c from ending that.
    """
    gc.set_threshold(_MANY)
    module, _, name = options["run"].partition(":")
    function = getattr(import_module(f"tui.cli.{module}"), name)

    def filled(fields: Iterable[str]) -> dict[str, Any]:
        return {field: options[field] for field in fields if field in options}

    # `inspect.signature` tells the same, but `inspect` takes long to import.
    code, arguments = function.__code__, {}
    for parameter in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        annotation = function.__annotations__[parameter]
        if fields := getattr(annotation, "__match_args__", None):
            arguments[parameter] = annotation(**filled(fields))
        elif parameter != "opened":
            arguments[parameter] = options[parameter]
    if not code.co_flags & _IS_COROUTINE:
        return int(function(**arguments))
    from tui.cli.scripts.opened import How, run_opened

    how, work = How(**filled(How._fields)), partial(function, **arguments)
    if function.__annotations__["return"] is not int:
        from tui.cli.scripts.writing import run_plan

        return run_plan(how, work)
    return run_opened(how, work, is_read_only=options["is_read_only"])


def _print_version() -> int:
    from tui.help import latest_version

    sys.stdout.write(f"callboard {latest_version()}\n")
    return 0


def _run(command: Callable[[], int]) -> int:
    # Ends quietly if the output is closed, or it is interrupted.
    try:
        code = command()
        sys.stdout.flush()
    except OSError as error:
        is_closed = isinstance(error, BrokenPipeError)
        # An error of something else; the line is written only where it can hardly be one.
        if not is_closed and (error.errno not in _OF_WRITING or _can_write()):
            raise
        # Python flushes standard output once more when it exits, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if is_closed:
            return FAILED
        raise CannotGoOn(f"the output cannot be written: {reason_of(error)}.") from error
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _can_write() -> bool:
    try:
        sys.stdout.write("\n")  # to flush is not enough: a long text is not kept if it fails
        sys.stdout.flush()
    except OSError:
        return False
    return True


def _complain(error: CallboardError) -> None:
    from tui.cli.output import write_beside

    # The saved frame may still cover the terminal, and the error with it.
    last_frame.take_back()
    write_beside(f"callboard: {error.message}\n")
    if error.hint:
        write_beside(f"           {error.hint}\n")
