"""Who gets an e-mail about what, by their preferences."""

import json
from collections.abc import Iterator

import pytest

from tests.service.letters import Desk
from tests.service.world import World, furnished_world
from tui.service.mail import MailQueue

COMMENTS = "/projects/1/tasks/1/comments"
TASK = "/projects/1/tasks/1"


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def world(desk: Desk) -> Iterator[World]:
    """A furnished world in which everybody has an e-mail address and letters go to the desk."""
    room = MailQueue(desk)
    world = furnished_world(mail=room)
    with world.database.transaction(writing=True) as db:
        db.run("update account set email = login || '@example.org'")
    yield world
    room.close()
    world.close()


def _written(world: World, desk: Desk) -> list[tuple[str, str]]:
    assert world.mail is not None
    return [(letter.to.partition("@")[0], letter.subject) for letter in desk.delivered(world.mail)]


def _prefer(world: World, login: str, **flags: bool) -> None:
    with world.database.transaction(writing=True) as db:
        db.run(
            "update membership set preferences = :flags where account_id = :person",
            flags=json.dumps(flags),
            person=world.id(login),
        )


def _set(world: World, who: str, name: str, value: object) -> None:
    world.done(who, "PUT", TASK, {"property": name, "value": value})


def _comment(world: World, who: str, text: str = "hello", **more: object) -> None:
    world.done(who, "POST", COMMENTS, {"comment": text, "comment_type": "comment", **more})


def test_an_assignment_is_told_to_whom_it_concerns(world: World, desk: Desk) -> None:
    _set(world, "ann", "assignees", [2, 3])
    _set(world, "ann", "assignees", [2])
    assert _written(world, desk) == [
        ("bob", "[Garden] Ann assigned you to “Dig”"),
        ("bob", "[Garden] Ann took you off “Dig”"),
    ]


def test_a_comment_is_told_to_the_assignees_but_not_to_its_author(world: World, desk: Desk) -> None:
    _set(world, "root", "assignees", [2, 3])
    _comment(world, "bob", "what now?")
    room = world.mail
    assert room is not None
    letters = desk.delivered(room)
    assert [letter.to for letter in letters[2:]] == ["ann@example.org"]
    letter = letters[-1]
    assert letter.text == "Bob commented on “Dig”\nBoard: Garden\n\nwhat now?\n"


def test_a_reply_is_told_to_the_author_of_what_it_answers(world: World, desk: Desk) -> None:
    body = {"comment": "yes", "comment_type": "reply", "parent_id": 1}
    reply = world.done("ann", "POST", COMMENTS, body).at("comment.id")
    world.done("bob", "POST", COMMENTS, body | {"parent_id": reply})
    world.done("ann", "POST", COMMENTS, body | {"parent_id": reply})
    assert _written(world, desk) == [
        ("bob", "[Garden] Ann replied to your comment on “Dig”"),
        ("ann", "[Garden] Bob replied to your comment on “Dig”"),
    ]


def test_a_mention_comes_before_a_comment_and_only_once(world: World, desk: Desk) -> None:
    _set(world, "root", "assignees", [3])
    text = "@\u200bbob\u200c @\u200bvic\u200c @\u200bsam\u200c"
    _comment(world, "ann", text, mentionData=[3, 4, 5])
    world.done("ann", "PUT", f"{COMMENTS}/2", {"comment": text + "!", "mentionData": [3, 4]})
    more = {"comment": text + " @\u200bann\u200c", "mentionData": [2]}
    world.done("ann", "PUT", f"{COMMENTS}/2", more)
    assert _written(world, desk) == [
        ("bob", "[Garden] Root assigned you to “Dig”"),
        ("bob", "[Garden] Ann mentioned you in a comment on “Dig”"),
        ("vic", "[Garden] Ann mentioned you in a comment on “Dig”"),
    ]


def test_a_change_that_mentions_somebody_new_tells_them(world: World, desk: Desk) -> None:
    body = {"comment": "ask @\u200bvic\u200c", "mentionData": [4]}
    world.done("bob", "PUT", f"{COMMENTS}/1", body)
    assert _written(world, desk) == [("vic", "[Garden] Bob mentioned you in a comment on “Dig”")]


def test_who_works_on_a_task_hears_of_its_stage_its_date_and_its_end(
    world: World, desk: Desk
) -> None:
    _set(world, "ann", "assignees", [3])
    world.done("ann", "PUT", f"{TASK}/move-task", {"newStageId": 2})
    world.done("ann", "PUT", f"{TASK}/move-task", {"newStageId": 2, "newIndex": 1})
    _set(world, "ann", "due_at", "2026-12-24")
    _set(world, "ann", "title", "Dig more")
    _set(world, "bob", "archived_at", value=True)
    assert _written(world, desk) == [
        ("bob", "[Garden] Ann assigned you to “Dig”"),
        ("bob", "[Garden] Ann moved to another stage: “Dig”"),
        ("bob", "[Garden] Ann changed the due date of “Dig”"),
        ("ann", "[Garden] Bob archived “Dig more”"),
    ]


@pytest.mark.parametrize(
    ("flags", "is_written"),
    [
        ({}, True),
        ({"email_after_task_assign": False}, False),
        ({"dashboard_notification": False}, True),
        ({"email_after_comment": False}, True),
    ],
)
def test_preferences_decide(
    world: World, desk: Desk, flags: dict[str, bool], *, is_written: bool
) -> None:
    _prefer(world, "bob", **flags)
    _set(world, "ann", "assignees", [3])
    assert bool(_written(world, desk)) is is_written


def test_who_has_no_address_gets_no_letter(world: World, desk: Desk) -> None:
    with world.database.transaction(writing=True) as db:
        db.run("update account set email = ''")
    _set(world, "ann", "assignees", [3])
    assert _written(world, desk) == []


def test_a_refused_change_tells_nobody(world: World, desk: Desk) -> None:
    body = {"property": "assignees", "value": [3, 5]}
    assert world.ask("ann", "PUT", TASK, body).status == 422
    world.link.execute("drop table task_watcher")
    assert world.ask("ann", "PUT", TASK, {"property": "assignees", "value": [3]}).status == 500
    assert _written(world, desk) == []


def test_hostile_names_stay_out_of_the_head_of_a_letter(world: World, desk: Desk) -> None:
    with world.database.transaction(writing=True) as db:
        db.run("update account set display_name = :name where login = 'ann'", name="A\r\nBcc: x")
        db.run("update task set title = :title where id = 1", title="x\x1b[31m\n" * 90)
    _set(world, "ann", "assignees", [3])
    subject = _written(world, desk)[0][1]
    assert subject.isprintable()
    assert len(subject) <= 200


def test_preferences_are_told_in_the_pivot(world: World) -> None:
    _prefer(world, "vic", email_after_comment=False)
    pivots = [
        person["pivot"] for person in world.done("vic", "GET", "/projects/1/assignees").at("data")
    ]
    assert [pivot["settings"] for pivot in pivots] == [
        'a:1:{s:8:"is_admin";b:1;}',
        'a:1:{s:8:"is_admin";b:0;}',
        'a:2:{s:8:"is_admin";b:0;s:14:"is_viewer_only";b:1;}',
    ]
    everything = (
        'a:7:{s:19:"email_after_comment";b:1;s:23:"email_after_task_assign";b:1;'
        's:29:"email_after_task_stage_change";b:1;s:32:"email_after_task_due_date_change";b:1;'
        's:28:"email_after_remove_from_task";b:1;s:24:"email_after_task_archive";b:1;'
        's:22:"dashboard_notification";b:1;}'
    )
    assert pivots[0]["preferences"] == everything
    assert pivots[2]["preferences"] == everything.replace(
        '"email_after_comment";b:1', '"email_after_comment";b:0'
    )
