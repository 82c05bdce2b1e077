"""`callboard show`: a card with everything around it, named or that of the git branch."""

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from shutil import get_terminal_size

from tui.cli.output import say, write_json
from tui.cli.scripts.chosen import NothingFound
from tui.cli.scripts.documents import detail_document
from tui.cli.scripts.opened import Opened
from tui.config.settings import Settings
from tui.context import wall_clock
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.comment_text import body
from tui.model.detail import Part, TaskDetail, TaskField
from tui.model.fields.rows import task_rows
from tui.model.fields.values import moment
from tui.model.find import Thing, number_of
from tui.model.work.branch import card_of
from tui.text import clean
from tui.text.clean import quoted
from tui.text.dates import local
from tui.text.html.reading import read
from tui.text.markdown import to_markdown
from tui.text.spans import Line

_WIDEST = 100
_PAGES = 50
"""How many pages of comments are read at most."""
_ELSEWHERE = (TaskField.SUBTASKS, TaskField.COMMENTS, TaskField.NUMBER)
_GIT = ("git", "symbolic-ref", "--quiet", "--short", "HEAD")
_GIT_SECONDS = 5


async def show(
    opened: Opened, *, card: str | None, board: str, as_json: bool, ascii_only: bool
) -> int:
    """Print a card, without a name that of the current git branch."""
    words = card_at_branch(opened.settings) if card is None else card
    await opened.connect()
    try:
        view, task = await opened.card(words, board)
    except NothingFound:
        archived = await not_on_a_board(opened, number_of(words), board)
        if archived is None:
            raise
        view, detail = archived
    else:
        detail = await detail_of(opened, view, task.id) or TaskDetail(task)
    opened.say_problem([view.board])
    if as_json:
        source = await opened.store.description_source(detail.task.id)
        write_json(detail_document(detail, view, clean.text(to_markdown(source))))
        return 0
    for line in text_of(detail, view, min(get_terminal_size().columns, _WIDEST)):
        say(line, ascii_only=ascii_only)
    return 0


def card_at_branch(settings: Settings) -> str:
    """The number, with its sign, of the card of the current branch."""
    try:
        git = subprocess.run(  # noqa: S603 (a fixed command)
            _GIT, capture_output=True, text=True, timeout=_GIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CallboardError("git cannot be run here.") from error
    branch, pattern = git.stdout.strip(), settings.branch_name
    if git.returncode == 1:
        raise CallboardError("no branch is checked out in this repository.")
    if git.returncode or not branch:
        raise CallboardError("this folder is not in a git repository.")
    number = card_of(branch, pattern)
    if not number:
        raise CallboardError(
            f"the branch {quoted(clean.line(branch))} is not named after a card.",
            hint=f"Such names are {pattern}; y b on a card copies its own.",
        )
    return f"#{number}"


async def not_on_a_board(
    opened: Opened, number: int, board: str
) -> tuple[BoardView, TaskDetail] | None:
    """The archived card or the subtask with this number, if it is cached."""
    within = {each.id for each in opened.named([board])} if board else None
    async for things in opened.store.everything():
        for thing in things:
            is_card = thing.thing in (Thing.CARD, Thing.SUBTASK) and thing.id == number
            if is_card and (within is None or thing.board_id in within):
                view = await opened.store.load_board(thing.board_id)
                detail = await detail_of(opened, view, number) if view else None
                return (view, detail) if view and detail else None
    return None


async def detail_of(opened: Opened, view: BoardView, number: int) -> TaskDetail | None:
    """A card with everything around it, with all of its comments if there is a connection."""
    store = opened.store
    await store.open_task(view.board.id, number)
    if not opened.problems:
        await store.refresh_task(number)
        with suppress(CallboardError):  # those that are known are shown
            for _ in range(_PAGES):
                detail = store.detail(number)
                if detail is None or detail.comments is None or detail.all_comments:
                    break
                await store.older_comments(number)
    return store.detail(number)


def text_of(detail: TaskDetail, view: BoardView, width: int) -> Iterator[str]:
    """A card as lines of text."""
    task, now = detail.task, wall_clock()
    yield f"#{task.id} {task.title}" if not task.is_local else f"(not sent yet) {task.title}"
    yield ""
    rows = [row for row in task_rows(view, detail) if row.is_set and row.of not in _ELSEWHERE]
    label_width = max(len(row.label) for row in rows)
    for row in rows:
        yield f"{row.label:{label_width}}  {row.words(now)}"
    if task.description:
        yield ""
        yield from map(_plain, read(task.description, width).lines)
    done, total = detail.progress
    if total or Part.SUBTASKS in detail.why:
        yield ""
        yield detail.why.get(Part.SUBTASKS) or f"Subtasks: {done} of {total} done"
    for group in detail.groups or ():
        if group.subtasks:
            yield f"  {group.title}"
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
            author = comment.author.in_words if comment.author else "somebody"
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
