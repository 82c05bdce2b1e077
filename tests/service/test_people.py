"""Comments, labels and members: who may do what, and what follows from it."""

import pytest

from tests.service.world import World

COMMENTS = "/projects/1/tasks/1/comments"


def _comment(world: World, who: str, text: str, **more: object) -> dict[str, object]:
    body = {"comment": text, "comment_type": "comment", **more}
    comment: dict[str, object] = world.done(who, "POST", COMMENTS, body).at("comment")
    return comment


def test_only_the_author_changes_a_comment(world: World) -> None:
    for who in ("ann", "root"):
        changed = world.ask(who, "PUT", f"{COMMENTS}/1", {"comment": "x"})
        deleted = world.ask(who, "DELETE", "/projects/1/tasks/comments/1")
        assert (changed.status, deleted.status) == (403, 403)
        assert "author" in changed.body["message"]
    assert world.done("vic", "GET", COMMENTS).at("total") == 1


def test_comments_are_counted(world: World) -> None:
    _comment(world, "ann", "one")
    task = world.done("vic", "GET", "/projects/1/tasks/1").at("task")
    assert task["comments_count"] == 2
    world.done("bob", "DELETE", "/projects/1/tasks/comments/1")
    task = world.done("vic", "GET", "/projects/1/tasks/1").at("task")
    assert task["comments_count"] == 1


def test_comments_come_latest_first_in_pages(world: World) -> None:
    for number in range(11):
        _comment(world, "ann", f"{number}")
    latest = world.done("vic", "GET", COMMENTS)
    assert [c["settings"]["raw_description"] for c in latest.at("comments.data")][:2] == ["10", "9"]
    assert (latest.at("comments.last_page"), latest.at("total")) == (2, 12)
    oldest = world.done("vic", "GET", f"{COMMENTS}?filter=oldest&per_page=1")
    assert oldest.at("comments.data.0.settings.raw_description") == "Mind the roots"
    assert world.done("vic", "GET", f"{COMMENTS}?privacy=public").at("total") == 0


def test_a_mention_links_a_member(world: World) -> None:
    text = "ask @\u200bann\u200c, not @\u200bsam\u200c or @vic"
    comment = _comment(world, "bob", text, mentionData=[2, 5, 77])
    assert comment["description"] == (
        'ask <a class="mention" href="#/member/2">Ann</a>, not @sam or @vic'
    )
    assert comment["settings"] == {"raw_description": text, "mentioned_id": [2]}


def test_comments_are_text_not_markup(world: World) -> None:
    comment = _comment(world, "bob", "<script>x</script>\n\n**bold** \x1b[31m\u202e")
    assert comment["description"] == "&lt;script&gt;x&lt;/script&gt;\n\n**bold**"


def test_links_end_before_the_full_stop_and_cannot_break_out(world: World) -> None:
    comment = _comment(world, "bob", 'https://x.org/?a=1&b="><b> (see http://y.org).')
    assert comment["description"] == (
        '<a href="https://x.org/?a=1&amp;b=">https://x.org/?a=1&amp;b=</a>"&gt;&lt;b&gt; '
        '(see <a href="http://y.org">http://y.org</a>).'
    )


@pytest.mark.parametrize("who", ["root", "ann", "bob"])
def test_nobody_writes_in_the_name_of_others(world: World, who: str) -> None:
    assert _comment(world, who, "x", comment_by=world.id(who))["author_name"] == who.title()
    for other in (world.id("vic"), world.id("sam"), 77):
        body = {"comment": "x", "comment_type": "comment", "comment_by": other}
        refused = world.ask(who, "POST", COMMENTS, body)
        assert (refused.status, refused.body["code"]) == (403, "forbidden")


def test_labels_go_on_once_and_off_once(world: World) -> None:
    attach = {"taskId": 1, "labelId": 1}
    world.done("ann", "POST", "/projects/1/labels/task", attach)
    assert world.done("vic", "GET", "/projects/1/tasks/1/labels").at("labels.#") == 1
    for _ in range(2):
        world.done("ann", "DELETE", "/projects/1/tasks/1/labels/1")
    assert world.done("vic", "GET", "/projects/1/tasks/1/labels").at("labels.#") == 0
    assert world.done("vic", "GET", "/projects/1/labels/used-in-tasks").at("labels") == []


def test_deleting_a_label_takes_it_off_its_tasks(world: World) -> None:
    world.done("ann", "DELETE", "/projects/1/labels/1")
    assert world.done("vic", "GET", "/projects/1/tasks").at("tasks.0.labels") == []


def test_updating_a_colour_keeps_a_missing_title(world: World) -> None:
    label = world.done("ann", "PUT", "/projects/1/labels/2", {"bg_color": "#000000"}).at("label")
    assert (label["title"], label["slug"]) == (None, "yellow")


def test_who_leaves_is_taken_off_the_tasks(world: World) -> None:
    body = {"property": "assignees", "value": [2, 3]}
    world.done("ann", "PUT", "/projects/1/tasks/1", body)
    world.done("ann", "POST", "/projects/1/user/3/remove")
    people = world.done("ann", "GET", "/projects/1/tasks/1").at("task.assignees")
    assert [user["user_login"] for user in people] == ["ann"]
    assert world.ask("bob", "GET", "/projects/1").status == 403
    assert world.ask("ann", "POST", "/projects/1/user/3/remove").status == 404


def test_the_last_admin_stays(world: World) -> None:
    refused = world.ask("ann", "POST", "/projects/1/user/2/remove")
    assert (refused.status, refused.body["code"]) == (409, "last_admin")


def test_a_viewer_can_be_made_on_joining(world: World) -> None:
    body = {"memberId": 5, "isViewerOnly": "yes"}
    assert world.done("ann", "POST", "/projects/1/add-members", body).at("member.role") == "viewer"
