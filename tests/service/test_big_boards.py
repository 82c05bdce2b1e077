"""What is done to many cards at once takes as many statements as for few, so nobody waits long.

A writer of one board keeps those of every other board waiting, where one file holds all boards.
"""

from collections import Counter
from itertools import groupby
from typing import Any

import pytest

from tests.service.detailed_world import detailed_world
from tests.service.letters import Desk
from tests.service.one_by_one import NOW, OneByOne, rows_of, tables
from tests.service.world import World
from tui.service.mail import MailQueue
from tui.service.values import slug

_WALL = "2026-11-21 13:30:00"
_FEW, _MANY = 3, 12
_ALL = {"isWithTasks": "yes", "isWithLabels": "yes", "isWithTemplates": "yes"}
_CLONE = dict.fromkeys(("assignee", "subtask", "label", "attachment", "comment"), True)
_OTHER_BOARD = {"newBoardId": 3, "newStageId": 8}
_FURNISHING = (
    """insert into task_label (task_id, label_id, created_at)
    select task.id, label.id, 't' from task join label on label.board_id = task.board_id
    where label.position < 3""",
    """insert into task_assignee (task_id, account_id, created_at)
    select task.id, account_id, 't' from task
    join membership on membership.board_id = task.board_id where true
    on conflict do nothing""",
    """insert into task_watcher (task_id, account_id, created_at)
    select task_id, account_id, created_at from task_assignee where true
    on conflict do nothing""",
    """insert into custom_field_value (task_id, custom_field_id, value, created_at, updated_at)
    select task.id, custom_field.id, '"1"', 't', 't' from task
    join custom_field on custom_field.board_id = task.board_id where true
    on conflict do nothing""",
    "update account set email = login || '@example.org'",
)
_ASKED: dict[str, tuple[str, str, object]] = {
    "duplicate": ("POST", "duplicate-board", {"board": {"title": "Copy"}} | _ALL),
    "sort": ("PUT", "stage/1/sort-task", {"order": "title", "orderBy": "DESC"}),
    "archive all": ("PUT", "stage/1/archive-all-task", None),
    "restore a stage": ("PUT", "restore-stage/3", None),
    "clone": ("POST", "tasks/1/clone-task", {"title": "Again", "stage_id": 1} | _CLONE),
    "move with subtasks": ("PUT", "tasks/1/move-task", _OTHER_BOARD),
    "move beside": ("PUT", "tasks/9/move-task", {"newStageId": 1, "newIndex": 5}),
    "restore a card": ("PUT", "tasks/3", {"property": "archived_at", "value": None}),
    "delete with subtasks": ("DELETE", "tasks/1", None),
    "change a label": ("PUT", "labels/1", {"label": "Mine", "bg_color": "#ff0000"}),
    "delete a label": ("DELETE", "labels/1", None),
    "delete a field": ("DELETE", "custom-field/1", None),
    "take off": ("POST", "user/3/remove", None),
    "delete the board": ("DELETE", "", None),
}


def big_world(cards: int, *, mail: MailQueue | None = None) -> World:
    """A detailed world where stage 1 and task 1 have so many more cards, with all that cards have.

    Task 1 has as many comments more, each with a reply, and ann has board 3. Everybody has an
    e-mail address.
    """
    world = detailed_world(mail=mail)
    world.done("ann", "POST", "/projects", {"board": {"title": "Field", "type": "to-do"}})
    world.add_labels(3)
    with world.database.transaction(writing=True) as db:
        model: dict[str, Any] = db.select("task", id=1)[0]
        comment: dict[str, Any] = db.select("comment", id=1)[0]
        del model["id"], comment["id"]
        for number in range(cards):
            named = _titled(f"Card {number % 5}") | {"position": 2.0}
            task = db.insert("task", **model | named)
            times = {"created_at": "t", "updated_at": "t"}
            group = db.insert("subtask_group", task_id=task["id"], title="More", **times)
            below = {"position": 1000.0 + number, "stage_id": None}
            for parent, group_id in ((task["id"], group["id"]), (1, 1)):
                place = {"parent_id": parent, "subtask_group_id": group_id}
                db.insert("task", **model | _titled(f"Part {number}") | below | place)
            said = db.insert("comment", **comment | {"description": f"Word {number}"})
            db.insert("comment", **comment | {"parent_id": said["id"]})
        db.run("delete from task_label")
        for statement in _FURNISHING:
            db.run(statement)
    return world


def _titled(title: str) -> dict[str, Any]:
    return {"title": title, "slug": slug(title)}


def _statements(cards: int, name: str) -> list[str]:
    """What is asked of the database for a request to a world with so many cards."""
    room = MailQueue(Desk())
    world = big_world(cards, mail=room)
    method, path, body = _ASKED[name]
    asked: list[str] = []
    assert world.ask("ann", "GET", "/projects").status == 200  # the credentials are known
    world.link.set_trace_callback(asked.append)
    answer = world.ask("ann", method, f"/projects/1/{path}".removesuffix("/"), body)
    world.link.set_trace_callback(None)
    room.close()
    world.close()
    assert answer.status == 200, answer
    # What a statement deletes along with its rows is traced as that statement once more.
    return [" ".join(each.split())[:60] for each, _ in groupby(asked)]


@pytest.mark.parametrize("name", _ASKED)
def test_many_cards_take_as_many_statements_as_few(name: str) -> None:
    few, many = _statements(_FEW, name), _statements(_MANY, name)
    more = Counter(many) - Counter(few)
    assert len(many) == len(few), more.most_common(8)


def test_a_duplicate_has_the_rows_that_copying_one_by_one_would_make() -> None:
    world = big_world(_MANY)
    before, told_before = tables(world), len(rows_of(world, "activity"))
    stages = [row["id"] for row in rows_of(world, "stage") if row["board_id"] == 1]
    body = {"board": {"title": "Copy"}} | _ALL
    board = world.done("ann", "POST", "/projects/1/duplicate-board", body).at("board.id")
    copies = [row["id"] for row in rows_of(world, "stage") if row["board_id"] == board]
    reference = OneByOne(before, board, dict(zip(stages, copies, strict=False)))
    for table, rows in tables(world).items():
        assert _unordered(rows) == _unordered(before[table] + reference.added[table]), table
    told = rows_of(world, "activity")[told_before:]
    titles = {row["id"]: row["title"] for row in before["task"]}
    created = [("created", new, titles[old]) for old, new in reference.cards.items()]
    assert [(row["action"], row["task_id"], row["new_value"]) for row in told] == [
        ("created", None, "Copy"),
        *created,
        ("duplicated", None, "Copy"),
    ]
    world.close()


def _unordered(rows: list[dict[str, Any]]) -> list[list[tuple[str, Any]]]:
    return sorted((sorted(row.items()) for row in rows), key=str)


def test_archiving_all_tells_of_every_card_in_the_order_of_the_stage() -> None:
    desk = Desk()
    world = big_world(_MANY, mail=(room := MailQueue(desk)))
    order = world.tasks_in(1)
    before = len(rows_of(world, "activity"))
    answer = world.done("ann", "PUT", "/projects/1/stage/1/archive-all-task")
    assert [task["id"] for task in answer.at("updatedTasks")] == sorted(order)
    told = rows_of(world, "activity")[before:]
    assert [(row["action"], row["task_id"]) for row in told] == [("archived", i) for i in order]
    titles = {row["id"]: row["title"] for row in rows_of(world, "task")}
    assert [(letter.to, letter.subject) for letter in desk.delivered(room)] == [
        (f"{person}@example.org", f"[Garden] Ann archived “{titles[task]}”")
        for task in order
        for person in ("bob", "vic")
    ]
    archived = [row for row in rows_of(world, "task") if row["id"] in order]
    assert {(row["position"], row["archived_at"]) for row in archived} == {(0.0, _WALL)}
    world.close()


def test_a_sorted_stage_counts_from_one() -> None:
    world = big_world(_MANY)
    body = {"order": "title", "orderBy": "ASC"}
    answer = world.done("ann", "PUT", "/projects/1/stage/1/sort-task", body)
    tasks = [
        row for row in rows_of(world, "task", "position, id") if row["id"] in world.tasks_in(1)
    ]
    assert [row["position"] for row in tasks] == [*range(1, len(tasks) + 1)]
    assert [row["id"] for row in tasks] == [task["id"] for task in answer.at("updatedTasks")]
    titles = [row["title"].casefold() for row in tasks]
    assert titles == sorted(titles)
    assert {row["updated_at"] for row in tasks} == {NOW}
    world.close()
