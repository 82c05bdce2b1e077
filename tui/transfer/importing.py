"""What an import changes on a board: operations that add the cards of a sheet that are new.

A card that was imported here is known again by its key, which is its id in its program if it has
one, whatever else has changed; else by its title and place. Others are known by their title, so
that nothing is doubled if the record of imports was lost. What is on the board is never changed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from tui.model.blocked_by import Blocker, described, in_words
from tui.model.board import BoardType, BoardView, Place, Stage
from tui.model.colors import drawable, free_color
from tui.model.detail import SubtaskGroup
from tui.model.people import Account
from tui.model.task import Label, Person, Status, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.store.operations.boards import DEFAULT_STAGES, ArrangeStages, CreateBoard, new_board
from tui.text.clean import counted
from tui.text.markdown import to_html
from tui.text.plain_names import DEFAULT_GROUP
from tui.transfer.moments import written
from tui.transfer.sheet import (
    Sheet,
    SheetCard,
    SheetComment,
    SheetStage,
    folded,
    is_place,
    title_in,
)

FORMER_LINE = "Was blocked by:"
"""What begins a line with cards that were not imported, as their numbers mean others here."""
_NUMBER = re.compile(r"(?<![^#\s-])[1-9]\d{0,17}$")


class Import(NamedTuple):
    """The operations of an import, and the new cards with their tasks.

    The cards are as they will be on the board. `present` are those that are on it already;
    `by_title` are those of them that are known by their title alone, and `adopted` has the ids of
    all whose key is not in the record. `gone` are those that were imported to the board and are no
    longer there. `lost` says in lines what could not be taken.
    """

    operations: Sequence[Operation] = ()
    cards: Sequence[tuple[SheetCard, Task]] = ()
    stages: Sequence[str] = ()
    labels: Sequence[str] = ()
    present: Sequence[SheetCard] = ()
    by_title: Sequence[SheetCard] = ()
    adopted: Mapping[str, int] = MappingProxyType({})
    gone: Sequence[SheetCard] = ()
    lost: Sequence[str] = ()


@dataclass(frozen=True)
class ImportTarget:
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


def import_of(sheet: Sheet, target: ImportTarget, *, is_new: bool = False) -> Import:
    """The import of a sheet to a board; one that `is_new` has all of its stages."""
    matches = _Found(sheet, target)
    stages = _Stages(sheet, target.view, is_new=is_new)
    labels = _Labels(sheet, target.view)
    people = _People(target)
    cards, operations = [], list[Operation]()
    relations = _Relations(sheet, matches)
    for read in map(relations.without_line, matches.new):
        stage = stages.called(read.stage)
        card, assignees = _as_on_board(read, stage, people, target)
        task = change.CreateTask.new(target.view.board.id, stage.id, card.title, card.priority)
        created = Task(task.task_id, task.board_id, stage.id, card.title, priority=card.priority)
        operations += (
            task,
            *_fields(card, created, stage, assignees, labels=labels, people=people, target=target),
        )
        cards.append((card, created))
    operations += relations.blocking(cards)
    lost = [*sheet.lost, *relations.lost]
    if people.missing:
        names = ", ".join(people.missing)
        lost.append(f"assignees who are not on the board, named in the description: {names}")
    if not target.has_groups and any(card.subtasks for card in matches.new):
        lost.append("subtasks, which this service does not offer: they are in the descriptions")
    return Import(
        # Stages and labels are created before the cards that refer to them.
        (*stages.operations, *labels.operations, *operations),
        cards,
        [new_stage.title for new_stage in stages.created],
        [new_label.title for new_label in labels.created],
        matches.present,
        matches.by_title,
        matches.adopted,
        matches.gone,
        lost,
    )


class _Relations:
    # Which cards of a sheet block which. A line in a description has the numbers of another program
    # or service, which are those of other cards here: it is left out, or says so.

    def __init__(self, sheet: Sheet, matches: "_Found") -> None:
        self._ids = dict(matches.ids)
        self._keys: dict[int, str] = {}
        for card in sheet.cards:
            if number := _NUMBER.search(card.own_id):
                self._keys[int(number[0])] = card.key
        self._known = {card.key for card in sheet.cards}
        self.lost: list[str] = []

    def without_line(self, card: SheetCard) -> SheetCard:
        """The card without the line, and with the keys of the cards that it names."""
        text, named = described(card.description)
        keys = [self._keys.get(blocker.id, "") for blocker in named]
        blocked_by = dict.fromkeys(key for key in (*card.blocked_by, *keys) if key in self._known)
        unknown = [in_words(blocker) for blocker, key in zip(named, keys, strict=True) if not key]
        unknown += [key for key in card.blocked_by if key not in self._known]
        text = text.rstrip() if named else text
        if unknown:
            said = f"{FORMER_LINE} {', '.join(unknown)}"
            text = "\n\n".join(filter(None, (text, said)))
            self.lost = ["blockers that are not in the file, named in the description"]
        return replace(card, description=text, blocked_by=tuple(blocked_by))

    def blocking(self, cards: Sequence[tuple[SheetCard, Task]]) -> Iterator[Operation]:
        """What says by which cards the new ones are blocked."""
        self._ids |= {card.key: task.id for card, task in cards}
        for card, task in cards:
            for key in card.blocked_by:
                if key in self._ids and key != card.key:
                    yield change.add_blocker(task, Blocker(self._ids[key]))


class _Found:
    # Which cards of a sheet are new, and which are on the board, or were.

    def __init__(self, sheet: Sheet, target: ImportTarget) -> None:
        self.new: list[SheetCard] = []
        self.present: list[SheetCard] = []
        self.by_title: list[SheetCard] = []
        self.gone: list[SheetCard] = []
        self.adopted: dict[str, int] = {}
        self.ids: dict[str, int] = {}
        """The ids of the cards that are on the board already, by their keys."""
        self._known = target.known
        self._tasks = {task.id: task for task in (*target.view.all_tasks(), *target.archived)}
        self._stages = {stage.id: folded(stage.title) for stage in target.view.stages}
        ids = self._known_ids(sheet.cards)
        by_title: dict[str, list[Task]] = {}
        self._own_ids = {own_id: key for key, own_id in self._known.items() if not is_place(key)}
        # A task that is known by a key is never matched by its title as well.
        claimed = {*ids.values()}
        for task in self._tasks.values():
            if task.id not in claimed:
                by_title.setdefault(folded(task.title), []).append(task)
        for card in sheet.cards:
            if card.key in ids and ids[card.key] not in self._tasks:
                # Another of its title, made since, is not it.
                self._pop(by_title, card)
        for card in sheet.cards:
            if card.key not in ids:
                if matched := self._pop(by_title, card):
                    self.by_title.append(card)
                    self.adopted[card.key] = matched.id
                    self.present.append(card)
                else:
                    self.new.append(card)
                continue
            if card.key not in self._known:
                self.adopted[card.key] = ids[card.key]
            (self.present if ids[card.key] in self._tasks else self.gone).append(card)
        self.ids = {
            key: task_id
            for key, task_id in {**ids, **self.adopted}.items()
            if task_id in self._tasks
        }

    def _known_ids(self, cards: Sequence[SheetCard]) -> Mapping[str, int]:
        # The ids of the cards that are in the record. A card without an id may have moved.
        ids = {card.key: self._known[card.key] for card in cards if card.key in self._known}
        left: dict[str, list[str]] = {}
        for key in self._known:
            if key not in ids:
                left.setdefault(folded(title_in(key)), []).append(key)
        for card in cards:
            # A card with an id was once recorded with its title too.
            begun = f"{card.own_id} {card.title}" if card.own_id else card.title
            if card.key not in ids and (same := left.get(folded(begun))):
                # Of several cards of a title those still on the board come first.
                same.sort(key=lambda key: self._known[key] not in self._tasks)
                ids[card.key] = self._known[same.pop(0)]
        return ids

    def _pop(self, by_title: Mapping[str, list[Task]], card: SheetCard) -> Task | None:
        # One of its title, in its place rather than in another. What is on the board under another
        # id of the same kind is not it.
        tasks, kind = by_title.get(folded(card.title), []), _kind(card.own_id)
        same = [task for task in tasks if not kind or kind != _kind(self._own_ids.get(task.id, ""))]
        if not same:
            return None
        stage = folded(card.stage)
        in_place = (task for task in same if self._stages.get(task.stage_id or 0) == stage)
        match = next(in_place, same[0])
        tasks.remove(match)
        return match


def _kind(own_id: str) -> str:
    # What the ids of a program or project have in common: “SHOP-” of SHOP-12.
    return own_id and (own_id.rstrip("0123456789") or "0")


class _Stages:
    # The stages that cards go to; those that are missing are made. Of a new board all are, under
    # ids of our own: which ones the service gives it is not known yet.

    def __init__(self, sheet: Sheet, view: BoardView, *, is_new: bool) -> None:
        self.operations: list[Operation] = []
        self.created: list[Stage] = []
        self._board_id = view.board.id
        self._sheet = {folded(stage.title): stage for stage in stages_of(sheet)}
        existing = () if is_new else view.stages
        # Reversed, so that of stages with the same title the first is kept.
        self._stages = {folded(stage.title): stage for stage in reversed(existing)}
        if is_new:
            for title in self._sheet:
                self._make(title)
        self._first = existing[0] if existing else self.called(next(iter(self._sheet)))

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
        self.created.append(stage)
        self._stages[folded(title)] = stage
        return stage


class _Labels:
    # The labels of cards; those that are missing are made, in their colours if they are known.

    def __init__(self, sheet: Sheet, view: BoardView) -> None:
        self.operations: list[Operation] = []
        self.created: list[Label] = []
        self._board_id = view.board.id
        self._colors = {folded(title): color for title, color in sheet.colors.items()}
        self._all = list(view.labels)
        # Reversed, so that of labels with the same title the first is kept.
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
            self.created.append(label)
            self._all.append(label)
            self._labels[folded(title)] = label
        return label


class _People:
    # The members of the board by their names and logins, as far as these are of one alone.

    def __init__(self, target: ImportTarget) -> None:
        self.missing: dict[str, int] = {}
        people = list(target.view.people)
        me, user_id = target.me.among(people), target.me.user_id
        # The members of a board are not known before it is sent; the user is taken for one.
        if not people and user_id is not None:
            people = [me := Person(user_id, target.me.login, target.me.login)]
        self.me = me
        self._people: dict[str, Person | None] = {}
        for person in people:
            for name in {person.login.casefold(), folded(person.name)} - {""}:
                self._people[name] = None if name in self._people else person

    def called(self, names: Sequence[str]) -> Person | None:
        """The member with one of these names; None if there is none, which is noted."""
        matches = (self._people.get(folded(name)) for name in names)
        person = next((person for person in matches if person is not None), None)
        if person is None:
            self.missing[names[0]] = self.missing.get(names[0], 0) + 1
        return person


def _as_on_board(
    card: SheetCard, stage: Stage, people: _People, target: ImportTarget
) -> tuple[SheetCard, Sequence[Person]]:
    # The card with what the board can hold, and its assignees; the rest is in the description.
    matches = [(names[0], people.called(names)) for names in card.people]
    assignees = [*dict.fromkeys(person for _, person in matches if person is not None)]
    missing = [name for name, person in matches if person is None]
    parts = [card.description]
    if card.subtasks and not target.has_groups:
        parts.append("\n".join(("Subtasks:", "", *_checklist(card))))
    if missing:
        parts.append(f"Assigned to: {', '.join(missing)}")
    return replace(
        card,
        stage=stage.title,
        description="\n\n".join(filter(None, parts)),
        people=tuple((person.login or person.name,) for person in assignees),
        subtasks=card.subtasks if target.has_groups else (),
        comments=tuple(
            replace(comment, text=comment_text(comment, people.me)) for comment in card.comments
        ),
    ), assignees


def _fields(
    card: SheetCard,
    task: Task,
    stage: Stage,
    assignees: Sequence[Person],
    *,
    labels: _Labels,
    people: _People,
    target: ImportTarget,
) -> Iterator[Operation]:
    if card.description:
        yield change.set_description(task, to_html(card.description))
    if card.started_at is not None:
        yield change.set_start(task, card.started_at)
    if card.due_at is not None:
        yield change.set_due(task, card.due_at)
    if card.is_template:
        yield change.set_plain(task, "template", value=True)
    yield from (change.add_label(task, labels.called(title)) for title in card.labels)
    if assignees:
        yield change.set_assignees(task, dict.fromkeys(assignees))
    yield from _subtasks(card, task)
    for comment in card.comments:
        yield change.CreateComment.new(
            task, comment.text, author=people.me, at=target.now.astimezone()
        )
    status = Status.CLOSED if card.is_done else Status.OPEN
    # A service may close what is added to a stage that closes.
    previous = Status.OPEN if card.is_done else stage.default_status
    if status is not previous:
        yield change.set_status(replace(task, status=previous), status)
    if card.is_archived:
        yield change.ArchiveTask.on(replace(task, status=status), Place())


def _checklist(card: SheetCard) -> Iterator[str]:
    group = ""
    for subtask in card.subtasks:
        if subtask.group != group:
            group = subtask.group
            yield from ("", f"{group}:", "") if group else ("",)
        yield f"- [{'x' if subtask.is_done else ' '}] {subtask.title}"


def _subtasks(card: SheetCard, task: Task) -> Iterator[Operation]:
    groups: dict[str, SubtaskGroup] = {}
    for item in card.subtasks:
        title = item.group or DEFAULT_GROUP
        if title not in groups:
            create = change.CreateGroup.new(task, title)
            groups[title] = SubtaskGroup(create.group_id, title)
            yield create
        created = change.CreateSubtask.new(task, groups[title], item.title)
        yield created
        if item.is_done:
            subtask = Task(created.subtask_id, task.board_id, None, item.title, parent_id=task.id)
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
