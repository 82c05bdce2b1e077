"""CSV: a card in each row. The first row names the columns, in the words of several programs.

A cell holds several labels or people separated by `; `, and a subtask in each line, with `[x]`
before those that are done; a line that ends with a colon is the group of those below. Before a text
that a spreadsheet would take for a formula stands an apostrophe.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from itertools import islice

from tui.model.task import Priority
from tui.text import clean
from tui.text.clean import quoted
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
    written,
)

FIELDS: Mapping[str, Sequence[str]] = {
    "title": ("title", "name", "summary", "card", "task", "subject", "card name", "task name"),
    "id": ("id", "key", "card id", "issue key", "issue id", "task id", "number", "card #"),
    "stage": ("stage", "list", "column", "section/column", "list name", "section", "bucket name"),
    "status": ("status", "state", "done", "completed", "closed", "progress"),
    "priority": ("priority",),
    "due": ("due", "due date", "due on", "deadline", "due at"),
    "start": ("start", "start date", "started", "start on"),
    "assignees": ("assignees", "assignee", "assigned to", "members", "owner", "assignee email"),
    "labels": ("labels", "label", "tags", "tag", "categories"),
    "subtasks": ("subtasks", "checklist", "checklist items"),
    "description": ("description", "notes", "body", "details", "card description", "desc"),
    "archived": ("archived",),
}
"""What a column may hold, and the names under which it is recognised."""
_COLUMNS = ("Id", "Title", "Stage", "Status", "Priority", "Due", "Start")
_MORE_COLUMNS = ("Assignees", "Labels", "Subtasks", "Archived", "Description")
_LISTS = ("assignees", "labels")
"""The fields that may have several columns of the same name."""
_YES = frozenset({"yes", "true", "x", "1"})
_PRIORITIES = {
    **{priority.value: priority for priority in Priority},
    **dict.fromkeys(("highest", "urgent", "critical", "important", "h"), Priority.HIGH),
    **dict.fromkeys(("normal", "m"), Priority.MEDIUM),
    **dict.fromkeys(("", "lowest", "none", "minor", "l"), Priority.LOW),
}
_DELIMITERS = ",;\t|"
_BOX = re.compile(r"\[([ xX])\] ?")
_FORMULA = re.compile(r"'*[=+\-@\t]")
_QUOTED_FORMULA = re.compile(r"'+[=+\-@\t]")
_LONGEST_CELL = 1_000_000
_ESCAPED = re.compile(r"[\\;]")
_PART = re.compile(r"(?:[^\\;]|\\.|\\$)+", re.DOTALL)
"""A text of several in a cell: a backslash keeps a sign as it is."""


def is_csv(text: str) -> bool:
    """Whether the first line is a row of several columns, one of which can be a title."""
    first = text.lstrip().partition("\n")[0]
    names = {folded(name.strip('"\r')) for name in first.split(_delimiter_of(first))}
    return len(names) > 1 and not names.isdisjoint(FIELDS["title"])


def heading_of(text: str) -> Sequence[str]:
    """The names of the columns, as they are written in the first row. Raises `NotReadable`."""
    return [cell.strip() for _, row in islice(_rows(text), 1) for cell in row]


def _delimiter_of(line: str) -> str:
    return max(_DELIMITERS, key=line.count)


def read_csv(text: str, name: str, columns: Mapping[str, str]) -> Sheet:
    """The rows as a board that is called `name`; `columns` names those of fields. May raise."""
    rows = list(_rows(text))
    if not rows:
        raise NotReadable("it has no line that names the columns.")
    heading = [cell.strip() for cell in rows[0][1]]
    places = _places(heading, columns)
    several = {
        field: _columns_called(heading, at) for field, at in places.items() if field in _LISTS
    }
    taken = {*places.values(), *(at for columns_of in several.values() for at in columns_of)}
    losses, cards = Losses(), []
    for number, row in rows[1:]:
        if any(map(str.strip, row[len(heading) :])):
            raise NotReadable(
                f"line {number} has {len(row)} cells, but the first names {len(heading)} columns."
            )
        cells = {field: _cell(row[at]) for field, at in places.items() if at < len(row)}
        for field, columns_of in several.items():
            texts = (_several(_cell(row[at])) for at in columns_of if at < len(row))
            cells[field] = _written_list([text for each in texts for text in each])
        if any(map(str.strip, row)):
            cards.append(_card(cells, losses, is_done_by_stage="status" not in places))
        for at, cell in enumerate(row):
            if at not in taken and cell.strip():
                losses.add(f"cells in the column {quoted(clean.line(heading[at]))}")
    titles = dict.fromkeys(card.stage for card in cards if card.stage)
    stages = [SheetStage(title, says_done(title)) for title in titles]
    stages.sort(key=lambda stage: stage.closes)
    return Sheet(name, f"csv {name}", tuple(stages), tuple(cards), lost=losses.lines())


def _columns_called(heading: Sequence[str], like: int) -> Sequence[int]:
    # Jira writes one column for each label, all of the same name.
    name = folded(heading[like])
    return [at for at, other in enumerate(heading) if folded(other) == name]


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    lines = text.lstrip("\n")
    reader = csv.reader(
        StringIO(lines, newline=""), delimiter=_delimiter_of(lines.partition("\n")[0]), strict=True
    )
    limit = csv.field_size_limit(_LONGEST_CELL)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise NotReadable(f"line {reader.line_num} is no CSV: {error}.") from error
    finally:
        csv.field_size_limit(limit)


def _places(heading: Sequence[str], columns: Mapping[str, str]) -> Mapping[str, int]:
    # Which column holds which field; what the user names comes before what is recognised.
    names = [folded(name) for name in heading]
    places = {}
    for field, name in columns.items():
        if folded(name) not in names:
            listing = ", ".join(map(quoted, map(clean.line, heading)))
            raise NotReadable(f"there is no column {quoted(clean.line(name))} among {listing}.")
        places[field] = names.index(folded(name))
    for field, known in FIELDS.items():
        free = (
            name for name in known if name in names and names.index(name) not in places.values()
        )
        if field not in places and (column := next(free, "")):
            places[field] = names.index(column)
    if "title" not in places:
        listing = ", ".join(map(quoted, map(clean.line, heading)))
        raise NotReadable(
            f"no column is known as that of titles, of {listing}.",
            hint="Name it: --map title=COLUMN",
        )
    # A list of issues often has one column for both.
    if "stage" not in places and "status" in places:
        places["stage"] = places["status"]
    return places


def _cell(raw: str) -> str:
    text = raw.replace("\r\n", "\n")
    return text[1:] if _QUOTED_FORMULA.match(text) else text


def _card(cells: Mapping[str, str], losses: Losses, *, is_done_by_stage: bool) -> SheetCard:
    title = cells.get("title", "").strip()
    status, own_id = cells.get("status", ""), cells.get("id", "").strip()
    stage = cells.get("stage", "").strip()
    dates = {}
    for field in ("due", "start"):
        words = cells.get(field, "").strip()
        dates[field] = moment(words) if words else None
        if words and dates[field] is None:
            losses.add("dates in another form than 2026-12-01 or 01.12.2026")
    priority = _PRIORITIES.get(folded(cells.get("priority", "")))
    if priority is None:
        losses.add(f"priorities called {quoted(clean.line(cells['priority']))}")
    return SheetCard(
        title,
        key=f"{own_id} {title}".strip(),
        stage=stage,
        description=cells.get("description", ""),
        labels=tuple(_several(cells.get("labels", ""))),
        people=tuple((name,) for name in _several(cells.get("assignees", ""))),
        due_at=dates["due"],
        started_at=dates["start"],
        priority=priority or Priority.LOW,
        subtasks=tuple(_subtasks(cells.get("subtasks", ""))),
        is_done=says_done(stage if is_done_by_stage else status) or folded(status) in _YES,
        is_archived=folded(cells.get("archived", "")) in _YES,
    )


def _several(cell: str) -> list[str]:
    # Other programs separate them by commas.
    cell = cell if ";" in cell or "\\" in cell else cell.replace(",", ";")
    found = (re.sub(r"\\(.)", r"\1", part[0], flags=re.DOTALL) for part in _PART.finditer(cell))
    return [part for each in found if (part := each.strip())]


def _subtasks(cell: str) -> Iterator[SheetSubtask]:
    group = ""
    for line in cell.split("\n"):
        if box := _BOX.match(line):
            yield SheetSubtask(line[box.end() :], box[1] in "xX", group)
        elif line.endswith(":"):
            group = line[:-1].removeprefix("\\")
        elif line.strip():
            yield SheetSubtask(line, group=group)


def write_csv(sheet: Sheet) -> str:
    """The cards as CSV, which `read_csv` reads; comments are left out."""
    output = StringIO(newline="")
    writer = csv.writer(output, lineterminator="\r\n")
    writer.writerow([*_COLUMNS, *_MORE_COLUMNS])
    for card in sheet.cards:
        row = (
            "" if card.key == card.title else card.key,
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
            card.description,
        )
        writer.writerow([f"'{cell}" if _FORMULA.match(cell) else cell for cell in row])
    return output.getvalue()


def _written_list(texts: Sequence[str]) -> str:
    # A single text with a comma would be read as several.
    text = "; ".join(_ESCAPED.sub(r"\\\g<0>", each) for each in texts)
    return f"{text};" if "," in text and not {";", "\\"} & set(text) else text


def _written_subtasks(subtasks: Sequence[SheetSubtask]) -> Iterator[str]:
    group = ""
    for one in subtasks:
        if one.group != group:
            group = one.group
            yield f"\\{group}:" if group.startswith(("[", "\\")) else f"{group}:"
        yield f"[{'x' if one.is_done else ' '}] {one.title}"
