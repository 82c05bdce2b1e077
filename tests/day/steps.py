"""The steps of the day: the keys of the help, what each must do, and what it needs.

A step on a card works on a card of its own, called as the step is; it is made beforehand.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from tests.day.held import Column
from tests.day.world import BOARD, COLLEAGUE, LOGIN, OTHER_BOARD, VIEWER, Day
from tests.service.pictures import png
from tui.client.capabilities import Feature
from tui.client.client import Client
from tui.dialogs.help import AddressDialog, HelpDialog
from tui.dialogs.palette import PaletteDialog
from tui.dialogs.picture import PictureDialog
from tui.screens.agent_log import AgentLogScreen
from tui.screens.board.screen import BoardScreen
from tui.screens.boards.screen import BoardsScreen
from tui.screens.lists.activity import ActivityScreen
from tui.screens.lists.members import MembersScreen
from tui.screens.lists.people import PeopleScreen
from tui.screens.lists.webhooks import WebhooksScreen
from tui.screens.pending.screen import PendingScreen
from tui.screens.standup.screen import StandupScreen
from tui.screens.task.screen import TaskScreen
from tui.screens.thread.screen import ThreadScreen

Check = Callable[[Day], bool]

BACKLOG, DOING, CLOSING = f"{BOARD}/Backlog", f"{BOARD}/Doing", f"{BOARD}/Done"
_CTRL_S = "ctrl+s"
_DATED = "d ~2031-12-05_17:00 enter s ~2031-12-01 enter"
"""Gives the card at the cursor a due date and a start."""


@dataclass(frozen=True, slots=True)
class Step:
    """Keys that are pressed, and what is so afterwards.

    `keys` are those of the help; `press` as in `Day.press`. `place` is where they are pressed:
    on the board, in the task, its subtasks, or its comments. `needs` is a feature without which
    the step is not possible. `has_undo`: the step is undone and redone after it, for which the
    feature `undo_needs` is needed.
    """

    keys: str
    name: str
    press: str
    holds: Check
    place: str = "board"
    needs: Feature | None = None
    has_undo: bool = True
    undo_needs: Feature | None = None


def looks(keys: str, name: str, press: str, shows: Check, place: str = "board") -> Step:
    """A step that changes nothing at the service."""

    def holds(day: Day) -> bool:
        return shows(day) and day.after == day.before

    return Step(keys, name, press, holds, place, has_undo=False)


def _front(kind: type) -> Check:
    return lambda day: isinstance(day.app.screen, kind)


def _shows(*words: str) -> Check:
    return lambda day: all(word in day.person.text for word in words)


def _tells_role(day: Day) -> bool:
    """Whether a member of the board is called a viewer, if the edition has viewers."""
    has_viewers = day.edition.quirks is None or not day.edition.quirks.no_viewers
    lines = [line for line in day.person.text.splitlines() if "Vic Stone" in line]
    return [("viewer" in line) is has_viewers for line in lines] == [True]


def _here(title: str) -> Check:
    return lambda day: day.person.here == title


def _card(name: str, **expected: object) -> Check:
    """Whether a card is as expected, in each of the fields named."""

    def holds(day: Day) -> bool:
        card = day.after.cards.get(name)
        return card is not None and all(
            getattr(card, field) == value for field, value in expected.items()
        )

    return holds


def _on_days(name: str, start: str, due: str) -> Check:
    """Whether a card starts and is due on these days."""

    def holds(day: Day) -> bool:
        card = day.after.cards[name]
        return card.start.startswith(start) and card.due.startswith(due)

    return holds


def _at(name: str, stage: str, index: int | None = None) -> Check:
    def holds(day: Day) -> bool:
        cards = day.after.stage(stage)
        return name in cards and (index is None or cards.index(name) == index % len(cards))

    return holds


def _swapped(name: str, by: int) -> Check:
    """Whether a card has moved by so many places in its stage, and nothing else has."""

    def holds(day: Day) -> bool:
        expected = day.before.stage(BACKLOG)
        index = expected.index(name)
        expected.insert(index + by, expected.pop(index))
        return day.after.stage(BACKLOG) == expected

    return holds


def _columns(*titles: str, at: int = 0) -> Check:
    """Whether the columns from a place on are called so."""
    return lambda day: day.after.columns(BOARD)[at : at + len(titles)] == list(titles)


def _column(day: Day, at: int) -> Column:
    return [stage for stage in day.after.stages if stage.board == BOARD][at]


def _cards_of(day: Day, at: int) -> list[str]:
    return day.after.stage(f"{BOARD}/{_column(day, at).title}")


def _all(*checks: Check) -> Check:
    return lambda day: all(check(day) for check in checks)


def _gone(name: str) -> Check:
    return lambda day: name not in day.after.cards


def _comment(name: str, *comments: tuple[str, str]) -> Check:
    """Whether the card has these comments, as (text, text of what it answers)."""

    def holds(day: Day) -> bool:
        found = [
            (_plain(text), _plain(answers)) for text, answers in day.after.cards[name].comments
        ]
        return found == list(comments)

    return holds


def _plain(text: str) -> str:
    return text.replace("<p>", "").replace("</p>", "").strip()


def _mentions(name: str, who: str) -> Check:
    """Whether the only comment of a card mentions somebody.

    Where logins are not told the text cannot say so; then the id that was sent with it does.
    """

    def holds(day: Day) -> bool:
        text = "".join(text for text, _ in day.after.cards[name].comments)
        if not text:
            return False
        if day.edition.quirks is None or not day.edition.quirks.no_user_logins:
            return f"{who}</a>" in text
        sent = json.loads(day.traffic.last)
        user_id = next(one.id for one in day.board.people if one.name == who)
        return _plain(text) == f"Hi @{who}" and sent["mentionData"] == [user_id]

    return holds


BOARD_STEPS = (
    looks("h j k l", "cursor", "j", lambda day: day.person.here != "cursor"),
    looks("gg G", "ends", "G g g", lambda day: day.person.deck.cursor.row == 0),
    looks("0 $ 1 9", "columns", "$ 0 3", lambda day: day.person.deck.cursor.stage == 2),
    Step("Space", "carried", "space l space", _at("carried", DOING)),
    looks("Space Esc", "put back", "space l escape", _here("put back")),
    Step("L", "right", "L", _at("right", DOING)),
    Step("H", "left", "H", _at("left", BACKLOG)),
    Step("J", "down", "J", _swapped("down", 1)),
    Step("K", "up", "K", _swapped("up", -1)),
    Step("L into a closing stage", "finished", "m ~done enter",
         _all(_at("finished", CLOSING), _card("finished", status="closed"))),
    Step("m out of a closing stage", "reopened", "m ~doing enter", _at("reopened", DOING)),
    Step("v", "marked", "v v x", _all(
        _card("marked", status="closed"), _card("place for a new card", status="closed"))),
    Step("n", "place for a new card",
         "n ~made_by_key_#urg_@bob_!high_^2031-12-05 enter escape", _all(
             lambda day: ("place for a new card", "made by key")
             in pairwise(day.after.stage(BACKLOG)),
             _card("made by key", labels=("urgent",), assignees=(COLLEAGUE,), priority="high",
                   due="2031-12-05 17:00:00")),
         undo_needs=Feature.TASK_DELETION),
    Step("e", "renamed", "e ctrl+u ~renamed_by_key enter", _at("renamed by key", BACKLOG)),
    Step("x", "closed", "x", _card("closed", status="closed")),
    Step(",", "closed by menu", "comma x", _card("closed by menu", status="closed")),
    Step("p", "priority", "p h", _card("priority", priority="high")),
    Step("d", "due", "d ~2031-12-05_17:00 enter", _card("due", due="2031-12-05 17:00:00")),
    Step("s", "starts", "s ~2031-12-01 enter",
         lambda day: day.after.cards["starts"].start.startswith("2031-12-01")),
    Step("a", "assigned", "a ~bob space enter", _card("assigned", assignees=(COLLEAGUE,))),
    Step("i", "mine", "i", _card("mine", assignees=(LOGIN,))),
    Step("w", "watched", "w", _card("watched", watchers=(LOGIN,))),
    Step("t", "labelled", "t ~urg space enter", _card("labelled", labels=("urgent",))),
    Step("X", "released", "t ~◇_codex space enter i X", _card("released", labels=(), assignees=()),
         has_undo=False),
    Step("b", "blocked", "b ~no_DNS enter", _all(
        _card("blocked", labels=("Blocked",)), _comment("blocked", ("Blocked: no DNS", "")))),
    Step("m", "sent", "m ~review enter", _at("sent", f"{BOARD}/Review", -1)),
    Step("m to a board", "sent away", "m ~other enter enter",
         lambda day: (day.after.cards["sent away"].stage or "").startswith(OTHER_BOARD),
         needs=Feature.BOARD_MOVES),
    Step("C", "copied", "C enter", lambda day: len(day.after.cards) == len(day.before.cards) + 1,
         undo_needs=Feature.TASK_DELETION, needs=Feature.TASK_COPIES),
    Step("E", "described", f"E ~Bold_words {_CTRL_S}",
         lambda day: "Bold words" in day.after.cards["described"].description),
    Step("c", "commented", f"c ~First {_CTRL_S}", _comment("commented", ("First", ""))),
    Step("c with @", "mentioned", f"c ~Hi_@bo tab {_CTRL_S}", _mentions("mentioned", "Bob Cook")),
    Step("c with a picture", "pictured",
         f"c ctrl+o ~{{folder}}/dot.png enter {_CTRL_S} ~Look {_CTRL_S}",
         _card("pictured", pictures=1), needs=Feature.PICTURES),
    looks("T", "thread", "T", _front(ThreadScreen)),
    looks("y b", "copied here", "y u y b y y",
          lambda day: day.app.clipboard.endswith(" copied here")),
    Step(">", "made a subtask", "> ~parent_of enter enter",
         _card("made a subtask", parent="parent of subtasks"), needs=Feature.SUBTASKS),
    Step("A", "archived", "A", _card("archived", is_archived=True)),
    Step("D", "deleted", "D y", _gone("deleted"), needs=Feature.TASK_DELETION),
    Step("V", "ranged", "v j j V x", _card("range ends", status="closed")),
    looks("ctrl+d ctrl+u", "half pages", "ctrl+d ctrl+u", _front(BoardScreen)),
    looks("Esc", "range ends", "v escape", lambda day: not day.person.deck.marks),
    looks("/", "filtered", "/ ~filtered enter",
          lambda day: [task.title for task in day.person.deck.shown.all_tasks()] == ["filtered"]),
    looks("f", "labelled", "f ~label enter ~urg enter escape",
          lambda day: "label:urgent" in day.person.board.bar.words),
    looks("M", "mine", "M", lambda day: "@me" in day.person.board.bar.words),
    Step("B -", "laned", "j p h k B r space g g enter u U - - B n", _all(
        _card("laned", priority="high"), _card("looks", priority="high")), has_undo=False),
    looks("ctrl+e z Z \\", "looks", "ctrl+e ctrl+e ctrl+e z z Z Z backslash", _front(BoardScreen)),
    looks("[ ]", "news", "]", lambda day: bool(day.said)),
    looks("R", "refreshed", "R", _front(BoardScreen)),
    looks("g u", "pending", "g u", _front(PendingScreen)),
    looks("g e", "not waiting", "g e", _shows("No card blocks “not waiting”")),
    looks("g f", "found anywhere", "g f ~found_anywhere enter",
          _all(_front(TaskScreen), _shows("found anywhere"))),
    looks("ctrl+o", "jumped", "g f ~found_anywhere enter ctrl+o",
          lambda day: day.person.here == "jumped"),
    looks("g s Tab > < ! ; - + =", "standup", "g s tab > < ! ; ; - + = ~fri enter",
          _all(_front(StandupScreen), _shows("Standup  since Fri"))),
    looks("P D B y Y", "standup copied", "g s B enter P ~By_whom enter G D y Y",
          _all(_front(StandupScreen), _shows("Copied as plain text"))),
    looks("g a", "activity", "g a", _front(ActivityScreen)),
    looks("O", "looks", "O", _front(AgentLogScreen)),
    looks("g i", "insight", "g i + + - o", _shows("12 weeks", "Closed each week", "older than")),
    looks("Tab + - w f", "forecast", "g i tab + - w ~30 enter f ~label:bug enter tab g i tab",
          _shows("Forecast", "Not enough history")),
    Step("g d", "later", f"{_DATED} g d / ~later enter space l l l enter",
         _on_days("later", "2031-12-04", "2031-12-08"), has_undo=False),
    Step("g d undone", "unmoved", f"{_DATED} g d / ~unmoved enter space l l l space u",
         _on_days("unmoved", "2031-12-01", "2031-12-05"), has_undo=False),
    looks("g t", "members", "g t", _all(_front(MembersScreen), _tells_role)),
    looks("g t on boards", "people", "g b g t", _all(_front(PeopleScreen), _shows("Bob Cook"))),
    Step("g x", "restored", "A g x / ~restored enter A escape escape", _all(
        _at("restored", BACKLOG, 0), lambda day: day.before.stage(BACKLOG)[0] != "restored"),
        has_undo=False),
    looks("g w", "webhooks", "g w", _front(WebhooksScreen)),
    Step("g l", "a label made", "g l n ~made tab tab ~dark_red enter", _shows("made")),
    Step("g c", "a field made", "g c n ~Made tab ~sel tab ~one ctrl+s", _shows("Made", "one"),
         needs=Feature.CUSTOM_FIELDS),
    looks("g ,", "settings", "g comma / ~density enter enter 2", _shows("● normal  ")),
    looks("g m", "my work", "g m", _shows("My work")),
    looks("g o", "inbox", "g o", _shows("Inbox")),
    looks("g n", "next card", "g n", _shows("ext card: ")),
    looks("g v", "views", "g v", _shows("Due this week")),
    looks("g p", "profiles", "g p", _shows("Profiles", "boards on this machine")),
    looks("g b", "boards", "g b", _front(BoardsScreen)),
    Step("n on boards", "board made", "g b n ~Made_by_key enter",
         lambda day: "Made by key" in day.after.boards, has_undo=False),
    Step("e on boards", "board edited", "g b n ~Edited enter e ~_by_key tab ~About ctrl+s",
         lambda day: "Edited by key" in day.after.boards, has_undo=False),
    Step("C on boards", "board duplicated", "g b n ~Source enter C enter",
         lambda day: {"Source", "Source (copy)"} <= {*day.after.boards}, has_undo=False),
    Step("D on boards", "board deleted", "g b n ~Doomed enter D ~Doomed enter",
         lambda day: "Doomed" not in day.after.boards, has_undo=False),
    looks("P o T t on boards", "boards in order", "g b P P o t o r T T T t t",
          _all(_front(BoardsScreen), _shows(BOARD, OTHER_BOARD))),
    looks("F f on boards", "folder shown", "g b F f 0", _front(BoardsScreen)),
    Step("F p o on boards", "board filed", "g b F n ~Box enter F p 1 F o",
         lambda day: day.edition.login == VIEWER or "from the folder" in day.said,
         needs=Feature.FOLDERS, has_undo=False),
    looks("?", "helped", "?", _front(HelpDialog)),
    looks(":", "any action", ":", _front(PaletteDialog)),
    looks("Enter", "opened", "enter", _front(TaskScreen)),
)  # fmt: skip

STAGE_STEPS = (
    Step("S r", "stage renamed", "5 S r ctrl+u ~Renamed enter", _columns("Renamed", at=4)),
    Step("S e", "stage set up", "5 S e down right down space ~bob enter down ~sky enter",
         lambda day: (_column(day, 4).status, len(_column(day, 4).assignees), _column(day, 4).color)
         == ("closed", 1, "#6cc3e0")),
    Step("S c", "stage coloured", "5 S c home j enter",
         lambda day: _column(day, 4).color == "#4bce97"),
    Step("S s", "stage sorted", "5 S s T", lambda day: _cards_of(day, 4) == ["z", "a card"]),
    Step("S X", "stage emptied", "5 S X y", lambda day: _cards_of(day, 4) == []),
    Step("S A", "stage archived", "5 S A y", _columns("Backlog", "Doing", "Review", "Done")),
    looks("S R", "archived stages", "S R", _shows("Archived stages", "In Progress")),
    Step("S m", "stage moved", "3 S m l enter", _columns("Done", "Review", at=2)),
    Step("S n", "stage made", "1 S n ~By_key enter", _columns("Backlog", "By key")),
    Step("S N", "stage made left", "1 S N ~Left enter", _columns("Left", "Backlog")),
)  # fmt: skip
"""What is done to stages, in this order, after everything that needs them as they are."""

TASK_STEPS = (
    looks("1 5 Tab", "parts", "1 2 3 4 5 tab", _front(TaskScreen), "task"),
    Step("e", "task title", "e ctrl+u ~task_renamed enter", _at("task renamed", BACKLOG),
         place="task"),
    Step("x", "task closed", "x", _card("task closed", status="closed"), place="task"),
    Step("w", "task no longer watched", "w", _card("task no longer watched", watchers=()),
         place="task"),
    Step("a", "task assigned", "a ~bob space enter", _card("task assigned", assignees=(COLLEAGUE,)),
         place="task"),
    Step("n", "subtask made", "n ~step_by_key enter escape",
         _card("step by key", parent="subtask made"), place="subtasks", needs=Feature.SUBTASKS),
    Step("N", "group made", "N ~By_key enter escape",
         lambda day: ("group made", "By key") in day.after.groups, place="subtasks",
         needs=Feature.SUBTASK_GROUPS),
    Step("P", "subtasks pasted", f"P ~pasted_one enter ~pasted_two {_CTRL_S} escape",
         lambda day: [card.title for card in day.after.cards.values()
                      if card.parent == "subtasks pasted"][-2:] == ["pasted one", "pasted two"],
         place="subtasks", needs=Feature.SUBTASKS),
    Step("m in subtasks", "subtask regrouped", "g g j m ~more_of enter",
         lambda day: day.after.group("More of subtask regrouped") == ["regrouped one"],
         place="subtasks", needs=Feature.SUBTASK_GROUPS),
    Step("J", "subtask moved", "g g j J",
         lambda day: day.after.group("Steps of subtask moved") == ["moved two", "moved one"],
         place="subtasks", needs=Feature.SUBTASKS),
    Step("Space in subtasks", "subtask carried", "g g j space j space",
         lambda day: day.after.group("Steps of subtask carried") == ["carried two", "carried one"],
         place="subtasks", needs=Feature.SUBTASKS),
    Step("x in subtasks", "subtask closed", "g g j x",
         _card("closed one", status="closed"), place="subtasks", needs=Feature.SUBTASKS),
    Step("<", "subtask promoted", "g g j < ~doing enter", _at("promoted one", DOING),
         place="subtasks", needs=Feature.SUBTASKS),
    Step("Enter on a field", "field set", "4 g g j j enter h",
         _card("field set", priority="high"), place="task"),
    looks("o", "linked", "o", _front(AddressDialog), "task"),
    Step("Enter on a custom field", "customised", "4 G enter j j j j j j j enter ~ACME enter",
         lambda day: day.after.cards["customised"].values == ('"ACME"',), place="task",
         needs=Feature.CUSTOM_FIELDS),
    looks("O", "ordered", "3 O", _front(TaskScreen), "task"),
    looks("[ ] in a task", "neighbour", "]", _front(TaskScreen), "task"),
    Step("r", "replied", f"r ~Answer {_CTRL_S}",
         _comment("replied", ("Question", ""), ("Answer", "Question")), place="comments"),
    Step("Q", "quoted", f"Q ~Indeed {_CTRL_S}",
         lambda day: len(day.after.cards["quoted"].comments) == 2, place="comments"),
    Step("e in comments", "edited", f"e ctrl+end ~! {_CTRL_S}",
         _comment("edited", ("Question!", "")), place="comments"),
    looks("v in comments", "seen", "v", _front(PictureDialog), place="comments"),
    Step("D in comments", "uncommented", "D y", _comment("uncommented"), place="comments"),
)  # fmt: skip

STEPS = (
    *BOARD_STEPS,
    *TASK_STEPS,
    *STAGE_STEPS,
    looks("q", "quit", "q", lambda day: not day.app.is_running),
)


async def furnish(client: Client) -> int:
    """Make the boards with a card for each step; the id of the first board."""
    other = await client.create_board(OTHER_BOARD, "", "to-do")
    board = await client.create_board(BOARD, "", "to-do")
    everybody = await client.users()
    colleague = next(one["ID"] for one in everybody if one["display_name"] == "Bob Cook")
    viewer = next(one["ID"] for one in everybody if one["display_name"] == "Vic Stone")
    for one in (other, board):
        await client.add_member(one["id"], colleague)
        await client.add_member(one["id"], viewer, viewer_only=True)
    old = (await client.board(board["id"]))["stages"]
    for title, status in (
        ("Backlog", "open"), ("Doing", "open"), ("Review", "open"), ("Done", "closed"),
        ("Spare", "open"),
    ):  # fmt: skip
        await client.create_stage(board["id"], title, status=status)
    for stage in old:
        await client.archive_stage(board["id"], stage["id"])
    stages = {stage["title"]: stage["id"] for stage in (await client.board(board["id"]))["stages"]}
    await client.create_field(board["id"], "Customer", "text")
    await client.create_label(board["id"], "urgent", text_color="#ffffff", color="#c0392b")
    starts_in = {"left": "Doing", "reopened": "Done"}
    for step in STEPS:
        title = starts_in.get(step.name, "Backlog")
        task = await client.create_task(board["id"], stages[title], step.name)
        if step.name == "linked":
            link = '<p><a href="https://example.org/a">there</a></p>'
            await client.set_task(board["id"], task["id"], "description", link)
        if step.name == "watched":
            await client.set_task(board["id"], task["id"], "is_watching", False)
        if step.place == "comments":
            images = []
            if step.name == "seen":
                images = [
                    (await client.upload_image(board["id"], task["id"], "a.png", png(1, 1)))["id"]
                ]
            await client.create_comment(board["id"], task["id"], "Question", image_ids=images)
        if step.place == "subtasks":
            await _add_subtasks(client, board["id"], task["id"], step.name)
    await _add_cards(client, board["id"], stages)
    return int(board["id"])


async def _add_cards(client: Client, board_id: int, stages: Mapping[str, int]) -> None:
    """Make the cards that several steps need, or that stages need."""
    for stage, title in (("Backlog", "parent of subtasks"), ("Spare", "a card"), ("Spare", "z")):
        await client.create_task(board_id, stages[stage], title)


async def _add_subtasks(client: Client, board_id: int, task_id: int, name: str) -> None:
    group = await client.create_subtask_group(board_id, task_id, f"Steps of {name}")
    await client.create_subtask_group(board_id, task_id, f"More of {name}")
    word = name.rsplit(maxsplit=1)[-1]
    for number in ("one", "two"):
        await client.create_subtask(board_id, task_id, group["id"], f"{word} {number}")
