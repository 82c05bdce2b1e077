"""The values that complete a command line, from what is cached of the profile that it names."""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tui.cli.cached_profile import CachedProfile, profile_names
from tui.cli.completion.line import NextArgument
from tui.model.query.terms import KEYS, TERMS, Special, TermKind
from tui.store.files.cached import Cached, CachedFrame, open_cached
from tui.text.clean import line

_FILES = ("FILE", "PATH", "FOLDER")
"""What arguments are called that name files."""
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DATES = {
    **dict.fromkeys(("due", "start"), ("today", "tomorrow", *_DAYS, "none")),
    "since": ("yesterday", *_DAYS),
}
_OF_PROFILES = ("logout", "check", "doctor")
"""The commands whose NAME is a profile."""
_LONGEST_HEADING = 64 * 1024
"""How many bytes are read at most of the line of CSV that names its columns."""


class Candidate(NamedTuple):
    """A value, and what it is about for those who choose."""

    value: str
    about: str = ""


def names_files(due: NextArgument) -> bool:
    """Whether the name of a file is due."""
    return due.action is not None and due.action.metavar in _FILES


def candidates(due: NextArgument) -> list[Candidate]:
    """What completes a line, each value once; options only if no value is due.

    These are the values that begin with the typed text, else those that contain it, else those
    whose description does. Raises `CallboardError` if the settings cannot be read.
    """
    begun, action = _comparable(due.begun), due.action
    if action is None:
        return [option for option in _options(due.parser) if option.value.startswith(begun)]
    typed = {*due.given.get(action.dest, ())}
    named: dict[str, Candidate] = {}
    for candidate in _values(due, action):
        # The command would read a value that begins with a dash as an option.
        if candidate.value and not candidate.value.startswith("-") and candidate.value not in typed:
            named.setdefault(candidate.value, candidate)
    every = named.values()
    return (
        [candidate for candidate in every if _comparable(candidate.value).startswith(begun)]
        or [candidate for candidate in every if begun in _comparable(candidate.value)]
        or [candidate for candidate in every if begun in _comparable(candidate.about)]
    )


def _comparable(text: str) -> str:
    # A filter has a name of several words in quotes, which need not be typed.
    return text.casefold().replace('"', "")


def _values(due: NextArgument, action: argparse.Action) -> Iterator[Candidate]:
    command = due.parser.prog.rpartition(" ")[2]
    if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 (the only name of it)
        commands = action._choices_actions  # noqa: SLF001 (argparse tells helps in no other way)
        yield from (Candidate(choice.dest, choice.help or "") for choice in commands)
    elif action.choices:
        yield from (Candidate(str(choice)) for choice in action.choices)
    elif action.dest == "profile" or (action.dest == "name" and command in _OF_PROFILES):
        yield from map(Candidate, profile_names())
    elif action.dest in _DATES:
        yield from map(Candidate, _DATES[action.dest])
    elif action.dest == "topic":
        from tui.help import topics

        yield from (Candidate(name, topics.title(name)) for name in topics.names())
    elif action.dest == "columns":
        yield from _columns(due)
    elif action.dest in _VALUES:
        profile = CachedProfile.find(next(iter(due.given.get("profile", ())), ""))
        with open_cached(profile.places.cache, profile.name) as cached:
            yield from _VALUES[action.dest](_Asked(due, command, profile, cached))


def _columns(due: NextArgument) -> Iterator[Candidate]:
    # The fields that are not mapped yet; behind one of them the columns of the file.
    from tui.transfer.formats.csv_table import heading_of
    from tui.transfer.formats.fields import FIELDS
    from tui.transfer.reading import decoded
    from tui.transfer.sheet import NotReadable

    field, sign, _ = due.begun.partition("=")
    if not sign:
        mapped = {words.partition("=")[0] for words in due.given.get("columns", ())}
        yield from (Candidate(f"{name}=") for name in FIELDS if name not in mapped)
        return
    for path in map(Path, due.given.get("file", ())):
        if path.is_file():  # a pipe would be waited for
            with suppress(OSError, NotReadable), path.open("rb") as file:
                # Above the heading may be the line for Excel.
                lines = (file.readline(_LONGEST_HEADING) for _ in range(2))
                heading = heading_of(decoded(b"".join(lines)))
                yield from (Candidate(f"{field}={line(column)}") for column in heading if column)


def _options(parser: argparse.ArgumentParser) -> Iterator[Candidate]:
    for action in parser._actions:  # noqa: SLF001 (argparse tells its options in no other way)
        if action.help is not argparse.SUPPRESS:
            yield from (Candidate(name, action.help or "") for name in action.option_strings)


class _Asked(NamedTuple):
    # What values are asked of, and for which command.
    due: NextArgument
    command: str
    profile: CachedProfile
    cached: Cached

    def boards_named(self) -> list[int]:
        """The boards that the line names, where it looks for cards."""
        values = self.due.given
        names = values.get("source", ()) if self.command == "move" else self._named_boards()
        return self._boards(names)

    def frames(self, *, of_target: bool = False) -> Iterator[CachedFrame]:
        """The boards of what is due: those that are named, else that of the card, else all."""
        named = self._boards(self._named_boards()) if of_target else self.boards_named()
        return self.cached.frames(named or self._board_of_card())

    def _named_boards(self) -> Sequence[str]:
        values = self.due.given
        return [*values.get("board", ()), *values.get("boards", ()), *values.get("plain_board", ())]

    def _boards(self, names: Sequence[str]) -> list[int]:
        words = [name.casefold() for name in names]
        return [
            number
            for number, title in self.cached.boards.items()
            if any(word in title.casefold() or word == str(number) for word in words)
        ]

    def _board_of_card(self) -> list[int]:
        for words in self.due.given.get("card", ()):
            number = words.removeprefix("#")
            cards = [] if number.isdecimal() else self.cached.cards(words, self.boards_named())
            ids = [int(number)] if number.isdecimal() else [card.id for card in cards[:1]]
            return [
                board for card_id in ids if (board := self.cached.board_of(card_id)) is not None
            ]
        return []


def _cards(asked: _Asked) -> Iterator[Candidate]:
    # By number, unless a title is begun.
    begun = asked.due.begun
    for card in asked.cached.cards(begun, asked.boards_named()):
        if not begun.removeprefix("#") or begun.removeprefix("#").isdecimal():
            yield Candidate(f"{begun[:1] if begun[:1] == '#' else ''}{card.id}", card.title)
        # A title of digits would be read as the number of a card.
        elif not card.title.removeprefix("#").isdecimal():
            yield Candidate(card.title, f"#{card.id}")


def _boards(asked: _Asked) -> Iterator[Candidate]:
    yield from map(Candidate, asked.cached.boards.values())


def _stages(asked: _Asked) -> Iterator[Candidate]:
    for frame in asked.frames(of_target=True):
        yield from map(Candidate, frame.stages)


def _labels(asked: _Asked) -> Iterator[Candidate]:
    for frame in asked.frames():
        yield from map(Candidate, frame.labels)


def _people(asked: _Asked) -> Iterator[Candidate]:
    at = "@" if asked.due.begun.startswith("@") else ""
    yield Candidate("@me", "you")
    for frame in asked.frames():
        yield from (Candidate(f"{at}{login}", name) for login, name in frame.people if login)


def _folders(asked: _Asked) -> Iterator[Candidate]:
    saved = asked.profile.preferences.get("0", {}).get("folders")
    with suppress(ValueError, TypeError):
        yield from (Candidate(line(str(title))) for _, title, _ in json.loads(saved or "[]"))


def _query(asked: _Asked) -> Iterator[Candidate]:
    # The saved filters as they are typed, by name, and terms.
    boards = {str(number) for number in asked.boards_named() or asked.cached.boards}
    for board, values in asked.profile.preferences.items():
        filters = values.get("filters")
        if board in boards and isinstance(filters, dict):
            yield from (Candidate(line(str(query)), line(name)) for name, query in filters.items())
    key, colon, _ = asked.due.begun.partition(":")
    if colon and key in KEYS:
        yield from _terms(asked, KEYS[key], f"{key}:")
        return
    keys = (form.keys[0] for form in TERMS.values() if form.keys)
    yield from (Candidate(f"{key}:", "of a filter") for key in keys)
    yield from _terms(asked, TermKind.PERSON, "@")


def _terms(asked: _Asked, kind: TermKind, prefix: str) -> Iterator[Candidate]:
    form = TERMS[kind]
    for special in form.specials:
        yield Candidate(f"{prefix}{special.value}", "you" if special is Special.ME else "")
    yield from (Candidate(f"{prefix}{value}") for value in form.values)
    if kind in _NAMES:
        names = (pair for frame in asked.frames() for pair in _NAMES[kind](frame))
        # A name with a blank would be two words, and one called “none” would mean none.
        yield from (
            Candidate(f"{prefix}{form.typed(name)}", about) for name, about in names if name
        )


_NAMES: Mapping[TermKind, Callable[[CachedFrame], Iterable[tuple[str, str]]]] = {
    TermKind.LABEL: lambda frame: ((name, "") for name in frame.labels),
    TermKind.STAGE: lambda frame: ((name, "") for name in frame.stages),
    TermKind.PERSON: lambda frame: frame.people,
}
"""The names that a term may have as its value, and what is said about them."""
_VALUES: Mapping[str, Callable[[_Asked], Iterator[Candidate]]] = {
    **dict.fromkeys(("card", "cards"), _cards),
    **dict.fromkeys(("board", "boards", "plain_board", "source"), _boards),
    "stage": _stages,
    "labels": _labels,
    "people": _people,
    "folder": _folders,
    "query": _query,
}
"""The values of arguments, by the parameter that takes them."""
