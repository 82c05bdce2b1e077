"""Text for commands: from the arguments, a file, or standard input."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tui.errors import WrongInput, reason_of
from tui.text import clean

_MOST_BYTES = 1024 * 1024
_STDIN = "-"


class NotGiven(WrongInput):
    """There is no text, or it cannot be read; nothing was changed."""


def is_from_input(words: Sequence[str]) -> bool:
    """Whether the text is on standard input: `-`, or no words while something is piped."""
    if words:
        return list(words) == [_STDIN]
    return not sys.stdin.isatty()


def words_given(words: Sequence[str], what: str) -> str:
    """The words, or what standard input holds; `what` is said to be missing otherwise.

    Raises `NotGiven`.
    """
    text = read_input() if is_from_input(words) else " ".join(words)
    if not text.strip():
        raise NotGiven(f"{what} is empty: nothing was changed.")
    return text


def title_given(words: str) -> str:
    """A title in one line. Raises `NotGiven` if it is empty."""
    title = " ".join(clean.line(words).split())
    if not title:
        raise NotGiven("there is an empty title: nothing was changed.")
    return title


def file_given(name: str, what: str) -> str:
    """What a file holds, `-` for standard input, nothing for the null device. Raises `NotGiven`.

    A file that is empty may be a mistake.
    """
    if name == os.devnull:
        return ""
    if name == _STDIN:
        return words_given([name], what)
    try:
        with Path(name).open("rb") as file:
            text = _as_text(file.read(_MOST_BYTES + 1), name)
    except OSError as error:
        raise NotGiven(
            f"{name} cannot be read: {reason_of(error)}. Nothing was changed."
        ) from error
    if not text.strip():
        raise NotGiven(f"{name} is empty: nothing was changed.")
    return text


def read_input() -> str:
    """The text on standard input. Raises `NotGiven`."""
    return _as_text(sys.stdin.buffer.read(_MOST_BYTES + 1), "standard input")


def _as_text(content: bytes, source: str) -> str:
    if len(content) > _MOST_BYTES:
        raise NotGiven(f"{source} is longer than 1 MB: nothing was changed.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise NotGiven(f"{source} is not text in UTF-8: nothing was changed.")
    return text
