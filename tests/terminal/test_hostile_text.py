"""Titles that are made to take over a terminal are drawn as harmless text, in their place."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.drivers.program import TOUR, columns, counts, has_tour, is_settled, program, stored
from tests.drivers.terminal import Terminal
from tests.terminal.changes import start_typing

pytestmark = pytest.mark.long

PLANTED = "\x1b]2;planted\x07\x1b[31;45mred\x1b[2J\x1b[?1049l\x9b6n\x1bP+q544e\x1b\\\r\n\x08\x7f"
"""Set the title, colour, clear, leave the screen, ask for an answer."""

TITLES = (
    f"before{PLANTED}after",
    "[b]bold[/b] [red]markup[/] [/nothing] [@click=app.quit]quit[/]",
    "日本語のタイトルは一文字が二つのセルを使います、とても長いので切られます",
    "😀😃 emoji 🚀🎉 that are wide 🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍",
    "שלום עולם \u202eoverridden\u202c مرحبا بالعالم",
    "e\u0301a\u0308o\u0302 combined " + "z\u0335\u0336\u0337\u0338" * 60,
    "long " + "x" * 10_000,
    "wide " + "長" * 10_000,
    "\u2066isolated\u2069 and \ufeffmarked",
)


def plant(home: Path) -> None:
    """Give the first cards of the tour these titles, as a service may send any."""
    with closing(sqlite3.connect(home / "data" / "boards.sqlite3")) as boards, boards:
        ids = boards.execute("select id from task order by id limit ?", (len(TITLES),)).fetchall()
        for (task_id,), title in zip(ids, TITLES, strict=True):
            boards.execute("update task set title = ? where id = ?", (title, task_id))
        boards.execute("update board set title = ?", (f"Board{PLANTED} [b]of[/b] all",))
        boards.execute("update stage set title = ? where position <= 1", (f"Stage{PLANTED}日本",))
        boards.execute("update board set change_count = change_count + 1")


def unharmed(terminal: Terminal) -> bytes:
    """What the program wrote, after making sure that nothing planted is in it."""
    written = bytes(terminal.written)
    for planted in (b"\x1b]2;", b"\x1b[31;45m", b"\x1bP+q", b"\xc2\x9b", b"\x08", b"\x7f"):
        assert planted not in written
    for sign in ("\u202e", "\u2066", "\ufeff"):
        assert sign.encode() not in written
    return written


def until_aligned(terminal: Terminal) -> None:
    """Read until the board is drawn with the frame of each column in the same cells throughout."""
    terminal.until(lambda: columns(terminal), "every frame in its place")


def test_hostile_titles_are_drawn_in_their_place(home: Path) -> None:
    """On a large terminal and on a small one, between which each is carried in the hand."""
    plant(home)
    here, there = (120, 36), (80, 24)
    with program(home, columns=here[0], lines=here[1]) as terminal:
        terminal.sees("beforered")
        terminal.until(lambda: is_settled(terminal, home), "the service")
        terminal.press("ctrl+e")
        for size in (there, here):
            terminal.sees("[b]bold[/b]", "日本語の", "😀😃", "שלום", "1 line")
            until_aligned(terminal)
            assert counts(terminal) == TOUR
            terminal.resize(*size)
        terminal.press("space")
        terminal.sees("◆ Moving")
        terminal.press("escape")
        terminal.misses("◆ Moving")
        for row in range(1, len(TITLES)):
            terminal.press("j", "space")
            terminal.sees("◆ Moving")
            terminal.press("l")
            terminal.sees("back to Stagered")
            until_aligned(terminal)
            terminal.resize(*there)
            terminal.sees("back to Stagered")
            until_aligned(terminal)
            here, there = there, here
            terminal.press("space")
            terminal.until(
                lambda row=row: counts(terminal)[1:2] == [TOUR[1] + row],  # type: ignore[misc]
                "the card in the next column",
            )
            terminal.press("1", *"k" * 20)
            terminal.misses("◆ Moving")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert unharmed(terminal).count(b"\x1b[?1049l") == 1


def test_a_hostile_title_opens_as_a_task_and_in_every_dialog(home: Path) -> None:
    plant(home)
    with program(home) as terminal:
        terminal.sees("beforered")
        terminal.until(lambda: is_settled(terminal, home), "the service")
        for below in ("[b]bold[/b]", "日本語"):
            terminal.press("p")
            terminal.sees("Priority of")
            terminal.press("escape")
            terminal.misses("Priority of")
            terminal.press("D")
            terminal.sees("Comments and history")
            terminal.press("escape")
            terminal.sees("Nothing was deleted")
            terminal.press("x")
            terminal.sees("✓ Closed")
            terminal.press("enter")
            terminal.misses(" ▸1 ")
            terminal.press("escape")
            terminal.sees(" ▸1 ")
            terminal.press("j")
            terminal.sees(f"▌{below}")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert unharmed(terminal).count(b"\x1b[?1049l") == 1


def test_what_is_pasted_into_a_title_is_harmless(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        start_typing(terminal, "n")
        planted = PLANTED.replace("\x1b", "").replace("\r\n", "")  # that would make two cards
        terminal.paste(f"pasted {planted} 日本 [b]x[/b] ")
        terminal.sees("q544e")
        terminal.press("enter")
        terminal.until(lambda: counts(terminal)[:1] == [TOUR[0] + 1], "the new card")
        terminal.until(lambda: is_settled(terminal, home), "the card at the service")
        until_aligned(terminal)
        unharmed(terminal)

        start_typing(terminal, "n")
        terminal.paste("w" * 10_000)
        terminal.sees("wwww")
        terminal.press("enter")
        title = "w" * 10_000
        terminal.until(
            lambda: title in titles(home) or "need attention" in terminal.lines[0],
            "the new card at the service, or that there is none",
        )
        terminal.until(lambda: is_settled(terminal, home), "the service")
        until_aligned(terminal)
    assert [each for each in titles(home) if each.startswith("wwww")] in ([title], [])


def titles(home: Path) -> list[str]:
    """Those of the cards at the service."""
    return [title for title, _, _ in stored(home)[0]]
