"""The frame that is shown while the program starts: where it is, and what is needed for it."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tests.drivers.program import program
from tui.config.paths import Places
from tui.runtime.last_frame import LastFrame

OF_ENUM = {"_collections", "functools", "itertools", "keyword", "operator", "_operator",
           "collections", "reprlib", "types", "_functools"}  # fmt: skip
IMPORTED = """
import sys
before = set(sys.modules)
from tui.runtime import last_frame
print(*sorted(set(sys.modules) - before))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep caches elsewhere")
@pytest.mark.parametrize(
    "environment",
    [
        {"CALLBOARD_HOME": "/some/home"},
        {"CALLBOARD_HOME": "~/boards"},
        {"CALLBOARD_HOME": " relative "},
        {"XDG_CACHE_HOME": "/some/caches"},
        {"XDG_CACHE_HOME": ""},
        {},
    ],
)
def test_it_is_among_the_caches(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("CALLBOARD_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": str(tmp_path), **environment}.items():
        monkeypatch.setenv(name, value)
    assert LastFrame().path == str(Places.find(os.environ).last_frame)


def test_nothing_else_is_imported_before_it_is_shown() -> None:
    ran = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True
    )
    ours = ["tui", "tui.runtime", "tui.runtime.last_frame"]
    assert set(ran.stdout.split()) <= {*ours, "enum", "signal", "termios", *OF_ENUM}


def test_nothing_is_shown_nor_kept_without_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    frame = LastFrame()
    frame.show()
    frame.take_back()
    assert not frame.is_wanted
    assert "".join(capfd.readouterr()) == ""


START = """
import json, os, sys
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip
from tui.runtime.changed_cells import TerminalCells
from tui.runtime.last_frame import LastFrame

console = Console(color_system="truecolor", force_terminal=True)
texts = "Fix login redirect", "#1 4d overdue      ", " no cards          "
strips = [[Strip([Segment(text, Style(color="red"))])] for text in texts]
update = LayoutUpdate(strips, Region(0, 0, 18, 3))

def start():
    frame, cells = LastFrame(), TerminalCells()
    frame.show()
    assert frame.is_wanted
    cells.read(frame.rows)
    cells.changes(update, console)
    frame.take_back()
    return frame.rows

path, cells = LastFrame().path, TerminalCells()
cells.changes(update, console)
content = LastFrame().content(cells.frame(), cells.dump())
with open(path, "wb") as file:
    file.write(content)
assert start()
for damage in json.loads(os.environ["DAMAGES"]):
    with open(path, "wb") as file:
        file.write(eval(damage))
    start()
for other in json.loads(os.environ["OTHERS"]):
    if os.path.lexists(path):
        (os.rmdir if os.path.isdir(path) else os.unlink)(path)
    exec(other)
    assert not start(), other
"""
"""Starts on its terminal with each of the damaged frames, and with others in the file's place."""

DAMAGES = (
    "content[:at]", "content[:at] + noise + content[at:]",
    "content[:at] + noise + content[at + len(noise):]", "content[:at] + content[at + 9:]",
)  # fmt: skip
"""Python's expressions of a content that is damaged at a place, by noise."""
LENGTH, ROWS = "content.index(10) + 1", "content.index(b'{')"
REPLACED_ROWS = (
    "[" * 30_000, "null", "[]", '{"0": 1}', '{"0": [[1, 2]]}', '{"0": [["31", ["ab", 3]]]}',
    '{"0": [[["31"], "ab"]]}', '{"0": [["31", "\\ud800\\ud800"]]}', '{"-7": [["31", "ab"]]}',
    '{"%s": [["31", "ab"]]}' % ("9" * 5000), '{"0": [["31", "\\u001b[2J"]]}',
)  # fmt: skip
OTHERS = (
    "os.mkfifo(path)", "os.mkdir(path)", "os.symlink('/dev/zero', path)",
    "os.symlink(path, path)", "os.close(os.open(path, os.O_CREAT, 0))",
    "open(path, 'wb').truncate(1 << 30)",
)  # fmt: skip
"""What puts a pipe, a folder, a device, a link to itself, a file that may not be read or a huge one
in its place."""


def starts(home: Path, damages: Sequence[str] = (), others: Sequence[str] = ()) -> None:
    """Start the program's first part on a terminal with each damage, and each other thing."""
    start = (sys.executable, "-c", START)
    texts = json.dumps(damages), json.dumps(others)
    with program(home, command=start, DAMAGES=texts[0], OTHERS=texts[1]) as terminal:
        code = terminal.exit_code()
        assert code == 0, terminal.written.decode(errors="replace")[-2000:]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the frame is below `tmp_path`; it is not there."""
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache" / "last-frame"


def test_any_damage_is_no_matter(file: Path) -> None:
    random = Random(file.name)  # noqa: S311  the same in each run
    damages = [
        f"(lambda at, noise: {expression})({at}, {random.randbytes(random.randint(1, 9))!r})"
        for expression in DAMAGES
        for at in (*(random.randint(0, 600) for _ in range(60)), LENGTH, ROWS)
    ]
    lengths = ("9" * 20, "9" * 5000, "-5", "", " 7", "1e3", "0x7", "٣")
    damages += [
        f"content[:{LENGTH}] + {length.encode()!r} + b'\\n' + content[{ROWS}:]"
        for length in lengths
    ]
    damages += [f"content[:{ROWS}] + {rows.encode()!r}" for rows in REPLACED_ROWS]
    damages += [repr(random.randbytes(size)) for size in (1, 50, 3000)]
    starts(file.parents[1], damages)


def test_something_else_in_its_place_is_no_matter(file: Path) -> None:
    starts(file.parents[1], others=OTHERS)
