"""What the copy of board 1 adds to the tables when it is made one row after the other, by ann."""

from collections.abc import Mapping
from typing import Any

from tests.service.world import World

Row = dict[str, Any]
NUMBERED = ("task", "subtask_group", "label", "custom_field", "custom_field_value")
LINKS = ("task_label", "task_assignee")
NOW = "2026-11-21T11:30:00+00:00"


def rows_of(world: World, table: str, order: str = "id") -> list[Row]:
    with world.database.transaction(writing=False) as db:
        return [dict(row) for row in db.select(table, order)]


def tables(world: World) -> dict[str, list[Row]]:
    """The rows of every table that a copy adds to, but for stages and activities."""
    numbered = {table: rows_of(world, table) for table in NUMBERED}
    return numbered | {table: rows_of(world, table, "task_id") for table in LINKS}


class OneByOne:
    """The rows that are added, by table; `ids` are those of copies by originals."""

    def __init__(self, before: Mapping[str, list[Row]], board: int, stages: dict[int, int]) -> None:
        self._before = before
        self._board = board
        self.ids: dict[str, dict[int, int]] = {table: {} for table in NUMBERED}
        self.added: dict[str, list[Row]] = {table: [] for table in (*NUMBERED, *LINKS)}
        for table in ("custom_field", "label"):
            for row in before[table]:
                if row["board_id"] == 1:
                    self._add(table, row, board_id=board)
        self._add_cards(stages)
        for row in before["custom_field_value"]:
            if task := self.ids["task"].get(row["task_id"]):
                field = self.ids["custom_field"][row["custom_field_id"]]
                self._add("custom_field_value", row, task_id=task, custom_field_id=field)
        for row in before["task_label"]:
            if task := self.ids["task"].get(row["task_id"]):
                label = self.ids["label"][row["label_id"]]
                self._link("task_label", row, task_id=task, label_id=label)
        for row in before["task_assignee"]:
            task = self.ids["task"].get(row["task_id"])
            if task and row["account_id"] == 2:
                self._link("task_assignee", row, task_id=task)

    def _add_cards(self, stages: dict[int, int]) -> None:
        active = [row for row in self._before["task"] if row["archived_at"] is None]
        for row in active:
            if row["stage_id"] in stages:
                self._add_task(row, stage_id=stages[row["stage_id"]])
        self.cards = dict(self.ids["task"])
        for row in self._before["subtask_group"]:
            if row["task_id"] in self.cards:
                self._add("subtask_group", row, task_id=self.cards[row["task_id"]])
        for row in active:
            if row["parent_id"] in self.cards:
                group = self.ids["subtask_group"][row["subtask_group_id"]]
                parent = self.cards[row["parent_id"]]
                self._add_task(row, parent_id=parent, subtask_group_id=group)

    def _add_task(self, row: Row, **place: int) -> None:
        own = {"board_id": self._board, "comments_count": 0, "created_by": 2}
        self._add("task", row, **own, **place)

    def _add(self, table: str, row: Row, **own: object) -> None:
        new = self._before[table][-1]["id"] + len(self.added[table]) + 1
        self.ids[table][row["id"]] = new
        self._link(table, row, id=new, **own)

    def _link(self, table: str, row: Row, **own: object) -> None:
        times = {name: NOW for name in ("created_at", "updated_at") if name in row}
        self.added[table].append(row | times | own)
