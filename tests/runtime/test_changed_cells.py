"""Only changed cells are sent: a terminal shows the same as if all were."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pyte
import pytest
from rich.console import Console
from rich.segment import ControlType, Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from tui.runtime.cell_sequences import CellWriter, Stretch, move
from tui.runtime.changed_cells import TerminalCells

WIDTH, HEIGHT = 24, 4
CHARACTERS = ("a", "b", " ", " ", " " * 9, "●", "▲", "…", "─", "é", "漢", "🚀", "e\u0301")
COLORS = (None, "red", "#102030", "bright_blue", "color(130)")
CONSOLE = Console(color_system="truecolor", force_terminal=True)

Update = LayoutUpdate | ChopsUpdate


class Screen:
    """What a terminal shows."""

    def __init__(self) -> None:
        # One column more: pyte wraps a line whose last character has an accent of its own.
        self._screen = pyte.Screen(WIDTH + 1, HEIGHT)
        self._stream = pyte.Stream(self._screen)

    def feed(self, sequences: str) -> None:
        self._stream.feed(f"{sequences}\x1b[H")

    @property
    def text(self) -> list[str]:
        return list(self._screen.display)

    @property
    def cells(self) -> Sequence[Mapping[int, Any]]:
        """Each cell, by line and column; of a blank, only what can be seen of it."""
        lines = (self._screen.buffer[line] for line in range(HEIGHT))
        return [{column: _seen(line[column]) for column in range(WIDTH)} for line in lines]


def _seen(cell: Any) -> Any:
    if cell.data == " " and not (cell.underscore or cell.reverse or cell.strikethrough):
        return cell._replace(fg="default", bold=False, italics=False)
    return cell


def frame(random: Random, alike: float) -> Update:
    """A frame of the whole screen, or some spans of one.

    So many of its lines are the same in all frames, and the others are too, but for a few.
    """

    def style() -> Style | None:
        if random.random() < 0.2:
            return None
        link = "https://example.org/" if random.random() < 0.1 else None
        attributes: dict[str, Any] = {
            name: True
            for name in ("bold", "italic", "underline", "reverse", "strike")
            if random.random() < 0.1
        }
        color, ground = random.choice(COLORS), random.choice(COLORS)
        return Style(color=color, bgcolor=ground, link=link, **attributes)

    def strip(width: int) -> Strip:
        segments = [
            Segment("".join(random.choices(CHARACTERS, k=random.randint(1, 8))), style())
            for _ in range(random.randint(0, 4))
        ]
        return Strip(segments).adjust_cell_length(width, style())

    chops: list[Mapping[int, Strip | None]] = []
    for line in range(HEIGHT):
        state = random.getstate()
        if random.random() < alike:
            random.seed(line)
        cuts = sorted({0, WIDTH, *random.sample(range(1, WIDTH), random.randint(0, 3))})
        parts = {start: strip(end - start) for start, end in pairwise(cuts)}
        random.setstate(state)
        random.random()
        chops.append(parts)
    if random.random() < 0.5:
        strips = [[part for part in line.values() if part] for line in chops]
        return LayoutUpdate(list(strips), Region(0, 0, WIDTH, HEIGHT))
    spans = []
    for line in sorted(random.sample(range(HEIGHT), random.randint(1, HEIGHT))):
        first, last = sorted(random.choices(range(WIDTH + 1), k=2))
        spans.append((line, first, last))
    return ChopsUpdate(chops, spans, [[*list(line)[1:], WIDTH] for line in chops])


def copied(cells: TerminalCells) -> TerminalCells:
    """What another process knows of the terminal."""
    copy = TerminalCells()
    copy.read(cells.dump())
    copy.erases = cells.erases
    return copy


def seeds(count: int) -> list[Any]:
    """The first are tried by default, and all of them in the long tests."""
    few = min(count, 6)
    more = (pytest.param(seed, marks=pytest.mark.long) for seed in range(few, count))
    return [*range(few), *more]


@pytest.mark.parametrize("is_copied", [False, True])
@pytest.mark.parametrize("seed", seeds(40))
@pytest.mark.parametrize("erases", [False, True])
def test_a_terminal_shows_the_same(seed: int, *, is_copied: bool, erases: bool) -> None:
    random = Random(seed)  # noqa: S311  what is drawn is no secret
    whole, changed, cells = Screen(), Screen(), TerminalCells()
    cells.erases = erases
    for _ in range(10):
        update = frame(random, alike=0.6)
        if random.random() < 0.1:
            cells.forget()
        whole.feed(update.render_segments(CONSOLE))
        changed.feed(cells.changes(update, CONSOLE))
        cells = copied(cells) if is_copied else cells
        assert changed.cells == whole.cells


@pytest.mark.parametrize("seed", seeds(30))
def test_a_frame_can_be_taken_over(seed: int) -> None:
    """Another process draws it on an empty terminal, and goes on from there."""
    random = Random(seed)  # noqa: S311  what is drawn is no secret
    cells = TerminalCells()
    for _ in range(5):
        cells.changes(frame(random, alike=0.6), CONSOLE)
    whole, other = Screen(), Screen()
    other.feed(cells.frame())
    other_cells = copied(cells)
    update = frame(random, alike=0.6)
    while not isinstance(update, LayoutUpdate):
        update = frame(random, alike=0.6)
    whole.feed(update.render_segments(CONSOLE))
    other.feed(other_cells.changes(update, CONSOLE))
    assert other.cells == whole.cells


def test_a_copy_stays_as_it_is() -> None:
    cells, line = TerminalCells(), line_of(("text", "red"))
    copy = cells.copy()
    cells.changes(line, CONSOLE)
    assert copy.frame() == ""
    assert cells.frame() == "\x1b[31m\x1b[1Htext\x1b[m"


def test_a_text_can_be_put_on_a_frame() -> None:
    cells = TerminalCells()
    cells.changes(line_of(("a frame", "red")), CONSOLE)
    cells.put(2, 0, "old", "7")
    assert cells.frame() == "\x1b[31m\x1b[1Ha \x1b[6Gme\x1b[0;7m\x1b[1;3Hold\x1b[m"


def line_of(*parts: tuple[str, str] | Segment) -> LayoutUpdate:
    """A frame of one line."""
    segments = [
        part if isinstance(part, Segment) else Segment(part[0], Style.parse(part[1]))
        for part in parts
    ]
    strip = Strip(segments)
    return LayoutUpdate([[strip]], Region(0, 0, strip.cell_length, 1))


@pytest.mark.parametrize(
    ("before", "after", "sent"),
    [
        ("the same", "the same", ""),
        ("a word", "a ward", "\x1b[31m\x1b[1;4Ha\x1b[m"),
        ("one, two", "onE, Two", "\x1b[31m\x1b[1;3HE, T\x1b[m"),
        (f"a{'.' * 20}b", f"c{'.' * 20}d", "\x1b[31m\x1b[1Hc\x1b[22Gd\x1b[m"),
    ],
    ids=["nothing", "a cell", "cells nearby", "cells far away"],
)
def test_what_is_sent(before: str, after: str, sent: str) -> None:
    cells = TerminalCells()
    cells.changes(line_of((before, "red")), CONSOLE)
    assert cells.changes(line_of((after, "red")), CONSOLE) == sent


def test_of_a_style_only_what_changes_is_sent() -> None:
    update = line_of(("a", "red on blue"), ("b", "bold red on blue"), (" ", "green on blue"),
                     ("c", "red on blue"))  # fmt: skip
    assert TerminalCells().changes(update, CONSOLE) == (
        "\x1b[31;44m\x1b[1Ha\x1b[4Gc\x1b[1m\x1b[1;2Hb \x1b[m"
    )


def test_cells_of_one_style_are_sent_together() -> None:
    words = line_of(*[("tab ", "red"), ("section ", "blue")] * 2)
    assert TerminalCells().changes(words, CONSOLE) == (
        "\x1b[31m\x1b[1Htab \x1b[8Ctab \x1b[34m\x1b[5Gsection \x1b[4Csection \x1b[m"
    )


@pytest.mark.parametrize(
    ("parts", "sent"),
    [
        ([("a" + " " * 20, "on blue"), ("b", "on red")], "\x1b[44m\x1b[1Ha\x1b[20X"),
        ([("a" + " " * 20 + "b", "on blue")], "\x1b[44m\x1b[1Ha\x1b[20X\x1b[22Gb"),
        ([("a" + " " * 8 + "b", "on blue")], "\x1b[44m\x1b[1Ha        b"),
        ([("a" + " " * 20, "on blue")], "\x1b[44m\x1b[1Ha\x1b[K"),
        ([("a" + " " * 20, "underline on blue")], f"\x1b[4;44m\x1b[1Ha{' ' * 20}"),
    ],
    ids=["up to another background", "between words", "few", "up to the end", "underlined"],
)
def test_many_blanks_are_erased(parts: Sequence[tuple[str, str]], sent: str) -> None:
    cells, line = TerminalCells(), line_of(*parts)
    assert "\x1b[20X" not in cells.changes(line, CONSOLE), "not every terminal can"
    cells.forget()
    cells.erases = True
    assert sent in cells.changes(line, CONSOLE)


@pytest.mark.parametrize(
    ("at", "to", "sequence"),
    [
        ((3, 9), (3, 9), ""),
        ((3, 9), (3, 10), "\x1b[C"),
        ((3, 9), (3, 7), "\x1b[8G"),
        ((3, 9), (4, 9), "\x1b[B"),
        ((3, 9), (1, 9), "\x1b[2A"),
        ((3, 9), (4, 10), "\x1b[5;11H"),
        (None, (3, 0), "\x1b[4H"),
    ],
)
def test_the_cursor_moves_the_shortest_way(
    at: tuple[int, int] | None, to: tuple[int, int], sequence: str
) -> None:
    assert move(at, to) == sequence


def test_the_cursor_may_be_in_either_line_after_the_last_column() -> None:
    row = [(character, "") for character in "abc"]
    stretches = [Stretch(0, 2, row[2:]), Stretch(1, 2, row[2:])]
    sent = CellWriter({0: row, 1: row}, 3, erases=True).write(stretches)
    assert sent == "\x1b[1;3Hc\x1b[2;3Hc"


@pytest.mark.parametrize("wide", ["漢字", "🚀", "e\u0301"])
def test_what_terminals_draw_in_different_widths_is_sent_whole(wide: str) -> None:
    cells = TerminalCells()
    cells.changes(line_of((f"{wide} one", "red")), CONSOLE)
    assert cells.changes(line_of((f"{wide} one", "red")), CONSOLE) == ""
    assert cells.changes(line_of((f"{wide} two", "red")), CONSOLE) == (
        f"\x1b[1H\x1b[31m{wide} two\x1b[0m"
    )


def test_everything_is_sent_after_a_picture() -> None:
    # It may cover other lines than the one that it is written on.
    picture = Segment("picture", None, [(ControlType.CURSOR_FORWARD, 1)])
    cells, text = TerminalCells(), line_of(("text", "red"))
    cells.changes(text, CONSOLE)
    cells.changes(line_of(picture), CONSOLE)
    assert "text" in cells.changes(text, CONSOLE)


def test_the_terminal_is_unknown_once_it_is_forgotten() -> None:
    cells, text = TerminalCells(), line_of(("text", "red"))
    cells.changes(text, CONSOLE)
    cells.forget()
    assert cells.changes(text, CONSOLE) == "\x1b[31m\x1b[1Htext\x1b[m"


def test_what_is_known_can_be_taken_to_another_process() -> None:
    cells, line = TerminalCells(), line_of(("the same", "red"))
    cells.changes(line, CONSOLE)
    assert copied(cells).changes(line, CONSOLE) == ""


@pytest.mark.parametrize("damaged", [b"", b"{", b"[1]", b'{"a": []}', b'{"0": [1]}'])
def test_what_is_damaged_is_unknown(damaged: bytes) -> None:
    cells, line = TerminalCells(), line_of(("text", "red"))
    cells.changes(line, CONSOLE)
    cells.read(damaged)
    assert "text" in cells.changes(line, CONSOLE)
