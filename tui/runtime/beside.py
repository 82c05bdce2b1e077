"""Programs that run beside this one: in a session of their own, their output read as lines."""

import asyncio
import codecs
import os
import signal
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from tui.text import clean

_CHUNK, _LONGEST = 1 << 16, 1 << 14
"""The most bytes that are read at once, and the longest line in characters."""
_BETWEEN = 0.01
"""Seconds between two readings, so that endless output leaves time for keys."""
_REMAINING = 0.3
"""Seconds in which the last output is read once the program has ended."""
_GRACE = 1.0
"""Seconds that a program has to end when it is asked to."""
ShowLines = Callable[[Sequence[str]], None]


class OutputLines:
    """Makes terminal-safe lines of bytes as they arrive."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = ""

    def read(self, content: bytes, *, is_last: bool = False) -> list[str]:
        """The lines that these bytes end; of the last ones also the line without an end."""
        text = self._begun + self._decoder.decode(content, is_last)
        *lines, self._begun = text.split("\n")
        if self._begun and (is_last or len(self._begun) > _LONGEST):
            lines.append(self._begun)
            self._begun = ""
        # A terminal would write over what is before a carriage return.
        shown = (line.rstrip("\r").rpartition("\r")[2][:_LONGEST] for line in lines)
        return [clean.text(line).replace("\n", " ").expandtabs() for line in shown]


async def run_beside(words: Sequence[str], environ: Mapping[str, str], show: ShowLines) -> int:
    """Run a program without input; returns its exit code, less than 0 for a signal.

    `show` gets its output. When cancelled, the program ends with all that it has started. Raises
    `OSError` or `ValueError` if it cannot be run.
    """
    # A pipe of our own: `wait` of some versions of Python waits for those of asyncio to be closed,
    # which what the program leaves running in the background may hold open.
    read_end, write_end = os.pipe()
    try:
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=DEVNULL,
                stdout=write_end,
                stderr=write_end,
                env=environ,
                start_new_session=True,
            )
        finally:
            os.close(write_end)
    except BaseException:
        os.close(read_end)
        raise
    reading = asyncio.create_task(_read(read_end, show))
    try:
        code = await process.wait()
        await asyncio.wait([reading], timeout=_REMAINING)
    finally:
        try:
            if process.returncode is None:
                await _end(process)
        finally:
            reading.cancel()
            await asyncio.wait([reading])
    return code


async def _read(read_end: int, show: ShowLines) -> None:
    reader, lines = asyncio.StreamReader(_CHUNK), OutputLines()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_end, "rb", buffering=0)
    )
    try:
        while content := await reader.read(_CHUNK):
            if shown := lines.read(content):
                show(shown)
            await asyncio.sleep(_BETWEEN)
    finally:
        transport.close()
        if shown := lines.read(b"", is_last=True):
            show(shown)


async def _end(process: asyncio.subprocess.Process) -> None:
    try:
        _send(process, signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await process.wait()
    finally:
        await kill(process)


async def kill(process: asyncio.subprocess.Process) -> None:
    """Kill a program that leads a session of its own, with all that it has started."""
    _send(process, signal.SIGKILL)
    await process.wait()


def _send(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
