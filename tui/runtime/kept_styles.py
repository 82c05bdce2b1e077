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
from zlib import crc32

from textual.css import model, parse, scalar, styles
from textual.css.model import RuleSet, Selector
from textual.css.styles import Styles
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
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


class ParsedOnce(Stylesheet):
    """Styles that are parsed once, or by an earlier start, unless a variable has changed.

    Textual parses all of them when the first screen is shown, and for each new kind of screen.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[Key, bytes] = {}

    def set_variables(self, variables: dict[str, str]) -> None:
        if variables != self._variables:
            super().set_variables(variables)
            self._kept = {}

    def use(self, kept: KeptStyles) -> None:
        """Take rules from these instead of parsing stylesheets."""
        self.set_variables(kept.variables)
        self._kept = kept.rules

    def styles_to_keep(self) -> KeptStyles | None:
        """What the next start would have to parse without it; None if nothing is new."""
        parsed = self._parse_cache
        keys = list[Key](parsed.keys())
        new = {key: packed(parsed.get(key)) for key in keys if key not in self._kept}
        if not new:
            return None
        texts = {(origin, scope): text for text, origin, _, _, scope in keys}
        kept = {
            key: rules
            for key, rules in self._kept.items()
            if texts.get((key[1], key[4]), key[0]) == key[0]
        }
        return KeptStyles(self._variables, kept | new)

    def _parse_rules(
        self,
        css: str,
        read_from: CSSLocation,
        is_default_rules: bool = False,
        tie_breaker: int = 0,
        scope: str = "",
    ) -> list[RuleSet]:
        key = (css, read_from, is_default_rules, tie_breaker, scope)
        if key not in self._parse_cache and key in self._kept:
            if (rules := unpacked(self._kept[key])) is not None:
                self._parse_cache[key] = rules
            else:
                del self._kept[key]
        return super()._parse_rules(css, read_from, is_default_rules, tie_breaker, scope)

    def reparse(self) -> None:
        self.parse()  # it keeps what it has parsed


def read_styles(path: Path, theme: Theme) -> KeptStyles | None:
    """What is kept for this theme; None if there is nothing, or it cannot be read."""
    try:
        first, _, content = path.read_bytes().partition(b"\n")
        if first != _version(theme, content):
            return None
        return KeptStyles(*_Reader(BytesIO(content)).load())
    except (OSError, *_DAMAGE):
        return None


def content_of(kept: KeptStyles, theme: Theme) -> bytes:
    """What the file has to hold for the next start with this theme."""
    content = packed(tuple(kept))
    return _version(theme, content) + b"\n" + content


def unpacked(rules: bytes) -> list[RuleSet] | None:
    """Rules that were `packed`; None if they are damaged."""
    try:
        content: list[RuleSet] = _Reader(BytesIO(rules)).load()
    except _DAMAGE:
        return None
    return content


def packed(value: object) -> bytes:
    """The bytes of rules, or of what consists of them and of plain values."""
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


def _version(theme: Theme, content: bytes) -> bytes:
    # Textual's files as Python knows those that it has bytecode of: to ask for the number of the
    # version takes longer than to read the file.
    sources = [Path(str(module.__file__)) for module in (model, parse, scalar, styles)]
    files = [(str(each), (at := each.stat()).st_mtime_ns, at.st_size) for each in sources]
    return ascii((sys.version, files, theme, crc32(content))).encode()


class _Reader(Unpickler):
    def find_class(self, module: str, name: str) -> object:
        if name not in _CLASSES.get(module, ()):
            raise UnpicklingError(f"{module}.{name} is not of a stylesheet")
        return super().find_class(module, name)
