"""Plain mode: lines are fed, and the answers compared."""

import asyncio
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.cli.conftest import Said, archive_mine, cached_for_work
from tests.drivers.program import program
from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tui.cli.plain import PlainSession
from tui.cli.scripts.opened import How, Opened
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.task import Status
from tui.store.events import (
    ConflictFound,
    OperationRefused,
    OutcomeUncertain,
    PendingChange,
    PendingState,
    UnseenChanged,
)
from tui.store.operations import set_status

Typed = Callable[..., None]
"""Lets lines be on standard input."""


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Typed]:
    """Standard input with lines of a test."""
    with (tmp_path / "typed").open("w+", encoding="utf-8") as file:

        def write(*lines: str) -> None:
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            os.lseek(file.fileno(), 0, os.SEEK_SET)

        monkeypatch.setattr("sys.stdin", file)
        yield write


def test_boards_stages_and_cards_are_read_and_changed(said: Said, typed: Typed) -> None:
    typed(
        *("1", "2", "2", "comments"),
        *("m", "1", "move progress", "m", "", "move nowhere"),
        *("x", "x", "reopen", "u", "assign", "assign me"),
        *("comment Hello @me \x1b[31m", "w", "Second", "t", "w", ""),
        *("", "what", "7", "mine", "cards open", "r", "quit", "boards"),
    )
    code, text, beside = said("--plain")
    assert (code, beside) == (0, "")
    assert not [sign for sign in text if unicodedata.category(sign) == "Cc" and sign != "\n"]
    told = text.splitlines()
    assert told[:14] == [
        "3 boards.",
        "1. Platform: 1 open card.",
        "2. Web shop: 1 open card.",
        "3. Website: 1 open card.",
        "Type help for the commands.",
        "Board “Platform”, 3 stages.",
        "1. Open: 0 cards.",
        "2. In Progress: 2 cards.",
        "3. Completed: 0 cards.",
        "2 cards in “In Progress”.",
        "1. Card of Platform, #5, closed.",
        "2. Mine, #6, priority low, due nov 2037, assigned to me, 2 comments.",
        "#6 Mine",
        "Stage      In Progress · Platform",
    ]
    card = told[14:]
    assert {"Fix it", "• soon", "Subtasks: 0 of 1 done", "  Why?", "    So."} <= set(card)
    after = card[card.index("2 comments.") :]
    stages = "1 Open, 2 In Progress, 3 Completed. An empty line cancels."
    rest = [line for line in after if not line.startswith(" ")]
    assert rest == [
        "2 comments.",
        f"Move to which stage? {stages}",
        "Moved #6 “Mine” to “Open”.",
        "Moved #6 “Mine” to “In Progress”.",
        f"Move to which stage? {stages}",
        "Nothing was moved.",
        "No stage is called “nowhere”.",
        "Closed #6 “Mine”.",
        "Nothing to change: #6 “Mine” is already up to date.",
        "Reopened #6 “Mine”.",
        "Unassigned #6 “Mine” from me.",
        "Assigned #6 “Mine” to me.",
        "Nothing to change: #6 “Mine” is already up to date.",
        "Commented on #6 “Mine”.",
        "Your comment, in one line? An empty line cancels.",
        "Commented on #6 “Mine”.",
        "4 comments.",
        "Your comment, in one line? An empty line cancels.",
        "Nothing was written.",
        "“what” is not a command. Type help for the commands.",
        "No such number in the last list.",
        "1 open card of yours on “Platform”.",
        "1. Mine, #6, in In Progress, priority low, due nov 2037, assigned to me, 4 comments.",
        "0 cards in “Open”.",
        "Read “Platform” again.",
    ]
    shown = said("show", "6")[1]
    assert "Hello @me" in shown
    assert "Second" in shown


def test_without_a_connection_what_is_known_is_read_and_changes_are_kept(
    said: Said, home: Path, typed: Typed
) -> None:
    said("tasks")
    cached_for_work(home, said)
    typed("cards", "card 6", "done", "help")
    code, text, beside = said("-p", "work", "--ascii", "--plain", "--board", "platform")
    assert code == 0
    assert text.isascii()
    assert "Not connected: there is no password for the profile work." in text
    assert 'Closed #6 "Mine".' in text
    assert "Kept; will be sent when online." in beside
    assert "Quit, or q: end." in text


def test_in_read_only_mode_nothing_is_changed(said: Said, typed: Typed) -> None:
    typed("done", "card 6", "done", "w Hello")
    code, text, _ = said("--read-only", "--plain", "--board", "3")
    assert code == 0
    assert text.startswith("Read-only mode: nothing can be changed.\nBoard “Platform”")
    assert "No card is open. Type cards, then a number." in text
    assert text.endswith("Read-only mode: nothing was changed.\n" * 2)
    assert said("--plain", "boards")[0] == said("--board", "x")[0] == 2


def test_a_card_is_made_with_marks_and_gets_and_loses_its_due_date(
    said: Said, typed: Typed
) -> None:
    typed(
        *("due fri", "add No board", "open platform", "add", "", "cards in progress"),
        *("+ Fix login @me !high ^2037-12-01 #nothing @nobody", "due", "", "due never", "due none"),
        *("due none", "due 2037-11-30", "cards open", "add Second ^2037-12-01", "cards open"),
        *("card 6", "add", "Third", "due 2037-12-02", "quit"),
    )
    code, text, beside = said("--plain")
    assert code == 0
    assert beside == "callboard: no member “nobody”: kept as text\n"
    told = [line for line in text.splitlines() if not line.startswith(" ")]
    made = next(line for line in told if line.startswith("Added"))
    number = int(made.removeprefix("Added #").partition(" ")[0])
    card = f"#{number} “Fix login @nobody”"
    assert told[4:7] == [
        "Type help for the commands.",
        "No board is open. Type boards, then a number.",
        "No board is open. Type boards, then a number.",
    ]
    after = told[told.index("The title of the card? An empty line cancels.") :]
    assert after[1] == "Nothing was added."
    rest = after[after.index(made) :]
    question = "Due when? Such as fri, +3d or 1 dec 17:00; none removes it. An empty line cancels."
    assert rest.pop(1) == "Created label “nothing”."
    assert rest[:3] == [
        f"Added {card} to “In Progress” on “Platform”.",
        question,
        "Nothing was changed.",
    ]
    assert rest[3].startswith("“never” is not a valid date. Type a day such as fri")
    assert rest[4:6] == [
        f"Removed the due date of {card}.",
        f"Nothing to change: {card} is already up to date.",
    ]
    assert rest[6].startswith(f"Set the due date of {card} to Monday 30 November 2037, 17:00 (in ")
    assert rest[7:10] == [
        "0 cards in “Open”.",
        f"Added #{number + 1} “Second” to “Open” on “Platform”.",
        "1 card in “Open”.",
    ]
    assert rest[10] == f"1. Second, #{number + 1}, priority low, due dec 2037."
    assert rest[-2] == f"Added #{number + 2} “Third” to “Open” on “Platform”."
    assert f"of #{number + 2} “Third” to Wednesday 2 December 2037, 17:00" in rest[-1]
    rows = [row.split("  ") for row in said("tasks", "--board", "platform")[1].splitlines()]
    (row,) = ([cell.strip() for cell in row if cell.strip()] for row in rows if "Fix" in str(row))
    assert row[:2] == [f"#{number}", "Fix login @nobody"]
    assert row[2:] == ["In Progress", "nov 2037", "high", "me", "nothing"]


def test_a_card_is_found_on_all_boards_and_opened(said: Said, typed: Typed) -> None:
    typed(*("find", "find zzzz", "f #6", "1", "done", "find website", "card 2", "find @me", "q"))
    code, text, beside = said("--plain")
    assert (code, beside) == (0, "")
    told = text.splitlines()
    assert told[5:7] == [
        "Find what? Type find and words, a number or @name.",
        "No results for “zzzz”. Type fewer or other words.",
    ]
    assert told[8] == "1. Mine, #6, in In Progress on Platform."
    assert told[told.index("#6 Mine") - 1] == "Board “Platform”."
    rest = told[told.index("Closed #6 “Mine”.") :]
    assert any(line.endswith("board Website.") for line in rest)
    assert any(
        line.endswith("Card of Website, #1, in In Progress on Website, closed.") for line in rest
    )
    assert rest[rest.index("#2 Mine") - 1] == "Board “Website”."
    assert any(line.endswith("Mine, #6, in In Progress on Platform, closed.") for line in rest)


def test_everything_that_is_found_is_opened_by_its_number(said: Said, typed: Typed) -> None:
    typed(
        *("open", "find platform", "find me", "1", "open platform", "card mine", "find first"),
        *("1", "find why", "1", "q"),
    )
    code, text, beside = said("--plain")
    assert (code, beside) == (0, "")
    told = text.splitlines()
    assert "Which board? Type open and its name, or boards." in told
    assert told[told.index("2 hits.") + 1] == "1. board Platform."
    of_me = told[told.index("1. person me.") + 1 :]
    assert of_me[:2] == ["3 hits.", "1. Mine, #6, in In Progress on Platform."]
    subtask = told[told.index("1. subtask First, #7, of Mine.") + 1 :]
    assert subtask[0] == "#7 First"
    comment = subtask[subtask.index("1. comment on Mine, #6: Why?.") + 1 :]
    assert comment[0] == "#6 Mine"


def test_no_card_is_made_on_a_board_without_stages(said: Said, home: Path, typed: Typed) -> None:
    assert said("tasks", "--board", "platform")[0] == 0
    cached_for_work(home, said)
    assert said("-p", "work", "board", "add", "Later")[0] == 0
    typed("add A card")
    code, text, _ = said("-p", "work", "--plain", "--board", "later")
    assert code == 0
    assert text.endswith("“Later” has no stages yet.\n")


def test_archived_cards_and_subtasks_are_read_by_number_and_not_changed(
    said: Said, typed: Typed, home: Path
) -> None:
    assert said("show", "6")[0] == 0
    archive_mine(home)
    assert said("sync")[0] == 0
    typed(*("card 99", "open platform", "card 5", "card 7", "done", "c", "t 6", "c 6", "done"))
    code, text, beside = said("--plain")
    assert (code, beside) == (0, "")
    told = text.splitlines()
    assert "There is no card #99 on these boards." in told
    no_card = "No card is open. Type cards, then a number."
    subtask = told[told.index("#7 First") :]
    assert "Parent    #6" in subtask
    comments = subtask.index("2 comments.")
    assert subtask[comments - 2 : comments] == [no_card] * 2
    archived = subtask[subtask.index("#6 Mine") :]
    assert any(line.startswith("Archived ") for line in archived)
    assert archived[-1] == no_card


def test_the_standup_is_read_card_by_card_and_person_by_person(said: Said, typed: Typed) -> None:
    typed(
        *("next", "open website", "standup", "next", "next", "boards", "next", "next"),
        *("standup people", "next", "1", "standup everybody", "open platform", "card 6"),
        *("standup", "next", "next", "2", "quit"),
    )
    code, text, beside = said("--plain")
    assert (code, beside) == (0, "")
    told = text.splitlines()
    assert told[5] == "Nothing to continue. Type standup to begin."
    first = told[told.index("Standup: Website.") :]
    assert first[1].endswith(".")
    assert first[2].startswith("1 closed")
    assert first[3:5] == ["Type next for the first card.", "Done (1)."]
    assert first[5].startswith("1. #1 Card of Website, in In Progress, closed ")
    assert first[6] == "In Progress (1)."
    assert first[7].startswith("2. #2 Mine, assigned to me, ")
    assert first[7].endswith(".")
    assert not set("·→≥☑") & set("".join(first[:8]))
    assert first[12:15] == [
        "Open (0).",
        "End of the standup.",
        "Nothing to continue. Type standup to begin.",
    ]
    people = first[first.index("Type next for the first person.") :]
    assert people[1:3] == ["Me.", "Done or moved."]
    assert people[3].startswith("1. #1 Card of Website, in In Progress, closed ")
    assert people[people.index("End of the standup.") + 1] == "#1 Card of Website"
    assert "No such standup. Type standup, or standup people." in people
    last = people[people.index("Standup: Platform.") :]
    assert last[-1].strip()
    assert "#6 Mine" in last


def test_news_of_others_and_what_is_not_accepted_are_told_in_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    store = FakeStore(small())
    opened = cast("Opened", SimpleNamespace(store=store, how=How()))
    session = PlainSession(opened, asyncio.Queue())
    moved = RemoteChange(11, ChangeKind.MOVED, "“Done”", "Ann")
    session.hear(UnseenChanged(1, (moved,)))
    assert capsys.readouterr().out == ""
    session.view = board = small()
    session.hear(UnseenChanged(1, (moved,)))
    session.hear(UnseenChanged(1))
    session.hear(UnseenChanged(2, (moved,)))
    close = set_status(board.in_stage(1)[0], Status.CLOSED)
    since = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
    change = PendingChange(7, 1, close, PendingState.REFUSED, since, reason="It may not be.")
    session.hear(OperationRefused(change))
    session.hear(OperationRefused(change, 2))
    session.hear(ConflictFound(change))
    session.hear(OutcomeUncertain(change))
    assert capsys.readouterr().out.splitlines() == [
        "Updates: Ann moved #11 to “Done”.",
        "Refused: Close “a”: It may not be.",
        "Refused: Close “a”, and 2 more that depend on it: It may not be.",
        "Conflict: Close “a”: someone else changed it too.",
        "May have arrived: Close “a”: It may not be.",
    ]


@pytest.mark.long
def test_on_a_terminal_it_neither_imports_textual_nor_draws(home: Path) -> None:
    code = (
        "import sys\nfrom tui.cli.main import main\nmain(['--plain'])\n"
        "print('loaded:', *({'textual'} & set(sys.modules)))"
    )
    with program(home, command=(sys.executable, "-c", code), LOGNAME="me") as terminal:
        for line in ("help", "quit"):
            terminal.press(*line, "enter")
        assert terminal.exit_code() == 0
        assert b"\x1b" not in terminal.written
        assert terminal.written.splitlines()[-1] == b"loaded:"
