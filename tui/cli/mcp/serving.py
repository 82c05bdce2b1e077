"""`callboard mcp`: serves an agent on standard input and output, until the input ends.

Nothing but the protocol is on standard output; what is printed meanwhile goes to standard error.
"""

import asyncio
import importlib.util
import json
import signal
import sys
from collections.abc import AsyncIterator
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from tui.cli.lines import read_lines
from tui.cli.output import say_beside
from tui.cli.scripts.opened import How, Opened, run_opened
from tui.errors import CannotGoOn, WrongInput

if TYPE_CHECKING:
    import anyio
    from mcp.shared._stream_protocols import WriteStream
    from mcp.shared.message import SessionMessage

_SECONDS_TO_ANSWER = 10.0
"""How long requests are answered after the end of the input."""


def serve(profile: str, board: str, *, is_read_only: bool) -> int:
    """Serve an agent the boards of a profile, with the name of one only that."""
    if importlib.util.find_spec("mcp") is None:
        raise WrongInput("the mcp extra is not installed: pip install 'callboard[mcp]'")
    from tui.cli.mcp.session import ORIGIN, PATIENCE

    how = How(profile, is_quiet=True, patience=PATIENCE)
    work = partial(_serve, board=board)
    return run_opened(how, work, is_read_only=is_read_only, origin=ORIGIN)


async def _serve(opened: Opened, *, board: str) -> int:
    from mcp.server.stdio import stdio_server

    from tui.cli.mcp.server import server_of
    from tui.cli.mcp.session import Session

    await opened.connect()
    if opened.problems and not opened.workspace.store.is_connected:
        raise CannotGoOn(opened.problems[0].message, hint=opened.problems[0].hint)
    if sys.stdin.isatty():
        say_beside("callboard: waits for an agent on standard input; ctrl+c ends it.")
    server = server_of(Session(opened, board))
    lines: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, lines.put_nowait, "")
    read_lines(loop, lines.put_nowait)
    questions = _Questions(lines)
    async with stdio_server(stdin=cast("anyio.AsyncFile[str]", questions)) as (read, write):
        answers = _Answers(write, questions)
        await server.run(read, answers, server.create_initialization_options())
    return 0


class _Questions:
    """The lines of the agent. They end once every request in them is answered."""

    def __init__(self, lines: asyncio.Queue[str]) -> None:
        self._lines = lines
        self._unanswered: set[Any] = set()
        self._answered = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await self._lines.get():
            match _message_of(line):
                case {"method": "notifications/cancelled", "params": {"requestId": number}}:
                    self.note_answer(number)
                case {"method": _, "id": number}:
                    self._unanswered.add(number)
            yield line
        while self._unanswered:
            self._answered.clear()
            try:
                await asyncio.wait_for(self._answered.wait(), _SECONDS_TO_ANSWER)
            except TimeoutError:
                return

    def note_answer(self, number: Any) -> None:
        """The request with this number is answered."""
        self._unanswered.discard(number)
        self._answered.set()


def _message_of(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


class _Answers:
    """A stream of messages to the agent that notes which requests they answer."""

    def __init__(self, stream: "WriteStream[SessionMessage]", questions: _Questions) -> None:
        self._stream = stream
        self._questions = questions

    async def send(self, item: "SessionMessage", /) -> None:
        """Send a message."""
        await self._stream.send(item)
        if not hasattr(item.message, "method"):
            self._questions.note_answer(getattr(item.message, "id", None))

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        """Open the stream."""
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """Close the stream."""
        return await self._stream.__aexit__(kind, error, trace)
