"""Stylesheets as Textual has parsed them, kept in a file: parsing them is a tenth of a start.

The file counts only for the versions of Textual and Python that wrote it, and for one theme. What
is read from it can be nothing but rules of stylesheets. A stylesheet that has changed, or that is
missing there, is parsed.
"""

import sys
from _pickle import Unpickler, UnpicklingError
from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from textual.css import model, parse, scalar, styles
from textual.css.model import RuleSet, Selector
from textual.css.styles import Styles
from textual.theme import Theme

Key = tuple[str, tuple[str, str], bool, int, str]
"""What Textual keeps the rules of a stylesheet by: its text, where it is from, and its scope."""

_CLASSES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "textual.color": frozenset({"Color"}),
        "textual.css.model": frozenset(
            {"CombinatorType", "RuleSet", "Selector", "SelectorSet", "SelectorType"}
        ),
        "textual.css.scalar": frozenset({"Scalar", "ScalarOffset", "Unit"}),
        "textual.css.styles": frozenset({"Styles"}),
        "textual.geometry": frozenset({"Offset", "Spacing"}),
        "textual.layouts.grid": frozenset({"GridLayout"}),
        "textual.layouts.horizontal": frozenset({"HorizontalLayout"}),
        "textual.layouts.vertical": frozenset({"VerticalLayout"}),
    }
)
"""What rules consist of: the classes of each module."""

_DAMAGE = (
    *(UnpicklingError, EOFError, ImportError, AttributeError),
    *(ValueError, TypeError, LookupError, MemoryError),
)
"""What reading damaged or foreign content can raise."""


class KeptStyles(NamedTuple):
    """The variables of a theme, and the rules of each stylesheet that was parsed with them."""

    variables: dict[str, str]
    rules: dict[Key, bytes]


def read_styles(path: Path, theme: Theme) -> KeptStyles | None:
    """What is kept for this theme; None if there is nothing, or it cannot be read."""
    try:
        with path.open("rb") as file:
            if file.readline() != _version(theme):
                return None
            variables, rules = _Reader(file).load()
            return KeptStyles(dict(variables), dict(rules))
    except (OSError, *_DAMAGE):
        return None


def content_of(kept: KeptStyles, theme: Theme) -> bytes:
    """What the file has to hold for the next start with this theme."""
    return _version(theme) + packed(tuple(kept))


def unpacked(rules: bytes) -> list[RuleSet] | None:
    """Rules as `packed` returns them; None if they are damaged."""
    try:
        return list(_Reader(BytesIO(rules)).load())
    except _DAMAGE:
        return None


def packed(value: object) -> bytes:
    """The bytes of rules, or of what consists of them, text and numbers."""
    from pickle import Pickler

    class Writer(Pickler):
        def reducer_override(self, value: object) -> Any:
            match value:
                case Enum():
                    return type(value), (value.value,)
                case Selector() | Styles():
                    # Without the functions that they hold.
                    return type(value), tuple(getattr(value, each.name) for each in fields(value))
            return NotImplemented

    file = BytesIO()
    Writer(file, protocol=5).dump(value)
    return file.getvalue()


def _version(theme: Theme) -> bytes:
    # Textual's files as Python knows those that it has bytecode of: to ask for the number of the
    # version takes longer than to read the file.
    sources = [Path(str(module.__file__)) for module in (model, parse, scalar, styles)]
    files = [(str(each), (at := each.stat()).st_mtime_ns, at.st_size) for each in sources]
    return ascii((sys.version, files, theme)).encode() + b"\n"


class _Reader(Unpickler):
    def find_class(self, module: str, name: str) -> object:
        if name not in _CLASSES.get(module, ()):
            raise UnpicklingError(f"{module}.{name} is not of a stylesheet")
        return super().find_class(module, name)
