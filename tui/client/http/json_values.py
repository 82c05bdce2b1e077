"""JSON bodies, decoded without holding the event loop.

A body that is an object is taken member by member, and a member that is an array element by
element, with a turn for the event loop every two milliseconds. A worker thread was turned down:
`json.loads` of 7 MB holds the interpreter for about 60 ms wherever it runs, and the keys wait.

The rule it keeps: what comes out can be written as JSON and as UTF-8 again (no NaN, no infinities,
no halves of surrogate pairs) and is nested at most 100 deep; an array element that is deeper
becomes None, so that the rest of the array is not lost.
"""

import json
import math
import re
from typing import Any

from tui.runtime.slices import Slicer

_DEEPEST = 100
_SURROGATES = ("\\ud", "\\uD")
_BLANKS = re.compile(r"[ \t\n\r]*")


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _no_constant(_name: str) -> None:
    return None


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)


class UndecodableError(ValueError):
    """A body is not JSON, or not all of it."""


async def decode(body: bytes, slicer: Slicer | None = None) -> Any:
    """The value that a JSON body holds. Bytes that are not UTF-8 become U+FFFD.

    Raises `UndecodableError` if the body is not JSON, or is cut short.
    """
    text = body.decode("utf-8-sig", errors="replace")
    try:
        return await _Walk(text, slicer or Slicer()).document()
    except RecursionError:
        reason = "nested too deep"
    except IndexError:
        reason = "cut short"
    except ValueError as error:
        reason = str(error)
    # Without the cause, which would carry the whole body along.
    raise UndecodableError(reason)


def decode_value(text: str, at: int) -> tuple[Any, int]:
    """The value that begins at a place in a text, and where it ends. Raises `ValueError`."""
    value, end = _DECODER.raw_decode(text, at)
    if _is_deep(value, text, at, end):
        return None, end
    has_halves = any(text.find(sign, at, end) >= 0 for sign in _SURROGATES)
    return (_whole_signs(value) if has_halves else value), end


class _Walk:
    """One walk through a text, from its first sign to its last."""

    def __init__(self, text: str, slicer: Slicer) -> None:
        self._text = text
        self._at = 0
        self._slicer = slicer

    async def document(self) -> Any:
        """The whole text; nothing but blanks may follow."""
        self._skip_blanks()
        if self._text[self._at] == "{":
            value = await self._members()
        else:
            value = await self._member()
        self._skip_blanks()
        if self._at != len(self._text):
            raise ValueError("something follows the value")
        return value

    async def _members(self) -> dict[str, Any]:
        members: dict[str, Any] = {}
        self._at += 1
        if self._takes("}"):
            return members
        while True:
            name = self._value()
            if not isinstance(name, str) or not self._takes(":"):
                raise ValueError("not a member of an object")
            members[name] = await self._member()
            if self._takes("}"):
                return members
            self._expects(",")

    async def _member(self) -> Any:
        self._skip_blanks()
        return await self._elements() if self._text[self._at] == "[" else self._value()

    async def _elements(self) -> list[Any]:
        elements: list[Any] = []
        self._at += 1
        if self._takes("]"):
            return elements
        while True:
            elements.append(self._value())
            await self._slicer.breathe()
            if self._takes("]"):
                return elements
            self._expects(",")

    def _value(self) -> Any:
        self._skip_blanks()
        value, self._at = decode_value(self._text, self._at)
        return value

    def _takes(self, sign: str) -> bool:
        self._skip_blanks()
        found = self._text[self._at] == sign
        self._at += found
        return found

    def _expects(self, sign: str) -> None:
        if not self._takes(sign):
            raise ValueError(f"{sign!r} expected")

    def _skip_blanks(self) -> None:
        blanks = _BLANKS.match(self._text, self._at)
        self._at = blanks.end() if blanks else self._at


def _is_deep(value: Any, text: str, start: int, end: int) -> bool:
    """Whether a value is nested deeper than 100; counted only if it has that many brackets."""
    if text.count("[", start, end) + text.count("{", start, end) <= _DEEPEST:
        return False
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


def _whole_signs(value: Any) -> Any:
    """The value with halves of surrogate pairs replaced by question marks."""
    written = json.dumps(value, ensure_ascii=False)
    try:
        written.encode()
    except UnicodeEncodeError:
        return json.loads(written.encode(errors="replace"))
    return value
