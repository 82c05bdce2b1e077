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
    """The number of lines of our code that this thread carried out.

    Python 3.12 does not tell of instructions.
    """

    def __init__(self) -> None:
        self.lines = 0

    def called(self, frame: FrameType, _event: str, _argument: object) -> Any:
        if not frame.f_code.co_filename.startswith(_OURS):
            return None
        return self._went_on

    def _went_on(self, _frame: FrameType, event: str, _argument: object) -> Any:
        self.lines += event == "line"
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
