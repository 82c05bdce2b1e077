"""Boards and stages beyond what the table of endpoints tries."""

import pytest

from tests.service.world import World


def _create(world: World, title: str, **more: object) -> int:
    board = {"title": title, "type": "to-do", **more}
    return int(world.done("ann", "POST", "/projects", {"board": board}).at("board.id"))


def _titles(world: World, query: str, who: str = "ann") -> list[str]:
    boards = world.done(who, "GET", f"/projects?{query}").at("boards.data")
    return [board["title"] for board in boards]


def test_the_list_is_searched_filtered_and_ordered(world: World) -> None:
    _create(world, "50% off")
    _create(world, "alpha_1", type="roadmap")
    assert _titles(world, "") == ["alpha_1", "50% off", "Garden"]
    assert _titles(world, "search=%25") == ["50% off"]
    assert _titles(world, "search=A_1") == ["alpha_1"]
    assert _titles(world, "search='%20or%201=1--") == []
    assert _titles(world, "type=roadmap") == ["alpha_1"]
    assert _titles(world, "order_by=title&order_type=asc") == ["50% off", "alpha_1", "Garden"]
    assert _titles(world, "order_by=created_at&order_type=DESC")[-1] == "Garden"


def test_people_see_their_own_boards_and_administrators_all(world: World) -> None:
    assert _titles(world, "", "sam") == ["Attic"]
    assert _titles(world, "", "vic") == ["Garden"]
    assert _titles(world, "", "root") == ["Attic", "Garden"]
    assert world.ask("root", "PUT", "/projects/2", {"title": "Loft"}).status == 200


def test_archived_boards_are_listed_apart(world: World) -> None:
    world.done("ann", "PUT", "/projects/1/archive-board")
    assert _titles(world, "") == []
    assert _titles(world, "option=archived") == ["Garden"]
    assert world.done("vic", "GET", "/projects/1").at("board.archived_at") == "2026-11-21 13:30:00"
    world.done("ann", "PUT", "/projects/1/restore-board")
    assert _titles(world, "") == ["Garden"]


def test_pages_say_where_they_stand(world: World) -> None:
    for number in range(4):
        _create(world, f"B{number}")
    page = world.done("ann", "GET", "/projects?per_page=2&page=2&search=B").at("boards")
    assert [board["title"] for board in page["data"]] == ["B1", "B0"]
    base = "http://embedded/v2/projects?per_page=2&search=B"
    assert page | {"data": [], "links": []} == {
        "current_page": 2,
        "data": [],
        "first_page_url": f"{base}&page=1",
        "from": 3,
        "last_page": 2,
        "last_page_url": f"{base}&page=2",
        "links": [],
        "next_page_url": None,
        "path": "http://embedded/v2/projects",
        "per_page": 2,
        "prev_page_url": f"{base}&page=1",
        "to": 4,
        "total": 4,
    }
    assert [link["label"] for link in page["links"]] == [
        "pagination.previous",
        "1",
        "2",
        "pagination.next",
    ]
    assert [link["active"] for link in page["links"]] == [False, False, True, False]
    beyond = world.done("ann", "GET", "/projects?page=9").at("boards")
    assert (beyond["data"], beyond["from"], beyond["to"], beyond["total"]) == ([], None, None, 5)


def test_counts_of_a_board(world: World) -> None:
    world.done("ann", "PUT", "/projects/1/tasks/1", {"property": "status", "value": "closed"})
    board = world.done("ann", "GET", "/projects").at("boards.data.0")
    assert (board["settings"]["tasks_count"], board["completed_tasks_count"]) == (2, "1")


def test_a_roadmap_brings_its_own_stages(world: World) -> None:
    body = {"board": {"title": "R", "type": "roadmap"}, "stages": ["Now", {"title": "Later"}]}
    stages = world.done("sam", "POST", "/projects", body).at("board.stages")
    assert [stage["title"] for stage in stages] == ["Now", "Later"]
    refused = world.ask("sam", "POST", "/projects", body | {"stages": ["Now", 3]})
    assert list(refused.at("data.params")) == ["stages.1"]


def test_a_board_gets_a_currency_and_a_background(world: World) -> None:
    body = {"board": {"title": "B", "type": "to-do", "background": {"color": "#a55eea"}}}
    board = world.done("sam", "POST", "/projects", body).at("board")
    assert (board["currency"], board["background"]["id"]) == ("USD", "solid_3")
    plain = world.done("sam", "GET", "/projects/2").at("board.background")
    assert plain == {"id": "solid_1", "is_image": False, "image_url": None, "color": "#d1d8e0"}


def test_a_board_without_stages_takes_no_task_by_its_id(world: World) -> None:
    board = _create(world, "Bare")
    for stage in world.done("ann", "GET", f"/projects/{board}").at("board.stages"):
        world.done("ann", "PUT", f"/projects/{board}/archive-stage/{stage['id']}")
    body = {"property": "board_id", "value": board}
    answer = world.ask("ann", "PUT", "/projects/1/tasks/1", body)
    assert (answer.status, answer.body["code"]) == (409, "no_stage")


def test_updating_the_title_alone_keeps_the_description(world: World) -> None:
    world.done("ann", "PUT", "/projects/1", {"title": "G", "description": "<p>x</p>"})
    board = world.done("ann", "PUT", "/projects/1", {"title": "H"}).at("board")
    assert (board["title"], board["description"]) == ("H", "<p>x</p>")


def test_deleting_a_board_leaves_nothing_of_it(world: World) -> None:
    world.done("ann", "DELETE", "/projects/1")
    assert world.ask("ann", "GET", "/projects/1").status == 404
    with world.database.transaction(writing=False) as db:
        for count in (
            "select count(*) from task",
            "select count(*) from comment",
            "select count(*) from task_label",
            "select count(*) from activity where board_id = 1",
            "select count(*) from membership where board_id = 1",
        ):
            assert db.value(count) == 0, count


def test_stages_left_out_of_the_order_follow(world: World) -> None:
    body = {"list": [3, 7]}
    stages = world.done("bob", "PUT", "/projects/1/re-position-stages", body).at("updatedStages")
    assert [(stage["id"], stage["position"]) for stage in stages] == [(3, 1), (1, 2), (2, 3)]


def test_a_restored_stage_brings_its_tasks_back_in_order(world: World) -> None:
    world.done("ann", "PUT", "/projects/1/tasks/2/move-task", {"newStageId": 1, "newIndex": 1})
    world.done("ann", "PUT", "/projects/1/archive-stage/1")
    stages = world.done("ann", "GET", "/projects/1").at("board.stages")
    assert [stage["id"] for stage in stages] == [2, 3]
    world.done("ann", "PUT", "/projects/1/restore-stage/1")
    stages = world.done("ann", "GET", "/projects/1").at("board.stages")
    assert [stage["id"] for stage in stages] == [2, 3, 1]
    assert world.tasks_in(1) == [2, 1]


@pytest.mark.parametrize(("position", "expected"), [(0.5, [8, 1, 2, 3]), ("1.5", [1, 8, 2, 3])])
def test_a_stage_is_put_where_it_is_wanted(
    world: World, position: object, expected: list[int]
) -> None:
    world.done("ann", "POST", "/projects/1/stage-create", {"title": "x", "position": position})
    stages = world.done("ann", "GET", "/projects/1").at("board.stages")
    assert [stage["id"] for stage in stages] == expected


def test_archived_stages_come_in_pages_of_thirty(world: World) -> None:
    page = world.done("ann", "GET", "/projects/1/archived-stages").at("stages")
    assert (page["per_page"], page["total"]) == (30, 1)
