"""The user's own command lines: placeholders for the values of a card, and where they may stand.

A value is an argument of its own or a part of one. It is never part of a text that a shell or
another interpreter reads as a program, where it could be run.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import PurePath

from tui.errors import CallboardError
from tui.model.task import Task
from tui.model.work.branch import branch_of
from tui.text import clean

PLACEHOLDERS = ("id", "number", "title", "branch", "url", "board")
OF_SENT = frozenset({"id", "number", "branch", "url"})
"""The values that a card has once the service has given it its number."""
_OPTION, _REST = "-", "--"
# `${HOME}` of shells and `{{title}}` of templates are left as they are.
_PLACEHOLDER = re.compile(r"(?<![${])\{([A-Za-z_]+)\}(?!\})")
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "su", "script"})
_INTERPRETERS = frozenset({"python", "perl", "ruby", "node", "php", "lua"})
_PROGRAM_OPTIONS = {**dict.fromkeys(_SHELLS, "c"), **dict.fromkeys(_INTERPRETERS, "cer")}
"""Programs, each with the letters of its options that are followed by the text of a program."""
_TAKES_WORD = re.compile(r"[-+]\w*[oOWXI]|--(?:rcfile|init-file)")
"""The options of them that take the next word."""
_JOINING = frozenset({"ssh", "watch", "eval", "mosh"})
"""Programs that hand all their arguments to a shell as one text."""
OPERATORS = frozenset({"|", "||", "&", "&&", ";", ">", ">>", "<", "<<", "2>", "2>&1", "&>"})
"""Words that mean something in a shell alone."""


def placeholders(words: Sequence[str]) -> Iterator[str]:
    """The names in braces in a command line, known or not."""
    return chain.from_iterable(map(_PLACEHOLDER.findall, words))


def pasted(words: Sequence[str]) -> str:
    """A placeholder that would become part of the text of a program; empty if there is none."""
    for at, word in enumerate(words):
        if _name(word) in _JOINING:
            return next(placeholders(words[at + 1 :]), "")
    program = program_at(words)
    return next(placeholders([words[program]]), "") if program >= 0 else ""


def program_at(words: Sequence[str]) -> int:
    """The place of the text that a shell or another interpreter runs; -1 if there is none."""
    for at, word in enumerate(words):
        letters = _PROGRAM_OPTIONS.get(_name(word), "")
        previous = ""
        for place in range(at + 1, len(words) if letters else 0):
            option = words[place]
            is_short = option.startswith(("-", "+")) and not option.startswith(_REST)
            if option in ("--command", "--eval") or (
                is_short and not {*option}.isdisjoint(letters)
            ):
                return place + 1 if place + 1 < len(words) else -1
            # `pipefail` in `bash -o pipefail -c` belongs to its option.
            if not option.startswith(("-", "+")) and not _TAKES_WORD.fullmatch(previous):
                break
            previous = option
    return -1


def values_of(task: Task, *, board: str, branch_name: str, card_url: str) -> dict[str, str]:
    """The values of a card by their placeholders; empty if it has none."""
    values = {"title": clean.line(task.title), "board": clean.line(board)}
    if task.is_local:
        return dict.fromkeys(PLACEHOLDERS, "") | values
    return values | {
        "id": str(task.id),
        "number": f"#{task.id}",
        "branch": branch_of(task, branch_name),
        "url": task.web_address(card_url) if card_url else "",
    }


def filled(words: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """The arguments of a command with the values in them.

    Raises `CallboardError` if a value is missing, or could be taken for an option.
    """
    program, arguments = program_at(words), list[str]()
    for at, word in enumerate(words):
        for name in placeholders([word]):
            if not values[name]:
                raise _missing(name, values)
        argument = _PLACEHOLDER.sub(lambda match: values[match[1]], word)
        # What stands behind the text of a shell is no option of it.
        is_safe = _REST in words[:at] or 0 <= program < at
        if argument.startswith(_OPTION) and not word.startswith(_OPTION) and not is_safe:
            name = next(placeholders([word]))
            raise CallboardError(
                f"Not run: the {name} begins with “-”, which the command may take for an option.",
                hint=f"write -- before {{{name}}} in the command",
            )
        arguments.append(argument)
    return arguments


def environment(values: Mapping[str, str]) -> dict[str, str]:
    """The variables of a command: `CALLBOARD_TITLE` and so on."""
    return {f"CALLBOARD_{name.upper()}": value for name, value in values.items()}


def _missing(name: str, values: Mapping[str, str]) -> CallboardError:
    if name in OF_SENT and not values["id"]:
        return CallboardError(
            "Not run: the card has no number until it is sent.", hint="{go.waiting:g u} to show why"
        )
    if name == "url":
        return CallboardError(
            "Not run: no web address for cards.", hint="set card_url of the profile in the settings"
        )
    return CallboardError(f"Not run: the card has no {name}.")


def _name(word: str) -> str:
    # The program without its folder and version: `/usr/bin/python3.12` is `python`.
    return re.sub(r"[\d.]+$", "", PurePath(word).name)
