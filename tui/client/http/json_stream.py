"""A big array in a JSON object, read while it arrives.

The rule it keeps: what is held is one piece of the text and the one element that is being read;
what comes before and after the array may stand in any order. Elements are read as `decoding`
reads them.
"""

import codecs
import json
from collections.abc import Generator, Iterator
from typing import Any, Final, TypeVar

from tui.client.http.json_values import UndecodableError, decode_value

T = TypeVar("T")
_Reading = Generator[object, None, T]

_MORE: Final = object()
_BLANKS = " \t\n\r"
_OPENING = {"[": "]", "{": "}"}
_LARGEST_ELEMENT = 8 * 1024 * 1024
_IN_NUMBERS = ".eE+-"
_LONGEST_SIGN = 16
"""No literal, number in use or escape that is cut short is longer than this."""


class ArrayReader:
    """Reads the array `member` of an object; the object that an array with gaps becomes will do.

    `told` collects the other members whose names are among `kept`. `is_found` says whether the
    array has begun.
    """

    def __init__(self, member: str, kept: frozenset[str]) -> None:
        self.told: Final[dict[str, Any]] = {}
        self.is_found = False
        self._member = member
        self._kept = kept
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._text = ""
        self._at = 0
        self._arrived: list[str] = []
        self._missing = 0
        self._is_over = False
        self._reading = self._document()

    def feed(self, piece: bytes) -> Iterator[Any]:
        """Take the next bytes; the elements that are whole now. Raises `UndecodableError`."""
        text = self._decoder.decode(piece)
        self._arrived.append(text)
        self._missing -= len(text)
        return iter(()) if self._missing > 0 else self._elements_so_far()

    def finish(self) -> Iterator[Any]:
        """The end is there; what is left. Raises `UndecodableError` if something is missing."""
        self._arrived.append(self._decoder.decode(b"", final=True))
        self._is_over = True
        return self._elements_so_far()

    def _elements_so_far(self) -> Iterator[Any]:
        self._text = "".join((self._text[self._at :], *self._arrived))
        self._at = 0
        self._arrived.clear()
        try:
            for element in self._reading:
                if element is _MORE:
                    return
                yield element
        except RecursionError:
            reason = "nested too deep"
        except ValueError as error:
            reason = str(error)
        else:
            if not self._text[self._at :].strip(_BLANKS):
                self._at = len(self._text)
                return
            reason = "something follows the value"
        # Without the cause, which would carry the text along.
        raise UndecodableError(reason)

    def _document(self) -> _Reading[None]:
        if (yield from self._sign()) != "{":
            raise ValueError("not an object")
        self._at += 1
        if (yield from self._takes("}")):
            return
        while True:
            yield from self._one_member()
            if (yield from self._takes("}")):
                return
            yield from self._expects(",")

    def _one_member(self) -> _Reading[None]:
        name = yield from self._name()
        closing = _OPENING.get((yield from self._sign()))
        if name == self._member and closing is not None:
            self.is_found = True
            yield from self._elements(closing)
            return
        value = yield from self._value()
        if name in self._kept:
            self.told[name] = value

    def _elements(self, closing: str) -> _Reading[None]:
        self._at += 1
        if (yield from self._takes(closing)):
            return
        while True:
            if closing == "}":
                yield from self._name()
            yield (yield from self._value())
            if (yield from self._takes(closing)):
                return
            yield from self._expects(",")

    def _name(self) -> _Reading[str]:
        name = yield from self._value()
        if not isinstance(name, str):
            raise ValueError("not a member of an object")  # noqa: TRY004 - of a text, not of a call
        yield from self._expects(":")
        return name

    def _value(self) -> _Reading[Any]:
        """The next value; tried again only when what there is of it has doubled."""
        yield from self._sign()
        while (found := self._whole_value()) is None:
            self._missing = len(self._text) - self._at
            if self._missing > _LARGEST_ELEMENT:
                raise ValueError("an element is too large")
            yield _MORE
        value, self._at = found
        return value

    def _whole_value(self) -> tuple[Any, int] | None:
        """A value and its end, None if the rest of it may still be on its way."""
        try:
            value, end = decode_value(self._text, self._at)
        except json.JSONDecodeError as error:
            is_cut = error.msg.startswith("Unterminated")
            if self._is_over or not (is_cut or error.pos > len(self._text) - _LONGEST_SIGN):
                raise
            return None
        if self._is_over or self._text[end - 1] in '"]}':
            return value, end
        goes_on = end == len(self._text) or self._text[end] in _IN_NUMBERS
        return None if goes_on else (value, end)

    def _sign(self) -> _Reading[str]:
        """The next sign that is not blank; it is not taken yet."""
        while True:
            while self._at < len(self._text):
                sign = self._text[self._at]
                if sign not in _BLANKS:
                    return sign
                self._at += 1
            if self._is_over:
                raise ValueError("cut short")
            yield _MORE

    def _takes(self, sign: str) -> _Reading[bool]:
        is_there = (yield from self._sign()) == sign
        self._at += is_there
        return is_there

    def _expects(self, sign: str) -> _Reading[None]:
        if not (yield from self._takes(sign)):
            raise ValueError(f"{sign!r} expected")
