"""The line below a text that is being written: its keys, and how long it is.

The rule it keeps: keys come from the bindings, none is cut; a limit is counted in bytes, as the
service does.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from textual.binding import ActiveBinding
from textual.dom import DOMNode
from textual.screen import Screen

from tui.widgets.bars import Bar, key_name
from tui.widgets.painted import Line, Span

_FIRST = ("edit.done", "edit.leave", "edit.preview", "edit.outside", "edit.original")

_NEARLY = 0.8
"""From this part of the limit on the length stands out."""


class KeyBar(Bar):
    """The keys of a screen, gathered once, and the length of what is written on it."""

    def __init__(self, owner: Screen[Any], longest: int | None) -> None:
        super().__init__()
        self._owner = owner
        self._longest = longest
        self._hints: Line = ()

    def show(self, text: str, width: int) -> None:
        """Say which keys there are, and how long the text is."""
        self._hints = self._hints or hints(self._owner.active_bindings, self._owner)
        length = length_line(text, self._longest)
        room = width - sum(len(words) for words, _ in length) - 1
        self.say(key_line(self._hints, room), length)


def hints(bindings: Mapping[str, ActiveBinding], owner: DOMNode) -> Line:
    """The keys of `owner` that are shown, those first that one must know, with what they do."""
    shown = {
        each.binding.id or key: (key_name(key), each.binding.description)
        for key, each in bindings.items()
        if each.binding.show and each.node is owner
    }
    return tuple(shown[name] for name in dict.fromkeys((*_FIRST, *shown)) if name in shown)


def key_line(keys: Iterable[Span], room: int) -> Line:
    """As many keys as there is room for."""
    line: list[Span] = []
    for key, label in keys:
        room -= len(key) + len(label) + 4
        if room >= 0:
            line += [(f" {key} ", "key"), (f"{label}  ", "quiet")]
    return tuple(line)


def length_line(text: str, longest: int | None) -> Line:
    """How long a text is, against the limit if there is one."""
    if longest is None:
        return ((f"{len(text):,} characters ", "quiet"),)
    if over := bytes_over(text, longest):
        return ((f"{over:,} bytes too long ", "error"),)
    used = _size(text)
    role = "warning" if used > longest * _NEARLY else "quiet"
    return ((f"{used:,} of {longest:,} ", role),)


def bytes_over(text: str, longest: int | None) -> int:
    """How many bytes there are too many."""
    return 0 if longest is None else max(0, _size(text) - longest)


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))
