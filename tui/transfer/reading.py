"""Reads a file as a sheet: decodes it, and finds its format in what it holds."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from tui.transfer import FORMATS
from tui.transfer.formats import github, gitlab, taskwarrior, trello
from tui.transfer.formats.csv_table import is_csv, read_csv
from tui.transfer.formats.github_project import is_project
from tui.transfer.formats.json_values import JsonRecord, parsed
from tui.transfer.formats.markdown_reading import is_markdown, read_markdown
from tui.transfer.losses import Losses
from tui.transfer.sheet import NotReadable, Sheet, tidied

MOST_BYTES = 64 * 1024 * 1024


class JsonFormat(NamedTuple):
    """A format in JSON: what it is known by, how it is read, and what of it is no content.

    `is_whole` says of an object whether it is a board; if not it is a card.
    """

    is_it: Callable[[object], bool]
    is_whole: Callable[[object], bool]
    read: Callable[[JsonRecord, str], Sheet]
    silent: Collection[str]


def _never(_value: object) -> bool:
    return False


JSON_FORMATS = {
    "trello": JsonFormat(trello.is_trello, trello.is_trello, trello.read_trello, trello.SILENT),
    "taskwarrior": JsonFormat(
        taskwarrior.is_taskwarrior, _never, taskwarrior.read_taskwarrior, taskwarrior.SILENT
    ),
    "gitlab": JsonFormat(gitlab.is_gitlab, _never, gitlab.read_gitlab, gitlab.SILENT),
    "github": JsonFormat(github.is_github, is_project, github.read_github, github.SILENT),
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
        sheet = _read_json(_json_value(text), name, form)
    if sheet.cards and not any(card.title.strip() for card in sheet.cards):
        raise NotReadable("none of its cards has a title.")
    sheet = tidied(sheet)
    if not sheet.cards and not sheet.stages:
        raise NotReadable("there are no cards in it.")
    return sheet


def _read_json(value: Any, name: str, form: str) -> Sheet:
    # What no reader has asked for is listed, whatever the format.
    how = JSON_FORMATS[form]
    if not how.is_it(value):
        raise NotReadable(f"it is JSON, but not as {form} writes it.")
    if isinstance(value, dict) and not how.is_whole(value):
        value = [value]
    root, losses = JsonRecord.root(value), Losses()
    sheet = how.read(root, name)
    root.list_unread(losses, how.silent)
    return replace(sheet, lost=(*sheet.lost, *losses.lines()))


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
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _form_of(text: str) -> str:
    if text.lstrip()[:1] in ("{", "["):
        try:
            value = _json_value(text)
        except NotReadable:
            # Markdown may begin with a bracket too, as of a link.
            if is_markdown(text):
                return "markdown"
            raise
        for form, how in JSON_FORMATS.items():
            if how.is_it(value):
                return form
        *names, last = filter(None, FORMATS.values())
        raise NotReadable(
            "it is JSON of no program that is known.",
            hint=f"Known are {', '.join(names)}, and {last}.",
        )
    # CSV before Markdown, as a cell may hold lines that look like a list.
    if is_csv(text):
        return "csv"
    if is_markdown(text):
        return "markdown"
    raise NotReadable(
        "its format is not recognised.", hint=f"Name it: --format {', '.join(FORMATS)}"
    )


def _json_value(text: str) -> Any:
    if value := parsed(text):
        return value
    raise NotReadable("there are no cards in it.")
