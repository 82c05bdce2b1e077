"""Texts that name keys: with the user's keys in place of the defaults.

The keys belong to the process, as a language would, so that texts can be made anywhere.
"""

import re
from collections.abc import Iterator, Mapping

_MARK = re.compile(r"\{([a-z_-]+[.][a-z0-9_-]+):([^{}]+)\}")

_remapped: dict[str, str] = {}


def use_keys(remapped: Mapping[str, str]) -> None:
    """Name these keys from now on, by the ids of their actions; the others are as by default."""
    _remapped.clear()
    _remapped.update(remapped)


def keyed(text: str) -> str:
    """A text of ours with the user's keys: `{task.new:n}` is that of an action, by default `n`.

    It must not contain text of other people, where this could stand by chance.
    """
    return _MARK.sub(lambda match: _remapped.get(match[1]) or match[2], text)


def actions_named(text: str) -> list[str]:
    """The ids of the actions whose keys such a text names."""
    return [match[1] for match in _MARK.finditer(text)]


def keyed_parts(text: str) -> Iterator[tuple[str, bool]]:
    """The pieces of such a text, and which of them are keys."""
    end = 0
    for mark in _MARK.finditer(text):
        yield text[end : mark.start()], False
        yield keyed(mark[0]), True
        end = mark.end()
    yield text[end:], False
