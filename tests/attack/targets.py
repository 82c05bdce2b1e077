"""What reads text from outside: each target, and the patterns that it has to stand.

`largest` is how many characters of one text it reads, or the most that is worth measuring.
"""

import asyncio
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from tests.attack.corpus import CONTROLS, HTML, JSON, MARKDOWN, PICTURES, WORDS, Pattern
from tui.client.http.error_bodies import plain_line
from tui.client.http.json_stream import JsonReader, UndecodableError, decode
from tui.client.http.responses import BodyUnpacker
from tui.client.resources.comments import mark_mentions
from tui.model import comment_text, quick_entry
from tui.model.query.language import parse as parse_query
from tui.model.task import Label, Person
from tui.service.errors import ServiceError
from tui.service.handlers.comments import comment_html, raw_text
from tui.service.requests.body import Body
from tui.service.requests.forms import parse_form
from tui.service.requests.image_formats import LARGEST_FILE, media_type
from tui.service.requests.replies import LARGEST_BODY
from tui.service.values import slug
from tui.store.documents.html_lines import words_of
from tui.text import clean, fuzzy, markdown, spans
from tui.text.cells import fit
from tui.text.checklist import checklist
from tui.text.dates import NotADate, parse_when
from tui.text.fuzzy import folded_words
from tui.text.html import tree as html_tree, writing as html_writing
from tui.text.html.reading import read

ONE_MB = 1 << 20
_NOW = datetime(2026, 11, 21)  # noqa: DTZ001 - wall-clock time, as everywhere in the program
_PEOPLE = {"ann": 1, "ann-b": 2}
_MENTIONED = [Person(one, login, login) for login, one in _PEOPLE.items()]
_KNOWN = quick_entry.Known([Label(1, "bug")], _MENTIONED, None, _NOW)
_TEXT = {**CONTROLS, **WORDS}
# These take a second for this much already.
_WORTH_MEASURING = 100_000


@dataclass(frozen=True, slots=True)
class Target:
    """A function that reads text, and the patterns it has to stand."""

    read: Callable[[str], object]
    patterns: Mapping[str, Pattern]
    largest: int = 16 * ONE_MB


def _written(source: str) -> str:
    return html_writing.written(html_tree.parse(source, len(source)))


def _edited(source: str) -> str:
    before = markdown.to_markdown(source)
    middle = len(before) // 2
    return markdown.edited_html(source, before, f"{before[:middle]} x {before[middle:]}")


def _commented(text: str) -> str:
    return comment_html(raw_text(text), {"ann": (1, "Ann")})


def _when(text: str) -> None:
    with suppress(NotADate):
        parse_when(text, _NOW)


def _decoded(text: str) -> None:
    with suppress(UndecodableError):
        asyncio.run(decode(text.encode(errors="replace")))


def _streamed(text: str) -> None:
    """Read an array in the pieces of a slow network."""
    reader = JsonReader("tasks", frozenset({"total"}))
    with suppress(UndecodableError):
        for start in range(0, len(text), 4096):
            deque(reader.feed(text[start : start + 4096].encode(errors="replace")), maxlen=0)
        deque(reader.finish(), maxlen=0)


def _parsed(text: str) -> None:
    with suppress(ServiceError):
        Body.parse(text.encode(errors="replace"))


def _parsed_form(text: str) -> None:
    with suppress(ServiceError):
        parse_form(text.encode(errors="replace"))


def _recognised(text: str) -> None:
    with suppress(ServiceError):
        media_type(text.encode("latin-1"))


def _unpacked(text: str) -> None:
    inflated = BodyUnpacker("gzip")
    deque(inflated.pieces(zlib.compress(text.encode(errors="replace"), 0, 31)), maxlen=0)
    inflated.finish()


TARGETS: Mapping[str, Target] = {
    "clean text": Target(clean.text, _TEXT),
    "clean line": Target(clean.line, CONTROLS),
    "sanitised HTML": Target(_written, {**HTML, **CONTROLS}),
    "HTML to lines": Target(lambda text: read(text, 80), HTML, html_tree.LIMIT),
    "HTML to Markdown": Target(markdown.to_markdown, HTML, html_tree.LIMIT),
    "words of HTML": Target(words_of, HTML),
    "Markdown to HTML": Target(markdown.to_html, MARKDOWN, _WORTH_MEASURING),
    "edited HTML": Target(_edited, HTML, _WORTH_MEASURING),
    "fuzzy search in a text": Target(lambda text: fuzzy.rank("abz", [text]), _TEXT),
    "fuzzy search for a text": Target(lambda text: fuzzy.rank(text, ["a b", text]), WORDS),
    "filter": Target(lambda text: parse_query(text).print(), WORDS),
    "filtered description": Target(folded_words, HTML),
    "date": Target(_when, WORDS),
    "title of a new card": Target(lambda text: quick_entry.parse(f"x #{text}", _KNOWN), _TEXT),
    "checklist": Target(checklist, WORDS),
    "wrapped lines": Target(lambda text: spans.wrap([spans.Span(clean.text(text))], 80), _TEXT),
    "text cut for a card": Target(lambda text: fit(text, 30), _TEXT),
    "mentions": Target(lambda text: mark_mentions(text, _MENTIONED), WORDS),
    "comment of a thread": Target(
        lambda text: comment_text.body(text, 80, frozenset(_PEOPLE)), WORDS
    ),
    "comment of a request": Target(_commented, WORDS),
    "message of a refusal": Target(plain_line, WORDS),
    "slug": Target(slug, WORDS),
    "form of a request": Target(_parsed_form, WORDS),
    "JSON of a request": Target(_parsed, JSON, LARGEST_BODY),
    "JSON at once": Target(_decoded, JSON),
    "JSON piece by piece": Target(_streamed, JSON),
    "picture": Target(_recognised, PICTURES, LARGEST_FILE),
    "unpacking": Target(_unpacked, WORDS),
}
