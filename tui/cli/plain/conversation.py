"""`callboard --plain`: reads lines, carries out commands, and tells the news of others.

Each answer, question and event is a line of its own: no colour, no movement of the cursor.
"""

import asyncio
import sys
import threading
from collections.abc import Callable
from functools import partial

from tui.cli.plain.commands import carry_out, open_board
from tui.cli.plain.session import Session, Wanted
from tui.cli.scripts.opened import Opened, run_opened
from tui.errors import CallboardError, CannotGoOn

QUIT = ("quit", "q", "exit")


def converse(wanted: Wanted) -> int:
    """Read and carry out commands until the input ends. Raises `CallboardError`."""
    work = partial(_converse, wanted)
    return run_opened(wanted.profile, work, is_read_only=wanted.is_read_only)


async def _converse(wanted: Wanted, opened: Opened) -> int:
    lines: asyncio.Queue[str] = asyncio.Queue()
    session = Session(opened, lines, wanted)
    await opened.connect()
    opened.say_problem(())
    end = session.store.subscribe(session.hear)
    if wanted.is_read_only:
        session.say("read-only mode: nothing can be changed.")
    if wanted.board:
        await open_board(session, wanted.board)
    else:
        await carry_out(session, "boards")
    session.say("Type help for the commands.")
    _read_lines(asyncio.get_running_loop(), lines.put_nowait)
    try:
        while (line := await session.read_line()) is not None and line.casefold() not in QUIT:
            try:
                await carry_out(session, line)
            except CannotGoOn:
                raise
            except CallboardError as error:
                session.say(f"{error.message} {error.hint}".strip())
    finally:
        end()
    return 0


def _read_lines(loop: asyncio.AbstractEventLoop, put: Callable[[str], None]) -> None:
    """Read standard input on a thread that does not hold up the end of the program.

    It is read without a buffer, whose lock would be held then.
    """
    unbuffered = open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)  # noqa: SIM115

    def read() -> None:
        while True:
            raw = unbuffered.readline()
            try:
                loop.call_soon_threadsafe(put, raw.decode(errors="replace"))
            except RuntimeError:  # the program has ended
                return
            if not raw:
                return

    threading.Thread(target=read, daemon=True).start()
