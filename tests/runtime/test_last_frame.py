"""The frame that is shown while the program starts: where it is, and what is needed for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
