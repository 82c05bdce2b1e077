"""How the board is read off the screen."""

from pathlib import Path

import pytest

from tests.drivers.terminal import Terminal
from tests.terminal.changes import board

pytestmark = pytest.mark.long

SCREEN = """\
 Faults
  1 Open                           ◦ 2  ▸2 Done                           ✓ 1
 ────────────────────────────────────── ──────────────────────────────────────
  card 2                                ▌✓ first 0                           ↑
  first 1

 ! This network shows its own page, not the service. Sign in, or check the
   address. Your 2 changes are kept.                        R try now  g u show
 space lift  ↵ open  n new  / filter  e title  x close
"""


@pytest.mark.parametrize("height", [9, 12])
def test_the_first_line_of_a_long_notice_is_no_card(tmp_path: Path, height: int) -> None:
    """Below cards that leave room, and below a column that is full."""
    *above, blank, one, two, footer = SCREEN.splitlines()
    lines = [*above, *[blank] * (height - len(above) - 3), one, two, footer]
    screen = tmp_path / "screen"
    screen.write_text("\n".join(lines), "utf-8")
    command = ["cat", str(screen)]
    with Terminal(command, environment={}, folder=tmp_path, columns=79, lines=height) as terminal:
        terminal.ends()
        assert board(terminal) == [["card 2", "first 1"], ["✓ first 0"]]
