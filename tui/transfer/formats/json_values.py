"""Reads JSON of other programs: what is not of the type that is due is named by its place."""

import json
from collections.abc import Iterator
from typing import Any

from tui.text import clean
from tui.text.cells import cut
from tui.transfer.sheet import NotReadable

_NUMBER = int | float


def parsed(text: str) -> Any:
    """The value of a JSON text. Raises `NotReadable`."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise NotReadable(f"line {error.lineno} is no JSON: {_lower(error.msg)}.") from error
    except RecursionError as error:
        raise NotReadable("it is nested too deeply.") from error
    except ValueError as error:  # a number of thousands of digits
        raise NotReadable("it has a number that is too long.") from error


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


class Record:
    """An object of JSON; `place` says where it is in the file: “cards[3]”."""

    def __init__(self, value: Any, place: str = "") -> None:
        if not isinstance(value, dict):
            raise NotReadable(f"{place or 'it'} {_is(value)}, not an object.")
        self._values: dict[str, Any] = value
        self.place = place

    def __contains__(self, name: str) -> bool:
        """Whether it has a value of this name."""
        return self._values.get(name) is not None

    def at(self, name: str) -> str:
        """The place of a value in the file."""
        return f"{self.place}.{name}" if self.place else name

    def text(self, name: str, default: str = "") -> str:
        """A text; a whole number counts as such."""
        value = self._values.get(name)
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
            return str(value)
        if not isinstance(value, str):
            raise self.wrong(name, "a text")
        return value

    def flag(self, name: str) -> bool:
        """True or false; false if it is missing."""
        value = self._values.get(name)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def number(self, name: str) -> float:
        """A number; 0 if it is missing."""
        value = self._values.get(name)
        if value is None:
            return 0.0
        if isinstance(value, bool) or not isinstance(value, _NUMBER) or not abs(value) < 2**63:
            raise self.wrong(name, "a number")
        return float(value)

    def record(self, name: str) -> "Record":
        """An object; an empty one if it is missing."""
        return Record(self._values.get(name) or {}, self.at(name))

    def values(self, name: str) -> list[Any]:
        """A list; an empty one if it is missing."""
        value = self._values.get(name)
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

    def records(self, name: str) -> Iterator["Record"]:
        """A list of objects."""
        for index, value in enumerate(self.values(name)):
            yield Record(value, f"{self.at(name)}[{index}]")

    def wrong(self, name: str, wanted: str) -> NotReadable:
        """The error that a value is not what it should be."""
        return NotReadable(f"{self.at(name)} {_is(self._values.get(name))}, not {wanted}.")


def _is(value: Any) -> str:
    if isinstance(value, str):
        return f"is “{cut(clean.line(value), 40)}”"
    kinds = {dict: "an object", list: "a list", bool: "true or false", type(None): "empty"}
    return f"is {kinds.get(type(value), 'a number')}"
