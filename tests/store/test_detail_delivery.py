"""Every operation on boards, stages, labels and opened tasks, delivered to a service that fails."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from tests.harness.cases import mostly_long
from tests.service.pictures import png
from tests.store.assigning import toggled
from tests.store.detail_cases import CASES, Case, titles
from tests.store.fake_clock import FakeClock
from tests.store.faults import READS, Fault
from tests.store.opened_board import Opened
from tests.store.service import ANN, BOARD, DONE, ME, OPEN, Service
from tui.client.documents import Document
from tui.client.errors import NotFound, Refused, Unreachable
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.task import Status
from tui.store import operations as change
from tui.store.events import PendingState
from tui.store.operations.base import Baseline, Operation
from tui.store.pictures import Uploads
from tui.store.remote import Remote

_PICTURE = png()
_READING = ("arrange-stages", "set-assignees", "edit-label", "move-subtask", "delete-comment")


async def _baseline(opened: Opened, operation: Operation) -> Baseline:
    """What the store knows before it sends something."""
    knowledge = opened.party.store._parts.known_state
    return Baseline(await knowledge.document(operation), await knowledge.newest_id(operation))


@mostly_long(
    "case", CASES.values(), every=3, ids=CASES.keys()
)  # they differ in the operation alone
async def test_it_arrives_once_though_a_request_and_an_answer_are_lost(
    opened: Opened, case: Case, service: Service
) -> None:
    operation = case.make(opened)
    baseline = await _baseline(opened, operation)
    assert (await operation.already_done(service.remote(), baseline)).done is False
    opened.party.remote.fail_next(case.call, Fault.REQUEST_LOST, Fault.REPLY_LOST)
    await opened.party.store.submit(operation)
    await opened.party.delivered()
    assert opened.party.store.pending() == ()
    assert case.seen(service, opened) == case.expected


@pytest.mark.parametrize(
    "case",
    [  # the first ones read before or after they write
        pytest.param(case, id=name, marks=[] if name in _READING else pytest.mark.long)
        for name, case in CASES.items()
    ],
)
@pytest.mark.parametrize("faults", [2, pytest.param(1, marks=pytest.mark.long)])
async def test_it_arrives_once_though_what_it_reads_breaks_down(
    opened: Opened, case: Case, service: Service, faults: int
) -> None:
    operation = case.make(opened)
    left = dict.fromkeys(READS, faults)

    def trouble(call: str) -> Fault | None:
        left[call] = left.get(call, 0) - 1
        return Fault.FAULT_BEFORE if left[call] >= 0 else None

    opened.party.remote.trouble = trouble
    await opened.party.store.submit(operation)
    await opened.party.delivered()
    assert opened.party.store.pending() == ()
    assert case.seen(service, opened) == case.expected


@pytest.mark.parametrize(
    "name",
    ["create-comment", "create-subtask", "edit-comment", "add-label", "set-field-value"],
)
async def test_what_was_delivered_looks_as_it_was_drawn(opened: Opened, name: str) -> None:
    case = CASES[name]
    await opened.party.store.submit(case.make(opened))
    drawn = _seen(opened)
    await opened.party.delivered()
    assert _seen(opened) == drawn
    await opened.party.store.refresh_task(opened.things.task)
    assert _seen(opened) == drawn


def _seen(opened: Opened) -> tuple[object, ...]:
    detail = opened.detail
    labels = [label.title for label in detail.task.labels]
    values = [value.value for value in detail.values or ()]
    return opened.said(), opened.titles(0), opened.titles(1), labels, values


async def test_what_was_made_offline_hangs_together(opened: Opened, service: Service) -> None:
    """A group, subtasks in it, a reply to a comment and a label on a card, none of them made."""
    party = opened.party
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    group = change.CreateGroup.new(opened.task, "Offline")
    await party.store.submit(group)
    drawn = opened.detail.group(group.group_id)
    assert drawn is not None
    first = change.CreateSubtask.new(opened.task, drawn, "One")
    await party.store.submit(first, change.CreateSubtask.new(opened.task, drawn, "Two"))
    comment = change.CreateComment.new(opened.task, "Question")
    await party.store.submit(comment)
    asked = opened.comment(comment.comment_id)
    await party.store.submit(change.CreateComment.new(opened.task, to=asked, text="Answer"))
    label = change.CreateLabel.new(BOARD, "offline", "#123456")
    await party.store.submit(label, change.add_label(opened.task, label.label))
    subtask = opened.detail.find(first.subtask_id)
    assert subtask is not None
    await party.store.submit(change.set_status(subtask, Status.CLOSED))
    await party.restart()
    party.remote.trouble = lambda _: None
    await opened.start()
    await party.delivered()
    assert [waiting.reason for waiting in party.store.pending()] == []
    new = service.groups(opened.things.task)[-1]
    assert [(one["title"], one["status"]) for one in service.line(new["id"])] == [
        ("One", "closed"),
        ("Two", "open"),
    ]
    question, answer = service.comments(opened.things.task)[-2:]
    assert answer["parent_id"] == question["id"]
    assert [one["title"] for one in service.task(opened.things.task)["labels"]] == [
        "bug",
        "offline",
    ]


async def test_a_reply_below_an_old_comment_is_found_again(
    opened: Opened, service: Service
) -> None:
    """Comments come latest first, a page at a time; a reply stands below what it answers."""
    service.page_size = 1
    old = opened.comment(opened.things.own)
    opened.party.remote.fail_next("create_comment", Fault.FAULT_AFTER)
    await opened.party.store.submit(change.CreateComment.new(opened.task, to=old, text="Once"))
    await opened.party.delivered()
    assert opened.party.store.pending() == ()
    assert service.said(opened.things.task).count("Once") == 1


async def test_two_comments_that_read_alike_leave_it_to_a_person(
    opened: Opened, service: Service
) -> None:
    def twice(call: str) -> Fault | None:
        if call == "create_comment":
            service.add_comment(opened.things.task, "+1")
            opened.party.remote.trouble = lambda _: None
            return Fault.REPLY_LOST
        return None

    opened.party.remote.trouble = twice
    await opened.party.store.submit(change.CreateComment.new(opened.task, "+1"))
    await opened.party.delivered()
    (waiting,) = opened.party.store.pending()
    assert waiting.state is PendingState.UNSURE
    assert service.said(opened.things.task).count("+1") == 2


async def test_a_comment_like_an_older_one_is_not_taken_for_it(
    opened: Opened, service: Service
) -> None:
    service.add_comment(opened.things.task, "+1")
    await opened.party.store.refresh_task(opened.things.task)
    opened.party.remote.fail_next("create_comment", Fault.REQUEST_LOST)
    await opened.party.store.submit(change.CreateComment.new(opened.task, "+1"))
    await opened.party.delivered()
    assert service.said(opened.things.task).count("+1") == 2


@pytest.mark.parametrize(("stored_minutes_later", "done"), [(0, True), (-10, True), (-60, None)])
async def test_without_any_comment_known_one_that_was_stored_after_ours_is_ours(
    service: Service, clock: FakeClock, stored_minutes_later: int, done: bool | None
) -> None:
    task = service.lane(OPEN)[0]["id"]
    written = clock.now()
    clock.set(stored_minutes_later * 60)
    service.add_comment(task, "+1")
    comment = change.CreateComment(BOARD, task, -5, "Alpha", "+1", created_at=written)
    finding = await comment.already_done(service.remote(), Baseline())
    assert finding.done is done
    without_time = replace(comment, created_at=None)
    assert (await without_time.already_done(service.remote(), Baseline())).done is None


async def test_people_whom_others_added_stay(opened: Opened, service: Service) -> None:
    party = opened.party
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    await party.store.submit(toggled(opened.task, opened.task.assignees[0]))
    service.assign(opened.things.task, [ME, ANN])
    party.remote.trouble = lambda _: None
    await party.store.refresh(BOARD)
    await party.delivered()
    assert [one["ID"] for one in service.task(opened.things.task)["assignees"]] == [ANN]


async def test_two_edits_of_a_comment_are_put_together(opened: Opened, service: Service) -> None:
    edit = change.EditComment.on(
        opened.task, opened.comment(opened.things.own), "First, mine\nSecond\nThird"
    )
    service.edit_comment(opened.things.task, opened.things.own, "First\nSecond\nThird, theirs")
    now = await edit.fetch(service.remote())
    assert now is not None
    verdict = edit.check(now)
    assert isinstance(verdict, change.EditComment)
    assert verdict.text == "First, mine\nSecond\nThird, theirs"


async def test_two_edits_of_one_line_are_left_to_a_person(opened: Opened, service: Service) -> None:
    edit = change.EditComment.on(opened.task, opened.comment(opened.things.own), "Mine")
    service.edit_comment(opened.things.task, opened.things.own, "Theirs")
    now = await edit.fetch(service.remote())
    assert now is not None
    (difference,) = edit.check(now).differences  # type: ignore[union-attr]  # it is a Differs
    assert (difference.ours, difference.current) == ("Mine", "Theirs")


async def test_a_move_that_did_not_happen_is_no_success(opened: Opened, service: Service) -> None:
    async def stubborn(*_: object) -> list[Document]:
        return service.line(opened.things.groups[0])

    move = CASES["move-subtask"].make(opened)
    opened.party.remote.place_subtask = stubborn
    with pytest.raises(Refused, match="did not move"):
        await move.deliver(opened.party.remote, opened.party.view)


async def test_a_service_that_moves_subtasks_in_another_order_is_put_right(
    opened: Opened, service: Service
) -> None:
    remote, asked = opened.party.remote, service.remote()

    async def backwards(board: int, task: int, group: int, ids: Sequence[int]) -> None:
        await asked.move_subtasks(board, task, group, ids[::-1])

    move = CASES["move-subtasks"].make(opened)
    remote.move_subtasks = backwards
    await move.deliver(remote, opened.party.view)
    assert titles(service, opened.things.groups[1]) == ["Z", "X"]


async def test_the_subtasks_that_are_left_are_moved(opened: Opened, service: Service) -> None:
    move = CASES["move-subtasks"].make(opened)
    await service.remote().delete_subtask(BOARD, opened.things.subtasks[0])
    await move.deliver(opened.party.remote, opened.party.view)
    assert titles(service, opened.things.groups[1]) == ["Z"]
    await service.remote().delete_subtask(BOARD, opened.things.subtasks[2])
    with pytest.raises(NotFound):
        await move.deliver(opened.party.remote, opened.party.view)


async def test_several_subtasks_take_as_many_requests_as_one(opened: Opened) -> None:
    remote = opened.party.remote
    before = len(remote.calls)
    await CASES["move-subtasks"].make(opened).deliver(remote, opened.party.view)
    assert remote.calls[before:] == ["move_subtasks", "subtask_groups"]


async def test_a_foreign_comment_is_refused_in_words_and_stays(
    opened: Opened, service: Service
) -> None:
    comment = opened.comment(opened.things.foreign)
    await opened.party.store.submit(change.DeleteComment.on(opened.task, comment))
    assert "Well said" not in opened.said()
    await opened.party.delivered()
    (waiting,) = opened.party.store.pending()
    assert waiting.state is PendingState.REFUSED
    assert "author" in waiting.reason
    assert "Well said" in opened.said()
    assert "Well said" in service.said(opened.things.task)


async def test_a_deleted_group_is_made_again(opened: Opened, service: Service) -> None:
    party = opened.party
    await party.store.submit(change.set_status(opened.subtask(1), Status.CLOSED))
    await party.store.submit(change.DeleteGroup.on(opened.task, opened.group(0)))
    await party.delivered()
    assert len(service.groups(opened.things.task)) == 1
    told = await party.store.undo(BOARD)
    assert told is not None
    await party.delivered()
    assert "without their comments" in told.lost
    again = service.groups(opened.things.task)[-1]
    assert again["value"] == "Before"
    assert [(one["title"], one["status"]) for one in service.line(again["id"])] == [
        ("X", "open"),
        ("Y", "closed"),
        ("Z", "open"),
    ]


async def test_a_deleted_comment_is_written_again(opened: Opened, service: Service) -> None:
    party = opened.party
    await party.store.submit(
        change.DeleteComment.on(opened.task, opened.comment(opened.things.own))
    )
    await party.delivered()
    told = await party.store.undo(BOARD)
    await party.delivered()
    assert told is not None
    assert "as a new one" in told.lost
    assert service.said(opened.things.task) == ["Well said", "Indeed", "First\nSecond\nThird"]


async def test_a_conversion_is_taken_back_to_its_place(opened: Opened, service: Service) -> None:
    party = opened.party
    await party.store.submit(CASES["convert-to-subtask"].make(opened))
    await party.delivered()
    await party.store.undo(BOARD)
    await party.delivered()
    assert service.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    assert opened.titles(1) == []


async def test_a_comment_with_a_picture_waits_for_it(
    opened: Opened, service: Service, tmp_path: Path
) -> None:
    uploads = Uploads(tmp_path / "data" / "default" / "uploads")
    picture = uploads.keep("shot.png", _PICTURE)
    upload = change.UploadImage.of(opened.task, picture)
    comment = change.CreateComment.new(opened.task, "Look", images=[upload.image])
    opened.party.remote.fail_next("upload_image", Fault.REPLY_LOST)
    await opened.party.store.submit(upload, comment)
    await opened.party.delivered()
    written = service.comments(opened.things.task)[-1]
    assert [image["title"] for image in written["images"]] == ["shot.png"]


async def test_pictures_stay_as_long_as_something_needs_them(
    opened: Opened, tmp_path: Path
) -> None:
    file = tmp_path / "shot.png"
    file.write_bytes(_PICTURE)
    kept = [await opened.party.store.keep_picture(file) for _ in range(3)]
    for picture in kept[:2]:
        os.utime(picture.path, (0, 0))
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    await opened.party.store.submit(change.UploadImage.of(opened.task, kept[0]))
    await opened.party.restart()
    assert [picture.path.exists() for picture in kept] == [True, False, True]
    assert kept[0].path.read_bytes() == _PICTURE
    assert kept[0].path.stat().st_mode & 0o777 == 0o600


async def test_a_picture_that_is_gone_takes_its_comment_with_it(
    opened: Opened, tmp_path: Path
) -> None:
    upload = change.UploadImage(
        BOARD, opened.things.task, -7, "shot.png", "image/png", "1 KB", str(tmp_path / "gone")
    )
    comment = change.CreateComment.new(opened.task, "Look", images=[upload.image])
    await opened.party.store.submit(upload, comment)
    await opened.party.delivered()
    first, second = opened.party.store.pending()
    assert "no longer stored here" in first.reason
    assert second.state is PendingState.REFUSED


async def test_pictures_are_looked_at_before_they_are_kept(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path / "uploads")
    with pytest.raises(CallboardError, match="not a picture"):
        uploads.keep("notes.txt", b"hello")
    with pytest.raises(CallboardError, match="too large"):
        uploads.keep("huge.png", b"\x89PNG\r\n\x1a\n" + bytes(11 * 1024 * 1024))
    with pytest.raises(CallboardError, match="cannot be read"):
        uploads.keep_file(tmp_path / "missing.png")
    assert not (tmp_path / "uploads").exists()


async def test_a_task_moves_to_another_board(opened: Opened, service: Service) -> None:
    other = service.add_board("Other")
    stage_id = other["stages"][0]["id"]
    move = change.MoveTaskToBoard(opened.other, other["id"], stage_id, "Other")
    await opened.party.store.submit(move)
    await opened.party.delivered()
    assert service.task(opened.things.other)["board_id"] == other["id"]
    assert opened.party.titles(OPEN) == ["Alpha", "Gamma"]


async def test_a_board_is_deleted_for_good(opened: Opened, service: Service) -> None:
    await opened.party.store.submit(change.DeleteBoard.on(opened.party.view.board))
    assert opened.party.store.boards() == ()
    await opened.party.delivered()
    assert service.boards() == {}


async def test_an_archived_stage_comes_back_with_its_tasks_in_order(
    opened: Opened, service: Service
) -> None:
    archive = change.ArchiveStage.on(opened.party.view, OPEN)
    view: BoardView = opened.party.view
    restore, move = archive.inverse(view)
    remote = service.remote()
    await archive.deliver(remote, view)
    for task in service.lane(OPEN):
        task["position"] = 0.0
    await restore.deliver(remote, archive.apply(view))
    await move.deliver(remote, restore.apply(archive.apply(view)))
    assert service.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    assert list(service.stages()) == ["Open", "Doing", "Done"]
    assert (await restore.already_done(remote, Baseline())).done is True


async def test_what_a_stage_closed_is_open_again_afterwards(
    opened: Opened, service: Service
) -> None:
    subtask = opened.subtask(0)
    await opened.party.store.submit(change.ConvertToTask.on(opened.detail, subtask, DONE))
    await opened.party.delivered()
    assert service.task(subtask.id)["status"] == "closed"
    await opened.party.store.undo(BOARD)
    await opened.party.delivered()
    assert opened.titles(0) == ["X", "Y", "Z"]
    assert service.task(subtask.id)["status"] == "open"


async def test_a_subtask_on_top_is_made_once_though_the_others_cannot_be_read_then(
    opened: Opened, service: Service
) -> None:
    party, seen = opened.party, []

    def trouble(call: str) -> Fault | None:
        seen.append(call)
        return Fault.UNREACHABLE if seen[-2:] == ["create_subtask", "subtask_groups"] else None

    party.remote.trouble = trouble
    group = opened.group(0)
    await party.store.submit(change.CreateSubtask.new(opened.task, group, "W", on_top=True))
    await party.delivered()
    assert party.store.pending() == ()
    assert [one["title"] for one in service.line(group.id)].count("W") == 1


class NumberingAnew:
    """A service that gives the first subtask the number 1, and then cannot be reached."""

    async def create_subtask(self, *_: object, **__: object) -> Document:
        """Make one above the others, which come down."""
        return {"id": 9, "title": "W", "position": 1.0}

    async def subtask_groups(self, *_: object) -> list[Document]:
        """Unknown."""
        raise Unreachable("The service cannot be reached.")


async def test_a_subtask_on_top_stays_there_though_the_others_cannot_be_read_then(
    opened: Opened,
) -> None:
    made = change.CreateSubtask.new(opened.task, opened.group(0), "W", on_top=True)
    reply = await made.deliver(cast("Remote", NumberingAnew()), opened.party.view)
    (part,) = reply.parts
    assert part.document is not None
    assert part.document["position"] < 1.0
