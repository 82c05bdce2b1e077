"""What is told and kept of an error of the program itself."""

import os
from pathlib import Path

from tui.errors import CannotGoOn

CRASH_LOG = "crash.log"


def crashed(details: str, folder: Path) -> CannotGoOn:
    """The one line that a person is told, after the details are written to a log in `folder`.

    `details` is a traceback without local variables; only the person can read the log.
    """
    log = folder / CRASH_LOG
    said = "stopped by an error of its own; what you did and typed is kept."
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        log.unlink(missing_ok=True)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode=0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(details)
    except OSError as problem:
        return CannotGoOn(f"{said} {log} cannot be written: {problem.strerror}.")
    return CannotGoOn(f"{said} The details are in {log}")
