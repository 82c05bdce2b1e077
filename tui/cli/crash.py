"""Reports and logs an internal error."""

from pathlib import Path

from tui.config.paths import replacing
from tui.errors import CannotGoOn

CRASH_LOG = "crash.log"


def crashed(details: str, folder: Path) -> CannotGoOn:
    """The error to show, after writing the details to a log in `folder`.

    `details` is a traceback without local variables; only the user can read the log.
    """
    log = folder / CRASH_LOG
    said = "stopped by an error of its own; what you did and typed is kept."
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with replacing(log) as file:
            file.write(details.encode(errors="replace"))
    except OSError as problem:
        return CannotGoOn(f"{said} {log} cannot be written: {problem.strerror}.")
    return CannotGoOn(f"{said} The details are in {log}")
