"""Which agents work on cards, and what they said last, as far as labels and comments tell."""

from collections.abc import Iterable
from typing import NamedTuple

from tui.model.board import BoardView
from tui.model.comment import Comment, Thread
from tui.model.task import Label, Task
from tui.text.agent_marks import CLAIMED, agent_of, progress_in


class AgentProgress(NamedTuple):
    """What an agent said last on a card, its first line, and in which comment."""

    agent: str
    text: str
    comment: Comment


def agents_of(task: Task) -> tuple[str, ...]:
    """The agents that have claimed a card."""
    return tuple(filter(None, (agent_of(label.title) for label in task.labels)))


def without_agents(labels: Iterable[Label]) -> tuple[Label, ...]:
    """The labels that are no marks of agents."""
    return tuple(label for label in labels if not agent_of(label.title))


def claimed_on(view: BoardView) -> list[Task]:
    """The open cards of a board that agents have claimed."""
    marks = [label.id for label in view.labels if agent_of(label.title)]
    # Of a board with very many cards those that may have such a label are read, and no others.
    chunks = (
        chunk
        for stage in (view.stages if marks else ())
        for chunk in view.in_stage(stage.id).chunks
        if any(map(chunk.may_have, marks))
    )
    tasks = (task for chunk in chunks for task in chunk.tasks)
    return [task for task in tasks if task.is_open and agents_of(task)]


def agents_on(view: BoardView) -> frozenset[str]:
    """The agents that have claimed open cards of a board."""
    return frozenset(name for task in claimed_on(view) for name in agents_of(task))


def progress_of(thread: Thread, agent: str | None = None) -> AgentProgress | None:
    """The newest progress in the comments on a card; of one agent, empty for none, if given."""
    for comment in thread:
        mark = progress_in(comment.text)
        if mark is not None and agent in (None, mark[0]):
            said = mark[1].partition("\n")[0].strip()
            return AgentProgress(mark[0], "" if said == CLAIMED else said, comment)
    return None
