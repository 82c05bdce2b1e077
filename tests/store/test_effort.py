"""A move of a card is as much work, with the same statements, on thousands of cards as on few."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.harness.effort import effort
from tests.store.counted import Counted, counted
from tests.store.machine.disk import AtOnce
from tui.model.board import Place
from tui.model.task import Task
from tui.store import operations as change

_FEW, _MANY = 100, 2_000
_AT_MOST = 1.2


def _card(one: Counted, stage: int, divisor: int) -> Task:
    lane = one.view.in_stage(one.view.stages[stage].id)
    return lane[len(lane) // divisor]


async def _move(one: Counted, to: int) -> None:
    """Move a card from the middle of a stage to somewhere in one."""
    card, above = _card(one, 0, 2), _card(one, to, 3)
    stage_id = one.view.stages[to].id
    await one.store.submit(change.MoveTask.on(card, stage_id, Place(above=above.id)))
    await one.rest()
    assert not one.store.status(one.board_id).pending
    found = one.view.place_of(card.id)
    assert found is not None
    assert (found[0], found[1].above) == (stage_id, above.id)


@pytest.mark.long
async def test_moving_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statements: list[str] = []
    connect = sqlite3.connect

    def traced(*given: Any, **named: Any) -> sqlite3.Connection:
        link: sqlite3.Connection = connect(*given, **named)
        link.set_trace_callback(statements.append)
        return link

    monkeypatch.setattr(sqlite3, "connect", traced)
    costs: list[list[tuple[int, int]]] = []
    for cards in (_FEW, _MANY):
        async with counted(tmp_path / str(cards), "embedded", cards) as one:
            await one.start()
            one.store._core.disk.close()
            one.store._core.disk._executor = AtOnce()
            costs.append([])
            for to in (0, 1):
                await _move(one, to)  # what is computed about all cards is computed once
                statements.clear()
                with effort() as count:
                    await _move(one, to)
                costs[-1].append((count.lines, len(statements)))
    for few, many, where in zip(*costs, ("within its stage", "to another stage"), strict=True):
        assert many[0] <= few[0] * _AT_MOST, where
        assert many[1] == few[1] > 0, where
