"""A sheet as Markdown that Obsidian's Kanban opens as a board, and `markdown_reading` reads.

Comments are left out.
"""

import json
import re
from collections.abc import Iterator

from tui.transfer.formats.markdown_marks import escaped, write_marks
from tui.transfer.sheet import Sheet, SheetCard

_MARGIN = "    "
# Hashes at its end close a heading, and a number in brackets is the limit of a stage.
_LAST_SIGN = re.compile(r"#(?=#*\s*$)|\((?=\d{1,4}\)\s*$)")

_BOX = re.compile(r"^\[")
_ESCAPED_SIGN = r"\\\g<0>"


def write_markdown(sheet: Sheet) -> str:
    """The board as Markdown."""
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: Sheet) -> Iterator[str]:
    yield from ("---", "", "kanban-plugin: board")
    yield from (f"title: {json.dumps(sheet.title, ensure_ascii=False)}", "", "---", "")
    stages = {stage.title for stage in sheet.stages}
    for stage in sheet.stages:
        yield f"## {_LAST_SIGN.sub(_ESCAPED_SIGN, escaped(stage.title))}"
        yield ""
        if stage.closes:
            yield "**Complete**"
        for card in sheet.cards:
            if card.stage == stage.title and not card.is_archived:
                yield from _card(card)
        yield ""
    archived = [card for card in sheet.cards if card.is_archived or card.stage not in stages]
    if archived:
        yield from ("***", "", "## Archive", "")
        for card in archived:
            yield from _card(card, has_stage=True)
        yield ""


def _card(card: SheetCard, *, has_stage: bool = False) -> Iterator[str]:
    yield f"- {_box(is_done=card.is_done)} {write_marks(card, has_stage=has_stage)}"
    if card.description:
        for line in card.description.split("\n"):
            yield f"{_MARGIN}> {line}" if line else f"{_MARGIN}>"
    group = ""
    for subtask in card.subtasks:
        if subtask.group != group and subtask.group:
            yield f"{_MARGIN}- {_BOX.sub(_ESCAPED_SIGN, escaped(subtask.group))}"
        group = subtask.group
        margin = _MARGIN * (2 if group else 1)
        yield f"{margin}- {_box(is_done=subtask.is_done)} {escaped(subtask.title)}"


def _box(*, is_done: bool) -> str:
    return "[x]" if is_done else "[ ]"
