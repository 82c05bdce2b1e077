"""Decodes JSON without blocking the event loop: complete bodies, or large arrays as they arrive.

Values are decoded one at a time, arrays element by element, yielding to the event loop every two
milliseconds. A worker thread does not help: `json.loads` of 7 MB holds the GIL for about 60 ms, and
key presses wait.

The result can be encoded as JSON and UTF-8 again (no NaN, no infinities, no lone surrogates) and is
nested at most 100 deep; a deeper array element becomes None, so that the rest of the array is kept.
"""

import codecs
import json
import math
import re
from collections.abc import Collection, Generator, Iterator
from contextlib import suppress
from typing import Any, Final, TypeVar

from tui.runtime.slices import Slicer

T = TypeVar("T")
_Reading = Generator[object, None, T]

_MORE: Final = object()
_BLANK = " \t\n\r"
_BLANKS = re.compile(f"[{_BLANK}]*")
_CLOSING = {"[": "]", "{": "}"}
_DEEPEST = 100
_SHORT = 64 * 1024
"""Bytes that are decoded within a millisecond or two."""
_SURROGATES = ("\\ud", "\\uD")
_LARGEST_ELEMENT = 8 * 1024 * 1024
_IN_NUMBERS = ".eE+-"
_LONGEST_SIGN = 16
"""No truncated literal, number or escape is longer than this."""


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=lambda _: None)


class UndecodableError(ValueError):
    """A body is not valid JSON, or truncated."""


async def decode(body: bytes, slicer: Slicer | None = None) -> Any:
    """Decode a JSON body. Bytes that are not UTF-8 become U+FFFD.

    Raises `UndecodableError` if it is not valid JSON, or truncated.
    """
    if len(body) <= _SHORT:
        # What is left over is read in slices, which finds the error.
        with suppress(ValueError, RecursionError):
            text = body.decode("utf-8-sig", errors="replace").strip(_BLANK)
            value, end = _decode_value(text, 0)
            if value is not None and end == len(text):
                return value
    reader, slicer = JsonReader(), slicer or Slicer()
    for _ in reader.finish(body):
        await slicer.yield_if_over()
    return reader.value


class JsonReader:
    """Reads a document that arrives in pieces, keeping only what is still needed.

    With the name of an `array`, the document is an object, and the elements of that member are
    yielded as they are read, also if it is an object with numeric keys. Other members named in
    `beside` are in `value` at the end. `is_found` says whether the array has begun. Without it, the
    whole document is in `value` at the end, and yielded elements only mark progress.
    """

    def __init__(self, array: str | None = None, beside: Collection[str] = ()) -> None:
        self.value: Any = None
        self.is_found = False
        self._array_name = array
        self._beside = beside
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._text = ""
        self._at = 0
        self._arrived: list[str] = []
        self._missing = 0
        self._is_over = False
        self._reading = self._document()

    def feed(self, piece: bytes) -> Iterator[Any]:
        """Add bytes; yields the elements that are complete now. Raises `UndecodableError`."""
        text = self._decoder.decode(piece)
        self._arrived.append(text)
        self._missing -= len(text)
        return iter(()) if self._missing > 0 else self._elements_so_far()

    def finish(self, piece: bytes = b"") -> Iterator[Any]:
        """Add the last bytes; yields the rest.

        Raises `UndecodableError` if something is missing.
        """
        self._arrived.append(self._decoder.decode(piece, final=True))
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
            if self._skip_blanks() == len(self._text):
                return
            reason = "something follows the value"
        # Without the cause, which would hold the text.
        raise UndecodableError(reason)

    def _document(self) -> _Reading[None]:
        if (yield from self._sign()) == "{":
            yield from self._members()
        elif self._array_name is None:
            self.value = yield from self._member()
        else:
            raise ValueError("not an object")

    def _members(self) -> _Reading[None]:
        members = self.value = {}
        self._at += 1
        if (yield from self._takes("}")):
            return
        while True:
            name = yield from self._name()
            closing = _CLOSING.get((yield from self._sign()))
            if name == self._array_name and closing is not None:
                self.is_found = True
                yield from self._elements(closing)
            else:
                value = yield from self._member()
                if self._array_name is None or name in self._beside:
                    members[name] = value
            if (yield from self._takes("}")):
                return
            yield from self._expects(",")

    def _member(self) -> _Reading[Any]:
        """A value; an array is read element by element."""
        if (yield from self._sign()) != "[":
            return (yield from self._value())
        elements: list[Any] = []
        for element in self._elements("]"):
            if element is not _MORE:
                elements.append(element)
            if element is _MORE or self._array_name is None:
                yield element
        return elements

    def _elements(self, closing: str) -> _Reading[None]:
        self._at += 1
        if (yield from self._takes(closing)):
            return
        while True:
            if closing == "}":
                yield from self._name()
            yield (yield from self._value())
            if self._text.startswith(",", self._at):  # nearly always, and fast
                self._at += 1
            elif (yield from self._takes(closing)):
                return
            else:
                yield from self._expects(",")

    def _name(self) -> _Reading[str]:
        name = yield from self._value()
        if not isinstance(name, str):
            raise ValueError("not a member of an object")  # noqa: TRY004 - of a text, not of a call
        yield from self._expects(":")
        return name

    def _value(self) -> _Reading[Any]:
        """The next value; retried only when the available text has doubled."""
        yield from self._sign()
        while (whole := self._whole_value()) is None:
            self._missing = len(self._text) - self._at
            if self._missing > _LARGEST_ELEMENT:
                raise ValueError("an element is too large")
            yield _MORE
        value, self._at = whole
        return value

    def _whole_value(self) -> tuple[Any, int] | None:
        """A value and its end, or None if it may be incomplete."""
        try:
            value, end = _decode_value(self._text, self._at)
        except json.JSONDecodeError as error:
            # Text that ends too early fails close to its end; an error before that is a real one.
            is_cut = error.msg.startswith("Unterminated")
            if self._is_over or not (is_cut or error.pos > len(self._text) - _LONGEST_SIGN):
                raise
            return None
        if self._is_over or self._text[end - 1] in '"]}':
            return value, end
        # `12` at the end of the text may become `123` or `12.5`.
        goes_on = end == len(self._text) or self._text[end] in _IN_NUMBERS
        return None if goes_on else (value, end)

    def _sign(self) -> _Reading[str]:
        """The next character that is not white space, without consuming it."""
        while self._skip_blanks() == len(self._text):
            if self._is_over:
                raise ValueError("cut short")
            yield _MORE
        return self._text[self._at]

    def _skip_blanks(self) -> int:
        blanks = _BLANKS.match(self._text, self._at)
        self._at = blanks.end() if blanks else self._at
        return self._at

    def _takes(self, sign: str) -> _Reading[bool]:
        is_there = (yield from self._sign()) == sign
        self._at += is_there
        return is_there

    def _expects(self, sign: str) -> _Reading[None]:
        if not (yield from self._takes(sign)):
            raise ValueError(f"{sign!r} expected")


def _decode_value(text: str, at: int) -> tuple[Any, int]:
    """The value that begins at an index of a text, and its end. Raises `ValueError`."""
    value, end = _DECODER.raw_decode(text, at)
    return (None if _is_deep(value, text, at, end) else _whole_signs(value, text, at, end)), end


def _is_deep(value: Any, text: str, start: int, end: int) -> bool:
    """Whether a value is nested deeper than 100; counted only if it has that many brackets."""
    if text.count("[", start, end) + text.count("{", start, end) <= _DEEPEST:
        return False
    # Level by level: recursion could exceed the limit that is being checked.
    level, depth = [value], 0
    while level and depth <= _DEEPEST:
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        depth += 1
    return bool(level)


def _whole_signs(value: Any, text: str, start: int, end: int) -> Any:
    """The value with lone surrogates replaced by question marks."""
    # Only escapes can make lone surrogates: the bytes were decoded with replacement.
    if all(text.find(sign, start, end) < 0 for sign in _SURROGATES):
        return value
    written = json.dumps(value, ensure_ascii=False)
    try:
        written.encode()
    except UnicodeEncodeError:
        return json.loads(written.encode(errors="replace"))
    return value
