"""Counts the functions of ours that are entered for a key, from the keyboard to the service.

Run `python -m tests.benchmarks.functions`. The program runs in a terminal with its embedded service
and a profiler that notes each named function the first time it is entered: all until nothing moves
any more, and those until the first byte was drawn. Comprehensions and lambdas are left out.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

import tui
from tests.benchmarks.driven import Driven
from tests.benchmarks.seed import FIRST_TITLE, seed
from tui.config.paths import HOME_VARIABLE, Places

_STEPS: Mapping[str, Sequence[str]] = {
    "nothing": (),
    "cursor (j)": ("j",),
    "move a card (L)": ("L",),
    "close a card (x)": ("x",),
    "comment (c … ctrl+s)": ("c", "Looks good", "\x13"),
    "refresh a board (R)": ("R",),
}
_OURS = str(Path(tui.__file__).parent) + os.sep
_CHILD = "from tests.benchmarks.functions import profiled; profiled()"
_FILE = "CALLBOARD_FUNCTIONS"


def main() -> int:
    """Count, and print a line for each key."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.functions", description=__doc__
    )
    parser.add_argument("--cards", type=int, default=100, help="size of the board")
    parser.add_argument("--list", action="store_true", help="name the functions, in their order")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        home = Path(folder)
        asyncio.run(seed(home, asked.cards))
        # Nothing is to be asked for in the background meanwhile.
        settings = Places.find({HOME_VARIABLE: folder}).settings
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text("poll_seconds = 600\n", "utf-8")
        _count(home, is_listed=asked.list)
    return 0


def _count(home: Path, *, is_listed: bool) -> None:
    result = home / "functions.json"
    environment = {"PATH": os.defpath, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment |= {"LANG": "C.UTF-8", "HOME": str(home), "CALLBOARD_HOME": str(home)}
    program = Driven([sys.executable, "-c", _CHILD], environment | {_FILE: str(result)})
    try:
        program.until_shown(FIRST_TITLE, 120)
        program.until_idle(120)
        for name, keys in {"(not counted)": ("j", "k", "L", "H"), **_STEPS}.items():
            program.send_signal(signal.SIGUSR1)
            drawn = 0.0
            for key in keys:
                answer = program.press(key)
                drawn = 0.0 if answer is None else answer.first_at
            program.until_idle(60)
            program.send_signal(signal.SIGUSR2)
            program.until_idle(60)
            if name in _STEPS:
                _print(name, json.loads(result.read_text("utf-8")), drawn, is_listed=is_listed)
    finally:
        program.close()


def _print(name: str, entered: list[list[Any]], drawn: float, *, is_listed: bool) -> None:
    until_drawn = [(file, function) for file, function, at in entered if at <= drawn]
    files = {file for file, _function, _at in entered}
    _say(
        f"{name:22} {len(entered):4} functions in {len(files):3} files; until drawn "
        f"{len(until_drawn):3} in {len({file for file, _ in until_drawn}):2}"
    )
    if is_listed:
        for file, function, at in entered:
            _say(f"    {'  ' if at <= drawn else '> '}{file}: {function}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def profiled() -> None:
    """Run the program; SIGUSR1 begins to note functions, SIGUSR2 writes them down."""
    entered: dict[CodeType, float] = {}
    is_noting = False

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if not is_noting or event != "call":
            return
        code = frame.f_code
        if code not in entered and code.co_filename.startswith(_OURS) and code.co_name[0] != "<":
            entered[code] = perf_counter()

    def begin(_signal: int, _frame: object) -> None:
        nonlocal is_noting
        entered.clear()
        is_noting = True

    def end(_signal: int, _frame: object) -> None:
        nonlocal is_noting
        is_noting = False
        found = [
            (code.co_filename.removeprefix(_OURS), code.co_qualname, at)
            for code, at in sorted(entered.items(), key=lambda item: item[1])
        ]
        Path(os.environ[_FILE]).write_text(json.dumps(found), "utf-8")

    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, end)
    threading.setprofile(note)
    sys.setprofile(note)
    from tui.cli.program import run  # noqa: PLC0415  the profiler sees what importing it runs, too

    run(ascii_only=False, boards=False)


if __name__ == "__main__":
    sys.exit(main())
