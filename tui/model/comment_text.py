"""The text of a comment as spans, with numbered links and marked mentions.

A comment is plain text with line ends, never markup; only addresses of http, https or mailto are
links, and the numbers of cards, such as `#12`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tui.model.people import by_mention
from tui.model.task import Person
from tui.text.card_numbers import card_numbers, spans_of_numbers
from tui.text.spans import Line, Span, SpanKind, wrap

_LINK = re.compile(r"\b(?:https?://|mailto:)[^\s<>\"“”„]+", re.IGNORECASE)
_CLOSING = {")": "(", "]": "[", "}": "{"}
_NOT_AT_THE_END = ".,;:!?'’*"
_QUOTE = ">"


def links(text: str) -> tuple[str, ...]:
    """The addresses in a text, without duplicates, in the order of their numbers."""
    return tuple(dict.fromkeys(_trimmed(match[0]) for match in _LINK.finditer(text)))


def followed(text: str) -> tuple[str, ...]:
    """What can be opened from a text: its addresses, then the numbers of cards outside of them."""
    return (*links(text), *card_numbers(_LINK.sub(" ", text)))


def named_in(text: str, people: Iterable[Person]) -> tuple[Person, ...]:
    """The people mentioned in a text with an `@`, without duplicates, in the order of the text.

    The longest matching name counts, ignoring case. An address like `ann@example.org` is no
    mention, nor is one in a quote.
    """
    named = by_mention(people)
    ours = "\n".join(row for row in text.split("\n") if not _is_quote(row))
    folded = {name.casefold(): person for name, person in named.items()}
    matches = _names(frozenset(named)).finditer(ours)
    mentioned = (folded.get(match["name"].casefold()) for match in matches)
    return tuple(dict.fromkeys(person for person in mentioned if person is not None))


def mentions_in(row: str, names: frozenset[str]) -> list[tuple[int, int]]:
    """Where a line mentions one of `names` with an `@`: the first character and the one behind."""
    return [match.span() for match in _names(names).finditer(row)]


def body(text: str, width: int, names: frozenset[str] = frozenset()) -> list[Line]:
    """A comment's text in lines of a width; mentions of `names` are marked."""
    if not text.strip():
        return []
    return wrap(_spans(text.expandtabs(4), names), width)


@lru_cache(maxsize=8)
def _names(names: frozenset[str]) -> re.Pattern[str]:
    # Alternatives are tried in order: a short name would hide a longer one that begins with it.
    # `(?!)` never matches.
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    any_name = "|".join(re.escape(name) for name in longest_first) or r"(?!)"
    return re.compile(rf"(?<![\w@.])@(?P<name>{any_name})(?![\w@]|[-.]\w)", re.IGNORECASE)


def _spans(text: str, names: frozenset[str]) -> Iterator[Span]:
    numbers = {link: number for number, link in enumerate(links(text), 1)}
    for index, row in enumerate(text.split("\n")):
        if index:
            yield Span("\n")
        plain = SpanKind.QUOTE if _is_quote(row) else SpanKind.PLAIN
        end = 0
        for piece in _pieces(row, numbers, names):
            start, words, kind, sign = piece
            yield Span(row[end:start], plain)
            yield Span(words, kind)
            yield Span(sign, SpanKind.SIGN)
            end = start + len(words)
        yield Span(row[end:], plain)


def _pieces(
    row: str, numbers: dict[str, int], names: frozenset[str]
) -> list[tuple[int, str, SpanKind, str]]:
    """The links and mentions in a line, and the text to add after each."""
    pieces: list[tuple[int, str, SpanKind, str]] = []
    for link in _LINK.finditer(row):
        address = _trimmed(link[0])
        pieces.append((link.start(), address, SpanKind.LINK, f"\u00a0[{numbers[address]}]"))
    starts = [start for start, _, _, _ in pieces]
    ends = [start + len(address) for start, address, _, _ in pieces]
    others = [(*match.span(), SpanKind.STRONG) for match in _names(names).finditer(row)]
    others += [(*span, SpanKind.LINK) for span in spans_of_numbers(row)]
    end = 0
    for start, behind, kind in sorted(others):
        links_before = bisect_right(starts, start)
        # An `@` or `#` inside an address is no mention, and one inside a name no number.
        if start >= end and (not links_before or ends[links_before - 1] <= start):
            pieces.append((start, row[start:behind], kind, ""))
            end = behind
    return sorted(pieces)


def _is_quote(row: str) -> bool:
    return row.lstrip().startswith(_QUOTE)


def _trimmed(link: str) -> str:
    surplus = {sign: link.count(sign) - link.count(opening) for sign, opening in _CLOSING.items()}
    end = len(link)
    while end:
        sign = link[end - 1]
        # A closing bracket belongs to the address only if it was opened inside.
        if surplus.get(sign, 0) > 0:
            surplus[sign] -= 1
        elif sign not in _NOT_AT_THE_END:
            break
        end -= 1
    return link[:end]
