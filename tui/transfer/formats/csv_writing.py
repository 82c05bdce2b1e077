"""Cards as CSV, which `csv_table` reads. Comments are left out.

Before a text that a spreadsheet would take for a formula stands an apostrophe.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO

from tui.transfer.moments import written
from tui.transfer.sheet import Sheet, SheetSubtask

COLUMNS = (
    *("Id", "Title", "Stage", "Status", "Priority", "Due", "Start"),
    *("Assignees", "Labels", "Subtasks", "Archived", "Template", "Description"),
)
OLDER_COLUMNS = tuple(name for name in COLUMNS if name != "Template")
"""Those of files that were written before there were templates."""
_FORMULA = re.compile(r"'*[=+\-@\t]")
_ESCAPED = re.compile(r"[\\;]")


def write_csv(sheet: Sheet) -> str:
    """The cards as CSV, which `read_csv` reads; comments are left out."""
    output = StringIO(newline="")
    writer = csv.writer(output, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for card in sheet.cards:
        row = (
            card.own_id,
            card.title,
            card.stage,
            "closed" if card.is_done else "open",
            card.priority.value,
            written(card.due_at),
            written(card.started_at),
            _written_list([names[0] for names in card.people]),
            _written_list(card.labels),
            "\n".join(_written_subtasks(card.subtasks)),
            "yes" if card.is_archived else "",
            "yes" if card.is_template else "",
            card.description,
        )
        writer.writerow([f"'{cell}" if _FORMULA.match(cell) else cell for cell in row])
    return output.getvalue()


def _written_list(texts: Sequence[str]) -> str:
    # A single text with a comma would be read as several.
    text = "; ".join(_ESCAPED.sub(r"\\\g<0>", entry) for entry in texts)
    return f"{text};" if "," in text and not {";", "\\"} & set(text) else text


def _written_subtasks(subtasks: Sequence[SheetSubtask]) -> Iterator[str]:
    group = ""
    for subtask in subtasks:
        if subtask.group != group:
            group = subtask.group
            yield f"\\{group}:" if group.startswith(("[", "\\")) else f"{group}:"
        yield f"[{'x' if subtask.is_done else ' '}] {subtask.title}"
