"""`callboard progress`: how far work on a card is, in one comment whose text is replaced."""

from collections.abc import Sequence
from datetime import UTC, datetime

from tui.cli.scripts.agent_name import agent_given
from tui.cli.scripts.chosen import words_given
from tui.cli.scripts.opened import How, Opened, run_opened
from tui.cli.scripts.reading import detail_of
from tui.cli.scripts.writing import Plan, carry_out, connect
from tui.errors import WrongInput
from tui.model.comment import Thread
from tui.model.task import Task
from tui.model.work.agents import agents_of, progress_of
from tui.store import operations as change
from tui.text.agent_marks import progress_comment


def progress(how: How, card: str, text: Sequence[str], *, board: str, agent: str) -> int:
    """Say how far work on a card is, in words or what standard input holds."""
    words, name = text_given(words_given(text, "the progress")), agent_given(agent)

    async def work(opened: Opened) -> int:
        await connect(opened)
        plan = await progressing(opened, card, words, board=board, agent=name)
        return await carry_out(opened, plan)

    return run_opened(how, work)


def text_given(text: str) -> str:
    """What is said. Raises `WrongInput` if that is nothing."""
    if not text.strip():
        raise WrongInput("the progress is empty: nothing was changed.")
    return text.strip()


async def progressing(opened: Opened, card: str, text: str, *, board: str, agent: str) -> Plan:
    """The plan of saying how far work on a card is."""
    view, task = await opened.card(card, board)
    detail = await detail_of(opened, view, task.id)
    name = agent or next(iter(agents_of(task)), "")
    comments: Thread = (detail and detail.comments) or _pending(opened, task)
    me = opened.store.me
    own = tuple(
        comment for comment in comments if comment.author is None or me.is_of(comment.author)
    )
    previous, comment = progress_of(own, name), progress_comment(name, text)
    if previous is not None:
        operation: change.Operation = change.EditComment.on(task, previous.comment, comment)
    else:
        author = me.among(view.people)
        operation = change.CreateComment.new(task, comment, author=author, at=datetime.now(UTC))
    changes = [] if previous and previous.comment.text == comment else [operation]
    return Plan(changes, "noted the progress of", [task], [view])


def _pending(opened: Opened, task: Task) -> Thread:
    # Those that were written here without the comments of the card being known, newest first.
    written = (
        pending.operation.comment
        for pending in reversed(opened.store.pending(task.board_id))
        if isinstance(pending.operation, change.CreateComment)
        and pending.operation.task_id == task.id
    )
    return tuple(written)
