"""How the screens look: one snapshot of each, of the parts of a task, and of the hardest states.

They are for layout alone. When a look was changed on purpose, see that it is right
(`python -m tests.pictures --into FOLDER --all`), then `pytest tests/pictures/test_snapshots.py -n 0
--snapshot-update`. A failure shows which lines of the text differ.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.drivers import loops
from tests.harness.zones import zone_of_machine
from tests.lint import texts
from tests.scenes import SCENES, Scene
from tui.text.cells import width

KEPT = Path(__file__).parents[1] / "__snapshots__" / "test_snapshots"
CELL = 12.2
"""The width of a cell in a drawing of Textual."""

SCREENS = ("board", "preview", "boards", "folders", "folders-80x24", "task", "waiting", "help")
TASKS = ("task-narrow", "thread", "subtask-lifted", "fields", "smaller-edition")
STANDUPS = ("standup", "speakers")
LISTS = (
    "my-work",
    "views",
    "view-timeline",
    "view-form",
    "members",
    "people",
    "webhooks",
    "activity-of-board",
    "archived-cards",
    "insight",
    "forecast",
)
TIMELINES = ("timeline", "timeline-80x24", "timeline-moving", "agenda", "agenda-80x24")
HARDEST = (
    "moving",
    "swimlanes",
    "swimlanes-80x24",
    "stages",
    "column-moving",
    "labels",
    "custom-fields",
    "board-80x24",
    "narrow",
    "empty",
    "pending",
    "news",
    "conflict-narrow",
)
LONG = (
    *("standup-80x24", "speakers-80x24", "views-80x24", "view-insight"),
    *("timeline-200x50", "timeline-light", "timeline-plain"),
)


@pytest.fixture(autouse=True)
def _no_clock_is_set_back(request: pytest.FixtureRequest) -> Iterator[None]:
    # The forecast stands on the hours of half a year.
    is_forecast = request.node.callspec.params["name"] == "forecast"
    with zone_of_machine("UTC") if is_forecast else nullcontext():
        yield


@pytest.mark.parametrize(
    "name",
    [
        *(*SCREENS, *TASKS, *STANDUPS, *LISTS, *TIMELINES, *HARDEST),
        *(pytest.param(name, marks=pytest.mark.long) for name in LONG),
    ],
)
def test_it_looks_as_it_did(name: str, snap_compare: Callable[..., bool]) -> None:
    scene = SCENES[name]
    if not snap_compare(scene.app(), terminal_size=scene.size, run_before=scene.play):
        test = f"{test_it_looks_as_it_did.__name__}[{name}]"
        accept = f"pytest 'tests/pictures/test_snapshots.py::{test}' -n 0 --snapshot-update"
        file = KEPT / f"{test}.svg"
        kept = file.read_text("utf-8") if file.exists() else "<svg/>"
        texts.check(text(loops.run(drawn(scene))), text(kept), accept)
        pytest.fail(
            "The text is the same, the colours or styles are not: snapshot_report.html shows both."
            f"\nIf the actual ones are right: {accept}",
            pytrace=False,
        )


async def drawn(scene: Scene) -> str:
    """The scene as SVG."""
    app = scene.app()
    async with app.run_test(size=scene.size) as pilot:
        await scene.play(pilot)
        return app.export_screenshot()


def text(drawing: str) -> str:
    """The lines of a terminal that was drawn as SVG, one text for each style."""
    lines: defaultdict[int, str] = defaultdict(str)
    for each in ET.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text"):  # noqa: S314 (our own drawing)
        _, _, number = each.get("clip-path", "").rpartition("-line-")
        if number:  # the title of the window has none
            column = round(float(each.get("x", "0")) / CELL)
            row = int(number.rstrip(")"))
            lines[row] += " " * (column - width(lines[row])) + (each.text or "")
    rows = range(max(lines, default=-1) + 1)
    plain = (lines[row].replace("\N{NO-BREAK SPACE}", " ").rstrip() for row in rows)
    return "".join(f"{line}\n" for line in plain)
