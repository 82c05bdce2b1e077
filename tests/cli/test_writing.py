"""Commands that change cards: what the service holds then, and what is printed."""

import asyncio
import json
import os
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.cli.conftest import Said, cached_for_work, on_branch
from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.harness.zones import zone_of_machine
from tui.cli.scripts.chosen import NothingFound, chosen_person
from tui.cli.scripts.opened import How, Opened
from tui.cli.scripts.writing import Plan, carry_out
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.settings import Settings
from tui.model.people import Account
from tui.model.task import Status
from tui.store.events import PendingChange, PendingState, SyncStatus
from tui.store.operations import CreateTask, set_status
from tui.store.views.details import Details
from tui.workspace import Workspace

Piped = Callable[[bytes], None]


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Piped:
    """Puts bytes on standard input."""
    return lambda content: monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content)))


def _card(said: Said, card: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said("show", card, "--json")[1])
    return found


def test_cards_are_added_with_the_marks_of_the_program(said: Said, piped: Piped) -> None:
    assert said("add", "--board", "platform", "Fix", "it #bug @me !high ^2037-12-01") == (
        0,
        "added #8 “Fix it” to “Open” on “Platform”\n",
        "",
    )
    card = _card(said, "8")
    assert (card["title"], card["priority"], card["due"]) == (
        "Fix it",
        "high",
        datetime(2037, 12, 1, 17).astimezone().isoformat(),
    )
    assert [one["title"] for one in card["labels"]] == ["bug"]
    assert [one["login"] for one in card["assignees"]] == ["me"]

    piped(b"- [x] One\n- [ ] Two #nope @mee !low\n\n\x1b[31mThree #nope\n")
    code, text, beside = said("add", "--board", "platform", "--stage", "progress", "-")
    where = "to “In Progress” on “Platform”"
    assert (code, text.splitlines()) == (
        0,
        [
            f"added #9 “One” {where}",
            f"added #10 “Two @mee” {where}",
            f"added #11 “Three” {where}",
            f"added 3 cards {where}",
            "created label “nope”",
        ],
    )
    assert beside == "callboard: no member “mee”: kept as text; did you mean @me?\n"
    titles = [(one["title"], one["status"]) for one in _tasks(said, "stage:progress")]
    assert titles[-3:] == [("One", "closed"), ("Two @mee", "open"), ("Three", "open")]
    assert said("add", "--board", "platform", "Four #nope #bug")[::2] == (0, "")
    assert [one["title"] for one in _card(said, "12")["labels"]] == ["bug", "nope"]
    assert said("add", "-q", "--board", "1", "Quiet") == (0, "", "")
    assert said("--ascii", "done", "quiet")[1] == 'closed #13 "Quiet"\n'


@pytest.mark.long
def test_the_due_date_of_a_card_in_json_is_a_moment_that_can_be_given_back(said: Said) -> None:
    for zone, due, offset in (
        ("Asia/Dhaka", "2037-11-06T17:00:00+06:00", "+06:00"),
        ("America/New_York", "2037-11-06T17:00:00-05:00", "-05:00"),
    ):
        with zone_of_machine(zone):
            card = _card(said, "6")
            assert (card["due"], card["start"], card["created_at"][-6:]) == (due, None, offset)
            assert said("edit", "6", "--start", "2037-11-05T12:00:00Z")[0] == 0
            start = datetime.fromisoformat(_card(said, "6")["start"])
            assert start == datetime(2037, 11, 5, 12, tzinfo=UTC)
            assert f"{start:%z}" == offset.replace(":", "")
            assert said("edit", "6", "--start", "none", "--due", due)[0] == 0
            (standup,) = _cards_of_standup(said)
            assert standup["due"] == due


def _cards_of_standup(said: Said) -> list[dict[str, Any]]:
    told = json.loads(said("standup", "--json", "--board", "platform", "--since", "1mo")[1])
    cards = [card for section in told["walk"] for card in section["cards"] if card["due"]]
    return cards[:1]


def _tasks(said: Said, *query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        said("tasks", "--board", "platform", "--json", *query)[1]
    )
    return found


@pytest.mark.long
def test_the_fields_of_a_card_are_changed(said: Said, piped: Piped, tmp_path: Path) -> None:
    (tmp_path / "text.md").write_text("Fix **it**\n\n- later\n", encoding="utf-8")
    fields = ["--title", " A  new one ", "--due", "none", "--start", "2037-01-02", "--priority"]
    description = ["--description", str(tmp_path / "text.md")]
    code, text, beside = said("edit", "6", *fields, "medium", *description, "--json")
    assert (code, beside) == (0, "")
    told = json.loads(text)
    assert list(told) == ["state", "changes", "cards", "problem"]
    assert (told["state"], told["problem"], len(told["changes"])) == ("sent", None, 5)
    card = _card(said, "6")
    assert told["cards"][0]["title"] == card["title"] == "A new one"
    assert (card["due"], card["start"]) == (None, datetime(2037, 1, 2, 17).astimezone().isoformat())
    assert (card["priority"], card["description"]) == ("medium", "Fix **it**\n\n- later")
    piped(b"Fix **it**\n\n- later\n")
    assert "is already up to date" in said("edit", "6", "--description", "-")[1]
    (tmp_path / "text.md").write_text(" \n", encoding="utf-8")
    code, text, beside = said("edit", "6", *description)
    assert (code, text) == (2, "")
    assert "text.md is empty: nothing was changed." in beside
    assert said("edit", "6", "--description", os.devnull)[0] == 0
    assert _card(said, "6")["description"] == ""

    fields = ["--set", "contact=#7", "--set", "cover=dark green"]
    assert len(json.loads(said("edit", "6", *fields, "--json")[1])["changes"]) == 2
    assert "is already up to date" in said("edit", "6", *fields)[1]
    assert said("edit", "6", "--set", "contact=none")[1].startswith("changed #6")

    assert said("edit", "6", "--title", "A new 1")[:2] == (0, "changed #6 “A new 1”\n")
    assert said("edit", "6", "--title", "A new one")[0] == 0
    assert said("done", "6", "A new", "#6")[1] == "closed #6 “A new one”\n"
    assert _card(said, "6")["status"] == "closed"
    assert said("done", "6", "5") == (
        0,
        "nothing to change: 2 cards are already up to date\n",
        "",
    )
    assert said("done", "6", "--reopen")[1] == "reopened #6 “A new one”\n"

    assert said("assign", "6", "@me", "--remove")[1] == "unassigned #6 “A new one” from me\n"
    assert _card(said, "6")["assignees"] == []
    assert said("assign", "6", "me")[1] == "assigned #6 “A new one” to me\n"

    assert said("label", "6", "Sky blue", "BUG", "sky  blue", "--create")[0] == 0
    assert [one["title"] for one in _card(said, "6")["labels"]] == ["bug", "Sky blue"]
    assert said("label", "6", "bug", "--remove")[1] == "removed “bug” from #6 “A new one”\n"
    assert [one["title"] for one in _card(said, "6")["labels"]] == ["Sky blue"]

    piped(b"On its **way**, @me\n")
    assert said("comment", "6", "-")[1] == "commented on #6 “A new one”\n"
    assert "On its **way**, @me" in [one["text"] for one in _card(said, "6")["comments"]]


def test_a_card_is_moved(said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lane(stage: str) -> list[int]:
        return [one["id"] for one in _tasks(said) if one["stage"]["title"] == stage]

    assert (
        said("move", "6", "progress", "--top")[1] == "moved #6 “Mine” to the top of “In Progress”\n"
    )
    assert lane("In Progress") == [6, 5]
    assert "is already up to date" in said("move", "6", "progress")[1]
    assert said("move", "6", "progress", "--bottom")[0] == 0
    assert lane("In Progress") == [5, 6]
    assert said("move", "5", "completed")[1] == "moved #5 “Card of Platform” to “Completed”\n"
    assert lane("Completed") == [5]
    on_branch(tmp_path, "6-mine")
    monkeypatch.chdir(tmp_path)
    assert said("here", "completed") == (0, "moved #6 “Mine” to “Completed”\n", "")
    assert lane("Completed") == [5, 6]
    code, text, beside = said("move", "6", "open", "--board", "website")
    assert (code, text) == (0, "moved #6 “Mine” to “Open” on “Website”\n")
    assert beside == "callboard: “Mine” loses its labels, which belong to its board.\n"
    assert _card(said, "6")["board"]["title"] == "Website"


@pytest.mark.long
def test_a_card_is_named_by_its_title_on_a_board(said: Said) -> None:
    """There is a card “Mine” on each of the three boards."""
    for arguments, told in (
        (["done", "mine", "--board", "website"], "closed #2 “Mine”\n"),
        (["done", "mine", "card of", "--board", "3"], "closed 2 cards\n"),
        (["assign", "mine", "me", "--remove", "--board", "shop"], "unassigned #4 “Mine” from me\n"),
        (
            ["label", "mine", "new", "--create", "--board", "shop"],
            "labelled #4 “Mine” with “new”\n",
        ),
        (["comment", "--board", "website", "mine", "Text"], "commented on #2 “Mine”\n"),
        (["edit", "mine", "--board", "website", "--title", "Mine"], "nothing to change"),
        (["move", "mine", "open", "--from", "website"], "moved #2 “Mine” to “Open”\n"),
        (["move", "mine", "open", "--from", "shop", "--board", "website"], "moved #4 “Mine” to"),
    ):
        without = [
            word for word in arguments if word not in ("--from", "--board", "website", "3", "shop")
        ]
        if arguments[0] not in ("move", "edit"):
            assert said(*without)[0] == 2
        code, text, _ = said(*arguments)
        assert (code, told in text) == (0, True), text


def test_a_dry_run_prints_the_requests_and_sends_none(said: Said) -> None:
    marks = "Fix it #bug @me !high ^2037-12-01"
    task = {"title": "Fix it", "board_id": 3, "stage_id": 7, "priority": "high"}
    code, text, beside = said("add", "-n", "--board", "platform", marks)
    assert (code, beside) == (0, "")
    assert text.splitlines() == [
        f"POST /projects/3/tasks {json.dumps({'task': task})}",
        'PUT /projects/3/tasks/{new task 1} {"property": "due_at", "value": "2037-12-01 17:00:00"}',
        'PUT /projects/3/tasks/{new task 1} {"property": "assignees", "value": [1]}',
        'POST /projects/3/labels/task {"taskId": "{new task 1}", "labelId": 1}',
    ]
    code, text, _ = said("move", "-n", "6", "open", "--json")
    assert json.loads(text) == [
        {
            "method": "PUT",
            "path": "/projects/3/tasks/6/move-task",
            "body": {"newStageId": 7, "newIndex": 1},
        }
    ]
    for arguments in (
        ["label", "6", "new", "--create"], ["done", "6"], ["assign", "5", "me"],
        ["comment", "6", "text"], ["edit", "6", "--title", "x"],
        ["move", "6", "open", "--board", "website"],
    ):  # fmt: skip
        code, text, _ = said(*arguments, "--dry-run")
        assert (code, text.split()[0] in ("PUT", "POST")) == (0, True)
    assert said("done", "-n", "5")[1] == "nothing would change: there is no request to send\n"
    card = _card(said, "6")
    assert (card["title"], card["status"], card["comments_count"]) == ("Mine", "open", 2)
    assert card["stage"]["title"] == "In Progress"
    assert said("tasks", "-q", "Fix it", "is:open")[1] == "6\n"  # by its description
    assert said("sync")[:2] == (0, "sent 0 changes, read 3 boards\n")


def test_a_dry_run_does_not_send_what_waits(said: Said, home: Path) -> None:
    assert said("tasks", "--board", "platform")[0] == 0

    async def waiting(*titles: str) -> int:
        """Put new cards into the outbox, without a connection; how many changes wait."""
        store = Workspace.open(Places.find({HOME_VARIABLE: str(home)})).store
        await store.submit(*(CreateTask.new(3, 7, title) for title in titles))
        count = len(store.pending())
        await store.aclose()
        return count

    assert asyncio.run(waiting("Later")) == 1
    code, text, _ = said("done", "later", "--dry-run")
    assert (code, text[:3]) == (0, "PUT")
    assert asyncio.run(waiting()) == 1
    assert said("done", "later")[:2] == (0, "closed #8 “Later”\n")
    assert asyncio.run(waiting()) == 0


_TOO_MANY = b"line\n" * 10_000


WRONG: tuple[tuple[list[str], bytes, str], ...] = (
    (["add", "--board", "platfrom", "x"], b"", "no board is called “platfrom”."),
    (["add", "--board", "web", "x"], b"", "in the names of 2 boards: “Web shop” (2)"),
    (["add", "x"], b"", "there is more than one board."),
    (["add", "--board", "1", "--stage", "zzz", "x"], b"", "no stage is called “zzz”."),
    (["add", "--board", "1"], b"", "standard input is empty: nothing was added."),
    (["add", "--board", "1", " "], b"", "the title is empty: nothing was changed."),
    (["add", "--board", "1", "-"], b"a\0b", "is not text in UTF-8: nothing was changed."),
    (["add", "--board", "1", "-"], b"\xff\xfe", "is not text in UTF-8: nothing was changed."),
    (["add", "--board", "1", "-"], _TOO_MANY, "10,000 lines are too many at once"),
    (["add", "--board", "1", "-"], b"x" * 2_000_000, "is longer than 1 MB"),
    (["done", "mine"], b"", "“mine” is in the names of 3 cards"),
    (["done", "6", "99"], b"", "there is no card #99"),
    (["move", "6", "zzz"], b"", "no stage is called “zzz”."),
    (["move", "6", "open", "--board", "zzz"], b"", "no board is called “zzz”."),
    (["assign", "6", "me", "zoe"], b"", "no member is called “zoe”."),
    (["label", "6", "bgu"], b"", "no label is called “bgu”."),
    (["label", "6", " ", "--create"], b"", "there is an empty title"),
    (["comment", "6", "-"], b" \n", "the comment is empty: nothing was changed."),
    (["edit", "6"], b"", "there is nothing to edit"),
    (["edit", "6", "--title", ""], b"", "there is an empty title"),
    (["edit", "6", "--due", "someday"], b"", "“someday” is not a valid date"),
    (["edit", "6", "--set", "mood=7"], b"", "“mood=7” does not set a field"),
    (["edit", "6", "--set", "contact"], b"", "“contact” does not set a field"),
    (["edit", "6", "--set", "contact=x"], b"", "A contact is a number"),
    (["edit", "6", "--blocked-by", "7", "--blocked-by", "none"], b"", "give it alone"),
    (["edit", "6", "--title", "x", "--description", "/no/file"], b"", "cannot be read"),
    (["edit", "6", "--priority", "huge"], b"", "“huge” is not valid here; use one of "),
)


def test_wrong_input_is_told_in_a_line_and_changes_nothing(said: Said, piped: Piped) -> None:
    unchanged = said("tasks", "--json")[1]
    for arguments, given, told in WRONG:
        piped(given)
        code, text, beside = said(*arguments)
        expected = 1 if told.startswith(("no ", "there is no card")) else 2
        assert (code, text) == (expected, ""), arguments
        assert told in beside, arguments
        lines = [line for line in beside.splitlines() if line.startswith("callboard")]
        assert len(lines) == 1, arguments
        assert said("tasks", "--json")[1] == unchanged, arguments


def test_without_a_service_a_change_is_kept(said: Said, home: Path) -> None:
    assert said("tasks", "--board", "platform")[0] == 0
    cached_for_work(home, said)
    code, text, beside = said("-p", "work", "move", "6", "open")
    assert (code, text) == (0, "moved #6 “Mine” to “Open”\n")
    assert "password" in beside
    assert "Kept; will be sent when online." in beside
    code, text, _ = said("-p", "work", "add", "--board", "3", "Later", "--json")
    told = json.loads(text)
    assert (code, told["state"], told["cards"][0]["is_sent"]) == (0, "kept", False)
    assert "password" in told["problem"]
    code, text, _ = said("-p", "work", "done", "Later", "--dry-run")
    assert (code, text[:3]) == (0, "PUT")
    assert said("-p", "work", "sync")[0] == 1  # all of it still waits
    (card,) = json.loads(said("-p", "work", "tasks", "--json", "mine", "--board", "3")[1])
    assert card["stage"]["title"] == "Open"


def test_what_is_refused_is_named_and_dropped(said: Said, piped: Piped) -> None:
    piped(b"x" * 70_000)
    code, text, beside = said("comment", "6", "-")
    assert (code, text) == (1, "")
    assert beside.startswith("callboard: refused: Comment on “Mine”")
    assert beside.endswith("a comment may have at most 65.5 kB.\n")
    assert said("sync")[:2] == (0, "sent 0 changes, read 3 boards\n")

    piped(b"first #bug\n" + b"y" * 300_000 + b" #bug @me\nlast\n")
    code, text, beside = said("add", "--board", "platform", "-", "--json")
    told = json.loads(text)
    assert (code, told["state"]) == (1, "refused")
    assert [one["title"] for one in told["cards"]] == ["first", "last"]
    assert told["problem"] in beside
    assert said("sync")[:2] == (0, "sent 0 changes, read 3 boards\n")
    assert len(_tasks(said)) == 4


def test_a_person_that_is_no_member_of_the_board_is_told_so() -> None:
    view = small()
    with pytest.raises(NothingFound, match=f"you are not a member of “{view.board.title}”"):
        chosen_person("@me", view, Account("nobody", 77))


@pytest.mark.parametrize(
    ("state", "code", "told"),
    [
        (PendingState.CONFLICT, 1, "in conflict: Close “a”: someone else changed it"),
        (PendingState.UNSURE, 1, "Close “a”: unknown whether this took effect."),
        (PendingState.WAITING, 0, "The disk is full. Kept; will be sent when"),
    ],
)
async def test_what_is_not_accepted_is_told(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    state: PendingState,
    code: int,
    told: str,
) -> None:
    view = small()
    task = view.in_stage(1)[0]
    store = FakeStore(view)
    close = set_status(task, Status.CLOSED)
    left = PendingChange(7, 1, close, state, datetime(2026, 11, 20, 9, 0, tzinfo=UTC))
    if state is PendingState.WAITING:
        left = left._replace(reason="The disk is full.")
        store.now = SyncStatus(problem="Changes cannot be sent: The disk is full.")
    store.subscribe(lambda _: store.kept.append(left) if not store.asked else None)
    workspace = cast("Workspace", SimpleNamespace(store=store, preferences=tmp_path / "none"))
    plan = Plan([close], "closed", [task], [view])
    assert await carry_out(Opened(workspace, Settings(), How()), plan) == code
    assert told in capsys.readouterr().err
    is_dropped = state is PendingState.CONFLICT
    assert (store.asked, store.pending()) == ((["discard 7"], ()) if is_dropped else ([], (left,)))


def test_a_field_is_set_without_reading_all_comments(
    said: Said, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def comment_often() -> None:
        workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
        await workspace.connect()
        remote = await workspace.store.service()
        for _ in range(60):
            await remote.create_comment(3, 6, "Text", parent_id=None, image_ids=(), mentions=())
        await workspace.aclose()

    asyncio.run(comment_often())
    pages: list[int] = []
    read = Details.older_comments

    async def counted(self: Details, task_id: int) -> None:
        pages.append(task_id)
        await read(self, task_id)

    monkeypatch.setattr(Details, "older_comments", counted)
    assert said("edit", "6", "--set", "contact=7")[1] == "changed #6 “Mine”\n"
    assert pages == []
    assert len(json.loads(said("show", "6", "--json")[1])["comments"]) == 61
    assert pages == [6]


def test_cards_wait_for_cards_of_any_board_which_is_said_and_taken_back(said: Said) -> None:
    (own,) = json.loads(said("tasks", "--board", "website", "mine", "--json")[1])
    (other,) = json.loads(said("tasks", "--board", "platform", "mine", "--json")[1])
    card, blocker = str(own["id"]), str(other["id"])
    assert said("edit", card, "--blocked-by", blocker)[:2] == (0, f"changed #{card} “Mine”\n")
    assert f"Blocked by  Platform #{blocker}\n" in _squeezed(said("show", card)[1])
    code, _, beside = said("edit", blocker, "--blocked-by", card)
    assert code == 1
    assert f"#{blocker} would block itself: #{card} waits for #{blocker}" in beside
    assert "cannot block itself" in said("edit", card, "--blocked-by", card)[2]
    assert "is already up to date" in said("edit", card, "--blocked-by", blocker)[1]
    shown = json.loads(said("show", card, "--json")[1])["blocked_by"]
    assert shown == [
        {"id": other["id"], "board": "Platform", "state": "open", "found_on": other["board"]}
    ]
    said("done", blocker)
    assert f"Blocked by  Platform #{blocker} (closed)\n" in _squeezed(said("show", card)[1])
    assert "is closed, so it blocks nothing" in said("edit", card, "--blocked-by", blocker)[2]
    assert said("edit", card, "--blocked-by", "none")[0] == 0
    assert "Blocked by" not in said("show", card)[1]


def test_a_dry_run_of_blockers_keeps_the_description(said: Said, tmp_path: Path) -> None:
    text = tmp_path / "text.md"
    text.write_text("Why", encoding="utf-8")
    assert said("edit", "6", "--description", str(text), "--blocked-by", "4")[0] == 0
    code, shown, _ = said("edit", "6", "--blocked-by", "2", "--dry-run")
    assert (code, "<p>Why</p><p>Blocked by: Web shop #4, Website #2</p>" in shown) == (0, True)
    code, shown, _ = said("edit", "6", "--blocked-by", "none", "--dry-run")
    assert (code, '"value": "<p>Why</p>"' in shown) == (0, True)


def _squeezed(text: str) -> str:
    return re.sub(" {2,}", "  ", text)
