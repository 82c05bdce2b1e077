"""How much of our code runs, counted instead of timed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from os import sep
from pathlib import Path
from types import FrameType
from typing import Any

import tui

_OURS = str(Path(tui.__file__).parent) + sep


class Effort:
    """The number of instructions of our code that this thread carried out."""

    def __init__(self) -> None:
        self.instructions = 0

    def called(self, frame: FrameType, _event: str, _argument: object) -> Any:
        if not frame.f_code.co_filename.startswith(_OURS):
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return self._went_on

    def _went_on(self, _frame: FrameType, event: str, _argument: object) -> Any:
        self.instructions += event == "opcode"
        return self._went_on


@contextmanager
def effort() -> Iterator[Effort]:
    """Count what runs meanwhile."""
    count, before = Effort(), sys.gettrace()
    sys.settrace(count.called)
    try:
        yield count
    finally:
        sys.settrace(before)
