"""A card as lines of text; pure functions.

Every line is exactly as wide as requested, in cells. Spans have roles (`text`, `bad`, …) and no
colours, so that the theme decides the styles. At the left edge is what the user does (cursor, mark,
lift), at the right end of the details what happened elsewhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from tui.context import Density
from tui.model.colors import drawable
from tui.model.moving.lift import RowKind
from tui.model.people import NO_INITIALS, Account, Initials, in_initials
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.task import Priority, Status, Task
from tui.model.urgency import is_overdue, is_upcoming
from tui.model.work.agents import agents_of, without_agents
from tui.text.cells import cut, fit, split, width as cell_width
from tui.text.dates import relative
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, cut_line, fitted, line_width, on_ground

_SPANS_OF_PEOPLE = {"people": None, "others": 1, "first": 0}
"""How much of one person and the number of others is left once these are dropped."""
_NAMED = 2
"""How many people a card names at most; the others are counted."""
_LEAST_TITLE = 12
"""How many cells the title of a card of one line keeps."""
_MOST_LOST = 5
"""How many cells may be lost where a title is cut at a blank."""


class CardLook(NamedTuple):
    """The inputs that all cards of a board share."""

    density: Density
    now: datetime
    initials: Initials = NO_INITIALS
    me: Account | None = None
    is_shared: bool = False
    """Whether the board has several people, so that a card without any is worth a sign."""
    ticked_ids: frozenset[int] = frozenset()
    """Cards that are drawn as closed: lessons of the tutorial that were ticked off."""
    relations: Relations = NO_RELATIONS
    progress: Mapping[int, tuple[Span, Span]] = MappingProxyType({})
    """What agents said last on their cards, and its age, by the ids of the cards."""


class CardState(NamedTuple):
    """The state of a card on the board."""

    kind: RowKind = RowKind.CARD
    is_current: bool = False
    is_marked: bool = False
    is_pending: bool = False
    is_news: bool = False
    destination: str = ""
    """Where a lifted card would be dropped."""


def card_height(density: Density) -> int:
    """The lines of a card with the blank one below it."""
    return density + (density is not Density.COMPACT)


def card_lines(task: Task, width: int, look: CardLook, state: CardState) -> list[Line]:
    """The lines of a card, `card_height` of them, each exactly `width` cells wide."""
    if task.id in look.ticked_ids:
        task = replace(task, status=Status.CLOSED)
    blank: list[Line] = [((" " * width, "text"),)] * (look.density is not Density.COMPACT)
    if state.kind is RowKind.GAP:
        return [*[((" " * width, "cursor"),)] * look.density, *blank]
    if state.kind is RowKind.GHOST:
        return [*_lifted(task, width, look, state), *blank]
    if state.kind is RowKind.OUTLINE:
        return [*_outline(task, width, look.density), *blank]
    if look.density is Density.COMPACT:
        return [_one_line(task, width, look, state)]
    said = look.progress.get(task.id, ()) if look.density is Density.ROOMY else ()
    # What an agent said takes the place of the second line of the title, at the cursor alone.
    is_short = said and state.is_current
    title = title_lines(task, width - 2, Density.NORMAL if is_short else look.density)
    own = "quiet" if task.is_closed else "text"
    lines = [on_ground(((f" {fit(text, width - 2)} ", own),), "card") for text in title]
    has_room = look.density - len(title) > 1
    words = _in_words(task) if has_room and not said else ()
    if said and has_room:
        text, age = said
        room = max(0, width - 3 - cell_width(age[0]))
        shown = fitted(cut_line((text,), room), room, "text")
        words = (*shown, (" ", "text"), age)
    if words:
        line = ((" ", "text"), *fitted(words, width - 2, "text"), (" ", "text"))
        lines.append(on_ground(line, "card"))
    lines.append(details(task, width, look, state, has_labels=not has_room or bool(said)))
    if has_room and not words:
        # There is nothing to say between a short title and the details: they follow each other.
        lines.append(on_ground(blank[0], "card"))
    lines[0] = _covered(lines[0], task.cover)
    return [*_marked(lines, len(title), state), *blank]


def _covered(line: Line, cover: str) -> Line:
    # A cell in the colour of the cover at the end of the first line, where no sign stands.
    if not cover:
        return line
    *spans, (text, role) = line
    return (*spans, (text[:-1], role), (" ", f"text/{drawable(cover)}"))


def _in_words(task: Task) -> Line:
    # What a card with a short title has room for: its labels with their names, or its people.
    if without_agents(task.labels):
        return _chips(task, has_names=True)
    names = ", ".join(person.in_words for person in task.assignees)
    return ((names, "quiet"),) if names else ()


def _marked(lines: Sequence[Line], title: int, state: CardState) -> list[Line]:
    # The card at the cursor is lit on all its lines, a marked one on those of its title.
    role = "cursor" if state.is_current else "mark"
    filled_lines = len(lines) if state.is_current else title if state.is_marked else 0
    edges = [glyphs.BAR if state.is_current else " "] * filled_lines
    if state.is_marked:
        edges[0] = glyphs.MARK
    filled = [_filled(line, role, edge) for line, edge in zip(lines, edges, strict=False)]
    return [*filled, *lines[len(filled) :]]


def _filled(line: Line, role: str, edge: str) -> Line:
    # Only squares of labels and the cover keep their colours.
    spans: list[Span] = [(edge, role)]
    for text, own in ((line[0][0][1:], line[0][1]), *line[1:]):
        if own.startswith("#"):
            spans.append((text, f"{own.partition('/')[0]}/{role}"))
        elif "/#" in own:
            spans.append((text, own))
        elif spans[-1][1] == role:
            spans[-1] = (f"{spans[-1][0]}{text}", role)
        else:
            spans.append((text, role))
    return tuple(spans)


def title_lines(task: Task, width: int, density: Density) -> list[str]:
    """The lines of the title: two at most on a card of three lines, wrapped at blanks."""
    title = f"{glyphs.DONE} {task.title}" if task.is_closed else task.title
    # Reads no more than needed, because titles can be long.
    if density is not Density.ROOMY:
        return [cut(title, width)]
    head, remaining = split(title, width)
    if not remaining:
        return [head]
    blank = head.rfind(" ")
    # A word that ends exactly at the edge is not moved to the second line.
    if remaining[0] != " " and blank > 0:
        head, remaining = head[:blank], f"{head[blank + 1 :]}{remaining}"
    return [head.rstrip(), _cut_at_blank(remaining.lstrip(), width)]


def _cut_at_blank(text: str, width: int) -> str:
    if not split(text, width)[1]:
        return text
    whole = cut(text, width)
    head, blank, last = whole.rpartition(" ")
    return f"{head}…" if blank and cell_width(last) <= _MOST_LOST else whole


def details(
    task: Task, width: int, look: CardLook, state: CardState, *, has_labels: bool = True
) -> Line:
    """The line below the title, exactly `width` cells wide, and within it a blank at both ends.

    Of what does not fit, the first of these goes: names of labels, subtasks, comments, a date that
    is not due, all people but the first, their number, the squares of labels, the word `overdue`,
    the name of an agent, priority, the person. What blocks a card stays, and how many it holds up.
    """
    people, sign = _people(task, look, _NAMED), _sign(state)
    parts = {
        "flag": _flag(task, look),
        "date": _far_date(task, look.now),
        "priority": _priority(task),
        "subtasks": _subtasks(task),
        "comments": _comments(task),
        "labels": _chips(task, has_names=True) if has_labels else (),
        "agent": _agent(task),
    }
    narrower = {
        "names": ("labels", _chips(task, has_names=False) if has_labels else ()),
        "word": ("flag", tuple((_short(text), role) for text, role in parts["flag"])),
        "name": ("agent", _agent(task, has_name=False)),
    }
    number: Line = (("new" if task.is_local else f"#{task.id}", "quiet"),)
    room = width - 3

    def line() -> Line:
        spans = list(number)
        for name, part in parts.items():
            if part and name != "agent":
                spans += [(" ", "text"), *part]
        return tuple(spans)

    def behind() -> Line:
        agent = parts["agent"]
        return (*agent, (" ", "text"), *people) if agent and people else (*agent, *people)

    for dropped in (
        "names", "subtasks", "comments", "date", "people", "others", "labels", "word", "name",
        "priority", "first",
    ):  # fmt: skip
        left = room - line_width(behind()) - bool(behind())
        if line_width(line()) <= left:
            break
        if dropped in narrower:
            part, narrow = narrower[dropped]
            parts[part] = narrow
        elif dropped in _SPANS_OF_PEOPLE:
            people = _people(task, look, 1)[: _SPANS_OF_PEOPLE[dropped]]
        else:
            parts[dropped] = ()
    right = behind()
    left = room - line_width(right)
    shown = fitted(cut_line(line(), left - bool(right), ellipsis=""), left, "text")
    return on_ground(((" ", "text"), *shown, *right, (" ", "text"), sign), "card")


def _short(text: str) -> str:
    return text.replace(" overdue", "!")


def _one_line(task: Task, width: int, look: CardLook, state: CardState) -> Line:
    is_late, holds_up = is_overdue(task, look.now), _holds_up(task, look.relations)
    flag: Line = holds_up
    if look.relations.is_blocked(task):
        flag = ((glyphs.BLOCKED, "blocked"), *((" ", "text") for _ in holds_up), *holds_up)
    if task.is_template:
        flag = ((glyphs.TEMPLATE, "quiet"),)
    date: Line = ()
    if task.due_at is not None and task.is_open:
        when = relative(task.due_at, look.now)
        is_soon = is_upcoming(task, look.now)
        when = _short(when) if is_late else when.partition(" ")[0] if is_soon else ""
        date = ((when, "bad" if is_late else "warn"),) if when else ()
    far = _far_date(task, look.now)
    of_people = _people(task, look, 1)
    parts = [
        part
        for part in (flag, date, far, _agent(task, has_name=False), _priority(task), of_people)
        if part
    ]
    room = width - 4
    if far and sum(line_width(part) + 1 for part in parts) > room - _LEAST_TITLE:
        parts.remove(far)
    while parts and sum(line_width(part) + 1 for part in parts) > room - _LEAST_TITLE:
        # A card that is blocked or due says so, however short its title gets.
        if parts[-1] in (flag, date):
            break
        del parts[-1]
    right: list[Span] = [span for part in parts for span in ((" ", "text"), *part)]
    sign = _sign(state)
    title = f"{glyphs.DONE} {task.title}" if task.is_closed else task.title
    text = fit(title, max(0, width - 3 - line_width(right)))
    edge = glyphs.MARK if state.is_marked else glyphs.BAR if state.is_current else " "
    role = "cursor" if state.is_current else "mark" if state.is_marked else ""
    if role:
        behind = "".join(piece for piece, _ in (*right, (" ", ""), sign))
        return ((f"{edge}{text}{behind}", role),)
    own = "quiet" if task.is_closed else "text"
    return on_ground(((f"{edge}{text}", own), *right, (" ", own), sign), "card")


def _flag(task: Task, look: CardLook) -> Line:
    """What is said of a card first: what blocks it, how many it holds up, and that it is due."""
    if task.is_template:
        return ((f"{glyphs.TEMPLATE} template", "quiet"),)
    relations, now = look.relations, look.now
    is_late = is_overdue(task, now)
    when = relative(task.due_at, now) if task.due_at is not None else ""
    date: Line = ((when, "bad"),) if is_late else ()
    chip: Line = ()
    if relations.blocking(task):
        chip = ((f" {glyphs.BLOCKED} {relations.what_blocks(task)} ", "blocked"),)
    elif relations.what_blocks(task):
        chip = ((f" {glyphs.BLOCKED} {when if is_late else 'blocked'} ", "blocked"),)
        date = ()
    elif is_upcoming(task, now):
        date = ((when, "warn"),)
    parts = filter(None, (chip, _holds_up(task, relations), date))
    return tuple(span for part in parts for span in ((" ", "text"), *part))[1:]


def _holds_up(task: Task, relations: Relations) -> Line:
    count = len(relations.held_up(task))
    return ((f"{glyphs.HOLDS_UP}{count}", "strong"),) if count else ()


def _far_date(task: Task, now: datetime) -> Line:
    if task.due_at is None or not task.is_open or is_overdue(task, now) or is_upcoming(task, now):
        return ()
    return ((relative(task.due_at, now), "quiet"),)


def _priority(task: Task) -> Line:
    is_shown = task.priority is Priority.HIGH and not task.is_closed
    return ((glyphs.HIGH, "strong"),) if is_shown else ()


def _subtasks(task: Task) -> Line:
    done = f"{glyphs.SUBTASKS}{task.subtasks_done}/{task.subtasks_total}"
    return ((done, "quiet"),) if task.subtasks_total else ()


def _comments(task: Task) -> Line:
    return ((f"{glyphs.COMMENTS}{task.comments_count}", "quiet"),) if task.comments_count else ()


def _agent(task: Task, *, has_name: bool = True) -> Line:
    first, *others = agents_of(task) or ("",)
    if not first or task.is_closed:
        return ()
    more = f"+{len(others)}" if others else ""
    return ((f"{glyphs.AGENT} {first}{more}" if has_name else glyphs.AGENT, "strong"),)


def _people(task: Task, look: CardLook, most: int) -> Line:
    if not task.assignees:
        is_nobodys = look.is_shared and task.is_open
        return ((glyphs.NOBODY, "quiet"),) if is_nobodys else ()
    first, *next_initials = in_initials(task.assignees[:most], look.initials)
    is_mine = look.me is not None and look.me.is_of(task.assignees[0])
    more = len(task.assignees) - most
    suffix = "".join(f" {initials}" for initials in next_initials) + (
        f"+{more}" if more > 0 else ""
    )
    return (
        (first, "accent" if is_mine else "text"), *(((suffix, "text"),) if suffix else ()),
    )  # fmt: skip


def _chips(task: Task, *, has_names: bool) -> Line:
    spans: list[Span] = []
    for label in without_agents(task.labels):
        if has_names and spans:
            spans.append((" ", "text"))
        spans.append((glyphs.CHIP, label.color))
        if has_names and label.title:
            spans.append((label.title, "text"))
    return tuple(spans)


def _sign(state: CardState) -> Span:
    if state.is_pending:
        return glyphs.ON_THE_WAY, "warn"
    return (glyphs.NEWS, "news") if state.is_news else (" ", "text")


def _lifted(task: Task, width: int, look: CardLook, state: CardState) -> list[Line]:
    texts: list[str] = title_lines(task, width - 2, look.density)
    texts += [""] * (look.density - len(texts))
    if state.destination and look.density is not Density.COMPACT:
        texts[-1] = state.destination
    return [((f"{glyphs.BAR}{fit(text, width - 2)}{glyphs.BAR_AT_END}", "hand"),) for text in texts]


def _outline(task: Task, width: int, density: Density) -> list[Line]:
    box, inner = glyphs.OUTLINE, max(0, width - 2)
    title = cut(f" {task.title}", inner - 1)
    across, beside = box.across * inner, fit(title, inner)
    named = f"{title} {box.across * (inner - cell_width(title) - 1)}"
    top, bottom = (box.top_left, box.top_right), (box.bottom_left, box.bottom_right)
    sides = (box.down, box.down)
    rows: Sequence[tuple[tuple[str, str], str]] = {
        Density.COMPACT: ((sides, beside),),
        Density.NORMAL: ((top, named), (bottom, across)),
        Density.ROOMY: ((top, across), (sides, beside), (bottom, across)),
    }[density]
    return [((fit(f"{left}{text}{right}", width), "quiet"),) for (left, right), text in rows]
