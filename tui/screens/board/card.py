"""A card as lines of text; pure functions.

Every line is exactly as wide as requested, in cells. Spans have roles (`title`, `late`, …) and no
colours, so that the theme decides the styles.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from tui.context import Density
from tui.model.moving.lift import RowKind
from tui.model.people import NO_INITIALS, Initials
from tui.model.task import Priority, Task
from tui.screens.board_lines import due, edge, people, priority
from tui.text.cells import fit, split, width as cell_width
from tui.widgets import glyphs
from tui.widgets.glyphs import Box
from tui.widgets.painted import Line, Span, fitted, line_width

CardLine = Line
"""One line of a card; its roles are those of `tui.theme.PAINTS`."""

NAMED = 3
"""How many people a card shows at most; the others are counted."""


class Look(NamedTuple):
    """The inputs that all cards of a board share."""

    density: Density
    now: datetime
    initials: Initials = NO_INITIALS


class CardState(NamedTuple):
    """The state of a card on the board."""

    kind: RowKind = RowKind.CARD
    is_current: bool = False
    is_marked: bool = False
    is_pending: bool = False
    is_news: bool = False


def card_lines(task: Task, width: int, look: Look, state: CardState) -> list[CardLine]:
    """The lines of a card, `look.density` of them, each exactly `width` cells wide."""
    if state.kind is RowKind.GAP:
        return [((" " * width, "gap"),)] * look.density
    if state.kind is RowKind.GHOST:
        return _boxed(task, width, look, glyphs.GHOST, "ghost")
    if state.kind is RowKind.OUTLINE:
        return _boxed(task, width, look, glyphs.OUTLINE, "outline")
    first, *others = _text_lines(task, width - 1, look, state)
    begins = edge(is_current=state.is_current, is_marked=state.is_marked)
    below = begins if state.is_current else edge(is_current=False, is_marked=False)
    return [(begins, *first), *((below, *line) for line in others)]


def title_lines(task: Task, width: int, density: Density) -> list[str]:
    """The lines of the title, the last one not cut yet; two at most, if a card has three lines."""
    title = f"{glyphs.DONE} {task.title}" if task.is_closed else task.title
    if density is not Density.ROOMY or _fits(title, width):
        return [title]
    head, rest = split(title, width)
    blank = head.rfind(" ")
    if blank <= 0 or rest[0] == " ":
        return [head, rest.lstrip(" ")]
    tail = f"{head[blank + 1 :]}{rest}"
    if _fits(tail, width) or (blank > len(head) // 2 and not _fits(rest, width)):
        return [head[:blank], tail]
    # Breaking within a word shows more of the title.
    return [head, rest]


def _fits(text: str, width: int) -> bool:
    # Reads no more than needed, because titles can be long.
    return not split(text, width)[1]


def _text_lines(task: Task, width: int, look: Look, state: CardState) -> list[CardLine]:
    # Signs come after the title, or after the details if it is too long: the text does not move
    # when a sign appears or disappears.
    role = "cursor" if state.is_current else "marked" if state.is_marked else "title"
    if task.is_closed:
        role = "cursor" if state.is_current else "closed"
    signs = _signs(task, width, look, state)
    room = width - line_width(signs)
    *above, last = title_lines(task, width, look.density)
    lines: list[CardLine] = [((fit(text, width), role),) for text in above]
    left = look.density - len(lines) - 1
    if not left or not signs or _fits(last, room):
        behind = [(text, role if state.is_current else of) for text, of in signs]
        lines.append(((fit(last, room), role), *behind))
        return [*lines, *_details(task, [width] * left, look)]
    lines.append(((fit(last, width), role),))
    first, *others = _details(task, [room] + [width] * (left - 1), look)
    return [*lines, (*first, *signs), *others]


def _details(task: Task, widths: Sequence[int], look: Look) -> list[CardLine]:
    # What does not fit goes to the next line; the labels stay together on one line.
    if len(widths) <= 1:
        return [_fitted([*_facts(task, look), *_chips(task)], width) for width in widths]
    rows: list[list[Span]] = [[] for _ in widths]
    row = used = 0
    for spans in (*([fact] for fact in _facts(task, look)), _chips(task)):
        cells = sum([cell_width(text) + (role != "label") for text, role in spans])
        if used + cells > widths[row] + 1 and used and row < len(rows) - 1:
            row, used = row + 1, 0
        rows[row] += spans
        used += cells
    return [_fitted(each, width) for each, width in zip(rows, widths, strict=True)]


def _signs(task: Task, width: int, look: Look, state: CardState) -> list[Span]:
    signs: list[Span] = []
    if look.density is Density.COMPACT:
        signs += [(f" {glyphs.CHIP}", label.color) for label in task.labels[:3]]
        signs += [(f" {text}", role) for text, role in due(task, look.now)]
        if task.priority is Priority.HIGH:
            signs.append((f" {glyphs.HIGH}", "high"))
    if state.is_pending:
        signs.append((f" {glyphs.ON_THE_WAY}", "pending"))
    if state.is_news:
        signs.append((f" {glyphs.NEWS}", "news"))
    if line_width(signs) > width // 2:
        return signs[-1:]
    return signs


def _facts(task: Task, look: Look) -> list[Span]:
    number = "new" if task.is_local else f"#{task.id}"
    facts: list[Span] = [
        (number, "meta"),
        *priority(task),
        *due(task, look.now),
        *people(task, look.initials, NAMED),
    ]
    if task.subtasks_total:
        done = f"{glyphs.SUBTASKS}{task.subtasks_done}/{task.subtasks_total}"
        facts.append((done, "meta"))
    if task.comments_count:
        facts.append((f"{glyphs.COMMENTS}{task.comments_count}", "meta"))
    return facts


def _chips(task: Task) -> list[Span]:
    return [
        (text, role)
        for label in task.labels
        for text, role in ((glyphs.CHIP, label.color), (label.title, "label"))
        if text
    ]


def _fitted(parts: Sequence[Span], width: int) -> CardLine:
    line = [
        (f" {text}" if place and role != "label" else text, role)
        for place, (text, role) in enumerate(parts)
    ]
    return fitted(line, width, "meta")


def _boxed(task: Task, width: int, look: Look, box: Box, role: str) -> list[CardLine]:
    bar = glyphs.BAR if role == "ghost" else " "
    inner = max(0, width - 3)
    across = box.across * inner
    title = fit(f" {task.title}", inner)
    facts = _fitted([(" ", role), *((text, role) for text, _ in _facts(task, look))], inner)
    text = "".join(piece for piece, _ in facts)
    if look.density is Density.COMPACT:
        texts = [f"{box.down}{title}{box.down}"]
    elif look.density is Density.NORMAL:
        texts = [
            f"{box.top_left}{title}{box.top_right}",
            f"{box.bottom_left}{text}{box.bottom_right}",
        ]
    else:
        texts = [
            f"{box.top_left}{across}{box.top_right}",
            f"{box.down}{title}{box.down}",
            f"{box.bottom_left}{across}{box.bottom_right}",
        ]
    return [((bar, "bar"), (fit(line, width - 1), role)) for line in texts]
