"""The store on the editions that were measured: what it says has happened has happened."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import cast

import pytest

from tests.client.suite.services import Running, quirky
from tests.harness.cases import mostly_long
from tests.quirky.quirks import Quirks
from tests.store.faults import Fault, FaultyRemote
from tests.store.party import until
from tui.client.capabilities import Feature
from tui.client.client import Client
from tui.client.editions.probing import who_am_i
from tui.connecting.connections import ServiceConnection
from tui.model.board import BoardType, BoardView, Place
from tui.model.comment import Comment, threaded
from tui.model.custom_field import CustomField, FieldType
from tui.model.detail import TaskDetail
from tui.model.fields.plain import STAGE_SETTINGS
from tui.model.people import Account, Role
from tui.model.task import Person, Status, Task
from tui.store import operations as change
from tui.store.documents.assemble import Assembler
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.events import PendingState, UndoNeedsConfirmation
from tui.store.online import administration, archive
from tui.store.operations.base import Operation
from tui.store.remote import Remote
from tui.store.store import LocalStore

EDITIONS = {
    "recent free": Quirks.recent_free(),
    "older free": Quirks.older_free(),
    "old paid": Quirks.old_paid(),
    "recent paid": Quirks.recent_paid(),
}
on_every_edition = pytest.mark.parametrize("quirks", EDITIONS.values(), ids=EDITIONS)
_WITHOUT_PERMISSION = "Discard it, or ask someone who has the permission."
_ON_THEIR_WAY = (PendingState.WAITING, PendingState.SENDING)


class Desk:
    """A board of ann's at a service, with cards of some titles."""

    def __init__(self, store: LocalStore, client: Client, board_id: int, running: Running) -> None:
        self.store = store
        self.client = client
        self.board_id = board_id
        self.running = running

    def count(self, request: str) -> int:
        """How many requests there were like `POST .*/clone-task`."""
        assert self.running.quirky is not None
        asked = self.running.quirky.breaking.asked
        return sum(re.fullmatch(request, each) is not None for each in asked)

    @property
    def view(self) -> BoardView:
        view = self.store.board(self.board_id)
        assert view is not None
        return view

    def task(self, title: str) -> Task:
        return next(task for task in self.view.all_tasks() if task.title == title)

    def titles(self) -> list[str]:
        return [task.title for task in self.view.all_tasks()]

    async def detail(self, task: Task) -> TaskDetail:
        """A task as the store has it once all of it was read."""
        await self.store.open_task(self.board_id, task.id)
        await self.until(lambda: self._is_read(task))
        detail = self.store.detail(task.id)
        assert detail is not None
        return detail

    def _is_read(self, task: Task) -> bool:
        detail = self.store.detail(task.id)
        return detail is not None and detail.comments is not None and detail.watching is not None

    async def submit(self, *operations: Operation) -> list[str]:
        """Make changes, wait for the answers; returns why some were refused."""
        await self.store.submit(*operations)
        return await self.refused()

    async def refused(self) -> list[str]:
        await self.until(lambda: not any(w.state in _ON_THEIR_WAY for w in self.store.pending()))
        return [waiting.reason for waiting in self.store.pending()]

    async def comments(self, task: Task) -> list[Comment]:
        """The comments of a task as the service has them, with their replies."""
        page = await self.client.comments(self.board_id, task.id)
        documents = [one for root in page.documents for one in (root, *root["replies"])]
        return list(threaded(DetailAssembler(Assembler()).comments(documents)))

    async def stages(self, board_id: int) -> list[tuple[str, Status]]:
        """The stages of a board as the service has them, with what cards become there."""
        stages = (await self.client.board(board_id))["stages"]
        in_order = sorted(stages, key=lambda stage: (stage["position"], stage["id"]))
        status = STAGE_SETTINGS["status"]
        return [(stage["title"], status.read(stage)) for stage in in_order]

    async def until(self, condition: Callable[[], object]) -> None:
        await until(self.store, condition)


@asynccontextmanager
async def desk_at(
    quirks: Quirks, folder: Path, *titles: str, login: str = "ann"
) -> AsyncIterator[Desk]:
    """A desk of ann, who administers the service, or of bob, a member of her board."""
    with quirky(quirks)(folder) as running:
        board_id, stages = running.new_board()
        client = running.client(running.session(login), login)
        for title in titles:
            await client.create_task(board_id, stages[0], title)
        store = LocalStore.open(folder / "cache", folder / "data", "default")
        store.set_account(Account(login, running.ids[login]))
        store.connect(client)
        await store.open_board(board_id)
        desk = Desk(store, client, board_id, running)
        await desk.until(lambda: (view := store.board(board_id)) and view.complete and view.tasks)
        yield desk
        await store.aclose()
        await client.aclose()


async def test_a_conversion_is_believed_where_a_subtask_cannot_be_read(tmp_path: Path) -> None:
    async with desk_at(Quirks.old_paid(), tmp_path, "House", "Door") as desk:
        house, door = desk.task("House"), desk.task("Door")
        assert await desk.submit(change.ConvertToSubtask.on(door, house)) == []
        assert desk.titles() == ["House"]
        (listed,) = await desk.client.subtask_groups(desk.board_id, house.id)
        assert [subtask["title"] for subtask in listed["subtasks"]] == ["Door"]
        (group,) = (await desk.detail(house)).groups or ()
        assert [subtask.title for subtask in group.subtasks] == ["Door"]
        await desk.store.undo(desk.board_id)
        assert await desk.refused() == []
        assert desk.titles() == ["House", "Door"]


async def test_a_conversion_is_no_refusal_where_what_came_of_it_cannot_be_read(
    tmp_path: Path,
) -> None:
    async with desk_at(Quirks.recent_paid(), tmp_path, "House", "Door") as desk:
        house, door = desk.task("House"), desk.task("Door")
        assert desk.running.quirky is not None
        desk.running.quirky.breaking.routes.add("GET /projects/{board_id}/tasks/{task_id}/subtasks")
        assert await desk.submit(change.ConvertToSubtask.on(door, house)) == []
        assert desk.titles() == ["House"]
        assert desk.count("PUT .*/convert-to-subtask") == 1


async def test_what_is_watched_ends_as_asked_or_it_is_said_why(tmp_path: Path) -> None:
    async with desk_at(Quirks.recent_free(), tmp_path, "House") as desk:
        house = desk.task("House")
        me = next(one for one in desk.view.people if one.login == "ann")
        await desk.detail(house)
        assert await desk.submit(change.set_watching(house, on=False)) == []
        assert await desk.submit(change.set_assignees(house, [me])) == []
        assert (await desk.detail(house)).watching is True
        (reason,) = await desk.submit(change.set_watching(house, on=False))
        assert reason == (
            "This service’s edition does not offer unwatching a card that you work on."
        )
        assert (await desk.detail(house)).watching is True


async def test_a_subtask_that_cannot_be_read_is_changed_all_the_same(tmp_path: Path) -> None:
    async with desk_at(Quirks.old_paid(), tmp_path, "House", "Door") as desk:
        house, door = desk.task("House"), desk.task("Door")
        bob = next(one for one in desk.view.people if one.name == "Bob")
        assert await desk.submit(change.set_assignees(house, [bob])) == []
        assert await desk.submit(change.ConvertToSubtask.on(door, house)) == []
        (subtask,) = (await desk.detail(house)).subtasks()
        assert (
            await desk.submit(
                change.set_due(subtask, datetime(2031, 12, 5, 17)),  # noqa: DTZ001  wall clock
                change.set_assignees(subtask, [bob]),
                change.set_status(subtask, Status.CLOSED),
            )
            == []
        )
        (group,) = await desk.client.subtask_groups(desk.board_id, house.id)
        (listed,) = group["subtasks"]
        assert [person["ID"] for person in listed["assignees"]] == [bob.id]
        assert (listed["status"], listed["due_at"]) == ("closed", "2031-12-05 17:00:00")


async def test_what_cannot_be_deleted_is_archived_when_it_is_taken_back(tmp_path: Path) -> None:
    with_details = replace(Quirks.older_free(), details_off=False)
    async with desk_at(with_details, tmp_path, "House") as desk:
        house = desk.task("House")
        assert await desk.submit(change.DeleteTask(house, Place())) == [
            "This service’s edition does not offer deleting cards."
        ]
        await desk.store.discard(desk.store.pending()[0].id)
        assert (
            await desk.submit(change.CreateTask.new(desk.board_id, house.stage_id or 0, "New"))
            == []
        )
        with pytest.raises(UndoNeedsConfirmation, match=r"deleting cards\. The card is archived"):
            await desk.store.undo(desk.board_id)
        await desk.store.undo(desk.board_id, force=True)
        assert await desk.refused() == []
        assert desk.titles() == ["House"]


@pytest.mark.parametrize("quirks", [Quirks.recent_free(), Quirks.old_paid()])
async def test_archived_cards_are_found_where_no_service_lists_them(
    quirks: Quirks, tmp_path: Path
) -> None:
    unlisted = replace(quirks, archived_tasks_listed=False)
    async with desk_at(unlisted, tmp_path, "Here", "Mine", "Theirs", "Gone") as desk:
        theirs, gone = desk.task("Theirs"), desk.task("Gone")
        for task in (theirs, gone):
            await desk.client.set_task(desk.board_id, task.id, "archived_at", "2026-11-20 09:00:00")
        await desk.client.delete_task(desk.board_id, gone.id)
        await desk.store.refresh(desk.board_id)
        assert await desk.submit(change.ArchiveTask.on(desk.task("Mine"), Place())) == []
        known = await desk.store.archived_tasks(desk.board_id)
        assert [task.title for task in known] == ["Mine"]
        remote = await desk.store.service()
        active = {desk.task("Here").id}
        found = await archive.archived_tasks(remote, desk.board_id, known=known, active=active)
        assert sorted(task.title for task in found.tasks) == ["Mine", "Theirs"]
        assert not found.is_complete
        assert desk.store.offers(Feature.ARCHIVE_PAGES) is False
        again = await archive.archived_tasks(
            _without_tasks(remote), desk.board_id, known=known, active=active, previous=found
        )
        assert again == found


def _without_tasks(remote: Remote) -> Remote:
    """A service that is not asked for a task."""
    faulty = FaultyRemote(remote)
    faulty.trouble = lambda call: Fault.REFUSED if call == "task" else None
    return cast("Remote", faulty)


async def test_a_stage_that_was_archived_here_comes_back_in_its_order(tmp_path: Path) -> None:
    async with desk_at(Quirks.old_paid(), tmp_path, "A", "B", "C") as desk:
        stage = desk.view.stages[0]
        moved = change.MoveTask.on(desk.task("C"), stage.id, Place())
        assert await desk.submit(moved) == []
        assert await desk.submit(change.ArchiveStage.on(desk.view, stage.id)) == []
        await desk.store.refresh(desk.board_id)
        remote = await desk.store.service()
        (found,) = await archive.archived_stages(remote, desk.board_id)
        assert (found.stage.title, found.archived_at is None) == (stage.title, False)
        tasks = await desk.store.tasks_of_archived_stage(desk.board_id, found.stage.id)
        assert await desk.submit(change.RestoreStage(found.stage, tasks)) == []
        await desk.store.refresh(desk.board_id)
        assert desk.titles() == ["C", "A", "B"]
        assert await desk.store.tasks_of_archived_stage(desk.board_id, 999) == ()


@on_every_edition
@mostly_long("titles", [("Ideas", "Doing", "Shown", "Live"), ("Ideas", "Live")], every=2)
async def test_a_board_has_the_stages_that_were_asked_for_and_the_last_closes(
    quirks: Quirks, titles: tuple[str, ...], tmp_path: Path
) -> None:
    async with desk_at(quirks, tmp_path, "Card") as desk:
        created, *rest = change.new_board("Site", BoardType.TO_DO, titles)
        assert await desk.submit(created, *rest) == []
        board_id = next(board.id for board in desk.store.boards() if board.title == "Site")
        *others, last = await desk.stages(board_id)
        assert others == [(title, Status.OPEN) for title in titles[:-1]]
        assert last == (titles[-1], Status.CLOSED)


@on_every_edition
async def test_a_stage_closes_cards_or_not_as_was_set(quirks: Quirks, tmp_path: Path) -> None:
    async with desk_at(quirks, tmp_path, "Card") as desk:
        first = desk.view.stages[0]
        for status in (Status.CLOSED, Status.OPEN):
            edit = change.set_setting(first, "status", status)
            assert await desk.submit(edit) == []
            assert (await desk.stages(desk.board_id))[0] == (first.title, status)
            assert desk.view.stages[0].default_status is status


@on_every_edition
async def test_a_renamed_stage_has_its_colour_still(quirks: Quirks, tmp_path: Path) -> None:
    async with desk_at(quirks, tmp_path, "Card") as desk:
        assert await desk.submit(change.set_stage_color(desk.view.stages[0], "#ff8800")) == []
        for title in ("Soon", "Sooner"):
            assert await desk.submit(change.rename_stage(desk.view.stages[0], title)) == []
        await desk.store.refresh(desk.board_id)
        first = desk.view.stages[0]
        assert (first.title, first.color) == ("Sooner", "#ff8800")


@on_every_edition
async def test_a_stage_whose_title_the_service_changes_is_made_once(
    quirks: Quirks, tmp_path: Path
) -> None:
    async with desk_at(quirks, tmp_path, "Card") as desk:
        count = len(desk.view.stages)
        assert await desk.submit(change.CreateStage.new(desk.board_id, "QA  <b>")) == []
        await desk.store.refresh(desk.board_id)
        assert [stage.title for stage in desk.view.stages[count:]] == ["QA"]


@on_every_edition
async def test_comments_and_replies_are_edited_and_deleted(quirks: Quirks, tmp_path: Path) -> None:
    async with desk_at(quirks, tmp_path, "House") as desk:
        house = desk.task("House")
        assert await desk.submit(change.CreateComment.new(house, "Paint it")) == []
        (comment,) = await desk.comments(house)
        assert await desk.submit(change.CreateComment.new(house, "Blue", to=comment)) == []
        (comment,) = await desk.comments(house)
        for text in ("Paint & clean it", "Paint it\nsoon"):
            edits = (
                change.EditComment.on(house, comment, text),
                change.EditComment.on(house, comment.replies[0], f"Blue: {text}"),
            )
            assert await desk.submit(*edits) == []
            (comment,) = await desk.comments(house)
            assert [comment.text, comment.replies[0].text] == [text, f"Blue: {text}"]
            (shown,) = (await desk.detail(house)).comments or ()
            assert [shown.text, shown.replies[0].text] == [text, f"Blue: {text}"]
        assert await desk.submit(change.DeleteComment.on(house, comment.replies[0])) == []
        (comment,) = await desk.comments(house)
        assert comment.replies == ()
        assert await desk.submit(change.DeleteComment.on(house, comment)) == []
        assert await desk.comments(house) == []


@pytest.mark.parametrize("edition", ["old paid", "recent paid"])
async def test_a_custom_field_takes_dates(edition: str, tmp_path: Path) -> None:
    async with desk_at(EDITIONS[edition], tmp_path, "House") as desk:
        house = desk.task("House")
        made = await desk.client.create_field(desk.board_id, "Day", "date")
        field = CustomField(made["id"], desk.board_id, "Day", FieldType.DATE)
        for typed, kept in (
            ("2026-12-24", "2026-12-24 00:00:00"),
            ("2027-07-01 09:30", "2027-07-01 09:30:00"),
        ):
            detail = await desk.detail(house)
            assert await desk.submit(change.set_custom_field(detail, field, typed)) == []
            (value,) = await desk.client.field_values(desk.board_id, house.id)
            assert value["settings"]["value"] == kept
        detail = await desk.detail(house)
        assert await desk.submit(change.set_custom_field(detail, field, None)) == []
        assert await desk.client.field_values(desk.board_id, house.id) == []


async def test_what_an_edition_lacks_is_asked_for_once(tmp_path: Path) -> None:
    async with desk_at(Quirks.old_paid(), tmp_path, "House") as desk:
        house, board = desk.task("House"), desk.view.board
        for _ in range(2):
            copy = change.CloneTask.of(house, stage_id=house.stage_id or 0, title="Shed")
            reasons = await desk.submit(copy, change.archive_board(board))
            assert reasons == [
                "This service’s edition does not offer duplicating cards.",
                "This service’s edition does not offer archiving boards.",
            ]
            for waiting in desk.store.pending():
                await desk.store.discard(waiting.id)
        assert desk.count("POST .*/clone-task") == 1
        assert desk.count("PUT .*/archive-board") == 1
        assert desk.store.offers(Feature.TASK_COPIES) is False
        assert desk.store.offers(Feature.BOARD_ARCHIVE) is False


async def test_a_member_who_may_not_make_boards_is_known_after_the_first_refusal(
    tmp_path: Path,
) -> None:
    async with desk_at(Quirks.recent_free(), tmp_path, "House", login="bob") as desk:
        made = change.new_board("Mine", BoardType.TO_DO, ())
        assert await desk.submit(*made) == [
            f"Only administrators of this service may create boards. {_WITHOUT_PERMISSION}"
        ]
        assert desk.store.offers(Feature.BOARD_CREATION) is False


@pytest.mark.parametrize("edition", ["older free", "old paid", "recent paid"])
async def test_a_member_who_may_not_delete_boards_is_known_after_the_first_refusal(
    edition: str, tmp_path: Path
) -> None:
    async with desk_at(EDITIONS[edition], tmp_path, "House", login="bob") as desk:
        await who_am_i(desk.client, "bob")
        assert await desk.submit(*change.new_board("Mine", BoardType.TO_DO, ())) == []
        assert desk.store.offers(Feature.BOARD_CREATION) is True
        mine = next(board for board in desk.store.boards() if board.title == "Mine")
        assert await desk.submit(change.DeleteBoard.on(mine)) == [
            f"Only administrators of this service may delete boards. {_WITHOUT_PERMISSION}"
        ]
        assert desk.store.offers(Feature.BOARD_DELETION) is False


@pytest.mark.parametrize("edition", ["older free", "old paid", "recent paid"])
async def test_whoever_does_not_manage_a_board_learns_nothing_about_others(
    edition: str, tmp_path: Path
) -> None:
    async with desk_at(EDITIONS[edition], tmp_path, "House", login="bob") as desk:
        await who_am_i(desk.client, "bob")
        (reason,) = await desk.submit(change.DeleteBoard.on(desk.view.board))
        assert "administrators" not in reason
        assert desk.store.offers(Feature.BOARD_DELETION) is None


_SEARCHES = "GET /(wp/v2/users|search-.*-users)"


@on_every_edition
async def test_an_administrator_finds_people_who_are_on_no_board(
    quirks: Quirks, tmp_path: Path
) -> None:
    async with desk_at(quirks, tmp_path, "House") as desk:
        for words in ("ev", "eve"):
            (found,) = await administration.search_users(await desk.store.service(), words)
            assert found == Person(desk.running.ids["eve"], "Eve", "eve")
        assert desk.count(_SEARCHES) == 2
        assert await desk.submit(change.SetRole.on(desk.view.board, found, Role.MEMBER)) == []
        members = await desk.client.members(desk.board_id)
        assert found.id in {member["ID"] for member in members}


@on_every_edition
async def test_a_member_finds_those_whom_the_service_shows_them(
    quirks: Quirks, tmp_path: Path
) -> None:
    async with desk_at(quirks, tmp_path, "House", login="bob") as desk:
        for _ in range(2):
            assert await administration.search_users(await desk.store.service(), "eve") == ()
        assert desk.count("GET /wp/v2/users") == 1


@mostly_long("login", ["ann", "bob"], every=2)
@on_every_edition
async def test_a_first_start_asks_no_board_for_its_people(
    quirks: Quirks, login: str, tmp_path: Path
) -> None:
    async with desk_at(quirks, tmp_path, "House", login=login) as desk:
        assert await ServiceConnection(desk.client, login).find_out() == desk.running.ids[login]
        assert desk.client.service.capabilities.is_administrator is (login == "ann")
        assert desk.count("GET /projects/[0-9]+/users") == 0


@pytest.mark.long
@on_every_edition
async def test_every_archived_card_is_listed(quirks: Quirks, tmp_path: Path) -> None:
    async with desk_at(quirks, tmp_path, "Here", *map(str, range(22))) as desk:
        archived = [task for task in desk.view.all_tasks() if task.title != "Here"]
        for minute, task in enumerate(archived):
            at = f"2026-11-20 09:{minute:02}:00"
            await desk.client.set_task(desk.board_id, task.id, "archived_at", at)
        found = await archive.archived_tasks(await desk.store.service(), desk.board_id)
        assert found.is_complete
        assert sorted(task.title for task in found.tasks) == sorted(map(str, range(22)))
        assert list(found.tasks) == list(archive.in_order(found.tasks))
        assert desk.count("GET .*/activities") == 0
        assert desk.count("GET .*/archived-tasks") == 2
