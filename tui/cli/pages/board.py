"""A board as a page: its stages with their cards, and what a card has around it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from tui.cli.pages.blocking import RelatedCards, signs
from tui.cli.pages.document import document, label, section
from tui.cli.pages.markup import Markup, element, joined, link, moment
from tui.cli.pages.rich_text import rich_text
from tui.model.board import Board, BoardView, Stage
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.fields.rows import task_rows
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue
from tui.text.dates import in_words
from tui.text.plain_names import DEFAULT_GROUP

NO_TITLE = "(no title)"
_DONE, _OPEN = "✓", "☐"


def board_page(
    view: BoardView,
    descriptions: Mapping[int, str],
    details: Mapping[int, TaskDetail],
    now: datetime,
    card_url: str = "",
    *,
    relations: Relations = NO_RELATIONS,
    boards: Sequence[Board] = (),
) -> str:
    """The page of a board at a wall-clock time, with descriptions as HTML and details of cards.

    `relations` and all `boards` say which cards block which.
    """
    related = RelatedCards(relations, boards, card_url)
    cards = _Cards(view, descriptions, details, now, related)
    stages = [_stage(stage, view.in_stage(stage.id), cards) for stage in view.stages]
    tally = view.tally()
    late = tally.late(now)
    said = [f"{tally.open} open", *([f"{late} overdue"] if late else [])]
    blocked = tally.blocked + relations.blocked_on(view.board.id)
    said += [f"{blocked} blocked"] if blocked else []
    colors = [tag.color for task in view.all_tasks() for tag in task.labels]
    return document(
        view.board.title or NO_TITLE,
        (f"{' · '.join(said)} · as of {in_words(now)}", view.board.description),
        element("div", *stages, class_="stages"),
        colors=colors,
    )


def _stage(stage: Stage, tasks: Iterable[Task], cards: "_Cards") -> Markup:
    items = [cards.card(task) for task in tasks]
    count = str(len(items)) if stage.limit is None else f"{len(items)} of {stage.limit}"
    heading = joined(stage.title or NO_TITLE, " ", element("span", count, class_="count"))
    listed = element("ol", *items, class_="cards") if items else element("p", "no cards")
    return section(2, heading, listed)


class _Cards:
    """Writes the cards of a board."""

    def __init__(
        self,
        view: BoardView,
        descriptions: Mapping[int, str],
        details: Mapping[int, TaskDetail],
        now: datetime,
        related: RelatedCards,
    ) -> None:
        self._view, self._now, self._related = view, now, related
        self._descriptions, self._details = descriptions, details

    def card(self, task: Task) -> Markup:
        """A card as an item of a list."""
        detail = self._details.get(task.id) or TaskDetail(task)
        labels = [label(tag.title, tag.color) for tag in task.labels]
        related = [_field(name, cards) for name, cards in self._related.fields(task)]
        fields = [*related, *self._fields(task, detail)]
        return element(
            "li",
            element("h3", *self._heading(task), dir="auto"),
            element("ul", *labels, class_="labels") if labels else "",
            element("dl", *fields, class_="fields") if fields else "",
            rich_text(self._descriptions.get(task.id, "")),
            *map(_group, detail.groups or ()),
            class_="done" if task.is_closed else "",
        )

    def _heading(self, task: Task) -> Iterator[str]:
        if task.is_closed:
            yield f"{_DONE} "
        if not task.is_local:
            number = element("span", f"#{task.id}", class_="number")
            yield link(task.web_address(self._related.card_url), number)
            yield " "
        yield element("span", task.title or NO_TITLE, class_="title")
        yield from signs(task, self._related.relations)

    def _fields(self, task: Task, detail: TaskDetail) -> Iterator[Markup]:
        if task.is_template:
            yield _field("Template", "yes")
        if task.assignees:
            yield _field("Assignees", ", ".join(person.in_words for person in task.assignees))
        if task.started_at:
            yield _field("Start", moment(task.started_at, in_words(task.started_at)))
        if task.due_at:
            is_late = is_overdue(task, self._now)
            words = f"{in_words(task.due_at)}{', overdue' if is_late else ''}"
            yield _field("Due", moment(task.due_at, words, class_="bad" if is_late else ""))
        if task.priority is not Priority.LOW:
            yield _field("Priority", task.priority.value)
        done, total = detail.progress
        if total:
            yield _field("Subtasks", f"{done} of {total}")
        if task.comments_count:
            yield _field("Comments", str(task.comments_count))
        for row in task_rows(self._view, detail):
            if row.field is not None and row.is_set:
                yield _field(row.label, row.words(self._now))


def _field(name: str, value: str) -> Markup:
    return element("div", element("dt", name), element("dd", value, dir="auto"))


def _group(group: SubtaskGroup) -> Markup:
    if not group.subtasks:
        return Markup()
    items = [
        element(
            "li",
            f"{_DONE if subtask.is_closed else _OPEN} ",
            element("span", subtask.title or NO_TITLE, class_="title"),
            class_="done" if subtask.is_closed else "",
            dir="auto",
        )
        for subtask in group.subtasks
    ]
    heading = "" if group.title == DEFAULT_GROUP else element("h4", group.in_words, dir="auto")
    return joined(heading, element("ul", *items, class_="subtasks"))
