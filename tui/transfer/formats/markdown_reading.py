"""Markdown with headings as stages, and lists or the headings below as cards.

So Obsidian Kanban, taskell, and Markdown Kanban for editors write it. Below a card, and further
in, are its subtasks, as items with a box; its description, with or without `>` before each line;
its fields, as items such as `due: 2026-12-01`; and its due date after an `@`. An item without a box
that has such items below is their group. The heading “Archive” after a rule is that of archived
cards.
"""

import json
import re
from collections.abc import Iterator, Sequence

from tui.model.task import Priority
from tui.text import clean
from tui.transfer.formats.fields import YES, field_of
from tui.transfer.formats.markdown_dates import SETTINGS, DateStyle, style_in
from tui.transfer.formats.markdown_marks import (
    Marks,
    read_marks,
    read_more,
    shown,
    take_field,
)
from tui.transfer.losses import Losses, field_called
from tui.transfer.moments import moment
from tui.transfer.sheet import (
    NotReadable,
    Sheet,
    SheetCard,
    SheetStage,
    SheetSubtask,
    folded,
    says_done,
)

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_CLOSING = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_BOX = re.compile(r"\[(.)\](?:[ \t]+|$)")
_RULE = re.compile(r"(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}")
_LIMIT = re.compile(r"(.*[^\s\\])[ \t]*\(\d{1,4}\)")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_FIELD = re.compile(r"([A-Za-z][\w ]{0,30}?):(?:\s+(.*)|$)")
_FRONT_FIELD = re.compile(r"([A-Za-z][\w -]{0,60}):\s*(.*)")
_KNOWN_IN_FRONT = {"title", "kanban-plugin", *SETTINGS}
_OF_VIEW = frozenset({"defaultexpanded", "expanded", "collapsed"})
"""Fields that say how an editor shows a card."""
_DESCRIPTIONS = frozenset({"md", "markdown"})
"""The languages of code that is the description of a card that is a heading."""
_SETTINGS = "%% kanban:settings"
_COMPLETE = "**Complete**"
_ARCHIVE = "archive"
_DONE_BOXES = "xX-"
_MARGIN = re.compile(r"^[ \t]+", re.MULTILINE)
_TAB = 4
_DEEPEST = 1_000_000
_NESTED = 2
"""An item with so many spaces before it is below another."""


def is_markdown(text: str) -> bool:
    """Whether a text has headings or lists."""
    return any(_HEADING.match(line) or _ITEM.match(line) for line in text.split("\n"))


def read_markdown(text: str, name: str) -> Sheet:
    """The lists as a board, called `name` unless the text says how. Raises `NotReadable`."""
    # Only in the indentation, as tabs within a line are text.
    text = _MARGIN.sub(lambda margin: margin[0].expandtabs(_TAB), clean.text(text))
    lines: Sequence[str] = text.split("\n")
    front, lines = _front_matter(lines)
    lines, settings = _without_settings(lines)
    is_code = _in_code(lines)
    is_kanban = any(line.startswith("kanban-plugin:") for line in front)
    title, level = _levels(lines, is_code)
    board = _Board(level, style_in(front, settings), has_limits=is_kanban)
    _list_front(front, board.losses)
    for line, of_code in zip(lines, is_code, strict=True):
        board.take(line, is_code=of_code)
    board.finish()
    if not board.cards and not board.stages:
        raise NotReadable("it has neither headings nor lists.")
    title = _title_in(front) or title or name
    return Sheet(
        title,
        f"markdown {title}",
        tuple(board.stages),
        tuple(board.cards),
        lost=board.losses.lines(),
    )


def _front_matter(lines: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    begin = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines[begin].rstrip() != "---":
        return (), lines
    for at in range(begin + 1, len(lines)):
        if lines[at].rstrip() == "---":
            return lines[begin + 1 : at], lines[at + 1 :]
    return (), lines


def _title_in(front: Sequence[str]) -> str:
    for line in front:
        name, _, value = line.partition(":")
        if name == "title":
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                return value.strip()
            return value if isinstance(value, str) else ""
    return ""


def _list_front(front: Sequence[str], losses: Losses) -> None:
    # A field may have its values in the lines below.
    for at, line in enumerate(front):
        assignment = _FRONT_FIELD.fullmatch(line.rstrip())
        below = front[at + 1][:1] if at + 1 < len(front) else ""
        if (
            assignment
            and assignment[1] not in _KNOWN_IN_FRONT
            and (assignment[2] or below in ("-", " "))
        ):
            losses.of_board(f"{field_called(assignment[1])} of the file")


def _without_settings(lines: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    begin = next((at for at, line in enumerate(lines) if line.startswith(_SETTINGS)), None)
    if begin is None:
        return [*lines], ()
    end = next(
        (at for at in range(begin + 1, len(lines)) if lines[at].rstrip() == "%%"), len(lines)
    )
    return [*lines[:begin], *lines[end + 1 :]], lines[begin + 1 : end]


def _in_code(lines: Sequence[str]) -> list[bool]:
    # Whether each line is within a fence, or one; a fence that is never closed is none.
    is_code = [False] * len(lines)
    begin, fence = 0, ""
    for at, line in enumerate(lines):
        mark = _FENCE.match(line.lstrip(" "))
        if mark and not fence:
            begin, fence = at, mark[1]
        elif mark and line.strip() == mark[1] and mark[1].startswith(fence):
            is_code[begin : at + 1] = [True] * (at + 1 - begin)
            fence = ""
    return is_code


def _heading(line: str) -> tuple[int, str] | None:
    match = _HEADING.fullmatch(line.rstrip())
    return (len(match[1]), _CLOSING.sub("", match[2]).strip()) if match else None


def _levels(lines: Sequence[str], is_code: Sequence[bool]) -> tuple[str, int]:
    # The title of the board, if there is one heading of the first level; and the level of stages.
    pairs = zip(lines, is_code, strict=True)
    headings = [heading for line, code in pairs if not code and (heading := _heading(line))]
    levels = [level for level, _ in headings]
    first = min(levels, default=1)
    deeper = [level for level in levels if level > first]
    if levels[:1] == [1] and levels.count(1) == 1 and deeper:
        return shown(headings[0][1]), min(deeper)
    return "", first


class _Board:
    # Takes line by line; what belongs to a card is collected until the next begins.

    def __init__(self, level: int, style: DateStyle, *, has_limits: bool) -> None:
        self.stages: list[SheetStage] = []
        self.cards: list[SheetCard] = []
        self.losses = Losses()
        self._level = level
        self._style = style
        self._has_limits = has_limits
        self._card: str | None = None
        self._is_heading = False
        self._body: list[str] = []
        self._is_archive = False
        self._follows_rule = False

    def take(self, line: str, *, is_code: bool) -> None:
        """Take the next line."""
        stripped = line.strip()
        in_heading = self._card is not None and self._is_heading
        heading = None if is_code else _heading(line)
        if heading and not (in_heading and heading[0] > self._level + 1):
            self.finish()
            self._begin(*heading)
        # All below a card that is a heading is its body, up to the next heading or rule.
        elif in_heading and (is_code or not _RULE.fullmatch(stripped)):
            self._body.append(line)
            return
        elif line[:_NESTED].isspace() and self._card is not None:
            self._body.append(line)
        elif not stripped:
            if self._card is not None:
                self._body.append("")
            return
        elif _RULE.fullmatch(stripped):
            self.finish()
            self._follows_rule = True
            return
        elif not is_code and (item := _ITEM.match(line.lstrip())):
            self.finish()
            self._card = line.lstrip()[item.end() :]
        elif stripped == _COMPLETE and self.stages and self._card is None:
            self.stages[-1] = SheetStage(self.stages[-1].title, closes=True)
        elif self._card is not None and (not self._body or self._body[-1].strip()):
            self._body.append(f"{' ' * _TAB}{line}")  # a paragraph goes on at the margin
        else:
            self.finish()
            self.losses.of_board("lines outside of cards")
        self._follows_rule = False

    def _begin(self, level: int, title: str) -> None:
        # A heading of the board, of a stage, or of a card.
        if level < self._level:
            return
        if level > self._level:
            self._card, self._is_heading = title, True
            return
        self._is_archive = self._follows_rule and folded(title) == _ARCHIVE
        if not self._is_archive:
            limit = _LIMIT.fullmatch(title) if self._has_limits else None
            self.losses.of_board("limits of stages", limit is not None)
            title = shown(limit[1] if limit else title)
            self.stages.append(SheetStage(title, closes=says_done(title)))

    def finish(self) -> None:
        """The card ends, if there is one."""
        if self._card is None:
            return
        line, lines, is_heading = self._card, self._body, self._is_heading
        self._card, self._body, self._is_heading = None, [], False
        box = _BOX.match(line)
        marks = read_marks(line[box.end() :] if box else line, self._style)
        body = _Body(lines, marks, self._style, is_heading=is_heading)
        for things in marks.lost:
            self.losses.of_card(things, len(self.cards))
        stage = self.stages[-1] if self.stages and not self._is_archive else SheetStage("")
        is_done = box[1] in _DONE_BOXES if box else marks.is_done or stage.closes
        self.cards.append(
            SheetCard(
                marks.title,
                key=marks.key,
                stage=marks.stage or stage.title,
                description="\n".join(filter(None, (marks.more, body.description))),
                labels=tuple(marks.labels),
                people=tuple((name,) for name in marks.people),
                due_at=marks.due_at,
                started_at=marks.started_at,
                priority=marks.priority or Priority.LOW,
                subtasks=tuple(body.subtasks),
                is_done=is_done,
                is_archived=self._is_archive or marks.is_archived,
                is_template=marks.is_template,
            )
        )


class _Body:
    # What is below a card: its subtasks, the description of what is left, and more marks.

    def __init__(
        self, lines: Sequence[str], marks: Marks, style: DateStyle, *, is_heading: bool
    ) -> None:
        self.subtasks: list[SheetSubtask] = []
        self._marks = marks
        self._style = style
        self._is_heading = is_heading
        margin = min((_indent(line) for line in lines if line.strip()), default=0)
        self._group, self._within, self._depth = "", 0, _DEEPEST
        self._lines = [*self._with_code([line[margin:] for line in lines])]
        self.description = "\n".join(self._rest()).strip("\n")

    def _rest(self) -> Iterator[str]:
        # What is neither a subtask nor a field.
        for at, (line, is_code) in enumerate(self._lines):
            text, indent = line.lstrip(" "), _indent(line)
            item = None if is_code else _ITEM.match(text)
            if is_code:
                yield line
            elif item and self._takes_item(at, text[item.end() :], indent):
                continue
            elif indent == 0 and text.startswith(">"):
                yield text[1:].removeprefix(" ")
            elif indent == 0 and text.startswith("@ ") and (due := moment(text[2:])):
                self._marks.set_due(due)
            elif (remaining := read_more(self._marks, line, self._style)) is not None:
                yield remaining

    def _with_code(self, lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
        # Each line, and whether it is code. A description in a fence is without it.
        fence, margin, unwraps = "", 0, False
        for line, is_code in zip(lines, _in_code(lines), strict=True):
            mark = _FENCE.match(line.lstrip(" ")) if is_code else None
            if mark and not fence:
                language = line.lstrip(" ")[mark.end() :].strip()
                fence, margin = mark[1], _indent(line)
                unwraps = self._is_heading and language in _DESCRIPTIONS
                is_edge = True
            else:
                is_edge = bool(mark and line.strip() == mark[1] and mark[1].startswith(fence))
                fence = "" if is_edge else fence
            if not (is_code and unwraps):
                yield line, is_code
            elif not is_edge:
                yield line[min(margin, _indent(line)) :], True

    def _takes_item(self, at: int, text: str, indent: int) -> bool:
        if box := _BOX.match(text):
            if self._group and indent <= self._within:
                self._group, self._depth = "", _DEEPEST
            self._depth = min(self._depth, indent)
            if indent > self._depth:
                self._marks.lost.append("subtasks of subtasks, which are subtasks here")
            subtask = SheetSubtask(shown(text[box.end() :]), box[1] in _DONE_BOXES, self._group)
            self.subtasks.append(subtask)
            return True
        if self._has_boxes_below(at, indent):
            self._group, self._within, self._depth = _group(shown(text)), indent, _DEEPEST
            return True
        return indent < _TAB and self._takes_field(text)

    def _takes_field(self, text: str) -> bool:
        assignment = _FIELD.fullmatch(text.strip())
        if assignment is None:
            return False
        name, value = assignment[1], assignment[2] or ""
        if take_field(self._marks, name, value):
            return True
        return self._is_heading and self._takes_own_field(name, value)

    def _takes_own_field(self, name: str, value: str) -> bool:
        # Fields that only a card has which is a heading; what else is below it is described there.
        marks, says_yes = self._marks, folded(value) in YES
        if name.casefold() in _OF_VIEW:
            marks.lost.append(field_called(name))
            return True
        match field_of(name):
            case "id" if value.strip():
                marks.key = value.strip()
            case "status" | "done" if says_yes or says_done(value):
                marks.is_done = True
            case "done" if moment(value):
                marks.is_done = True
                marks.lost.append("dates of completion")
            case "archived" if says_yes:
                marks.is_archived = True
            case "template" if says_yes:
                marks.is_template = True
            case _:
                return not value.strip() and field_of(name) != ""
        return True

    def _has_boxes_below(self, at: int, indent: int) -> bool:
        # An empty line may stand between the item and those below it.
        below = (line for line, _ in self._lines[at + 1 : at + 3] if line.strip())
        line = next(below, "")
        item = _ITEM.match(line.lstrip(" "))
        return bool(item and _indent(line) > indent and _BOX.match(line.lstrip(" ")[item.end() :]))


def _group(title: str) -> str:
    return "" if field_of(title.rstrip(":")) == "subtasks" and title.endswith(":") else title


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
