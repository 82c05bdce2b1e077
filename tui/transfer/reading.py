"""Reads a file as a sheet: decodes it, and finds its format in what it holds."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from tui.transfer.formats.csv_table import is_csv, read_csv
from tui.transfer.formats.github import is_github, read_github
from tui.transfer.formats.json_values import parsed
from tui.transfer.formats.markdown_reading import is_markdown, read_markdown
from tui.transfer.formats.taskwarrior import is_taskwarrior, read_taskwarrior
from tui.transfer.formats.trello import is_trello, read_trello
from tui.transfer.sheet import NotReadable, Sheet, tidied

MOST_BYTES = 64 * 1024 * 1024
FORMATS = ("trello", "github", "taskwarrior", "csv", "markdown")
_JSON: Mapping[str, tuple[Callable[[object], bool], Callable[[object], Sheet]]] = {
    "trello": (is_trello, read_trello),
    "taskwarrior": (is_taskwarrior, read_taskwarrior),
    "github": (is_github, read_github),
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_sheet(content: bytes, name: str, form: str, columns: Mapping[str, str]) -> Sheet:
    """What a file describes. Raises `NotReadable`.

    `name` is that of the board if the file has none; without a `form`, one of `FORMATS`, it is
    found in the content. `columns` names those of CSV, which it is then, by what they hold.
    """
    text = decoded(content)
    form = form or ("csv" if columns else _form_of(text))
    if columns and form != "csv":
        raise NotReadable(f"it is {form}, and --map is for CSV.")
    if form == "csv":
        sheet = read_csv(text, name, columns)
    elif form == "markdown":
        sheet = read_markdown(text, name)
    else:
        value = _json_value(text)
        is_form, read = _JSON[form]
        if not is_form(value):
            raise NotReadable(f"it is JSON, but not as {form} writes it.")
        sheet = read(value)
    if sheet.cards and not any(card.title.strip() for card in sheet.cards):
        raise NotReadable("none of its cards has a title.")
    sheet = tidied(sheet)
    if not sheet.cards and not sheet.stages:
        raise NotReadable("there are no cards in it.")
    return sheet


def decoded(content: bytes) -> str:
    """The text of a file, in UTF-8, or in UTF-16 with its mark. Raises `NotReadable`."""
    if len(content) > MOST_BYTES:
        raise NotReadable("it is larger than 64 MB.")
    is_wide = content.startswith(_UTF_16)
    try:
        text = content.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise NotReadable(
            "it is cut off in the middle of a letter of UTF-16."
            if is_wide
            else f"line {line} is not text in UTF-8.",
            hint="If it is text, save it as UTF-8.",
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise NotReadable(f"line {line} holds a NUL: it is no text, or in another encoding.")
    if not text.strip():
        raise NotReadable("it is empty.")
    return text.replace("\r\n", "\n")


def _form_of(text: str) -> str:
    if text.lstrip()[:1] in ("{", "["):
        try:
            value = _json_value(text)
        except NotReadable:
            if is_markdown(text):
                return "markdown"
            raise
        for form, (is_form, _) in _JSON.items():
            if is_form(value):
                return form
        raise NotReadable(
            "it is JSON of no program that is known.",
            hint="Known are Trello's export of a board, gh issue list --json, and task export.",
        )
    if is_csv(text):
        return "csv"
    if is_markdown(text):
        return "markdown"
    raise NotReadable(
        "its format is not recognised.", hint=f"Name it: --format {', '.join(FORMATS)}"
    )


def _json_value(text: str) -> Any:
    # Taskwarrior may write an object on each line, with a comma behind it.
    try:
        if value := parsed(text):
            return value
    except NotReadable:
        lines = [line.strip().removesuffix(",") for line in text.split("\n") if line.strip()]
        if len(lines) < 2 or not all(line.startswith("{") for line in lines):  # noqa: PLR2004
            raise
        try:
            return [json.loads(line) for line in lines]
        except (ValueError, RecursionError):
            pass
        raise
    raise NotReadable("there are no cards in it.")
