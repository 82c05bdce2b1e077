"""The line of the card at the cursor: what blocks it, and what it holds up."""

from collections.abc import Sequence

from tui.model.blocked_by import in_words
from tui.model.board import Board, BoardView
from tui.model.ids import numbered
from tui.model.people import in_initials
from tui.model.relations import Relations
from tui.model.task import Task
from tui.model.urgency import is_overdue
from tui.screens.board.card import CardLook
from tui.text.cells import cut
from tui.text.dates import relative
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.painted import LINK, Line, Span, cut_line, line_width

_WIDE = 100
"""From this width on, it says where the card is that blocks, and who is on it."""
_LEAST_TITLE = 8


def relation_line(
    task: Task, view: BoardView, look: CardLook, boards: Sequence[Board], width: int
) -> tuple[Line, Line] | None:
    """What blocks a card and what it holds up, and the key that goes there; None for neither."""
    relations = look.relations
    blocking, held_up = relations.blocking(task), relations.held_up(task)
    if not blocking:
        lost = _lost(task, relations)
        if not held_up:
            return (tuple(cut_line(lost, width)), ()) if lost else None
        left: Line = ((f" {glyphs.HOLDS_UP} {numbered(task.id)} ", "strong"), *_names(held_up))
        return tuple(cut_line((*left, *lost), width)), ()
    first, more = blocking[0], len(blocking) - 1
    key: Line = ()
    words = f"go to {numbered(first.id)} "
    if width >= _WIDE:
        key = ((keyed("{go.blocker:g e} "), "key"), (words, "quiet"))
    begin: Line = (
        (f" {glyphs.BLOCKED} {numbered(task.id)}", "bad"),
        (" blocked by ", "text"),
        _link(first),
        (" ", "text"),
    )
    end = [*_about(first, view, look, boards, width)]
    if more:
        end.append((f"  and {more} more", "text"))
    if held_up:
        end += [(f"   {glyphs.HOLDS_UP} ", "strong"), *_names(held_up)]
    room = width - line_width((*begin, *end, *key)) - bool(key)  # with a blank before the key
    title = cut(first.title, max(_LEAST_TITLE, room))
    return (*begin, (title, "strong"), *end), key


def _about(
    card: Task, view: BoardView, look: CardLook, boards: Sequence[Board], width: int
) -> list[Span]:
    words = list[str]()
    if width >= _WIDE:
        stage = view.stage(card.stage_id) if card.board_id == view.board.id else None
        board = next((board for board in boards if board.id == card.board_id), None)
        words += [stage.title] if stage is not None else [board.title] if board is not None else []
        words += in_initials(card.assignees[:1], look.initials)
    about: list[Span] = [(f"  {', '.join(words)}", "quiet")] if words else []
    if is_overdue(card, look.now) and card.due_at is not None:
        about.append((f"{', ' if words else '  '}{relative(card.due_at, look.now)}", "bad"))
    return about


def _names(held_up: Sequence[Task]) -> list[Span]:
    more = f" and {len(held_up) - 1} more" if len(held_up) > 1 else ""
    return [("blocks ", "text"), _link(held_up[0]), (more, "text")]


def _link(card: Task) -> Span:
    return numbered(card.id), LINK if card.id > 0 else "text"


def _lost(task: Task, relations: Relations) -> list[Span]:
    # What a person relied on, and which tells nothing any more.
    lost = [blocker for blocker in task.blockers if relations.standing(blocker.id).is_lost]
    if not lost or not task.is_open:
        return []
    what = f"was {relations.standing(lost[0].id).value}, so it blocks nothing"
    return [(f" {numbered(task.id)}: {in_words(lost[0])} {what}", "quiet")]
