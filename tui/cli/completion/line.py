"""A command line as far as it is typed: its words, and what is due at its end."""

import argparse
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_ESCAPED_IN_QUOTES = '"\\$`'


class Typed(NamedTuple):
    """The complete words of a line, and the word being typed: its value, and where it starts.

    `quote` is the quotation mark that is still open in it, empty without one.
    """

    words: Sequence[str]
    begun: str
    start: int
    quote: str


def read_line(line: str) -> Typed:
    """The words of a line, which a shell would make of it up to its end."""
    words: list[str] = []
    word, start, quote, at = "", -1, "", 0
    while at < len(line):
        sign, more = line[at], line[at + 1 : at + 2]
        if not quote and sign.isspace():
            words += [word] if start >= 0 else []
            word, start = "", -1
            at += 1
            continue
        start = at if start < 0 else start
        if sign == "\\" and more and quote != "'":
            # As in POSIX shells: within double quotes a backslash escapes only a few signs.
            is_kept = quote == '"' and more not in _ESCAPED_IN_QUOTES
            word += f"\\{more}" if is_kept else more
            at += 1
        elif sign == quote:
            quote = ""
        elif not quote and sign in "'\"":
            quote = sign
        else:
            word += sign
        at += 1
    return Typed(words, word, len(line) if start < 0 else start, quote)


class NextArgument(NamedTuple):
    """What is due after some words: a value of `action`, or if that is None an option or nothing.

    `begun` is what is typed of it, after `prefix`, such as `--board=`. `given` are the values of
    the arguments before it by name, and `parser` is that of the command.
    """

    parser: argparse.ArgumentParser
    given: Mapping[str, Sequence[str]]
    action: argparse.Action | None
    begun: str
    prefix: str = ""


class _Reading:
    """The arguments of a command line that were read so far."""

    def __init__(self, program: argparse.ArgumentParser) -> None:
        self.given: dict[str, list[str]] = {}
        self.option: argparse.Action | None = None
        self.has_options = True
        self.begin(program)

    def begin(self, parser: argparse.ArgumentParser) -> None:
        """Read on with the arguments of a command."""
        self.parser = parser
        # argparse tells its arguments in no other way.
        self.positional = [action for action in parser._actions if not action.option_strings]  # noqa: SLF001

    def take(self, word: str) -> None:
        """Read a word."""
        if self.option is not None:
            self._give(self.option, word)
        elif self.has_options and word == "--":
            self.has_options = False
        elif self.has_options and word.startswith("-") and word != "-":
            name, _, value = word.partition("=")
            self.option = self.option_of(name)
            if value and self.option is not None:
                self._give(self.option, value)
        elif self.positional:
            action = self.positional[0]
            self._give(action, word)
            if isinstance(action, argparse._SubParsersAction) and word in action.choices:  # noqa: SLF001
                self.begin(action.choices[word])
            # The others take any number of words, so that they stay due.
            elif action.nargs in (None, "?"):
                del self.positional[0]

    def _give(self, action: argparse.Action, word: str) -> None:
        self.given.setdefault(action.dest, []).append(word)
        self.option = None

    def option_of(self, name: str) -> argparse.Action | None:
        """The option of this name, if it takes a value."""
        action = self.parser._option_string_actions.get(name)  # noqa: SLF001 (as above)
        return action if action is not None and action.nargs != 0 else None


def due_after(program: argparse.ArgumentParser, words: Sequence[str], begun: str) -> NextArgument:
    """What is due after the words behind the name of the program."""
    reading = _Reading(program)
    for word in words:
        reading.take(word)
    due = NextArgument(reading.parser, reading.given, reading.option, begun)
    if due.action is not None:
        return due
    if reading.has_options and begun.startswith("-"):
        name, sign, value = begun.partition("=")
        action = reading.option_of(name) if sign else None
        return due._replace(action=action, begun=value, prefix=name + sign) if action else due
    return due._replace(action=next(iter(reading.positional), None))
