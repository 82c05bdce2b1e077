"""Replies: where they stand, who hears of them, and what goes with them."""

from typing import Any

import pytest

from tests.service.world import World

COMMENTS = "/projects/1/tasks/1/comments"


def _reply(world: World, who: str, parent: int, text: str = "yes", **more: object) -> Any:
    body = {"comment": text, "comment_type": "reply", "parent_id": parent, **more}
    return world.done(who, "POST", COMMENTS, body).at("comment")


def test_replies_are_folded_into_their_comment_oldest_first(world: World) -> None:
    first, second = _reply(world, "ann", 1, "one"), _reply(world, "bob", 1, "two")
    listed = world.done("vic", "GET", COMMENTS)
    assert (listed.at("total"), listed.at("comments.data.0.replies_count")) == (1, 2)
    assert [reply["id"] for reply in listed.at("comments.data.0.replies")] == [
        first["id"],
        second["id"],
    ]
    assert (first["type"], first["parent_id"], first["author_name"]) == ("reply", 1, "Ann")


def test_a_reply_to_a_reply_joins_its_thread(world: World) -> None:
    below = _reply(world, "ann", _reply(world, "ann", 1)["id"])
    assert below["parent_id"] == 1
    for _ in range(1200):
        world.link.execute(
            """insert into comment (board_id, task_id, parent_id, type, privacy, status,
                author_name, author_email, description, settings, created_by, created_at,
                updated_at)
            select board_id, task_id, 1, type, privacy, status, author_name, author_email,
                description, settings, created_by, created_at, updated_at
            from comment where id = ?""",
            (below["id"],),
        )
    assert world.done("vic", "GET", COMMENTS).at("comments.data.0.replies.#") == 1202


def test_replies_can_be_left_out_and_listed_alone(world: World) -> None:
    _reply(world, "ann", 1)
    without = world.done("vic", "GET", f"{COMMENTS}?include_replies=false")
    assert without.at("comments.data.0.replies") == []
    assert without.at("comments.data.0.replies_count") == 1
    alone = world.done("vic", "GET", f"{COMMENTS}?type=reply")
    assert (alone.at("total"), alone.at("comments.data.0.type")) == (1, "reply")
    assert world.done("vic", "GET", f"{COMMENTS}?type=comment").at("total") == 1
    assert world.ask("vic", "GET", f"{COMMENTS}?include_replies=perhaps").status == 422


def test_pages_count_comments_and_not_replies(world: World) -> None:
    for _ in range(3):
        _reply(world, "ann", 1)
    listed = world.done("vic", "GET", f"{COMMENTS}?per_page=1")
    assert (listed.at("total"), listed.at("comments.last_page")) == (1, 1)
    assert world.done("vic", "GET", "/projects/1/tasks/1").at("task.comments_count") == 4


def test_a_reply_is_as_private_as_what_it_answers(world: World) -> None:
    body = {"comment": "all", "comment_type": "comment", "privacy": "public"}
    public = world.done("ann", "POST", COMMENTS, body).at("comment")
    assert public["privacy"] == "public"
    assert _reply(world, "bob", public["id"], privacy="private")["privacy"] == "public"
    assert _reply(world, "bob", 1)["privacy"] == "private"
    assert world.done("vic", "GET", f"{COMMENTS}?privacy=public").at("total") == 1


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"comment_type": "reply"}, 422, "invalid_field"),
        ({"comment_type": "reply", "parent_id": None}, 422, "invalid_field"),
        ({"comment_type": "reply", "parent_id": 77}, 404, "comment_not_found"),
        ({"comment_type": "reply", "parent_id": 2**70}, 404, "comment_not_found"),
        ({"comment_type": "comment", "parent_id": 1}, 422, "invalid_field"),
        ({"comment_type": "remark"}, 422, "invalid_field"),
        ({"comment_type": "comment", "privacy": "secret"}, 422, "invalid_field"),
    ],
)
def test_what_is_no_reply_is_refused(
    world: World, more: dict[str, object], status: int, code: str
) -> None:
    answer = world.ask("bob", "POST", COMMENTS, {"comment": "x", **more})
    assert (answer.status, answer.body["code"]) == (status, code)
    assert world.done("vic", "GET", "/projects/1/tasks/1").at("task.comments_count") == 1


def test_a_comment_of_another_task_cannot_be_answered_here(world: World) -> None:
    body = {"comment": "x", "comment_type": "reply", "parent_id": 1}
    answer = world.ask("bob", "POST", "/projects/1/tasks/2/comments", body)
    assert (answer.status, answer.body["code"]) == (404, "comment_not_found")


def test_replies_are_changed_and_deleted_by_their_author(world: World) -> None:
    reply = _reply(world, "ann", 1)["id"]
    assert world.ask("bob", "PUT", f"{COMMENTS}/{reply}", {"comment": "no"}).status == 403
    changed = world.done("ann", "PUT", f"{COMMENTS}/{reply}", {"comment": "no"})
    assert changed.at("message") == "Reply has been updated"
    assert changed.at("comment.description") == "no"
    world.done("ann", "DELETE", f"/projects/1/tasks/comments/{reply}")
    assert world.done("vic", "GET", COMMENTS).at("comments.data.0.replies") == []


def test_replies_go_with_their_comment(world: World) -> None:
    _reply(world, "ann", 1)
    world.done("bob", "DELETE", "/projects/1/tasks/comments/1")
    assert world.done("vic", "GET", f"{COMMENTS}?type=reply").at("total") == 0
    assert world.done("vic", "GET", "/projects/1/tasks/1").at("task.comments_count") == 0


def test_a_mention_outlives_a_change_of_the_text(world: World) -> None:
    text = "ask @\u200bann\u200c"
    body = {"comment": text, "comment_type": "comment", "mentionData": [2]}
    comment = world.done("bob", "POST", COMMENTS, body).at("comment")
    path = f"{COMMENTS}/{comment['id']}"
    changed = world.done("bob", "PUT", path, {"comment": f"{text} soon"}).at("comment")
    assert changed["description"] == 'ask <a class="mention" href="#/member/2">Ann</a> soon'
    assert changed["settings"]["mentioned_id"] == [2]
    gone = world.done("bob", "PUT", path, {"comment": "ask"}).at("comment")
    assert gone["settings"]["mentioned_id"] == []
