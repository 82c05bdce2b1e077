"""`callboard man`: the manual page as roff, made from the parser."""

import argparse
import sys
from collections.abc import Iterable

from tui.cli.completion import commands_below

_HEAD = """\
.TH CALLBOARD 1 "" "Callboard" "User commands"
.SH NAME
callboard \\- a kanban board for the terminal
.SH SYNOPSIS
"""
_FILES = """\
.SH ENVIRONMENT
.TP
.B CALLBOARD_HOME
A folder for settings, boards, pending changes and caches, in place of the usual ones.
.TP
.B CALLBOARD_PROFILE
The profile that is opened when none is named.
.TP
.BR CALLBOARD_PASSWORD ", " CALLBOARD_PASSWORD_\\fINAME\\fP
The password of the profile, or of the one of that name.
.TP
.B NO_COLOR
Draws without colours.
.SH FILES
.TP
.I ~/.config/callboard/config.toml
The settings and profiles; callboard settings prints them with what they mean.
.TP
.I ~/.local/share/callboard
Boards of your own, pending changes and drafts.
.TP
.I ~/.cache/callboard
What was read from services; it may be removed.
.SH EXIT STATUS
0 for success, 1 if something failed or nothing was found, 2 if arguments or settings are wrong.
"""


def page(program: argparse.ArgumentParser) -> int:
    """Print the manual page."""
    sys.stdout.write(_page(program))
    return 0


def _page(program: argparse.ArgumentParser) -> str:
    """The manual page: every command with its arguments."""
    every = dict(commands_below(program, ""))
    parts = [
        _HEAD,
        _usage(program),
        f".SH DESCRIPTION\n{_text(program.description)}\n{_text(program.epilog)}\n",
        ".SH OPTIONS\n",
        *_arguments(program),
        ".SH COMMANDS\n",
    ]
    for path, parser in every.items():
        if path:
            parts.append(f".SS {_text(path.strip('/').replace('/', ' '))}\n")
            parts.append(_usage(parser))
            parts.extend(f".PP\n{_text(text)}\n" for text in (parser.description, parser.epilog))
            parts.extend(_arguments(parser))
    return "".join(part for part in parts if part != ".PP\n\n") + _FILES


def _usage(parser: argparse.ArgumentParser) -> str:
    """How a command is written."""
    words = parser.format_usage().removeprefix("usage: ").split()
    return f"{_text(' '.join(words))}\n"


def _arguments(parser: argparse.ArgumentParser) -> Iterable[str]:
    """Each option and argument that has a text."""
    for action in parser._actions:  # noqa: SLF001 (argparse tells its options in no other way)
        is_below = parser.prog.count(" ") > 0
        if action.help in (None, argparse.SUPPRESS) or (is_below and action.dest == "help"):
            continue
        value = action.metavar or action.dest.upper()
        names = ", ".join(action.option_strings) or str(value)
        if action.option_strings and action.nargs != 0:
            names += f" {value}"
        yield f".TP\n.B {_text(names)}\n{_text(action.help)}\n"


def _text(text: str | None) -> str:
    """A text in which roff finds no command."""
    line = " ".join((text or "").replace("%%", "%").split())
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line
