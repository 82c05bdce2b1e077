"""A new card's title with marks at its end: `Fix login #bug @ann !high ^fri`.

Marks are the words at the end, but for the first word, that begin with a sign: `#` a label, `@` a
member, `!` a priority, `^` a due date, with `-` or `_` for blanks in a name and `_` in a date. A
name may be cut short as long as it fits one only. A label that the board lacks is created with the
card; `#name+` also creates one that another label begins with. A number alone is never a new label:
`#42` refers to something. A word that is not understood stays in the title. A backslash before any
word with a sign keeps it, and goes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from tui.model.colors import color_name
from tui.model.people import mention_name
from tui.model.task import Label, Person, Priority
from tui.record import record
from tui.text.clean import line, quoted
from tui.text.dates import NotADate, parse_when
from tui.text.fuzzy import comparable, rank

_MARK = re.compile(r"\\*(?:[#@].|![^\W\d_]|\^[\w+]).{,200}")
_ESCAPED_MARK = re.compile(rf"\\{_MARK.pattern}")
_DAYS = (
    *("today", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday"),
    *("saturday", "sunday"),
)
_MOST = 100
"""How many words at the end may be marks."""
_FAR = 4
_MOST_SIMILAR, _LEAST_SIMILAR = 3, 0.6
_CALLED = {"#": "label", "@": "member", "!": "priority", "^": "date"}


class Known(NamedTuple):
    """What marks may refer to; `me` is also `@me`."""

    labels: Sequence[Label]
    people: Sequence[Person]
    me: Person | None
    now: datetime


@record
class QuickEntry:
    """A card to create.

    `problems` says why words that look like marks stay in the title, `wrong` are these words, and
    `new_labels` are the titles of labels to create with the card.
    """

    title: str
    labels: tuple[Label, ...] = ()
    people: tuple[Person, ...] = ()
    priority: Priority | None = None
    due_at: datetime | None = None
    problems: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    new_labels: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """Which words stay in the title and why; empty if none does."""
        return f"{' · '.join(self.problems)}: kept as text" if self.problems else ""


Value: TypeAlias = Label | Person | Priority | datetime


class _NewLabel(NamedTuple):
    """The title of a label to create."""

    title: str


class _Unclear(NamedTuple):
    """Why a word is not understood; empty if it may be meant as text."""

    why: str


class _Choice(NamedTuple):
    """A value and the words that stand for it, the best one first."""

    value: Value
    words: tuple[str, ...]


def parse(typed: str, about: Known) -> QuickEntry:
    """The card that `typed` means. It never fails, and blanks are folded."""
    words = typed.split()
    start = _start_of_marks(words)
    title = [_unescaped(word) for word in words[:start]]
    entry = QuickEntry("")
    for word in words[start:]:
        if word.startswith("\\"):
            title.append(word[1:])
            continue
        marked = _with_mark(entry, word[0], word[1:], about)
        if isinstance(marked, QuickEntry):
            entry = marked
            continue
        title.append(word)
        if marked.why:
            problems, wrong = (*entry.problems, marked.why), (*entry.wrong, word)
            entry = replace(entry, problems=problems, wrong=wrong)
    return replace(entry, title=" ".join(title))


def created_labels(labels: Sequence[Label]) -> str:
    """The message that labels were created, with their titles; empty if there are none."""
    names = ", ".join(label.in_words for label in labels)
    return f"created label{'s' * (len(labels) > 1)} {names}" if names else ""


def escaped(title: str) -> str:
    """What is to be typed for a title in which nothing is meant as a mark."""
    words = title.split()
    start = _start_of_marks(words)
    return " ".join(
        f"\\{word}" if index >= start or _ESCAPED_MARK.fullmatch(word) else word
        for index, word in enumerate(words)
    )


def completions(word: str, about: Known) -> tuple[str, ...]:
    """The marks that a word with a sign may become, the best first; similar ones if none begins so.

    The word may be its sign alone.
    """
    sign, typed = word[:1], word[1:]
    if sign == "^":
        return tuple(f"^{day}" for day in _DAYS if day.startswith(typed.casefold()))
    choices = [choice.words for choice in _choices(sign, about)]
    hits = rank(typed, [" ".join(words) for words in choices]) or _similar(typed, choices)
    return tuple(f"{sign}{choices[index][0]}" for index in hits)


def suggestions(entry: QuickEntry, about: Known) -> tuple[str, ...]:
    """What the words that were not understood may have been meant as, the best first."""
    words = (completions(word, about) for word in entry.wrong)
    return tuple(dict.fromkeys(mark for marks in words for mark in marks))[:_MOST_SIMILAR]


def _similar(begun: str, choices: Sequence[Sequence[str]]) -> list[int]:
    from difflib import get_close_matches

    places = {comparable(word): index for index, words in enumerate(choices) for word in words}
    close = get_close_matches(comparable(begun), places, _MOST_SIMILAR, _LEAST_SIMILAR)
    return list(dict.fromkeys(places[word] for word in close))


def _start_of_marks(words: Sequence[str]) -> int:
    """The index of the first of the words at the end that are marks, with a backslash or not."""
    start = len(words)
    while start > max(1, len(words) - _MOST) and _MARK.fullmatch(words[start - 1]):
        start -= 1
    return start


def _unescaped(word: str) -> str:
    return word[1:] if _ESCAPED_MARK.fullmatch(word) else word


def _with_mark(entry: QuickEntry, sign: str, name: str, about: Known) -> QuickEntry | _Unclear:
    change: dict[str, Any] = {}
    match _meaning(sign, name, about):
        case Label() as label:
            change["labels"] = tuple(dict.fromkeys((*entry.labels, label)))
        case _NewLabel(title):
            names = {comparable(new_title) for new_title in entry.new_labels}
            new = () if comparable(title) in names else (title,)
            change["new_labels"] = (*entry.new_labels, *new)
        case Person() as person:
            change["people"] = tuple(dict.fromkeys((*entry.people, person)))
        case Priority() as priority if entry.priority in (None, priority):
            change["priority"] = priority
        case datetime() as due_at if entry.due_at in (None, due_at):
            change["due_at"] = due_at
        case _Unclear() as unclear:
            return unclear
        case _:
            return _Unclear(f"only one {_CALLED[sign]}")
    return replace(entry, **change)


def _meaning(sign: str, name: str, about: Known) -> Value | _NewLabel | _Unclear:
    shown = quoted(line(name))
    if sign == "^":
        try:
            return parse_when(name.replace("_", " "), about.now)
        except NotADate:
            return _Unclear(f"no {_CALLED[sign]} {shown}")
    if sign == "#" and (label := _with_plus(name, about)) is not None:
        return label
    choices = _matching(name, _choices(sign, about))
    if len(choices) == 1:
        return choices[0].value
    if not choices:
        new = _new_label(name) if sign == "#" else None
        return new or _Unclear(f"no {_CALLED[sign]} {shown}")
    first, second = (quoted(line(choice.words[0])) for choice in choices[:2])
    return _Unclear(f"{shown} could be {first} or {second}")


def _new_label(name: str) -> _NewLabel | _Unclear | None:
    # None if it has no letters; a number is a reference.
    title = _new_title(name)
    if name.isdecimal():
        return _Unclear("")
    return _NewLabel(title) if any(map(str.isalnum, title)) else None


def _new_title(name: str) -> str:
    return line(name.replace("_", " ")).strip()


def _with_plus(name: str, about: Known) -> Value | _NewLabel | None:
    # The label that `#needs_review+` stands for, which the board may have already.
    title = _new_title(name.removesuffix("+"))
    if not name.endswith("+") or not title:
        return None
    wanted = comparable(title)
    for choice in _choices("#", about):
        if name in choice.words or wanted in map(comparable, choice.words):
            return choice.value
    return _NewLabel(title)


def _choices(sign: str, about: Known) -> Iterator[_Choice]:
    if sign == "#":
        for label in about.labels:
            yield _Choice(label, _as_words(label.title or color_name(label.color), label.color))
    elif sign == "@":
        for person in sorted(about.people, key=lambda member: member != about.me):
            also = ("me",) if person == about.me else ()
            yield _Choice(person, (*_as_words(mention_name(person), person.name), *also))
    elif sign == "!":
        for priority in reversed(Priority):
            yield _Choice(priority, (priority.value,))


def _as_words(*names: str) -> tuple[str, ...]:
    """Names without blanks, each once; empty ones are left out."""
    return tuple(dict.fromkeys(filter(None, ("-".join(name.split()) for name in names))))


def _matching(typed: str, choices: Iterable[_Choice]) -> list[_Choice]:
    """The choices that fit best: equal, equal but for case and blanks, by prefix, by a word's."""
    wanted = comparable(typed)
    best, closest = _FAR, list[_Choice]()
    for choice in choices:
        fit = min((_fit(typed, wanted, word) for word in choice.words), default=_FAR)
        if fit < best:
            best, closest = fit, []
        if fit == best < _FAR:
            closest.append(choice)
    return closest


def _fit(typed: str, wanted: str, word: str) -> int:
    """How far a word is from what was typed, from 0; `_FAR` if it does not fit."""
    have = comparable(word)
    tests = (word == typed, have == wanted, have.startswith(wanted), f" {wanted}" in have)
    return next((far for far, fits in enumerate(tests) if fits), _FAR)
