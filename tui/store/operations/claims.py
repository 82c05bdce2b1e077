"""The claim of a task: assignee, stage and the mark of an agent in one change.

A claim names the state in which the task was seen, and is refused if it has another by now: of
several only one wins. It never overwrites a change by others.
"""

from dataclasses import replace
from typing import ClassVar, Self

from tui.client.resources.tasks import Claim
from tui.model.board import BoardView, Stage
from tui.model.detail import TaskDetail, TaskField
from tui.model.ids import BoardId, StageId, TaskId
from tui.model.task import Label, Person, Task, distinct
from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.base import Baseline, Operation, Reply, Subject, operation
from tui.store.operations.ids import Former
from tui.store.operations.moving import MoveTask
from tui.store.operations.setters import remove_label, set_assignees
from tui.store.remote import Remote
from tui.text.agent_marks import agent_of
from tui.text.clean import quoted


@operation("claim-task")
@record
class ClaimTask(Operation):
    """Claim a task for a person, in a stage, with the label of an agent if one acts for them.

    `from_stage_id`, `assignees` and `labels` are those of the task as it was seen.
    """

    shown_as: ClassVar[TaskField | None] = TaskField.STAGE

    board_id: BoardId
    task_id: TaskId
    name: str
    person: Person
    stage_id: StageId
    from_stage_id: StageId
    label: Label | None = None
    assignees: Former[tuple[Person, ...]] = ()
    labels: Former[tuple[Label, ...]] = ()
    stage_title: str = ""

    @classmethod
    def on(cls, task: Task, person: Person, stage: Stage, label: Label | None = None) -> Self:
        """Claim a task, which is seen as it is here."""
        ids = (task.board_id, task.id, task.title, person, stage.id, task.stage_id or stage.id)
        return cls(*ids, label, task.assignees, task.labels, stage.title)

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("stage", self.stage_id), Subject("stage", self.from_stage_id)})

    def apply(self, view: BoardView) -> BoardView:
        task = view.task(self.task_id)
        if task is None:
            return view
        people = distinct((*task.assignees, self.person))
        labels = dict.fromkeys((*task.labels, *((self.label,) if self.label else ())))
        view = view.with_task(replace(task, assignees=tuple(people), labels=tuple(labels)))
        if task.stage_id == self.stage_id:
            return view
        claimed = view.task(self.task_id) or task
        return view.with_task_at(claimed, self.stage_id, view.end_of(self.stage_id))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        claim = Claim(
            self.from_stage_id,
            [person.id for person in self.assignees],
            [label.id for label in self.labels],
            self.stage_id,
            self.person.id,
            self.label.id if self.label else None,
            self.agent,
        )
        return self.reply_about(await remote.claim_task(self.board_id, self.task_id, claim))

    @property
    def agent(self) -> str:
        """The agent that acts for the person; empty if none does."""
        return agent_of(self.label.title) if self.label else ""

    def is_done(self, now: Document | None, baseline: Baseline) -> bool | None:
        if now is None:
            return False
        people = {int(user["ID"]) for user in now.get("assignees") or ()}
        labels = {int(label["id"]) for label in now.get("labels") or ()}
        is_marked = self.label is None or self.label.id in labels
        return self.person.id in people and is_marked and now.get("stage_id") == self.stage_id

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        task = view.task(self.task_id)
        if task is None:
            return ()
        back: list[Operation] = []
        after = self.apply(view).task(self.task_id) or task
        if after.stage_id != task.stage_id:
            move = MoveTask.on(task, self.stage_id, view.end_of(self.stage_id))
            back += move.inverse(view, detail)
        if after.assignees != task.assignees:
            back.append(set_assignees(after, task.assignees))
        if self.label and self.label not in task.labels:
            back.append(remove_label(after, self.label))
        return tuple(back)

    def describe(self) -> str:
        by = f" for {self.agent}" if self.agent else ""
        return f"Claim {quoted(self.name)}{by}"


def release(task: Task, me: Person | None) -> list[Operation]:
    """Give a card back, where it is: without marks of agents, and without the user."""
    marks = [label for label in task.labels if agent_of(label.title)]
    remaining = [person for person in task.assignees if me is None or person.id != me.id]
    operations: list[Operation] = [remove_label(task, label) for label in marks]
    if len(remaining) < len(task.assignees):
        operations.append(set_assignees(task, remaining))
    return operations
