"""Standups of five mornings in the month of a team, compared with what was expected of them.

The files in `expected` were worked out from the script of the month and the rules of the standup,
not copied from the program.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drivers.quiet import until_work_ends
from tests.harness.cases import mostly_long
from tests.lint import texts
from tests.screens.driving import Driver, connected
from tests.standup.morning import MORNINGS, Morning, opened
from tests.standup.script import HOLIDAY
from tests.store.counted import EDITIONS
from tui.app import CallboardApp
from tui.config.preferences import Preferences
from tui.config.settings import Settings
from tui.config.settings_writing import CurrentSettings
from tui.config.stage_settings import LIMITS
from tui.context import Context
from tui.model.standup.report import BoardSource, Standup, standup
from tui.model.standup.window import WorkingDays
from tui.model.standup.writing import Lens, document, markdown
from tui.store.store import LocalStore

_EXPECTED = Path(__file__).parent / "expected"


async def _held(store: LocalStore, morning: Morning) -> Standup:
    sources = []
    for board_id in morning.board_ids:
        view = await store.load_board(board_id)
        assert view is not None
        limits = {one.id: morning.limits.get(one.title) for one in view.stages}
        known = {stage_id: limit for stage_id, limit in limits.items() if limit is not None}
        history, archived = await store.history(board_id), await store.archived_tasks(board_id)
        sources.append(BoardSource(view.with_own(known, {}), history, archived))
    days = WorkingDays(holidays=frozenset({HOLIDAY}))
    return standup(sources, morning.now, days.since(morning.now))


@pytest.fixture
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The zone of the machine is UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.long
@pytest.mark.usefixtures("in_utc")
async def test_the_screen_copies_the_standup_of_a_morning(tmp_path: Path) -> None:
    morning = next(one for one in MORNINGS if one.name == "after_holiday")
    async with opened(morning, tmp_path, None) as store:
        preferences = Preferences()
        (board_id,) = morning.board_ids
        view = await store.load_board(board_id)
        assert view is not None
        limits = {one.id: morning.limits.get(one.title, 0) for one in view.stages}
        preferences.keep(board_id, **{LIMITS: {key: most for key, most in limits.items() if most}})
        context = Context(
            store,
            preferences=preferences,
            now=lambda: morning.now.replace(tzinfo=None),
            current=CurrentSettings(Settings(holidays=(HOLIDAY,))),
        )
        app = CallboardApp(context, connect=connected, board_id=board_id)
        async with app.run_test(size=(120, 36)) as pilot:
            person = Driver(app, pilot)
            await person.press("g", "s")
            await until_work_ends(app)
            for lens in ("walk", "people"):
                await person.press("y")
                expected = _EXPECTED / f"{morning.name}.{lens}.md"
                texts.check(
                    app.clipboard,
                    expected.read_text(encoding="utf-8"),
                    f"see first that {test_the_standup_of_a_morning.__name__} passes",
                )
                await person.press("tab")


@mostly_long("edition", ["embedded", "recent free"], every=2)
@pytest.mark.parametrize("morning", MORNINGS, ids=lambda morning: morning.name)
async def test_the_standup_of_a_morning(morning: Morning, edition: str, tmp_path: Path) -> None:
    async with opened(morning, tmp_path, EDITIONS[edition]) as store:
        held = await _held(store, morning)
    said = {
        "walk.md": markdown(held, Lens.WALK),
        "people.md": markdown(held, Lens.BY_PERSON),
        "json": json.dumps(document(held), indent=2, ensure_ascii=False) + "\n",
    }
    for ending, text in said.items():
        file = _EXPECTED / f"{morning.name}.{ending}"
        texts.check(
            text,
            file.read_text(encoding="utf-8"),
            f"work out from tests/standup/script.py why, and write it into tests/standup/expected/"
            f"{file.name}; nothing is copied from the program",
        )
