"""What an import changes on a board: operations that add the cards of a sheet that are new.

A card is known again by its key, if it was imported here; else by its title, so that nothing is
doubled if the record of imports was lost. What is on the board is never changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from tui.model.board import BoardType, BoardView, Place, Stage
from tui.model.colors import drawable, free_color
from tui.model.detail import SubtaskGroup
from tui.model.moving.subtasks import DEFAULT_GROUP
from tui.model.people import Account
from tui.model.task import Label, Person, Status, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.store.operations.boards import DEFAULT_STAGES, ArrangeStages, CreateBoard, new_board
from tui.text.clean import counted
from tui.text.markdown import to_html
from tui.transfer.moments import written
from tui.transfer.sheet import Sheet, SheetCard, SheetComment, SheetStage, folded


class Import(NamedTuple):
    """The operations of an import, and the new cards with their tasks.

    `present` are the cards that are on the board already; `by_title` are those of them that are
    known by their title alone, with their ids. `gone` are those that were imported to the board
    and are no longer there. `lost` says in lines what could not be taken.
    """

    operations: Sequence[Operation] = ()
    cards: Sequence[tuple[SheetCard, Task]] = ()
    stages: Sequence[str] = ()
    labels: Sequence[str] = ()
    present: Sequence[SheetCard] = ()
    by_title: Sequence[tuple[SheetCard, int]] = ()
    gone: Sequence[SheetCard] = ()
    lost: Sequence[str] = ()


@dataclass(frozen=True)
class Target:
    """Where a sheet is imported.

    `known` has the ids of cards imported here before, by their keys; `archived` are tasks in the
    archive of the board, and `has_groups` says whether subtasks are offered.
    """

    view: BoardView
    me: Account
    now: datetime
    known: Mapping[str, int] = field(default_factory=dict)
    archived: Sequence[Task] = ()
    has_groups: bool = True


def stages_of(sheet: Sheet) -> tuple[SheetStage, ...]:
    """The stages of a new board for a sheet."""
    last = DEFAULT_STAGES[-1]
    return sheet.stages or tuple(SheetStage(title, title == last) for title in DEFAULT_STAGES)


def board_for(sheet: Sheet) -> tuple[CreateBoard, *tuple[ArrangeStages, ...]]:
    """What makes a new board with the stages of a sheet."""
    titles = tuple(stage.title for stage in stages_of(sheet))
    return new_board(sheet.title, BoardType.TO_DO, titles)


def import_of(sheet: Sheet, target: Target, *, is_new: bool = False) -> Import:
    """The import of a sheet to a board; one that `is_new` has all of its stages."""
    new, present, by_title, gone = _sorted_out(sheet, target)
    stages = _Stages(sheet, target.view, is_new=is_new)
    labels = _Labels(sheet, target.view)
    people = _People(target)
    cards, operations = [], list[Operation]()
    for card in new:
        stage = stages.called(card.stage)
        task = change.CreateTask.new(target.view.board.id, stage.id, card.title, card.priority)
        made = Task(task.task_id, task.board_id, stage.id, card.title, priority=card.priority)
        operations += (
            task,
            *_fields(card, made, stage, labels=labels, people=people, target=target),
        )
        cards.append((card, made))
    lost = list(sheet.lost)
    if people.missing:
        names = ", ".join(people.missing)
        lost.append(f"assignees who are not on the board, named in the description: {names}")
    if not target.has_groups and any(card.subtasks for card in new):
        lost.append("subtasks, which this service does not offer: they are in the descriptions")
    return Import(
        (*stages.operations, *labels.operations, *operations),
        cards,
        [each.title for each in stages.made],
        [each.title for each in labels.made],
        present,
        by_title,
        gone,
        lost,
    )


def _sorted_out(
    sheet: Sheet, target: Target
) -> tuple[list[SheetCard], list[SheetCard], list[tuple[SheetCard, int]], list[SheetCard]]:
    ids: dict[str, list[int]] = {}
    tasks = (*target.view.all_tasks(), *target.archived)
    for task in tasks:
        ids.setdefault(folded(task.title), []).append(task.id)
    on_board = {task.id for task in tasks}
    for card in sheet.cards:
        if card.key in target.known and (same := ids.get(folded(card.title))):
            # If it is renamed or gone, another of its title is not it.
            same.remove(target.known[card.key] if target.known[card.key] in same else same[0])
    new, present, by_title, gone = [], [], [], []
    for card in sheet.cards:
        if (known := target.known.get(card.key)) is not None and known not in on_board:
            gone.append(card)
        elif known is not None:
            present.append(card)
        elif same := ids.get(folded(card.title)):
            by_title.append((card, same.pop(0)))
            present.append(card)
        else:
            new.append(card)
    return new, present, by_title, gone


class _Stages:
    # The stages that cards go to; those that are missing are made. Of a new board all are, under
    # ids of our own: which ones the service gives it is not known yet.

    def __init__(self, sheet: Sheet, view: BoardView, *, is_new: bool) -> None:
        self.operations: list[Operation] = []
        self.made: list[Stage] = []
        self._board_id = view.board.id
        self._sheet = {folded(stage.title): stage for stage in stages_of(sheet)}
        known = () if is_new else view.stages
        self._stages = {folded(stage.title): stage for stage in reversed(known)}
        if is_new:
            for title in self._sheet:
                self._make(title)
        self._first = known[0] if known else self.called(next(iter(self._sheet)))

    def called(self, title: str) -> Stage:
        """The stage of this title; the first of the board without one."""
        if not title:
            return self._first
        return self._stages.get(folded(title)) or self._make(title)

    def _make(self, title: str) -> Stage:
        wanted = self._sheet.get(folded(title), SheetStage(title))
        status = Status.CLOSED if wanted.closes else Status.OPEN
        create = change.CreateStage.new(self._board_id, wanted.title, status, unless_there=True)
        stage = Stage(create.stage_id, self._board_id, wanted.title, default_status=status)
        self.operations.append(create)
        self.made.append(stage)
        self._stages[folded(title)] = stage
        return stage


class _Labels:
    # The labels of cards; those that are missing are made, in their colours if they are known.

    def __init__(self, sheet: Sheet, view: BoardView) -> None:
        self.operations: list[Operation] = []
        self.made: list[Label] = []
        self._board_id = view.board.id
        self._colors = {folded(title): color for title, color in sheet.colors.items()}
        self._all = list(view.labels)
        self._labels = {folded(label.title): label for label in reversed(view.labels)}

    def called(self, title: str) -> Label:
        """The label of this title."""
        label = self._labels.get(folded(title))
        if label is None:
            color = self._colors.get(folded(title), "")
            color = color if color and drawable(color) == color else free_color(self._all)
            create = change.CreateLabel.new(self._board_id, title, color)
            label = create.label
            self.operations.append(create)
            self.made.append(label)
            self._all.append(label)
            self._labels[folded(title)] = label
        return label


class _People:
    # The members of the board by their names and logins, as far as these are of one alone.

    def __init__(self, target: Target) -> None:
        self.missing: dict[str, int] = {}
        people = list(target.view.people)
        me, user_id = target.me.among(people), target.me.user_id
        if not people and user_id is not None:
            people = [me := Person(user_id, target.me.login, target.me.login)]
        self.me = me
        self._people: dict[str, Person | None] = {}
        for person in people:
            for name in {person.login.casefold(), folded(person.name)} - {""}:
                self._people[name] = None if name in self._people else person

    def called(self, names: Sequence[str]) -> Person | None:
        """The member with one of these names; None if there is none, which is noted."""
        found = (self._people.get(folded(name)) for name in names)
        person = next((person for person in found if person is not None), None)
        if person is None:
            self.missing[names[0]] = self.missing.get(names[0], 0) + 1
        return person


def _fields(
    card: SheetCard,
    task: Task,
    stage: Stage,
    *,
    labels: _Labels,
    people: _People,
    target: Target,
) -> Iterator[Operation]:
    found = [(names[0], people.called(names)) for names in card.people]
    description = _description(card, [name for name, person in found if person is None], target)
    if description:
        yield change.set_description(task, to_html(description))
    if card.started_at is not None:
        yield change.set_start(task, card.started_at)
    if card.due_at is not None:
        yield change.set_due(task, card.due_at)
    yield from (change.add_label(task, labels.called(title)) for title in card.labels)
    if assignees := [person for _, person in found if person is not None]:
        yield change.set_assignees(task, dict.fromkeys(assignees))
    if target.has_groups:
        yield from _subtasks(card, task)
    for comment in card.comments:
        yield change.CreateComment.new(
            task, comment_text(comment, people.me), author=people.me, at=target.now.astimezone()
        )
    status = Status.CLOSED if card.is_done else Status.OPEN
    # A service may close what is added to a stage that closes.
    before = Status.OPEN if card.is_done else stage.default_status
    if status is not before:
        yield change.set_status(replace(task, status=before), status)
    if card.is_archived:
        yield change.ArchiveTask.on(replace(task, status=status), Place())


def _description(card: SheetCard, missing: Sequence[str], target: Target) -> str:
    parts = [card.description]
    if card.subtasks and not target.has_groups:
        parts.append("\n".join(("Subtasks:", "", *_checklist(card))))
    if missing:
        parts.append(f"Assigned to: {', '.join(missing)}")
    return "\n\n".join(filter(None, parts))


def _checklist(card: SheetCard) -> Iterator[str]:
    group = ""
    for one in card.subtasks:
        if one.group != group:
            group = one.group
            yield from ("", f"{group}:", "") if group else ("",)
        yield f"- [{'x' if one.is_done else ' '}] {one.title}"


def _subtasks(card: SheetCard, task: Task) -> Iterator[Operation]:
    groups: dict[str, SubtaskGroup] = {}
    for one in card.subtasks:
        title = one.group or DEFAULT_GROUP
        if title not in groups:
            create = change.CreateGroup.new(task, title)
            groups[title] = SubtaskGroup(create.group_id, title)
            yield create
        made = change.CreateSubtask.new(task, groups[title], one.title)
        yield made
        if one.is_done:
            subtask = Task(made.subtask_id, task.board_id, None, one.title, parent_id=task.id)
            yield change.set_status(subtask, Status.CLOSED)


def comment_text(comment: SheetComment, me: Person | None) -> str:
    """The text of a comment; who wrote it, and when, is above that of another person."""
    is_mine = me is not None and folded(comment.author) in {folded(me.login), folded(me.name)}
    author = "" if is_mine else comment.author
    heading = ", ".join(filter(None, (author, written(comment.at))))
    return f"{heading}:\n\n{comment.text}" if heading else comment.text


def summary(found: Import) -> str:
    """What an import would add or has added, in words."""
    parts = [counted(len(found.cards), "card")]
    parts += [counted(len(found.stages), "stage")] if found.stages else []
    parts += [counted(len(found.labels), "label")] if found.labels else []
    return ", ".join(parts)
