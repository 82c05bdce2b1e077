"""Comments, replies, mentions and pictures."""

from functools import partial
from html import unescape

import pytest

from tests.client.scripted import all_comments, ids
from tests.client.suite.scene import Scene, needs
from tests.service.pictures import jpeg, png
from tui.client import errors
from tui.client.answers import gather
from tui.client.capabilities import Feature
from tui.client.documents import Document
from tui.client.values import as_ids
from tui.model.task import Person

pytestmark = pytest.mark.asyncio(loop_scope="session")

_PAGES = 23


async def _task(scene: Scene) -> int:
    (task_id,) = await scene.make("x")
    return task_id


async def _comments(scene: Scene, task_id: int) -> list[Document]:
    return [*await all_comments(scene.ann, scene.board_id, task_id)]


async def test_a_comment_says_what_was_typed(scene: Scene) -> None:
    task_id = await _task(scene)
    typed = "First & foremost: 1 < 2\nSecond line"
    await scene.ann.create_comment(scene.board_id, task_id, typed)
    (comment,) = await _comments(scene, task_id)
    assert unescape(comment["description"]) == typed
    assert unescape(comment["settings"]["raw_description"]) == typed
    assert (comment["created_by"], comment["type"]) == (scene.id("ann"), "comment")
    assert (await scene.task(task_id))["comments_count"] == 1


async def test_a_comment_is_changed_and_the_path_is_remembered(scene: Scene) -> None:
    task_id = await _task(scene)
    comment = await scene.ann.create_comment(scene.board_id, task_id, "First")
    for text in ("Second", "Third"):
        await scene.ann.update_comment(scene.board_id, task_id, comment["id"], text)
        assert [one["description"] for one in await _comments(scene, task_id)] == [text]


async def test_a_comment_of_somebody_else_cannot_be_changed(scene: Scene) -> None:
    task_id = await _task(scene)
    comment = await scene.bob.create_comment(scene.board_id, task_id, "Mine")
    with pytest.raises(errors.NotAllowed):
        await scene.ann.update_comment(scene.board_id, task_id, comment["id"], "Yours")
    assert [one["description"] for one in await _comments(scene, task_id)] == ["Mine"]


async def test_a_comment_is_deleted_with_its_replies(scene: Scene) -> None:
    task_id = await _task(scene)
    comment = await scene.ann.create_comment(scene.board_id, task_id, "First")
    await scene.bob.create_comment(scene.board_id, task_id, "Reply", parent_id=comment["id"])
    for _ in range(2):
        await scene.ann.delete_comment(scene.board_id, task_id, comment["id"])
        assert await _comments(scene, task_id) == []


async def test_that_a_comment_of_somebody_else_is_still_there_is_said(scene: Scene) -> None:
    task_id = await _task(scene)
    comment = await scene.bob.create_comment(scene.board_id, task_id, "Mine")
    with pytest.raises(errors.ApiError):
        await scene.ann.delete_comment(scene.board_id, task_id, comment["id"])
    assert ids(await _comments(scene, task_id)) == [comment["id"]]


async def test_replies_stand_below_what_they_answer(scene: Scene) -> None:
    task_id = await _task(scene)
    comment = await scene.ann.create_comment(scene.board_id, task_id, "Question")
    made = [
        (await client.create_comment(scene.board_id, task_id, text, parent_id=comment["id"]))["id"]
        for client, text in ((scene.bob, "Answer"), (scene.ann, "Thanks"))
    ]
    (thread,) = await _comments(scene, task_id)
    assert ids(sorted(thread["replies"], key=lambda reply: reply["id"])) == made
    assert [reply["parent_id"] for reply in thread["replies"]] == [comment["id"]] * 2
    await scene.ann.delete_comment(scene.board_id, task_id, made[1], parent_id=comment["id"])
    (thread,) = await _comments(scene, task_id)
    assert ids(thread["replies"]) == made[:1]


async def test_a_mention_reaches_whom_it_names(scene: Scene) -> None:
    task_id = await _task(scene)
    text, bob = "Ask @bob, not @nobody", Person(scene.id("bob"), "Bob", "bob")
    await scene.ann.create_comment(scene.board_id, task_id, text, mentions=[bob])
    (comment,) = await _comments(scene, task_id)
    assert as_ids(comment["settings"]["mentioned_id"]) == [bob.id]
    assert ">Bob</a>" in comment["description"]
    assert "@nobody" in comment["description"]


@needs(Feature.PICTURES)
async def test_pictures_come_with_their_comment(scene: Scene) -> None:
    task_id = await _task(scene)
    images = [
        await scene.ann.upload_image(scene.board_id, task_id, f"plan of {kind}", content)
        for kind, content in (("all.png", png()), ("one.jpg", jpeg()))
    ]
    await scene.ann.create_comment(scene.board_id, task_id, "", image_ids=ids(images))
    (comment,) = await _comments(scene, task_id)
    assert {image["id"]: image["title"] for image in comment["images"]} == {
        image["id"]: image["title"] for image in images
    }
    assert images[0]["title"] == "plan of all.png"
    shown = {image["title"]: image["secure_url"] or "" for image in comment["images"]}
    assert await scene.session.fetch(shown["plan of all.png"]) == png()


async def test_a_picture_that_is_too_large_is_an_error_in_words(scene: Scene) -> None:
    task_id = await _task(scene)
    for content in (png() + bytes(11 << 20), b"no picture"):
        with pytest.raises((errors.Refused, errors.TooLarge), match=r"plan\.png"):
            await scene.ann.upload_image(scene.board_id, task_id, "plan.png", content)


async def test_a_comment_that_services_would_cut_is_refused_before_it_is_sent(
    scene: Scene,
) -> None:
    task_id = await _task(scene)
    with pytest.raises(errors.Refused, match="kB"):
        await scene.ann.create_comment(scene.board_id, task_id, "ä" * 33_000)
    assert await _comments(scene, task_id) == []


async def test_many_comments_are_read_through_all_pages(scene: Scene) -> None:
    task_id = await _task(scene)
    made = [
        (await scene.ann.create_comment(scene.board_id, task_id, f"Number {number}"))["id"]
        for number in range(_PAGES)
    ]
    page = partial(scene.ann.comments, scene.board_id, task_id)
    pages = [await page(number, per_page=9) for number in (1, 2, 3)]
    assert [page.is_last for page in pages] == [False, False, True]
    assert sorted(ids(record for page in pages for record in page.documents)) == made
    oldest = await gather(partial(page, order="oldest"))
    assert ids(oldest) == made
