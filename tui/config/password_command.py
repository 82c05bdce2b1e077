"""Runs the command that prints a password, such as that of a password manager.

It runs without a shell unless it is written for one, away from the terminal that is drawn on, and
with a time limit. Neither its words nor its output are shown or logged.
"""

import contextlib
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tui.client.http.credentials import Secret
from tui.errors import CallboardError
from tui.text import clean

PATIENCE_SECONDS = 30.0

_SHELL = "/bin/sh"
_AS_WRITTEN = re.compile(r"'[^']*'|\\.", re.DOTALL)
_IN_QUOTES = re.compile(r'"[^"]*"')
_EXPANDED = re.compile(r"[$`]|^\s*\w+=")
_OPERATORS = re.compile(r"[|&;<>()*?~\n]")
_HINT = "Run the command by itself to see what it says."


class PasswordUnknown(CallboardError):
    """The password cannot be had from where it should be."""


def answer_of(command: str | Sequence[str], *, patience: float = PATIENCE_SECONDS) -> Secret:
    """The first line that a command writes. Raises `PasswordUnknown`."""
    words = _words(command)
    name = _name(command)
    try:
        process = _started(words)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "it is no command").lower()
        trouble = PasswordUnknown(
            f"the password command {name} cannot be run: {reason}.", hint=_HINT
        )
    else:
        return _answer(process, name, patience)
    raise trouble


def first_line(content: bytes) -> Secret:
    """The first line of what a file or a command holds."""
    line = content.partition(b"\n")[0].rstrip(b"\r")
    del content  # A traceback shows local variables.
    return Secret(line.decode("utf-8", "surrogateescape"))


def needs_shell(command: str) -> bool:
    """Whether a command line uses what only a shell understands, outside of quotes."""
    plain = _AS_WRITTEN.sub("", command)
    return bool(_EXPANDED.search(plain) or _OPERATORS.search(_IN_QUOTES.sub("", plain)))


def _words(command: str | Sequence[str]) -> Sequence[str]:
    if not isinstance(command, str):
        return command
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise PasswordUnknown(
            "the password command cannot be understood: a quote is not closed.",
            hint="Correct password_command in the profile.",
        )
    return [_SHELL, "-c", command] if needs_shell(command) else words


def _name(command: str | Sequence[str]) -> str:
    """What a command is called, without what it is told, which may be private."""
    if not isinstance(command, str):
        return clean.line(Path(command[0]).name)
    return "line" if needs_shell(command) else clean.line(Path(shlex.split(command)[0]).name)


def _started(words: Sequence[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 (the person's own command)
        words,
        # A question on the terminal would be drawn over the board, and never be answered.
        env={name: value for name, value in os.environ.items() if name != "GPG_TTY"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _answer(process: "subprocess.Popen[bytes]", name: str, patience: float) -> Secret:
    said = f"the password command {name}"
    password = Secret("")
    try:
        password = first_line(process.communicate(timeout=patience)[0])
    except subprocess.TimeoutExpired:
        said += f" did not end within {patience:g} seconds."
    else:
        if process.returncode:
            said += f" failed with exit code {process.returncode}."
        elif password:
            return password
        else:
            said += " wrote nothing."
    finally:
        _end(process)
    raise PasswordUnknown(said, hint=_HINT)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a command that is still running, with all it has started."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
