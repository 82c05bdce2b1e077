"""Markdown with headings as stages and lists as cards, as Obsidian Kanban and taskell write it.

Below a card, and further in, are its subtasks, as items with a box; its description, with or
without `>` before each line; and its due date after an `@`. An item without a box that has such
items below is their group. The heading “Archive” after a rule is that of archived cards.
"""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from tui.model.task import Priority
from tui.text import clean
from tui.transfer.formats.markdown_marks import read_marks, shown
from tui.transfer.sheet import (
    Losses,
    NotReadable,
    Sheet,
    SheetCard,
    SheetStage,
    SheetSubtask,
    folded,
    moment,
    says_done,
)

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_CLOSING = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_BOX = re.compile(r"\[(.)\](?:[ \t]+|$)")
_RULE = re.compile(r"(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}")
_LIMIT = re.compile(r"(.*[^\s\\])[ \t]*\(\d{1,4}\)")
_FENCE = re.compile(r"(`{3,}|~{3,})")
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
    text = _MARGIN.sub(lambda margin: margin[0].expandtabs(_TAB), clean.text(text))
    lines: Sequence[str] = text.split("\n")
    front, lines = _front_matter(lines)
    lines = _without_settings(lines)
    is_kanban = any(line.startswith("kanban-plugin:") for line in front)
    title, level = _levels(lines)
    board = _Board(level, has_limits=is_kanban)
    for line in lines:
        board.take(line)
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


def _without_settings(lines: Sequence[str]) -> list[str]:
    begin = next((at for at, line in enumerate(lines) if line.startswith(_SETTINGS)), None)
    if begin is None:
        return [*lines]
    end = next(
        (at for at in range(begin + 1, len(lines)) if lines[at].rstrip() == "%%"), len(lines)
    )
    return [*lines[:begin], *lines[end + 1 :]]


def _heading(line: str) -> tuple[int, str] | None:
    match = _HEADING.fullmatch(line.rstrip())
    return (len(match[1]), _CLOSING.sub("", match[2]).strip()) if match else None


def _levels(lines: Sequence[str]) -> tuple[str, int]:
    # The title of the board, if there is one heading above all others; and the level of stages.
    headings = [found for line in lines if (found := _heading(line))]
    levels = [level for level, _ in headings]
    first = min(levels, default=1)
    others = [level for level in levels if level > first]
    if levels[:1] == [first] and levels.count(first) == 1 and others:
        return shown(headings[0][1]), min(others)
    return "", first


class _Board:
    # Takes line by line; what belongs to a card is collected until the next begins.

    def __init__(self, level: int, *, has_limits: bool) -> None:
        self.stages: list[SheetStage] = []
        self.cards: list[SheetCard] = []
        self.losses = Losses()
        self._level = level
        self._has_limits = has_limits
        self._card: str | None = None
        self._body: list[str] = []
        self._is_archive = False
        self._follows_rule = False

    def take(self, line: str) -> None:
        """Take the next line."""
        stripped = line.strip()
        if heading := _heading(line):
            self.finish()
            self._begin_stage(*heading)
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
        elif item := _ITEM.match(line.lstrip()):
            self.finish()
            self._card = line.lstrip()[item.end() :]
        elif stripped == _COMPLETE and self.stages and self._card is None:
            self.stages[-1] = SheetStage(self.stages[-1].title, closes=True)
        elif self._card is not None and (not self._body or self._body[-1].strip()):
            self._body.append(f"{' ' * _TAB}{line}")  # a paragraph goes on at the margin
        else:
            self.finish()
            self.losses.add("lines outside of cards")
        self._follows_rule = False

    def _begin_stage(self, level: int, title: str) -> None:
        if level < self._level:
            return
        if level > self._level:
            self.losses.add("headings within stages")
            return
        self._is_archive = self._follows_rule and folded(title) == _ARCHIVE
        if not self._is_archive:
            limit = _LIMIT.fullmatch(title) if self._has_limits else None
            self.losses.add("limits of stages", limit is not None)
            title = shown(limit[1] if limit else title)
            self.stages.append(SheetStage(title, closes=says_done(title)))

    def finish(self) -> None:
        """The card ends, if there is one."""
        if self._card is None:
            return
        line, body = self._card, _Body(self._body)
        self._card, self._body = None, []
        box = _BOX.match(line)
        marks = read_marks(line[box.end() :] if box else line)
        self.losses.add("dates that are not understood", marks.not_understood)
        self.losses.add("subtasks of subtasks, which are subtasks here", body.deeper)
        here = self.stages[-1] if self.stages and not self._is_archive else SheetStage("")
        stage = marks.stage or here.title
        self.cards.append(
            SheetCard(
                marks.title,
                key=marks.key,
                stage=stage,
                description="\n".join(filter(None, (marks.more, body.description))),
                labels=tuple(marks.labels),
                people=tuple((name,) for name in marks.people),
                due_at=marks.due_at or body.due_at,
                started_at=marks.started_at,
                priority=marks.priority or Priority.LOW,
                subtasks=tuple(body.subtasks),
                is_done=box[1] in _DONE_BOXES if box else here.closes,
                is_archived=self._is_archive,
            )
        )


class _Body:
    # What is below a card: its subtasks, and the description of what is left.

    def __init__(self, lines: Sequence[str]) -> None:
        self.subtasks: list[SheetSubtask] = []
        self.due_at: datetime | None = None
        self.deeper = 0
        margin = min((_indent(line) for line in lines if line.strip()), default=0)
        self._lines = [line[margin:] for line in lines]
        self.description = "\n".join(self._rest()).strip("\n")

    def _rest(self) -> Iterator[str]:
        fence = group = ""
        within, depth = 0, _DEEPEST
        for at, line in enumerate(self._lines):
            text, indent = line.lstrip(" "), _indent(line)
            mark = _FENCE.match(text)
            if fence or mark:
                if mark and (not fence or (text.rstrip() == mark[1] and mark[1].startswith(fence))):
                    fence = "" if fence else mark[1]
                yield line
                continue
            item = _ITEM.match(text)
            box = _BOX.match(text[item.end() :]) if item else None
            if item and box:
                if group and indent <= within:
                    group, depth = "", _DEEPEST
                depth = min(depth, indent)
                self.deeper += indent > depth
                title = shown(text[item.end() + box.end() :])
                self.subtasks.append(SheetSubtask(title, box[1] in _DONE_BOXES, group))
            elif item and self._has_boxes_below(at, indent):
                group, within, depth = shown(text[item.end() :]), indent, _DEEPEST
            elif indent == 0 and text.startswith(">"):
                yield text[1:].removeprefix(" ")
            elif indent == 0 and text.startswith("@ ") and (due := _stamp(text[2:])):
                self.due_at = due
            else:
                yield line

    def _has_boxes_below(self, at: int, indent: int) -> bool:
        line = next((line for line in self._lines[at + 1 : at + 3] if line.strip()), "")
        item = _ITEM.match(line.lstrip(" "))
        return bool(item and _indent(line) > indent and _BOX.match(line.lstrip(" ")[item.end() :]))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _stamp(words: str) -> datetime | None:
    # taskell writes 2026-12-01 or 2026-12-01 10:30 UTC.
    return moment(words.strip().replace(" UTC", "+00:00"))
