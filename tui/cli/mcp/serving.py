"""`callboard mcp`: serves an agent on standard input and output, until the input ends.

Nothing but the protocol is on standard output; what is printed meanwhile goes to standard error.
"""

import asyncio
import importlib.util
import logging
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from tui.cli.lines import read_lines
from tui.cli.output import say_beside
from tui.cli.scripts.agent_name import agent_given
from tui.cli.scripts.opened import How, Opened, run_opened
from tui.errors import CannotGoOn, WrongInput
from tui.text.agent_marks import origin_of

if TYPE_CHECKING:
    import anyio
    from mcp.shared._stream_protocols import WriteStream
    from mcp.shared.message import SessionMessage

    from tui.cli.mcp.session import McpSession

_SECONDS_TO_ANSWER = 10.0
"""How long requests are answered after the end of the input."""


def serve(profile: str, board: str, *, agent: str, is_read_only: bool) -> int:
    """Serve an agent the boards of a profile, with the name of one only that."""
    name = agent_given(agent)
    if importlib.util.find_spec("mcp") is None:
        raise WrongInput("the mcp extra is not installed: pip install 'callboard[mcp]'")
    from tui.cli.mcp.session import ORIGIN, PATIENCE

    how = How(profile, is_quiet=True, patience=PATIENCE)
    work = partial(_serve, board=board, agent=name)
    return run_opened(how, work, is_read_only=is_read_only, origin=origin_of(name) or ORIGIN)


async def _serve(opened: Opened, *, board: str, agent: str) -> int:
    from mcp.server.stdio import stdio_server

    from tui.cli.mcp.server import server_of
    from tui.cli.mcp.session import McpSession

    await opened.connect()
    if opened.problems and not opened.workspace.store.is_connected:
        raise CannotGoOn(opened.problems[0].message, hint=opened.problems[0].hint)
    if sys.stdin.isatty():
        say_beside("callboard: waiting for an agent on standard input; ctrl+c to stop.")
    # The SDK warns of each line that it does not like, until nobody reads standard error.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    logging.getLogger("mcp").propagate = False
    session = McpSession(opened, board, agent)
    server = server_of(session)
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def end() -> None:
        session.stop()
        lines.put_nowait(b"")

    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, end)
    questions = _Questions(lines, session)
    is_gone = False
    try:
        async with stdio_server(stdin=cast("anyio.AsyncFile[str]", questions)) as (read, write):
            answers = questions.answers = _Answers(write, questions)
            # Only now, as a line that is no message is answered through `answers`.
            read_lines(loop, lines.put_nowait)
            await server.run(read, answers, server.create_initialization_options())
    # The task groups of the SDK raise a group even for a single error. The agent reads no more, and
    # needs no message.
    except* BrokenPipeError:
        is_gone = True
    return int(is_gone)


class _Questions:
    """The messages of the agent, which end only once every request is answered.

    Lines that are not messages are answered here. `answers` is set before the first line is read.
    """

    answers: "_Answers"

    def __init__(self, lines: asyncio.Queue[bytes], session: "McpSession") -> None:
        self._lines = lines
        self._session = session
        self._unanswered = Counter[str]()
        self._answered = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        from mcp.shared.message import SessionMessage

        from tui.cli.mcp.messages import RpcMessage, read_message

        while line := await self._lines.get():
            message = read_message(line)
            if isinstance(message, RpcMessage):
                if message.request_id is not None:
                    self._unanswered[str(message.request_id)] += 1
                if message.cancelled_id is not None:  # then it has no answer
                    self.note_answer(message.cancelled_id)
                yield message.text
            elif message is not None:
                await self.answers.send(SessionMessage(message))
        # A long call that is stopped answers how far it came.
        if not await self._all_answered():
            self._session.stop()
            await self._all_answered()

    async def _all_answered(self) -> bool:
        # False once no request was answered for `_SECONDS_TO_ANSWER`, however many there are.
        while self._unanswered.total() > 0:
            # Nothing is awaited between the count and this, so that no answer is missed.
            self._answered.clear()
            try:
                await asyncio.wait_for(self._answered.wait(), _SECONDS_TO_ANSWER)
            except TimeoutError:
                return False
        return True

    def note_answer(self, number: Any) -> None:
        """A request with this number is answered. Text and number are the same to the SDK."""
        self._unanswered[str(number)] -= 1
        self._unanswered = +self._unanswered  # a number may be none that was asked
        self._answered.set()


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
