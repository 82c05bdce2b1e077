"""The cache: what the service said, as it said it, and nothing lost when the file is."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tui.client.documents import Document
from tui.errors import CallboardError
from tui.store.cache.file import Cache, open_cache
from tui.store.cache.revisions import ListRequest
from tui.store.files.database import transaction
from tui.store.store import LocalStore

BOARD = 1
OPEN, DOING = 11, 12
FRAME = {"id": BOARD, "title": "Relaunch", "stages": [{"id": OPEN}, {"id": DOING}]}
NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "default" / "cache.sqlite3"


@pytest.fixture
def cache(path: Path) -> Iterator[Cache]:
    cache, message = open_cache(path, NOW)
    assert message == ""
    yield cache
    cache.close()


def tasks_of(stage_id: int, *titles: str) -> list[Document]:
    """Tasks of a stage, in order."""
    return [
        {
            "id": stage_id * 100 + number,
            "board_id": BOARD,
            "stage_id": stage_id,
            "title": title,
            "position": float(number),
            "archived_at": None,
            "parent_id": None,
        }
        for number, title in enumerate(titles, start=1)
    ]


TEN = tasks_of(OPEN, *(f"Task {number}" for number in range(10)))
ELEVEN = TEN + tasks_of(DOING, "Delta")


def bodies(cache: Cache) -> int:
    return sum(map(len, cache.cards.lanes(BOARD).values()))


def test_documents_come_back_as_they_were_said(cache: Cache) -> None:
    task = {**TEN[0], "unheard_of": {"deep": [1, None]}, "title": "Ä\x1b[31m"}
    cache.put_tasks([task])
    assert cache.task(task["id"]) == task


def test_only_what_differs_is_told(cache: Cache) -> None:
    assert cache.put_tasks(TEN) == TEN
    assert cache.put_tasks(TEN) == []
    other = TEN[3] | {"title": "Other"}
    assert cache.put_tasks([*TEN[:3], other, *TEN[4:]]) == [other]


def test_a_reply_is_merged_into_what_is_known(cache: Cache) -> None:
    task = TEN[0]
    cache.put_tasks([task])
    merged = cache.merge_task({"id": task["id"], "title": "Other"})
    assert merged == {**task, "title": "Other"} == cache.task(task["id"])


def test_the_first_paint_reads_the_first_of_each_stage(cache: Cache) -> None:
    assert cache.first_paint(BOARD) is None
    cache.put_board(FRAME)
    cache.put_tasks(reversed(ELEVEN))
    first = cache.first_paint(BOARD, per_stage=4)
    assert first is not None
    assert first.totals == {OPEN: 10, DOING: 1}
    shown = [task.title for task in first.tasks]
    assert shown == ["Task 0", "Task 1", "Task 2", "Task 3", "Delta"]


def test_totals_follow_every_change(cache: Cache) -> None:
    cache.put_board(FRAME)
    first, second, third, *_ = TEN
    cache.put_tasks(ELEVEN)
    cache.put_tasks([{**first, "stage_id": DOING}, {**second, "archived_at": "2026-11-20 09:00"}])
    cache.forget_task(third["id"])
    cache.merge_task({"id": third["id"], "board_id": BOARD, "stage_id": None, "parent_id": 5})
    painted = cache.first_paint(BOARD)
    assert painted is not None
    assert painted.totals == {OPEN: 7, DOING: 2}
    cache.put_tasks([second])
    painted = cache.first_paint(BOARD)
    assert painted is not None
    assert painted.totals == {OPEN: 8, DOING: 2}


def test_the_cards_of_a_board_come_in_order(cache: Cache) -> None:
    cache.put_board(FRAME)
    cache.put_tasks(reversed(ELEVEN))
    whole = cache.whole(BOARD)
    assert whole is not None
    assert (whole.board, whole.newest_id) == (FRAME, ELEVEN[-1]["id"])
    titles = {id_: [task.title for task in lane] for id_, lane in whole.lanes.items()}
    assert titles == {OPEN: [f"Task {number}" for number in range(10)], DOING: ["Delta"]}
    assert cache.whole(BOARD + 1) is None


def test_of_some_tasks_those_on_a_board_are_known(cache: Cache) -> None:
    cache.put_tasks(TEN)
    ids = [TEN[0]["id"], TEN[1]["id"]]
    assert cache.cards.among(BOARD, [*ids, 99_999]) == set(ids)
    assert cache.cards.among(BOARD + 1, ids) == set()


def test_archived_tasks_are_kept_but_not_on_the_board(cache: Cache) -> None:
    task = {**TEN[0], "archived_at": "2026-11-20 09:00:00"}
    cache.put_tasks([task])
    assert cache.task(task["id"]) == task
    assert bodies(cache) == 0
    assert cache.cards.ids(BOARD) == set()
    assert cache.cards.among(BOARD, [task["id"]]) == set()
    assert cache.newest_task_id(BOARD) == task["id"]


def test_a_board_that_is_gone_takes_its_tasks_along(cache: Cache) -> None:
    cache.put_board_summaries([FRAME], cache.revision())
    cache.put_board(FRAME)
    cache.put_tasks(ELEVEN)
    assert cache.put_board_summaries([{"id": 2, "title": "Other"}], cache.revision()) is True
    assert cache.put_board_summaries([{"id": 2, "title": "Other"}], cache.revision()) is False
    assert [board["title"] for board in cache.board_summaries()] == ["Other"]
    assert cache.board(BOARD) is None
    assert bodies(cache) == 0


def test_a_damaged_file_is_set_aside_and_named(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database at all" * 100)
    cache, message = open_cache(path, NOW)
    (aside,) = path.parent.glob("*.broken-*")
    assert aside.read_bytes() == b"not a database at all" * 100
    assert "damaged" in message
    assert aside.name in message
    assert cache.board_summaries() == []
    cache.close()


def test_a_newer_file_is_set_aside_and_named(path: Path, cache: Cache) -> None:
    cache.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("pragma user_version = 99")
    connection.close()
    cache, message = open_cache(path, NOW)
    assert "newer" in message
    cache.close()


def _overwrite_all_but_the_first_page(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


async def test_a_file_damaged_inside_is_set_aside_by_the_store(
    tmp_path: Path, path: Path, cache: Cache
) -> None:
    cache.put_board_summaries([FRAME], cache.revision())
    cache.put_tasks(ELEVEN)
    cache.close()
    _overwrite_all_but_the_first_page(path)
    store = LocalStore.open(tmp_path / "cache", tmp_path / "data", "default")
    assert "cache was damaged" in store.messages[0]
    assert store.boards() == ()
    await store.aclose()


def test_a_folder_that_cannot_be_used_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    with pytest.raises(CallboardError, match="cannot be opened") as raised:
        LocalStore.open(tmp_path / "cache", tmp_path / "data", "default")
    assert raised.value.hint


@pytest.mark.parametrize("profile", ["", "..", "../up", "a/b", "-/", ".hidden"])
def test_a_profile_is_a_plain_name(tmp_path: Path, profile: str) -> None:
    with pytest.raises(CallboardError, match="name of a profile"):
        LocalStore.open(tmp_path / "cache", tmp_path / "data", profile)


def test_what_was_written_after_a_list_was_asked_for_is_newer(cache: Cache) -> None:
    first, second, third, *_ = TEN
    cache.put_tasks([first, second])
    asked = ListRequest(BOARD, cache.revision())
    cache.merge_task({"id": first["id"], "title": "Mine"})
    cache.put_tasks([third])
    assert cache.put_tasks([first, {**second, "title": "Theirs"}], asked) == [
        {**second, "title": "Theirs"}
    ]
    assert [task["id"] for task in cache.forget_tasks([second["id"], third["id"]], asked)] == []
    asked = ListRequest(BOARD, cache.revision())
    assert cache.forget_tasks([third["id"]], asked) == [third]
    known = cache.task(first["id"])
    assert known is not None
    assert known["title"] == "Mine"


def test_a_task_that_was_forgotten_meanwhile_does_not_come_back_with_an_old_list(
    cache: Cache,
) -> None:
    first = TEN[0]
    cache.put_tasks([first])
    asked = ListRequest(BOARD, cache.revision())
    cache.forget_task(first["id"])
    assert cache.put_tasks([first], asked) == []
    assert cache.task(first["id"]) is None


def test_reading_the_comments_of_a_board_does_not_read_those_of_others(cache: Cache) -> None:
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    def read() -> int:
        nonlocal steps
        steps = 0
        connection.set_progress_handler(count, 10)
        assert cache.sections.comments_on(BOARD) == {}
        connection.set_progress_handler(None, 0)
        return steps

    connection = cache.connection
    alone = read()
    comments = [{"id": number, "text": "Far away"} for number in range(1, 501)]
    with transaction(connection):
        cache.sections.put("comment", 7000, comments)
    assert read() == alone
