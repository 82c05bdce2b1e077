"""Every target reads 1 MB of the patterns that took quadratic time somewhere, within its time-out.

A target that reads in quadratic time would take minutes. `python -m tests.attack` measures all
targets with all patterns.
"""

import pytest

from tests.attack.targets import ONE_MB, TARGETS

pytestmark = pytest.mark.long

_SLOW_PATTERNS = {
    "clean line": ("\x90", "\x9d"),
    "clean text": ("\x90", "\x9d", "\x1b]", "a control string without end"),
    "sanitised HTML": ('<a b">"', "<!--", "</b>", "script without end", "\x9d", "&#"),
    "HTML to lines": ("<!--", "&#", "one wide row, many short"),
    "HTML to Markdown": ("<!--", "&#", "one wide row, many short"),
    "words of HTML": ("<!--", "<a"),
    "Markdown to HTML": ("<!--", "brackets in brackets", "]", "blanks of a tag"),
    "edited HTML": ("<!--", "letters of an address"),
    "fuzzy search in a text": ("a", "/a", "\u0301"),
    "fuzzy search for a text": ("a", "/a", '"'),
    "date": ("9", "blanks within"),
    "checklist": ("a", "[ ] "),
    "wrapped lines": ("\x9d", "a", "blanks within"),
    "mentions": ("@", "@ann-"),
    "comment of a thread": ("@", "http://", "brackets behind an address"),
    "comment of a request": ("@", "http://", "dots behind an address"),
    "slug": ("a", "/a"),
    "form of a request": ("a=b&", "a[]=", "brackets in a name"),
    "JSON of a request": ("[", "{", '"', "digits", "deep", "backslashes"),
    "JSON at once": ("[", "{", '"', "text", "digits", "blanks", "deep", "backslashes"),
    "JSON piece by piece": ("[", "text without end", "element without end", "digits", "blanks"),
}
"""The patterns for the targets that take long even in linear time; the others get all."""


@pytest.mark.parametrize("name", TARGETS)
def test_a_megabyte_of_each_pattern_is_read(name: str) -> None:
    target = TARGETS[name]
    for pattern in _SLOW_PATTERNS.get(name, target.patterns):
        target.read(target.patterns[pattern](ONE_MB))
