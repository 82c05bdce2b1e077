"""The user's own command for notifications.

The text is its last argument, and in its environment, never a part of a line that a shell reads.
"""

import asyncio
import os
import shlex
import signal
from asyncio.subprocess import DEVNULL
from collections.abc import Sequence
from contextlib import suppress

from tui.config.passwords import needs_shell
from tui.errors import CallboardError, reason_of
from tui.model.work.news import News

_PATIENCE = 10.0


async def run_command(command: str, text: str, news: Sequence[News]) -> None:
    """Run a command for some news, which `text` sums up. Raises `CallboardError` if it fails."""
    environ = os.environ | environment(text, news)
    try:
        process = await asyncio.create_subprocess_exec(
            *words(command, text),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            env=environ,
            start_new_session=True,
        )
    except OSError as error:
        raise CallboardError(f"notify_command cannot be run: {reason_of(error)}.") from error
    try:
        async with asyncio.timeout(_PATIENCE):
            code = await process.wait()
    except TimeoutError:
        code = 0  # it may show something as long as it runs
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    if code:
        raise CallboardError(f"notify_command failed with exit code {code}.")


def words(command: str, text: str) -> list[str]:
    """The words of a command with the text as the last one.

    A line with shell syntax is read by a shell, in which the text is `$1`. Raises `CallboardError`.
    """
    if needs_shell(command):
        return ["/bin/sh", "-c", command, "callboard", text]
    try:
        split = shlex.split(command)
    except ValueError as error:
        raise CallboardError("notify_command is invalid: a quote is not closed.") from error
    if not split:
        raise CallboardError("notify_command is not set.")
    return [*split, text]


def environment(text: str, news: Sequence[News]) -> dict[str, str]:
    """The variables for the command; those about the card are of the first news."""
    first = news[0]
    return {
        "CALLBOARD_TEXT": text,
        "CALLBOARD_COUNT": str(len(news)),
        "CALLBOARD_EVENT": first.reason.value,
        "CALLBOARD_CARD": str(first.task.id),
        "CALLBOARD_TITLE": first.task.title,
        "CALLBOARD_BOARD": first.board,
    }
