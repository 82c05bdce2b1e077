"""Draws the screens in the sizes, densities and themes of the design: `python -m tests.surface`.

Each picture has the name and the content of its mock-up, so that both can be looked at side by
side: NAME.svg, NAME.txt with the text alone, and NAME.png where `rsvg-convert` is installed.

    python -m tests.surface --into /tmp/look               all of them
    python -m tests.surface --into /tmp/look board task    those whose name has one of these words
    python -m tests.surface --into /tmp/look --pairs DIR   and PAIRS.txt, with each picture below
                                                           the mock-up NAME.txt of that folder
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import which
from subprocess import run

from tests.drivers import loops
from tests.drivers.quiet import drawn_lines
from tests.fakes.boards import NOW, task
from tests.fakes.store import FakeStore
from tests.pictures import chained, dated, platform, week
from tests.scenes import Scene, typed, with_views
from tui import tour
from tui.cli.pages.picture import svg_of
from tui.config.preferences import Preferences
from tui.context import Density
from tui.model.board import Board, BoardView, Stage
from tui.model.task import Priority
from tui.theme import ANSI, LIGHT

WIDE, SMALL, HUGE = (120, 36), (80, 24), (200, 50)
PAIRS = "PAIRS.txt"


def _tour() -> FakeStore:
    """The tutorial board."""
    stages = tuple(Stage(number, 1, title, number) for number, title in enumerate(tour.STAGES, 1))
    cards = tuple(
        task(number, lesson.title, priority=Priority(lesson.priority))
        for number, lesson in enumerate(tour.LESSONS, 1)
    )
    kept = platform.store(BoardView(Board(1, "Start here"), stages, {1: cards, 2: (), 3: ()}))
    kept.marks = {}
    return kept


def _no_boards() -> FakeStore:
    kept = platform.store()
    kept.views.clear()
    return kept


def _scene(
    name: str,
    keys: Iterable[str],
    store: Callable[[], FakeStore] = platform.store,
    *,
    board_id: int | None = platform.PLATFORM,
    preferences: Callable[[], Preferences] = platform.preferences,
    meanwhile: Callable[[FakeStore], None] | None = None,
) -> Scene:
    return Scene(
        name, "", store, tuple(keys), WIDE, board_id,
        preferences=preferences, now=platform.MONDAY, meanwhile=meanwhile,
    )  # fmt: skip


_MARKED = ("2", "j", "j", "v", "v")
"""Marks two cards of the second column."""
_HERE = (*_MARKED, "3", "g", "g", "j")
"""The cursor on the second card of the third column, with these marks."""
_BY_DATE = ("g", "d", "G", "k", "k", "k", "k", "k", "k")
_AT_403 = ("l", "j")
_LIFTED = ("3", "g", "g", "j", "space", "l")

BOARD = _scene("board", _HERE)
LIFT = _scene("board_lift", _LIFTED)
DUE = _scene("due", ("3", "g", "g", "d", *typed("thu 17:00")))
BLOCKED = replace(
    _scene("board_blocked", _AT_403, chained.blocked, board_id=1, preferences=Preferences), now=NOW
)
BLOCKED_PICK = replace(
    BLOCKED, name="blocked_pick", keys=(*_AT_403, "b", *typed("up"), "enter", *typed("th"))
)
TIMELINE = replace(_scene("timeline", _BY_DATE, dated.store, board_id=1), now=dated.SATURDAY)
BOTH_SIZES = (
    TIMELINE,
    replace(TIMELINE, name="agenda", keys=("g", "d", "tab")),
    BOARD,
    BLOCKED,
    BLOCKED_PICK,
    replace(BLOCKED, name="agents", store=chained.agents),
    LIFT,
    _scene("bulk", (*_HERE[:-1], "v", "2")),
    _scene("menu", ("3", "g", "g", "j", "comma", "j", "j", "j", "j")),
    _scene("boards", (), platform.all_boards, board_id=None),
    _scene("chord_go", (*_HERE, "g")),
    DUE,
    _scene("empty_filter", ("3", "slash", *typed("@fatima due:overdue"), "enter")),
    _scene("empty_no_boards", (), _no_boards, board_id=None, preferences=Preferences),
    _scene("empty_no_cards", (), platform.without_cards, preferences=Preferences),
    _scene("filter_error", ("3", "g", "g", "slash", *typed("@ann label:bgu"))),
    _scene("find", (*_HERE, "g", "f", *typed("login")), week.findable),
    _scene("first_start", (), _tour, preferences=Preferences),
    _scene("help", (*_HERE, "question_mark")),
    _scene("insight", ("g", "i"), week.half_a_year),
    _scene("forecast", ("g", "i", "tab"), week.half_a_year),
    _scene("labels", ("g", "l", "v", "j", "j", "j", "j", "j", "v", "k"), week.labelled),
    _scene("members", ("g", "t", "j", "j"), week.members),
    _scene("message_and_hints", (*_LIFTED, "enter")),
    _scene("mywork", ("g", "m"), week.week, preferences=week.since_friday),
    _scene("inbox", ("g", "o"), week.opened, preferences=week.since_friday),
    _scene("views", ("g", "v", "3"), week.week, preferences=with_views),
    _scene("view_edit", ("g", "v", "3", "V"), week.week, preferences=with_views),
    _scene("palette", (*_HERE, "colon", *typed("mo"))),
    _scene("standup_person", ("g", "s", "tab"), week.week),
    _scene("standup_speaker", ("g", "s", ">", ";"), week.week),
    _scene("standup_walk", ("g", "s"), week.week),
    _scene("state_conflict", (*_HERE, "g", "u", "enter"), week.conflict),
    _scene("state_offline", _HERE, week.offline),
    _scene("state_refused", _HERE, meanwhile=week.refuse_a_move),
    _scene("task", ("3", "g", "g", "j", "j", "enter"), week.opened),
    _scene(
        "task_comment",
        ("3", "g", "g", "j", "j", "enter", "c", *typed(week.COMMENT)),
        week.opened,
    ),
)
"""What is drawn at 120x36 and at 80x24."""


@dataclass(frozen=True, slots=True)
class View:
    """A scene as it is drawn for one picture."""

    scene: Scene
    colours: bool = True
    ascii_only: bool = False

    async def draw(self) -> tuple[str, str]:
        """The picture as SVG, and its text."""
        app = self.scene.app(colours=self.colours, ascii_only=self.ascii_only)
        async with app.run_test(size=self.scene.size) as pilot:
            await self.scene.play(pilot)
            text = "\n".join(strip.text.rstrip() for strip in drawn_lines(app))
            return svg_of(app, self.scene.name), f"{text}\n"


def views() -> dict[str, View]:
    """Every picture by its name."""
    drawn = {}
    for scene in BOTH_SIZES:
        for size in (WIDE, SMALL):
            at = f"{size[0]}x{size[1]}"
            if scene is BOARD:
                keys = _HERE if size == WIDE else _HERE[:-1]  # as the mock-ups have the cursor
                for density in Density:
                    dense = replace(scene, keys=keys, size=size, density=density)
                    drawn[f"board_d{int(density)}_{at}"] = View(dense)
            else:
                drawn[f"{scene.name}_{at}"] = View(replace(scene, size=size))
            if scene in (BOARD, LIFT):
                light = replace(scene, size=size, theme=LIGHT.name)
                drawn[f"{scene.name}_light_{at}"] = View(light)
        if scene.name.startswith(("standup", "timeline")):
            drawn[f"{scene.name}_200x50"] = View(replace(scene, size=HUGE))
        if scene.name in ("due", "standup_walk", "standup_person", "task", "timeline"):
            drawn[f"{scene.name}_light_120x36"] = View(replace(scene, theme=LIGHT.name))
        if scene.name == "standup_walk":
            drawn[f"{scene.name}_nocolor_120x36"] = View(scene, colours=False)
    # A small terminal begins with the agenda.
    small = replace(TIMELINE, size=SMALL)
    drawn["timeline_80x24"] = View(replace(small, keys=(*_BY_DATE, "tab")))
    drawn["agenda_80x24"] = View(replace(small, name="agenda", keys=("g", "d")))
    drawn["board_40x15"] = View(replace(BOARD, size=(40, 15), density=Density.NORMAL))
    drawn["board_ansi_120x36"] = View(replace(BOARD, theme=ANSI.name))
    for scene in (BOARD, BLOCKED, LIFT, DUE, TIMELINE):
        drawn[f"{scene.name}_nocolor_ascii_120x36"] = View(scene, colours=False, ascii_only=True)
    search = replace(BOARD, name="help_search", keys=(*_HERE, "question_mark", *typed("arch")))
    drawn["help_search_120x36"] = View(search)
    return drawn


def pairs(texts: dict[str, str], design: Path) -> str:
    """Each picture below its mock-up."""
    parts = []
    for name, text in texts.items():
        file = design / f"{name}.txt"
        mock_up = file.read_text("utf-8") if file.exists() else "(there is no mock-up)\n"
        parts.append(f"== {name}: mock-up\n{mock_up}-- {name}: program\n{text}")
    return "\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = ArgumentParser(prog="python -m tests.surface", description="Draw the mock-ups.")
    parser.add_argument("words", nargs="*", metavar="WORD", help="part of a name")
    parser.add_argument("--into", type=Path, required=True, metavar="FOLDER", help="where to")
    parser.add_argument("--pairs", type=Path, metavar="FOLDER", help="where the mock-ups are")
    given = parser.parse_args(arguments)
    given.into.mkdir(parents=True, exist_ok=True)
    converter, texts = which("rsvg-convert"), {}
    for name, view in views().items():
        if given.words and not any(word in name for word in given.words):
            continue
        picture, texts[name] = loops.run(view.draw())
        file = given.into / f"{name}.svg"
        file.write_text(picture, encoding="utf-8")
        file.with_suffix(".txt").write_text(texts[name], encoding="utf-8")
        if converter is not None:
            command = [converter, str(file), "-o", str(file.with_suffix(".png"))]
            run(command, check=True)  # noqa: S603 (our own drawing)
        sys.stdout.write(f"{name}\n")
    if given.pairs is not None:
        (given.into / PAIRS).write_text(pairs(texts, given.pairs), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
