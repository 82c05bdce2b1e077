"""The topics of the help, as Markdown and as lines of a terminal.

A paragraph `{settings}` in a file becomes the table of the settings, `{terms}` that of the terms of
a filter, and `{keys:SECTION}` the table of the keys of a section of the key map.
"""

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from textwrap import wrap
from typing import NamedTuple

from tui.config.settings import SETTINGS, Settings
from tui.config.settings_writing import literal
from tui.errors import WrongInput
from tui.help import FOLDER
from tui.model.query.terms import TERMS
from tui.text import cells, clean

_PLACEHOLDER = re.compile(r"^\{(keys|settings|terms)(?::([\w ]+))?\}$", re.MULTILINE)
_PART = re.compile(r"^```.*?^```$|^\S.*?(?=\n\n|\n*\Z)", re.MULTILINE | re.DOTALL)
"""A block of code, or what ends before an empty line."""
_CELL = re.compile(r"(?<!\\)\|")
CODE = re.compile(r"`([^`]+)`")
_EMPHASIS = re.compile(r"(?<![`\w])\*(\w[^*]*)\*")
_TERM = 34
"""So wide is the first column of a table at most."""


class TopicLine(NamedTuple):
    """A line to show; the first `strong` characters are a heading or a term, `CODE` is as well."""

    text: str
    strong: int = 0


def names() -> list[str]:
    """The names of all topics."""
    return sorted(file.stem for file in FOLDER.glob("*.md"))


def title(name: str) -> str:
    """The heading of a topic."""
    with (FOLDER / f"{name}.md").open(encoding="utf-8") as file:
        return file.readline().removeprefix("# ").strip()


def check(name: str) -> None:
    """Raise `WrongInput` with the nearest topics if there is none of this name."""
    every = names()
    if name not in every:
        near = get_close_matches(name, every, n=3, cutoff=0.6)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(every)}."
        raise WrongInput(f"no topic “{clean.line(name)}”.", hint=hint)


def markdown(name: str, keys_of: Callable[[str], str] | None = None) -> str:
    """A topic with its tables; without `keys_of`, which makes those of keys, they are left out."""

    def table(match: re.Match[str]) -> str:
        if match[1] == "settings":
            return _settings_table()
        if match[1] == "terms":
            return _terms_table()
        return keys_of(match[2]) if keys_of else ""

    return _PLACEHOLDER.sub(table, (FOLDER / f"{name}.md").read_text("utf-8"))


def _settings_table() -> str:
    rows = ["| setting | meaning, and the default |", "|---|---|"]
    for name, setting in SETTINGS.items():
        choices = setting.choices_in_words(lambda choice: f"`{choice}`")
        meaning = f"{setting.title}: {setting.about}{f'; {choices}' if choices else ''}"
        default = literal(Settings._field_defaults[name])
        rows.append(f"| `{name}` | {meaning} (`{default}`) |")
    return "\n".join(rows)


def _terms_table() -> str:
    rows = ["| term | cards |", "|---|---|"]
    for form in TERMS.values():
        typed = form.examples or (f"{form.keys[0]}:{value}" for value in form.values)
        rows.append(f"| {' '.join(f'`{term}`' for term in typed)} | {form.about} |")
    return "\n".join(rows)


def shown(text: str, width: int) -> Iterator[TopicLine]:
    """Markdown as lines of at most `width` cells: headings, paragraphs, lists, tables and code."""
    for part in _PART.findall(text):
        lines = part.splitlines()
        if part.startswith("```"):
            yield from (TopicLine(f"    {line}") for line in lines[1:-1])
        elif part.startswith("|"):
            yield from _table(lines, width)
        elif part.startswith("#"):
            heading = CODE.sub(r"\1", part.lstrip("# "))
            yield TopicLine(heading, len(heading))
        else:
            for item in re.split(r"\n(?=- )", part):
                # Code is not wrapped: textwrap breaks no line at this kind of blank.
                words = CODE.sub(lambda code: code[0].replace(" ", "\N{NO-BREAK SPACE}"), item)
                words = _EMPHASIS.sub(r"\1", re.sub(r"\n *", " ", words))
                indent = "  " if item.startswith("- ") else ""
                for line in wrap(words, width, subsequent_indent=indent, break_on_hyphens=False):
                    yield TopicLine(line.replace("\N{NO-BREAK SPACE}", " "))
        yield TopicLine("")


def _table(lines: list[str], width: int) -> Iterator[TopicLine]:
    rows = [
        [CODE.sub(r"\1", cell.strip()).replace("\\|", "|") for cell in _CELL.split(line)[1:-1]]
        for line in lines
        if not line.startswith("|---")
    ]
    texts = [(row[0], "  ".join(filter(None, row[1:]))) for row in rows[1:]]
    term = min(_TERM, width // 2, max((cells.width(first) for first, _ in texts), default=0))
    for first, rest in texts:
        below = wrap(rest, max(10, width - term - 4)) or [""]
        if cells.width(first) > term:
            yield TopicLine(f"  {first}", len(first) + 2)
            first, strong = "", 0  # noqa: PLW2901
        else:
            strong = term + 2
        for text in below:
            yield TopicLine(f"  {cells.fit(first, term)}  {text}".rstrip(), strong)
            first, strong = "", 0  # noqa: PLW2901
