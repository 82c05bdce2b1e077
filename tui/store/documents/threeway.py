"""Three-way merge of texts, line by line.

A change of one side is taken, as is the same change of both; different changes of the same or
adjacent lines are a conflict.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher

from tui.store.documents.html_lines import lines_of

_Change = tuple[int, int, tuple[str, ...]]
"""From and to which line of the base, and the lines that replace them."""


def merge(*, base: str, mine: str, theirs: str) -> str | None:
    """Both changes of a plain text merged, or None on conflict."""
    return _merged("\n", base.split("\n"), mine.split("\n"), theirs.split("\n"))


def merge_html(*, base: str, mine: str, theirs: str) -> str | None:
    """Both changes of an HTML text merged, or None on conflict."""
    return _merged("", lines_of(base), lines_of(mine), lines_of(theirs))


def both(*, base: str, mine: str, theirs: str) -> str:
    """Both changes of a plain text; at conflicts both sides, ours first, to be edited."""
    merged = merge(base=base, mine=mine, theirs=theirs)
    if merged is None:
        merged = _with_both(
            *(_ended(each).splitlines(keepends=True) for each in (base, mine, theirs))
        )
    return merged.rstrip("\n")


def both_html(*, base: str, mine: str, theirs: str) -> str:
    """Both changes of an HTML text; at conflicts both sides, ours first."""
    merged = merge_html(base=base, mine=mine, theirs=theirs)
    if merged is None:
        merged = _with_both(*(lines_of(each) for each in (base, mine, theirs)))
    return merged


def _with_both(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> str:
    """The merged lines, with both sides at conflicts."""
    sides = (_changes(base, mine), _changes(base, theirs))
    lines: list[str] = []
    at = 0
    while any(sides):
        start = end = min(side[0][0] for side in sides if side)
        taken: tuple[list[_Change], list[_Change]] = ([], [])
        while meeting := [n for n, side in enumerate(sides) if side and side[0][0] <= end]:
            change = sides[meeting[0]].pop(0)
            taken[meeting[0]].append(change)
            end = max(end, change[1])
        versions = [_changed(base, start, end, changes) for changes in taken if changes]
        lines += base[at:start]
        for version in dict.fromkeys(versions):
            lines += version
        at = end
    return "".join([*lines, *base[at:]])


def _changed(
    base: Sequence[str], start: int, end: int, changes: Sequence[_Change]
) -> tuple[str, ...]:
    """A stretch of the base with the changes of one side."""
    lines: list[str] = []
    for first, last, new in changes:
        lines += [*base[start:first], *new]
        start = last
    return (*lines, *base[start:end])


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _merged(
    between: str, base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]
) -> str | None:
    """The merged lines, with `between` between them; None on conflict."""
    ours, others = _changes(base, mine), _changes(base, theirs)
    lines: list[str] = []
    at = 0
    while ours or others:
        if ours and others and ours[0] == others[0]:
            start, end, new = ours.pop(0)
            others.pop(0)
        elif ours and others and _meet(ours[0], others[0]):
            return None
        else:
            from_ours = bool(ours) and (not others or ours[0][0] < others[0][0])
            start, end, new = (ours if from_ours else others).pop(0)
        lines += [*base[at:start], *new]
        at = end
    return between.join([*lines, *base[at:]])


def _changes(base: Sequence[str], new: Sequence[str]) -> list[_Change]:
    matcher = SequenceMatcher(None, base, new, autojunk=False)
    return [
        (start, end, tuple(new[new_start:new_end]))
        for tag, start, end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    ]


def _meet(one: _Change, other: _Change) -> bool:
    """Whether two changes are of the same or adjacent lines."""
    return one[0] <= other[1] and other[0] <= one[1]
