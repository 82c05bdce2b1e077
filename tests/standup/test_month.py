"""Standups of five mornings in the month of a team, compared with what was expected of them.

The files in `expected` were worked out from the script of the month and the rules of the standup,
not copied from the program.
"""

import json
from pathlib import Path

import pytest

from tests.standup.morning import MORNINGS, Morning, opened
from tests.standup.script import HOLIDAY
from tests.store.counted import EDITIONS
from tui.model.standup.document import document
from tui.model.standup.report import Standup, standup
from tui.model.standup.rows import BoardSource
from tui.model.standup.window import WorkingDays
from tui.model.standup.writing import Lens, markdown
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
        sources.append(BoardSource(view.with_limits(known), history, archived))
    days = WorkingDays(holidays=frozenset({HOLIDAY}))
    return standup(sources, morning.now, days.since(morning.now))


@pytest.mark.parametrize("edition", ["embedded", "recent free"])
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
        assert text == (_EXPECTED / f"{morning.name}.{ending}").read_text(encoding="utf-8")
