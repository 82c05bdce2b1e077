"""Blocking cards by other cards, or for a reason, and unblocking them.

What a card waits for is in the line of its description; it unblocks itself. For people without a
card to wait for there is a label, and a comment with the reason.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC

from tui.actions.tasks.cards import Cards, named
from tui.model.blocked_by import Blocker, in_words, united
from tui.model.board import BoardView
from tui.model.colors import COLORS
from tui.model.comment_text import named_in
from tui.model.detail import DetailPart
from tui.model.relations import Relations, circle_in_words
from tui.model.task import BLOCKED, Task, as_comment, blocked_labels
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import listed


async def block_or_unblock(cards: Cards) -> None:
    """Ask what blocks the chosen cards; unblock them at once if they have only the label."""
    chosen = cards.need_tasks_anywhere()
    shared = _shared(chosen)
    is_labelled = bool(chosen) and all(blocked_labels(task.labels) for task in chosen)
    if is_labelled and not any(task.blockers for task in chosen):
        await cards.change(_without_label(chosen), f"unblocked {named(chosen)}")
        return
    if not chosen:
        return
    from tui.dialogs.pick.blockers import BlockedByDialog

    no_comments = cards.why_lacking(chosen[:1], DetailPart.COMMENTS)
    relations = cards.store.relations()
    dialog = BlockedByDialog(
        f"{_number(chosen[0].id)} {chosen[0].title}" if len(chosen) == 1 else named(chosen),
        cards.context,
        board_id=chosen[0].board_id,
        without=[task.id for task in chosen],
        circle=lambda card_id: circle_in_words(relations, chosen, card_id),
        picked=shared,
        titles={card_id: card.title for card_id, card in relations.cards.items()},
        has_label=is_labelled,
        no_reason=no_comments,
        has_cards=all(task.parent_id is None for task in chosen),
    )
    answer = await cards.ask(dialog)
    tasks = () if answer is None else cards.as_now(chosen)
    if answer is None or not tasks:
        return
    blockers = [Blocker(cards.called(blocker.id), blocker.board) for blocker in answer.blockers]
    if circle := next(filter(None, _circles(cards.store.relations(), tasks, blockers)), ""):
        cards.say(f"not blocked: {circle}", error=True)
        return
    removed = {cards.called(other.id) for other in shared} - {blocker.id for blocker in blockers}
    operations: list[Operation] = []
    for view, own in cards.by_board(tasks):
        for task in own:
            operations += _set_blockers(view, task, blockers, removed)
        if answer.reason is not None:
            unlabelled = [task for task in own if not blocked_labels(task.labels)]
            operations += _labelling(cards, view, unlabelled, answer.reason)
    if is_labelled and not answer.has_label and answer.reason is None:
        operations += _without_label(tasks)
    await cards.change(operations, _in_words(tasks, blockers, answer.reason, no_comments))


def _circles(
    relations: Relations, tasks: Sequence[Task], blockers: Sequence[Blocker]
) -> Iterator[str]:
    for blocker in blockers:
        own = [task for task in tasks if blocker.id not in {other.id for other in task.blockers}]
        yield circle_in_words(relations, own, blocker.id)


def _shared(tasks: Sequence[Task]) -> tuple[Blocker, ...]:
    """The cards that block all of these."""
    ids = [{blocker.id for blocker in task.blockers} for task in tasks]
    every = united(*(task.blockers for task in tasks))
    return tuple(blocker for blocker in every if all(blocker.id in own for own in ids))


def _set_blockers(
    view: BoardView, task: Task, blockers: Sequence[Blocker], removed: set[int]
) -> Iterator[Operation]:
    present = {blocker.id for blocker in task.blockers}
    for blocker in task.blockers:
        if blocker.id in removed:
            yield change.remove_blocker(task, blocker)
    for blocker in blockers:
        if blocker.id not in present and blocker.id != task.id:
            board = "" if blocker.board == view.board.title else blocker.board
            yield change.add_blocker(task, Blocker(blocker.id, board))


def _without_label(tasks: Sequence[Task]) -> list[Operation]:
    labels = ((task, label) for task in tasks for label in blocked_labels(task.labels))
    return [change.remove_label(task, label) for task, label in labels]


def _labelling(
    cards: Cards, view: BoardView, tasks: Sequence[Task], reason: str
) -> Iterator[Operation]:
    # By the label of their board, which is created if it has none.
    if not tasks:
        return
    label = next(iter(blocked_labels(view.labels)), None)
    if label is None:
        creation = change.CreateLabel.new(view.board.id, BLOCKED, COLORS["red"])
        label = creation.label
        yield creation
    text, at = as_comment(reason), cards.now().astimezone(UTC)
    author, mentions = cards.store.me.among(view.people), named_in(text, view.people)
    for task in tasks:
        yield change.add_label(task, label)
        if reason:
            yield change.CreateComment.new(task, text, author=author, at=at, mentions=mentions)


def _in_words(
    tasks: Sequence[Task], blockers: Sequence[Blocker], reason: str | None, no_comments: str
) -> str:
    cards = listed([in_words(blocker) for blocker in blockers])
    if not cards and reason is None:
        return f"unblocked {named(tasks)}"
    by = f" by {cards}" if cards else ""
    why = "" if reason is None else reason or no_comments
    return f"blocked {named(tasks)}{by}{f': {why}' if why else ''}"


def _number(card_id: int) -> str:
    return f"#{card_id}" if card_id > 0 else "new card"
