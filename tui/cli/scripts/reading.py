"""The commands that read from the service: a card with all around it, and `sync`."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from tui.cli.output import columns, say, say_beside, write_json
from tui.cli.scripts.chosen import NothingFound
from tui.cli.scripts.documents import blockers_document, detail_document
from tui.cli.scripts.opened import Opened, noted
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.comment_text import body
from tui.model.detail import DetailPart, TaskDetail
from tui.model.fields.values import moment
from tui.model.find import Thing, number_of
from tui.model.task import Task
from tui.store.clock import few_at_once
from tui.store.operations.tasks import ArchiveTask
from tui.store.protocol import Store
from tui.text import clean
from tui.text.clean import counted
from tui.text.dates import local, stamp, wall_clock
from tui.text.spans import Line

_SEND_SECONDS = 60
_NAMED = 10
"""How many changes that are still pending are named."""
_WIDEST = 100
_PAGES = 50
"""How many pages of comments are read at most."""


async def show(opened: Opened, *, card: str, board: str) -> int:
    """Print a card."""
    await opened.connect()
    view, detail = await card_with_all(opened, card, board)
    opened.say_problem([view.board])
    if opened.how.as_json:
        from tui.text.markdown import to_markdown

        source = await opened.store.description_source(detail.task.id)
        document = detail_document(detail, view, clean.text(to_markdown(source)))
        write_json(document | {"blocked_by": blockers_document(detail.task, opened.store)})
        return 0
    for line in text_of(detail, view, min(columns(), _WIDEST), opened.store):
        say(line)
    return 0


async def card_with_all(opened: Opened, words: str, board: str) -> tuple[BoardView, TaskDetail]:
    """A card with everything around it, and its board; also an archived card or a subtask."""
    try:
        view, task = await opened.card(words, board)
    except NothingFound:
        archived = await not_on_a_board(opened, number_of(words), board)
        if archived is None:
            raise
        return archived
    return view, await detail_of(opened, view, task.id) or TaskDetail(task)


async def not_on_a_board(
    opened: Opened, number: int, board: str
) -> tuple[BoardView, TaskDetail] | None:
    """The archived card or the subtask with this number, if it is cached."""
    within = {named.id for named in opened.named([board])} if board else None
    async for things in opened.store.everything():
        for thing in things:
            is_card = thing.thing in (Thing.CARD, Thing.SUBTASK) and thing.id == number
            if is_card and (within is None or thing.board_id in within):
                view = await opened.store.load_board(thing.board_id)
                detail = await detail_of(opened, view, number) if view else None
                return (view, detail) if view and detail else None
    return None


async def detail_with_fields(opened: Opened, view: BoardView, number: int) -> TaskDetail | None:
    """A card with its fields, and what else is read with them: of its comments only the newest."""
    await opened.store.open_task(view.board.id, number)
    if not opened.problems:
        await opened.store.refresh_task(number)
    return opened.store.detail(number)


async def detail_of(opened: Opened, view: BoardView, number: int) -> TaskDetail | None:
    """A card with everything around it, with all of its comments if there is a connection."""
    store = opened.store
    await detail_with_fields(opened, view, number)
    if not opened.problems:
        with suppress(CallboardError):  # those that are known are shown
            for _ in range(_PAGES):
                detail = store.detail(number)
                if detail is None or detail.comments is None or detail.all_comments:
                    break
                await store.older_comments(number)
    return store.detail(number)


async def archived_cards(opened: Opened, view: BoardView) -> Sequence[Task]:
    """The archived cards of a board."""
    # With a connection those that the service lists, else those that are cached; and those that are
    # archived once that is sent.
    tasks = {task.id: task for task in await opened.store.archived_tasks(view.board.id)}
    for change in opened.store.pending(view.board.id):
        if isinstance(archiving := change.operation, ArchiveTask):
            tasks[archiving.task.id] = replace(archiving.task, archived_at=archiving.archived_at)
    if not opened.problems and view.board.id > 0:
        from tui.store.online.archive import archived_tasks

        active = [task.id for task in view.all_tasks()]
        with noted(opened.problems):
            remote, cached = await opened.store.service(), tasks.values()
            listed = await archived_tasks(remote, view.board.id, known=cached, active=active)
            tasks |= {task.id: task for task in listed.tasks}
    return [*tasks.values()]


def text_of(detail: TaskDetail, view: BoardView, width: int, store: Store) -> Iterator[str]:
    """A card as lines of text."""
    from tui.model.fields.rows import task_rows
    from tui.text.html.reading import read

    task, now = detail.task, wall_clock()
    yield f"#{task.id} {task.title}" if not task.is_local else f"(not sent yet) {task.title}"
    yield ""
    known = task_rows(view, detail, relations=store.relations(), boards=store.boards())
    rows = [row for row in known if row.is_set]
    label_width = max(len(row.label) for row in rows)
    for row in rows:
        yield f"{row.label:{label_width}}  {row.words(now)}"
    if task.description:
        yield ""
        yield from map(_plain, read(task.description, width).lines)
    done, total = detail.progress
    if total or DetailPart.SUBTASKS in detail.why:
        yield ""
        yield detail.why.get(DetailPart.SUBTASKS) or f"Subtasks: {done} of {total} done"
    for group in detail.groups or ():
        if group.subtasks:
            yield f"  {group.in_words}"
        for subtask in group.subtasks:
            yield f"  [{'x' if subtask.is_closed else ' '}] #{subtask.id} {subtask.title}"
    if detail.comments:
        yield ""
        yield f"Comments: {task.comments_count}"
    yield from comments_of(detail, width)


def comments_of(detail: TaskDetail, width: int) -> Iterator[str]:
    """The comments of a card as lines of text, oldest first."""
    for first in reversed(detail.comments or ()):
        for comment in (first, *first.replies):
            margin = "    " if comment.is_reply else "  "
            author = comment.author.in_words if comment.author else "someone"
            at = comment.created_at
            when = f", {moment(local(at), wall_clock())}" if at else ""
            yield ""
            yield f"{margin}{author}{when}{' (edited)' if comment.edited else ''}"
            for line in body(clean.text(comment.text), max(20, width - len(margin))):
                yield f"{margin}{_plain(line)}"
            for image in comment.images:
                yield f"{margin}[picture] {image.title}"


def _plain(line: Line) -> str:
    return "".join(span.text for span in line)


async def sync(opened: Opened) -> int:
    """Send and read everything; the exit code is 1 if something was not sent, or not read."""
    store = opened.store
    pending_count = len(store.pending())
    await opened.connect()
    left = store.pending() if opened.problems else await opened.sent(_SEND_SECONDS)
    boards = opened.boards() if not opened.problems else []
    await few_at_once(opened.read, boards)
    count = len(boards) - len(opened.problems) if boards else 0
    if opened.how.as_json:
        waiting = [
            {
                "board": change.board_id,
                "change": change.operation.describe(),
                "state": change.state.value,
                "reason": change.reason or None,
                "since": stamp(change.since),
            }
            for change in left
        ]
        write_json(
            {
                "sent": pending_count - len(left),
                "waiting": waiting,
                "boards": count,
                "problem": opened.problems[0].message if opened.problems else None,
            }
        )
    else:
        opened.say(
            f"sent {counted(pending_count - len(left), 'change')}, read {counted(count, 'board')}"
        )
        for change in left[:_NAMED]:
            reason = f": {change.reason}" if change.reason else ""
            say_beside(f"callboard: {change.state.value}: {change.operation.describe()}{reason}")
        if len(left) > _NAMED:
            say_beside(f"callboard: and {counted(len(left) - _NAMED, 'other')}")
    opened.say_problem(())
    return int(bool(left or opened.problems))
