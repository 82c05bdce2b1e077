"""Three-way merge of texts, line by line.

A change of one side is taken, as is the same change of both; different changes of the same or
adjacent lines are a conflict.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from tui.store.documents.html_lines import lines_of

_Change = tuple[int, int, tuple[str, ...]]
"""From and to which line of the base, and the lines that replace them."""
_Stretch = list[tuple[str, ...]]
"""A part of the merged text: one version, or both sides' at a conflict."""


def merge(*, base: str, ours: str, current: str) -> str | None:
    """Both changes of a plain text merged, or None on conflict."""
    return _merged("\n", _stretches(*(text.split("\n") for text in (base, ours, current))))


def merge_html(*, base: str, ours: str, current: str) -> str | None:
    """Both changes of an HTML text merged, or None on conflict."""
    return _merged("", _stretches(*map(lines_of, (base, ours, current))))


def both(*, base: str, ours: str, current: str) -> str:
    """Both changes of a plain text; at conflicts both sides, ours first, to be edited."""
    merged = merge(base=base, ours=ours, current=current)
    if merged is None:
        texts = (text.removesuffix("\n").split("\n") for text in (base, ours, current))
        merged = _joined("\n", _stretches(*texts))
    return merged.rstrip("\n")


def both_html(*, base: str, ours: str, current: str) -> str:
    """Both changes of an HTML text; at conflicts both sides, ours first."""
    return _joined("", _stretches(*map(lines_of, (base, ours, current))))


def _merged(between: str, stretches: Sequence[_Stretch]) -> str | None:
    is_conflict = any(len(versions) > 1 for versions in stretches)
    return None if is_conflict else _joined(between, stretches)


def _joined(between: str, stretches: Iterable[_Stretch]) -> str:
    return between.join(line for versions in stretches for version in versions for line in version)


def _stretches(base: Sequence[str], ours: Sequence[str], current: Sequence[str]) -> list[_Stretch]:
    """The merged text, changed and unchanged stretches in turn."""
    sides = (_changes(base, ours), _changes(base, current))
    stretches: list[_Stretch] = []
    at = 0
    while any(sides):
        start = end = min(side[0][0] for side in sides if side)
        taken: tuple[list[_Change], list[_Change]] = ([], [])
        # `<=`, so that a change that begins where another ends joins its stretch: adjacent changes
        # are a conflict, even if they do not overlap.
        while meeting := [n for n, side in enumerate(sides) if side and side[0][0] <= end]:
            change = sides[meeting[0]].pop(0)
            taken[meeting[0]].append(change)
            end = max(end, change[1])
        versions = [_changed(base, start, end, changes) for changes in taken if changes]
        stretches += [[tuple(base[at:start])], list(dict.fromkeys(versions))]
        at = end
    return [*stretches, [tuple(base[at:])]]


def _changed(
    base: Sequence[str], start: int, end: int, changes: Sequence[_Change]
) -> tuple[str, ...]:
    """A stretch of the base with the changes of one side."""
    lines: list[str] = []
    for first, last, new in changes:
        lines += [*base[start:first], *new]
        start = last
    return (*lines, *base[start:end])


def _changes(base: Sequence[str], new: Sequence[str]) -> list[_Change]:
    # Without `autojunk`, which in long texts ignores lines that are frequent, such as blank ones.
    matcher = SequenceMatcher(None, base, new, autojunk=False)
    return [
        (start, end, tuple(new[new_start:new_end]))
        for tag, start, end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    ]
