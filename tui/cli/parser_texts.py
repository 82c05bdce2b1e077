"""`callboard man`: made from the parser."""

import argparse
import sys
from collections.abc import Iterable, Iterator

from tui.cli.arguments import EXAMPLES

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


def commands_below(
    parser: argparse.ArgumentParser, path: str
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command by its path, such as `/serve/user`."""
    yield path, parser
    for action in parser._actions:  # noqa: SLF001 (argparse tells its options in no other way)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for name, below in action.choices.items():
                yield from commands_below(below, f"{path}/{name}")


def page(program: argparse.ArgumentParser) -> int:
    """Print the manual page."""
    parts = [
        _HEAD,
        _usage(program),
        f".SH DESCRIPTION\n{_text(program.description)}\n{_text(program.epilog)}\n",
        ".SH OPTIONS\n",
        *_arguments(program),
        ".SH COMMANDS\n",
    ]
    for path, parser in commands_below(program, ""):
        if path:
            parts.append(f".SS {_text(path.strip('/').replace('/', ' '))}\n")
            parts.append(_usage(parser))
            for text in filter(None, (parser.description, parser.epilog)):
                lines = text.splitlines() if text.startswith(EXAMPLES) else [text]
                parts.append(".PP\n" + "\n.br\n".join(map(_text, lines)) + "\n")
            parts.extend(_arguments(parser))
    sys.stdout.write("".join([*parts, _FILES]))
    return 0


def _usage(parser: argparse.ArgumentParser) -> str:
    words = parser.format_usage().removeprefix("usage: ").split()
    return f"{_text(' '.join(words))}\n"


def _arguments(parser: argparse.ArgumentParser) -> Iterable[str]:
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
    # argparse formats help texts with %, so that a percent sign is doubled in them. groff prints a
    # bare hyphen as a typographic one, which a shell does not know, and takes a line that begins
    # with a dot or an apostrophe for a request.
    line = " ".join((text or "").replace("%%", "%").split())
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line
