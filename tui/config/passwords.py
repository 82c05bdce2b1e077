"""The sources of a profile's password, and storing it.

The sources are environment, command, file and keyring, in this order; if a configured one fails
that is reported and no other is tried. The password is in no message, log, command line or
traceback frame, and a file readable by others is refused. A command, such as that of a password
manager, runs without a shell unless it needs one, without access to the terminal, and with a time
limit; neither its arguments nor its output are shown or logged.
"""

import contextlib
import os
import re
import shlex
import signal
import stat
import subprocess
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from tui.client.http.credentials import Secret
from tui.config.paths import make_folder, write_file
from tui.config.profiles import Profile
from tui.errors import CallboardError, WrongInput, reason_of
from tui.text import clean

T = TypeVar("T")

VARIABLE = "CALLBOARD_PASSWORD"
PATIENCE_SECONDS = 30.0

_LONGEST = 10_000
_HINT = "Run the command by itself to see what it prints."


class PasswordUnknown(WrongInput):
    """The password cannot be read from its source."""


def installed_keyring() -> ModuleType:
    """The keyring's module. Raises `PasswordUnknown` if the extra is not installed."""
    try:
        return import_module("keyring")
    except ImportError as error:
        raise PasswordUnknown(
            "the keyring cannot be used: its package is not installed.",
            hint="Install it with: pip install 'callboard[keyring]'",
        ) from error


def find_password(profile: Profile) -> Secret:
    """The password of a profile; may take seconds. Raises `PasswordUnknown`."""
    if password := password_in_environment(profile.name):
        return password
    if profile.password_command:
        return answer_of(profile.password_command)
    if profile.password_file is not None:
        return _read_file(profile.password_file)
    if not profile.keyring:
        raise PasswordUnknown(
            f"there is no password for the profile {profile.name}.",
            hint=f"callboard login {profile.name} --force asks for it.",
        )
    password = _with_keyring(
        profile, lambda keyring, *account: Secret(keyring.get_password(*account) or "")
    )
    if not password:
        raise PasswordUnknown(
            f"the keyring holds no password for the profile {profile.name}.",
            hint=f"callboard login {profile.name} --force --keyring asks for it.",
        )
    return password


def password_in_environment(profile_name: str) -> Secret:
    """The password of a profile in the environment; empty if there is none."""
    own_variable = f"{VARIABLE}_{re.sub(r'[^A-Za-z0-9]', '_', profile_name).upper()}"
    return Secret(os.environ.get(own_variable) or os.environ.get(VARIABLE) or "")


def source_in_words(profile: Profile) -> str:
    """The source of a profile's password, for the user."""
    if profile.password_command:
        return "command"
    if profile.password_file is not None:
        return "file"
    return "keyring" if profile.keyring else "environment"


def command_in_words(profile: Profile) -> str:
    """The password command as a line; empty without one."""
    command = profile.password_command
    return command if isinstance(command, str) else shlex.join(command)


def _read_file(path: Path) -> Secret:
    # The first line of a file that only its owner can read.
    try:
        # Opened without blocking, as a named pipe would hang. The open file is checked, not the
        # path, at which there may be another file a moment later.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise PasswordUnknown(f"the password file {path} is not a file.")
            if status.st_uid not in {os.getuid(), 0}:
                raise PasswordUnknown(
                    f"the password file {path} belongs to another user.",
                    hint="Make a copy of your own.",
                )
            if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise PasswordUnknown(
                    f"the password file {path} can be read by other users of this machine.",
                    hint=f"Type: chmod 600 '{path}'",
                )
            password = _first_line(file.read(_LONGEST))
    except OSError as error:
        raise PasswordUnknown(
            f"the password file {path} cannot be read: {reason_of(error)}.",
            hint="Repair it, or enter the password again: callboard login NAME --force",
        ) from error
    if not password:
        raise PasswordUnknown(
            f"the password file {path} is empty.", hint="Write the password in its first line."
        )
    return password


def keep_in_file(path: Path, password: Secret) -> None:
    """Write a password to a file that only its owner can read. Raises `CallboardError`."""
    make_folder(path.parent)
    try:
        write_file(path, f"{password.reveal()}\n".encode(errors="surrogateescape"))
    except OSError as error:
        failure = CallboardError(f"the password cannot be written to {path}: {reason_of(error)}.")
    else:
        return
    raise failure  # outside of the handler, as the error's frames hold the password


def keep_in_keyring(profile: Profile, password: Secret) -> None:
    """Store a password in the system's keyring. Raises `PasswordUnknown` if that fails."""
    _with_keyring(
        profile, lambda keyring, *account: keyring.set_password(*account, password.reveal())
    )


def forget_in_keyring(profile: Profile) -> None:
    """Remove a password from the system's keyring, if it is there.

    Raises `PasswordUnknown` if that fails.
    """

    def forget(keyring: ModuleType, *account: str) -> None:
        if keyring.get_password(*account) is not None:
            keyring.delete_password(*account)

    _with_keyring(profile, forget)


def _with_keyring(profile: Profile, use: Callable[[ModuleType, str, str], T]) -> T:
    keyring = installed_keyring()
    try:
        return use(keyring, f"callboard {profile.name}", profile.login)
    except Exception as error:  # noqa: BLE001 (each backend has errors of its own)
        failure = PasswordUnknown(
            f"the system’s keyring does not respond ({type(error).__name__}).",
            hint="Unlock it, or use password_file or password_command in the profile.",
        )
    raise failure  # outside of the handler, as the backend's error may hold a password


def answer_of(command: str | Sequence[str], *, patience: float = PATIENCE_SECONDS) -> Secret:
    """The first line of a command's output. Raises `PasswordUnknown`."""
    words = _words(command)
    is_line = isinstance(command, str) and needs_shell(command)
    name = "line" if is_line else clean.line(Path(words[0]).name)  # its arguments may be private
    try:
        process = subprocess.Popen(  # noqa: S603 (the person's own command)
            words,
            # A prompt on the terminal would be drawn over the board, and never be answered.
            env={name: value for name, value in os.environ.items() if name != "GPG_TTY"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "not a command").lower()
        failure = f"cannot be run: {reason}."
    else:
        try:
            password = _first_line(process.communicate(timeout=patience)[0])
            if process.returncode == 0 and password:
                return password
            code = process.returncode
            failure = f"failed with exit code {code}." if code else "printed nothing."
        except subprocess.TimeoutExpired:
            failure = f"did not finish within {patience:g} seconds."
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # with its children
                # Reaps it, and closes the pipe.
                process.communicate()
    raise PasswordUnknown(f"the password command {name} {failure}", hint=_HINT)


def needs_shell(command: str) -> bool:
    """Whether a command line uses shell syntax outside of quotes."""
    plain = re.sub(r"'[^']*'|\\.", "", command, flags=re.DOTALL)
    if re.search(r"[$`]|^\s*\w+=", plain):  # these mean something in double quotes too
        return True
    return re.search(r"[|&;<>()*?~\n]", re.sub(r'"[^"]*"', "", plain)) is not None


def _words(command: str | Sequence[str]) -> Sequence[str]:
    if not isinstance(command, str):
        return command
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise PasswordUnknown(
            "the password command is invalid: a quote is not closed.",
            hint="Correct password_command in the profile.",
        )
    return ["/bin/sh", "-c", command] if needs_shell(command) else words


def _first_line(content: bytes) -> Secret:
    line = content.partition(b"\n")[0].rstrip(b"\r")
    del content  # A traceback may show local variables.
    return Secret(line.decode("utf-8", "surrogateescape"))
