"""Reads JSON of other programs, and notes what is read.

What is not of the type that is due is named by its place. What no reader has asked for is listed by
`list_unread`, so that a field that is new in a program is never lost silently.
"""

import json
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from tui.text import clean
from tui.text.cells import cut
from tui.transfer.losses import NOT_UNDERSTOOD, Losses, field_called
from tui.transfer.sheet import NotReadable

Value = TypeVar("Value")

_NUMBER = int | float
_DECODER = json.JSONDecoder()
_DEEPEST = 6
_BETWEEN = " \t\n\r,"


def parsed(text: str) -> Any:
    """The value of a JSON text; of several values, one after the other, a list.

    Lists among these are joined, as of the pages that an interface is asked for. Raises
    `NotReadable`.
    """
    values: list[Any] = []
    end = _skipped(text, 0)
    try:
        while end < len(text):
            value, end = _DECODER.raw_decode(text, end)
            values.append(value)
            end = _skipped(text, end)
    except json.JSONDecodeError as error:
        raise NotReadable(f"line {error.lineno} is no JSON: {_lower(error.msg)}.") from error
    except RecursionError as error:
        raise NotReadable("it is nested too deeply.") from error
    except ValueError as error:  # a number of thousands of digits
        raise NotReadable("it has a number that is too long.") from error
    if len(values) == 1:
        (value,) = values
        if isinstance(value, list) and value and all(isinstance(page, list) for page in value):
            return [item for page in value for item in page]
        return value
    return [item for value in values for item in (value if isinstance(value, list) else [value])]


def first_object(value: object) -> Mapping[str, object]:
    """The object that a JSON value is, or begins with as a list; an empty one for anything else."""
    first = value[0] if isinstance(value, list) and value else value
    return first if isinstance(first, dict) else {}


def _skipped(text: str, end: int) -> int:
    while end < len(text) and text[end] in _BETWEEN:
        end += 1
    return end


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


class JsonRecord:
    """An object of JSON; `place` says where it is in the file: “cards[3]”."""

    def __init__(self, value: Any, place: str = "") -> None:
        if not isinstance(value, dict):
            raise NotReadable(f"{place or 'it'} {_is(value)}, not an object.")
        self._values: dict[str, Any] = value
        self._read: dict[str, list[JsonRecord]] = {}
        self._why: dict[str, str] = {}
        self._card: tuple[Hashable, str] | None = None
        self.place = place

    @classmethod
    def root(cls, value: Any) -> "JsonRecord":
        """A whole file, which is the value without a name in this record."""
        return cls({"": value})

    def __contains__(self, name: str) -> bool:
        """Whether it has a value of this name."""
        return self._values.get(name) is not None

    def belongs_to(self, card: Hashable, name: str = "") -> None:
        """Say of which card it is a part, and what the card calls it; empty for the card itself."""
        self._card = card, name

    def at(self, name: str) -> str:
        """The place of a value in the file."""
        return f"{self.place}.{name}" if self.place and name else self.place or name

    def names(self) -> Sequence[str]:
        """The names of all values."""
        return [*self._values]

    def leave(self, name: str, why: str = "") -> None:
        """Report a value as lost although it was read, as the card does not get it."""
        self._read.pop(name, None)
        self._why[name] = why

    def understood(self, name: str, value: Value | None) -> Value | None:
        """What a value was read as; if that is None, it is listed."""
        if value is None:
            self.leave(name, NOT_UNDERSTOOD)
        return value

    def skip(self) -> None:
        """Report nothing of it as lost."""
        self._read = {name: [] for name in self._values}

    def text(self, name: str, default: str = "") -> str:
        """A text; a whole number counts as such."""
        value = self._value(name)
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
            return str(value)
        if not isinstance(value, str):
            raise self.wrong(name, "a text")
        return value

    def word(self, name: str) -> str:
        """A text; an empty one for a value of another type, which is not read then."""
        value = self._values.get(name)
        return self.text(name) if isinstance(value, str) else ""

    def flag(self, name: str) -> bool:
        """True or false; false if it is missing."""
        value = self._value(name)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def number(self, name: str) -> float:
        """A number; 0 if it is missing."""
        value = self._value(name)
        if value is None:
            return 0.0
        if isinstance(value, bool) or not isinstance(value, _NUMBER) or not abs(value) < 2**63:
            raise self.wrong(name, "a number")
        return float(value)

    def record(self, name: str) -> "JsonRecord":
        """An object; an empty one if it is missing."""
        # The same record each time, as it notes what is read of it.
        cached = self._read.get(name)
        if not cached:
            cached = self._read[name] = [JsonRecord(self._values.get(name) or {}, self.at(name))]
        return cached[0]

    def values(self, name: str) -> list[Any]:
        """A list; an empty one if it is missing."""
        value = self._value(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(name, "a list")
        return value

    def has_list(self, name: str) -> bool:
        """Whether it has a list of this name."""
        return isinstance(self._values.get(name), list)

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        values = self.values(name)
        for index, value in enumerate(values):
            if not isinstance(value, str):
                raise NotReadable(f"{self.at(name)}[{index}] {_is(value)}, not a text.")
        return values

    def records(self, name: str) -> Sequence["JsonRecord"]:
        """A list of objects."""
        if not self._read.get(name):
            values = self.values(name)
            self._read[name] = [
                JsonRecord(value, f"{self.at(name)}[{index}]") for index, value in enumerate(values)
            ]
        return self._read[name]

    def wrong(self, name: str, wanted: str) -> NotReadable:
        """The error that a value is not what it should be."""
        return NotReadable(f"{self.at(name)} {_is(self._values.get(name))}, not {wanted}.")

    def list_unread(self, losses: Losses, silent: Collection[str]) -> None:
        """List what was not read and is not empty, but what is `silent`.

        That is what is no content in a program, such as the ids of its parts, by name: `badges`,
        `cover.size`. With `.*` behind a name it is all within; with `?` only what is false or 0.
        """
        for card, name, why in self.unread("", None, silent):
            if card is None:
                losses.of_board(f"{field_called(name)} of the board")
            else:
                losses.of_card(field_called(name.removeprefix("card."), why), card)

    def unread(
        self, path: str, card: Hashable | None, silent: Collection[str]
    ) -> Iterator[tuple[Hashable | None, str, str]]:
        """What was not read of this and its parts: the card, the name of a field, and why."""
        if self._card is not None:
            card, path = self._card
        for name, value in self._values.items():
            full = f"{path}.{name}" if path and name else path or name
            if name in self._read:
                for part in self._read[name]:
                    yield from part.unread(full, card, silent)
            elif _is_content(full, value, silent):
                yield card, full, self._why.get(name, "")

    def _value(self, name: str) -> Any:
        self._read.setdefault(name, [])
        return self._values.get(name)


def _is_content(path: str, value: Any, silent: Collection[str]) -> bool:
    # Not by recursion, as the parser may nest deeper than functions.
    todo = [(path, value)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, dict):
            todo += ((f"{path}.{name}", inner) for name, inner in value.items())
        elif isinstance(value, list):
            todo += ((path, inner) for inner in value)
        elif not _is_empty(value) and not _is_silent(path, value, silent):
            return True
    return False


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _is_silent(path: str, value: Any, silent: Collection[str]) -> bool:
    # A field of a program may have dots in its name, or be deep in others.
    parts = path.split(".", _DEEPEST)
    above = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    within = [f"{name}.*" for name in above]
    # `?` is about the value itself: `comments?`, a number, is silent about no field of a comment.
    if not value and any(f"{name}?" in silent for name in (path, *within)):
        return True
    return any(name in silent for name in (*above, *within))


def _is(value: Any) -> str:
    if isinstance(value, str):
        return f"is “{cut(clean.line(value), 40)}”"
    kinds = {dict: "an object", list: "a list", bool: "true or false", type(None): "empty"}
    return f"is {kinds.get(type(value), 'a number')}"
