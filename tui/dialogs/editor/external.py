"""Editing a text in `$VISUAL` or `$EDITOR`.

The program is suspended meanwhile, as by ctrl+z. If the editor fails, the text is kept and the
result has a message. The temporary file is readable by the user only and is deleted afterwards.
"""

import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from textual.app import SuspendNotSupported

Suspend = Callable[[], AbstractContextManager[None]]
"""Releases the terminal for the duration of a block, like `App.suspend`."""

Run = Callable[[Sequence[str]], int]
"""Runs a program in the terminal and returns its exit code. Raises `OSError`."""


class Edited(NamedTuple):
    """The edited text, with a message and a hint for the status line."""

    text: str
    said: str = ""
    hint: str = ""
    is_error: bool = False


def run_program(words: Sequence[str]) -> int:
    """Run a program in the terminal, ignoring ctrl+c in this process."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.run(words, check=False).returncode  # noqa: S603 (the user's editor)
    finally:
        signal.signal(signal.SIGINT, before)


def edit_outside(
    text: str,
    suspend: Suspend,
    *,
    name: str = "text",
    environ: Mapping[str, str] = os.environ,
    run: Run = run_program,
) -> Edited:
    """Edit a text in `$VISUAL` or `$EDITOR`; `name` is the stem of the temporary file."""
    editor = environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        words = shlex.split(editor)
    except ValueError:
        return _failed(text, f"the editor “{editor}” has a quotation mark without its fellow")
    if not words:
        return _failed(text, "no editor is set", "export EDITOR=nano, or whichever you like")
    try:
        with _file(text, name) as path:
            return _edited(text, path, words, suspend, run)
    except OSError as problem:
        return _failed(text, f"the text cannot be handed over: {_reason(problem)}")


def _edited(text: str, path: Path, words: Sequence[str], suspend: Suspend, run: Run) -> Edited:
    code, problem = 0, ""
    try:
        with suspend():
            # An exception in this block would keep Textual from resuming the terminal.
            try:
                code = run([*words, str(path)])
            except (OSError, ValueError) as error:
                problem = _reason(error)
    except SuspendNotSupported:
        return _failed(text, "another program cannot have this terminal", "go on writing here")
    if problem:
        return _failed(text, f"{words[0]} cannot be started: {problem}", "$VISUAL, $EDITOR")
    written = _without_added_newline(path.read_bytes().decode(errors="replace"), text)
    if code < 0 and written != text:
        return Edited(written, f"{words[0]} was ended; what it had saved is here", is_error=True)
    if code != 0:
        how = f"ended with the code {code}" if code > 0 else "was ended"
        return _failed(text, f"{words[0]} {how}: the text is as it was")
    if written == text:
        hint = "an editor with a window of its own needs an option such as --wait"
        return Edited(text, "nothing was changed there", hint)
    return Edited(written)


@contextmanager
def _file(text: str, name: str) -> Iterator[Path]:
    """A temporary file with the text, in a private folder."""
    with TemporaryDirectory(prefix="callboard-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / f"{name}.md"
        path.touch(mode=0o600)
        path.write_bytes(text.encode(errors="replace"))
        yield path


def _without_added_newline(written: str, before: str) -> str:
    """Remove the line feed that editors add at the end of a file."""
    added = written.endswith("\n") and not before.endswith("\n")
    return written.removesuffix("\n") if added else written


def _failed(text: str, said: str, hint: str = "") -> Edited:
    return Edited(text, said, hint, is_error=True)


def _reason(problem: Exception) -> str:
    reason = problem.strerror if isinstance(problem, OSError) else ""
    return (reason or "unknown reason").lower()
