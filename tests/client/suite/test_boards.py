"""Boards: made, found, changed, put away, and who is on them."""

from functools import partial

import pytest

from tests.client.scripted import ids
from tests.client.suite.scene import Scene, needs
from tui.client import errors
from tui.client.answers import every_page
from tui.client.capabilities import Feature

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_new_board_has_stages_and_an_administrator(scene: Scene) -> None:
    made = await scene.ann.create_board("New", "<p>Why</p>", "to-do")
    board = await scene.ann.board(made["id"])
    assert (board["title"], board["description"], len(board["stages"])) == ("New", "<p>Why</p>", 3)
    assert [user["role"] for user in board["users"]] == ["admin"]


async def test_a_board_is_read_with_what_is_on_it(scene: Scene) -> None:
    label = await scene.label()
    board = await scene.ann.board(scene.board_id)
    assert (board["title"], board["type"], board["archived_at"]) == ("Plans", "to-do", None)
    assert len(board["stages"]) == len(scene.stages) == 3
    roles = {user["ID"]: user["role"] for user in board["users"]}
    assert roles == {scene.id("ann"): "admin", scene.id("bob"): "member"}
    assert label["id"] in ids(board["labels"])


async def test_a_board_gets_another_title_and_description(scene: Scene) -> None:
    changed = await scene.ann.update_board(
        scene.board_id, title="Better plans", description="<p>For all</p>"
    )
    board = await scene.ann.board(scene.board_id)
    for one in (changed, board):
        assert (one["title"], one["description"]) == ("Better plans", "<p>For all</p>")


@needs(Feature.BOARD_ARCHIVE)
async def test_a_board_goes_to_the_archive_and_comes_back(scene: Scene) -> None:
    assert (await scene.ann.archive_board(scene.board_id))["archived_at"] is not None
    assert scene.board_id not in ids(await scene.ann.list_boards())
    assert scene.board_id in ids(await scene.ann.list_boards(archived=True))
    assert (await scene.ann.restore_board(scene.board_id))["archived_at"] is None
    assert scene.board_id in ids(await scene.ann.list_boards())


async def test_a_board_is_copied_with_its_tasks(scene: Scene) -> None:
    await scene.make("Write", "Read")
    copy = await scene.ann.duplicate_board(scene.board_id, "Copy", with_tasks=True)
    tasks = await scene.ann.tasks(copy["id"])
    assert sorted(task["title"] for task in tasks) == ["Read", "Write"]


async def test_a_board_is_deleted_once_and_for_all(scene: Scene) -> None:
    await scene.ann.delete_board(scene.board_id)
    with pytest.raises(errors.NotFound):
        await scene.ann.board(scene.board_id)
    await scene.ann.delete_board(scene.board_id)


async def test_what_was_done_is_told_page_by_page_newest_first(scene: Scene) -> None:
    await scene.make(*"abcde")
    page = partial(scene.ann.activity_page, scene.board_id)
    pages = [page async for page in every_page(partial(page, per_page=2))]
    assert [len(page) for page in pages[:2]] == [2, 2]
    told = ids(record for page in pages for record in page)
    assert told == sorted(told, reverse=True)
    assert told == ids((await page()).documents)
    newest = pages[0][0]
    assert newest["user"] is not None
    assert (newest["action"], newest["user"]["user_login"]) == ("created", "ann")


@needs(Feature.CHANGE_NEWS)
async def test_news_are_noticed(scene: Scene) -> None:
    synced_at = (await scene.ann.board(scene.board_id)).get("synced_at")
    if scene.service.quirks.brief_news:
        assert synced_at is None
        return
    assert synced_at is not None
    before = await scene.ann.ask_changes(scene.board_id, synced_at)
    await scene.make("News")
    after = await scene.ann.ask_changes(scene.board_id, before.synced_at or "")
    assert after.has_changes is True


async def test_only_a_service_that_waits_is_waited_for(scene: Scene) -> None:
    synced_at = (await scene.ann.board(scene.board_id)).get("synced_at") or ""
    await scene.make("News")
    await scene.ann.changes_since(scene.board_id, synced_at)
    waits = Feature.WAITING_FOR_CHANGES not in scene.service.missing
    assert scene.ann.service.offers(Feature.WAITING_FOR_CHANGES) is waits
    if waits:
        assert await scene.ann.wait_for_change(scene.board_id, synced_at) is True
    else:
        with pytest.raises(errors.NotOffered):
            await scene.ann.wait_for_change(scene.board_id, synced_at)


async def test_whether_a_service_tells_news_is_known_after_asking(scene: Scene) -> None:
    synced_at = (await scene.ann.board(scene.board_id)).get("synced_at") or ""
    await scene.make("News")
    told = await scene.ann.changes_since(scene.board_id, synced_at)
    is_told = Feature.CHANGE_NEWS not in scene.service.missing
    assert (told is not None) is is_told
    assert scene.ann.service.offers(Feature.CHANGE_NEWS) is is_told
