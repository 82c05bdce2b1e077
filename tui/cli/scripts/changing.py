"""The commands that add and change cards and boards: the plan of what each of them changes."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from tui.cli.output import ascii_only, say
from tui.cli.scripts.chosen import (
    chosen,
    chosen_group,
    chosen_label,
    chosen_person,
    file_given,
    title_given,
    words_given,
)
from tui.cli.scripts.opened import How, Opened, run_opened
from tui.cli.scripts.reading import detail_of, detail_with_fields
from tui.cli.scripts.writing import Plan, Planning, run_plan
from tui.client.capabilities import Feature
from tui.errors import CallboardError, CannotGoOn, WrongInput
from tui.model.blocked_by import Blocker, name_of_board
from tui.model.board import BoardType, BoardView, Place
from tui.model.colors import free_color
from tui.model.comment_text import named_in
from tui.model.detail import DetailPart, SubtaskGroup, TaskDetail
from tui.model.fields.plain import ASKED_FIELDS
from tui.model.relations import circle_in_words
from tui.model.task import Label, Person, Priority, Status, Task, distinct
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted
from tui.text.dates import parse_when, wall_clock
from tui.text.markdown import edited_html, to_html, to_markdown
from tui.text.plain_names import DEFAULT_GROUP

_NO_CARD = "none"


def add_board(
    how: How,
    title: Sequence[str],
    *,
    kind: str,
    stages: Sequence[str],
    description: str | None,
    currency: str,
    folder: str,
) -> int:
    """Add a board; without stages it has those of the service."""
    name = title_given(words_given(title, "the title"))
    titles = tuple(map(title_given, stages))
    markdown = "" if description is None else file_given(description, "the description")

    async def plan(opened: Opened) -> Plan:
        if folder and opened.store.offers(Feature.FOLDERS) is False:
            raise CallboardError("this service’s edition has no folders.")
        operations = change.new_board(
            name,
            BoardType(kind),
            titles,
            description=to_html(markdown) if markdown else "",
            currency=currency,
            folder_id=chosen(folder, await opened.folders(), "folder").id if folder else None,
        )
        board = operations[0].board
        return Plan(operations, "added the board", [], [BoardView(board)], board=board)

    return run_plan(how, plan)


def edit(
    how: How,
    card: str,
    *,
    title: str | None,
    description: str | None,
    priority: str | None,
    due: str | None,
    start: str | None,
    values: Sequence[str],
    blockers: Sequence[str],
    board: str,
) -> int:
    """Set those fields of a card that are given; `description` names a file."""
    markdown = None if description is None else file_given(description, "the description")
    plan = editing(
        title=title,
        markdown=markdown,
        priority=priority,
        due=due,
        start=start,
        values=values,
        blockers=blockers,
    )
    return run_plan(how, partial(plan, card=card, board=board))


def editing(
    *,
    title: str | None = None,
    markdown: str | None = None,
    priority: str | None = None,
    due: str | None = None,
    start: str | None = None,
    values: Sequence[str] = (),
    blockers: Sequence[str] = (),
) -> Planning:
    """What plans to set the given fields of a `card` on a `board`. Raises `WrongInput`.

    `blockers` are cards that block it from now on; `none` are those of a card without any.
    """
    given = (title, markdown, priority, due, start, *values, *blockers)
    if all(value is None for value in given):
        raise WrongInput("there is nothing to edit: give --title, --due or another field.")
    new_title = None if title is None else title_given(title)
    now = wall_clock()
    due_at = None if due in (None, "none") else parse_when(due, now)
    started_at = None if start in (None, "none") else parse_when(start, now)
    plain = dict(map(_plain_value, values))
    _check_blockers(blockers)

    async def plan(opened: Opened, *, card: str, board: str) -> Plan:
        view, task = await opened.card(card, board)
        operations: list[Operation] = []
        if new_title is not None:
            operations.append(change.set_title(task, new_title))
        if markdown is not None:
            # Parts that are the same stay as they are stored.
            source = await opened.store.description_source(task.id)
            previous = to_markdown(source)
            html = edited_html(source, previous, markdown) if source else to_html(markdown)
            operations += change.set_written(replace(task, description=source), html)
        if priority is not None:
            operations.append(change.set_priority(task, Priority(priority)))
        if due is not None:
            operations.append(change.set_due(task, due_at))
        if start is not None:
            operations.append(change.set_start(task, started_at))
        if plain:
            detail = await detail_with_fields(opened, view, task.id) or TaskDetail(task)
            operations += (change.set_plain(detail, name, value) for name, value in plain.items())
        added, notes = await _blocking(opened, view, task, blockers)
        operations += added
        renamed = task if new_title is None else replace(task, title=new_title)
        return Plan(operations, "changed", [renamed], [view], notes=notes)

    return plan


def _check_blockers(names: Sequence[str]) -> None:
    if _NO_CARD in names and len(names) > 1:
        raise WrongInput(f"{quoted(_NO_CARD)} means that no card blocks it: give it alone.")


async def _blocking(
    opened: Opened, view: BoardView, task: Task, names: Sequence[str]
) -> tuple[list[Operation], list[str]]:
    # And what there is to say of cards that block nothing.
    if [*names] == [_NO_CARD]:
        return [change.remove_blocker(task, blocker) for blocker in task.blockers], []
    present = {blocker.id for blocker in task.blockers}
    relations = opened.store.relations()
    operations, notes = list[Operation](), list[str]()
    for there, card in await opened.cards(names) if names else ():
        if circle := circle_in_words(relations, [task], card.id):
            raise CallboardError(f"{circle}: nothing was changed.")
        if card.is_closed:
            notes.append(f"#{card.id} is closed, so it blocks nothing.")
        is_own = there.board.id == view.board.id
        blocker = Blocker(card.id, "" if is_own else name_of_board(there.board.title))
        operations += [] if card.id in present else [change.add_blocker(task, blocker)]
    return operations, notes


def _plain_value(words: str) -> tuple[str, object]:
    name, _, value = words.partition("=")
    if name not in ASKED_FIELDS or not value:
        names = ", ".join(ASKED_FIELDS)
        raise WrongInput(
            f"{quoted(words)} does not set a field.",
            hint=f"Type NAME=VALUE or NAME=none; names: {names}.",
        )
    return name, ASKED_FIELDS[name].typed("" if value == "none" else value)


async def move(
    opened: Opened,
    card: str,
    stage: str,
    *,
    end: str,
    board: str,
    source: str,
) -> Plan:
    """Move a card. Raises `CallboardError`.

    It is on the board `source`, if that is named, and goes to a stage of `board`, else of its own.
    """
    view, task = await opened.card(card, source)
    if board:
        (target,) = opened.named([board])
        if target.id != view.board.id:
            (there,) = await opened.views([target])
            return _moving_to_board(opened, view, there, task, stage)
    return moving(view, task, stage, end)


def moving(view: BoardView, task: Task, words: str, end: str = "") -> Plan:
    """The plan of a move to the `end` of a stage: “top”, “bottom”, or if it is in another “”."""
    stage = chosen(words, view.stages, "stage")
    other_ids = [card.id for card in view.in_stage(stage.id) if card.id != task.id]
    place = Place()
    if other_ids:
        place = Place(below=other_ids[0]) if end == "top" else Place(above=other_ids[-1])
    stays = view.place_of(task.id) == (stage.id, place) or (not end and task.stage_id == stage.id)
    moves = [] if stays else [change.MoveTask.on(task, stage.id, place, stage_title=stage.title)]
    where = f"to the {end} of" if end else "to"
    return Plan(moves, "moved", [task], [view], f"{where} {quoted(stage.title)}")


def _moving_to_board(
    opened: Opened, view: BoardView, there: BoardView, task: Task, words: str
) -> Plan:
    if opened.store.offers(Feature.BOARD_MOVES) is False:
        raise CallboardError("this service’s edition cannot move cards to other boards.")
    stage = chosen(words, there.stages, "stage")
    move = change.MoveTaskToBoard(
        task,
        there.board.id,
        stage.id,
        there.board.title,
        closes=stage.default_status is Status.CLOSED,
    )
    where = f"to {quoted(stage.title)} on {quoted(there.board.title)}"
    lost = f"{quoted(task.title)} loses its labels, which belong to its board."
    return Plan([move], "moved", [task], [view, there], where, [lost] if task.labels else [])


async def close(opened: Opened, cards: Sequence[str], *, reopens: bool, board: str) -> Plan:
    """Close cards, or reopen them."""
    return closing(await opened.cards(cards, board), Status.OPEN if reopens else Status.CLOSED)


def closing(cards: Sequence[tuple[BoardView, Task]], status: Status) -> Plan:
    """The plan of closing cards, or of reopening them."""
    return Plan(
        [change.set_status(task, status) for _, task in cards],
        "closed" if status is Status.CLOSED else "reopened",
        [task for _, task in cards],
        list({view.board.id: view for view, _ in cards}.values()),
    )


async def assign(
    opened: Opened, card: str, people: Sequence[str], *, removes: bool, board: str
) -> Plan:
    """Add people to the assignees of a card, or remove them."""
    view, task = await opened.card(card, board)
    members = [chosen_person(words, view, opened.store.me) for words in people]
    return assigning(view, task, members, removes=removes)


def assigning(view: BoardView, task: Task, people: Sequence[Person], *, removes: bool) -> Plan:
    """The plan of adding people to the assignees of a card, or of removing them."""
    ids = {person.id for person in people}
    remaining = [person for person in task.assignees if person.id not in ids]
    after = remaining if removes else distinct((*task.assignees, *people))
    names = ", ".join(person.in_words for person in distinct(people))
    done, where = ("unassigned", f"from {names}") if removes else ("assigned", f"to {names}")
    is_same = {person.id for person in after} == {person.id for person in task.assignees}
    operations = [] if is_same else [change.set_assignees(task, after)]
    return Plan(operations, done, [task], [view], where)


async def label(
    opened: Opened,
    card: str,
    labels: Sequence[str],
    *,
    removes: bool,
    creates: bool,
    board: str,
) -> Plan:
    """Put labels on a card, or take them off; `creates` those missing on the board."""
    view, task = await opened.card(card, board)
    operations: list[Operation] = []
    named: dict[Label, None] = {}  # in their order, each once
    for words in labels:
        existing = (*view.labels, *named)
        if creates and _called(words, existing) is None:
            create = change.CreateLabel.new(view.board.id, title_given(words), free_color(existing))
            operations.append(create)
            named[create.label] = None
        else:
            # The board does not have the labels yet that this command creates.
            named[_called(words, named) or chosen_label(words, view)] = None
    put = change.remove_label if removes else change.add_label
    operations += [put(task, label) for label in named]
    names = ", ".join(label.in_words for label in named)
    done, where = (f"removed {names} from", "") if removes else ("labelled", f"with {names}")
    return Plan(operations, done, [task], [view], where)


def _called(words: str, labels: Iterable[Label]) -> Label | None:
    title = title_given(words).casefold()
    return next((label for label in labels if label.title.casefold() == title), None)


async def subtask(
    opened: Opened,
    card: str,
    subtasks: Sequence[str],
    *,
    closes: bool,
    reopens: bool,
    group: str,
    board: str,
) -> Plan:
    """Add subtasks of these titles to a group of a card, or close or reopen those that it has.

    Without the name of a group it is the first one. A card without any gets one.
    """
    view, task = await opened.card(card, board)
    detail = await detail_of(opened, view, task.id)
    if detail is None or detail.groups is None:
        why = detail.why.get(DetailPart.SUBTASKS) if detail else None
        raise CallboardError(
            why or f"the subtasks of {quoted(task.title)} are not known here: nothing was changed.",
            hint="" if why else "They are loaded when online.",
        )
    if closes or reopens:
        status = Status.CLOSED if closes else Status.OPEN
        among = [item for own in detail.groups for item in own.subtasks]
        named = list(dict.fromkeys(chosen(words, among, "subtask") for words in subtasks))
        names = quoted(named[0].title) if len(named) == 1 else counted(len(named), "subtask")
        done = "closed" if closes else "reopened"
        changes = [change.set_status(item, status) for item in named]
        return Plan(changes, f"{done} {names} of", [task], [view])
    titles = [title_given(words) for words in subtasks]
    operations: list[Operation] = []
    into = _group_of(detail, group)
    if into is None:
        create = change.CreateGroup.new(task, group or DEFAULT_GROUP)
        operations.append(create)
        into = SubtaskGroup(create.group_id, create.title)
    operations += [change.CreateSubtask.new(task, into, title) for title in titles]
    return Plan(operations, f"added {counted(len(titles), 'subtask')} to", [task], [view])


def _group_of(detail: TaskDetail, words: str) -> SubtaskGroup | None:
    groups = detail.groups or ()
    return chosen_group(words, groups) if words and groups else next(iter(groups), None)


def comment(how: How, card: str, text: Sequence[str], *, board: str) -> int:
    """Comment on a card, in words or what standard input holds."""
    words = words_given(text, "the comment").strip()

    async def plan(opened: Opened) -> Plan:
        return commenting(opened, *await opened.card(card, board), words)

    return run_plan(how, plan)


def commenting(opened: Opened, view: BoardView, task: Task, text: str) -> Plan:
    """The plan of a comment."""
    comment = change.CreateComment.new(
        task,
        text,
        author=opened.store.me.among(view.people),
        at=datetime.now(UTC),
        mentions=named_in(text, view.people),
    )
    return Plan([comment], "commented on", [task], [view])


def show_tour(profile: str) -> int:
    """Make the board that teaches the keys again; on a terminal open it, else say where it is."""
    from tui.tour import TITLE, make_tour

    board_id: int | None = None

    async def make(opened: Opened) -> int:
        nonlocal board_id
        board_id = await opened.connect()
        if opened.problems:
            raise CannotGoOn(opened.problems[0].message, hint=opened.problems[0].hint)
        board_id = board_id or await make_tour(await opened.store.service())
        say(f"created the board “{TITLE}” ({board_id}); callboard --boards lists it")
        return 0

    code = run_opened(How(profile), make)
    if board_id is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return code
    from tui.cli.program import run
    from tui.navigation import BoardRequested

    # The command has closed the profile by now, so that the program can open it.
    request = BoardRequested(board_id)
    return run(
        ascii_only=ascii_only.get(), boards=False, profile=profile, request=lambda _: request
    )
