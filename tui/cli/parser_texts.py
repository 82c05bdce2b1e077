"""`callboard completion` and `callboard man`: made from the parser."""

import argparse
import sys
from collections.abc import Iterable, Iterator

from tui.cli.arguments import EXAMPLES

_BASH = """\
_callboard() {{
    local word path="" words=""
    for word in "${{COMP_WORDS[@]:1:$((COMP_CWORD - 1))}}"; do
        case "$path/$word" in
            {paths}) path="$path/$word" ;;
        esac
    done
    case "$path" in
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _callboard callboard
"""
_ZSH = """\
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
"""
"""What zsh needs before it understands the script for bash."""

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


def script(program: argparse.ArgumentParser, shell: str) -> int:
    """Print the script for a shell."""
    parsers = dict(commands_below(program, ""))
    if shell == "fish":
        for path, parser in parsers.items():
            sys.stdout.write("".join(f"{line}\n" for line in _fish(path, parser)))
        return 0
    cases = []
    for path, parser in parsers.items():
        below, options, choices = _parts(parser)
        names = [name for action in options for name in action.option_strings]
        cases.append(f'        "{path}") words="{" ".join([*below, *choices, *names])}" ;;')
    paths = "|".join(path for path in parsers if path)
    sys.stdout.write(_ZSH if shell == "zsh" else "")
    sys.stdout.write(_BASH.format(paths=paths, cases="\n".join(cases)))
    return 0


def _fish(path: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    below, options, choices = _parts(parser)
    seen = [f"__fish_seen_subcommand_from {part}" for part in path.split("/")[1:]]
    not_yet = [f"not __fish_seen_subcommand_from {' '.join(below)}"] if seen and below else []
    condition = "; and ".join([*seen, *not_yet]) or "__fish_use_subcommand"
    command = f"complete -c callboard -n '{condition}'"
    for name, brief in below.items():
        yield f"{command} -f -a {name} -d {_quoted(brief)}"
    for action in options:
        names = "".join(
            f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"
            for name in action.option_strings
        )
        value = " -r" if action.nargs != 0 else ""
        yield f"{command}{names}{value} -d {_quoted(str(action.help or ''))}"
    for word in choices:
        yield f"{command} -f -a {word}"


def _parts(
    parser: argparse.ArgumentParser,
) -> tuple[dict[str, str], list[argparse.Action], list[str]]:
    # The commands below with their help, the options, and the values of other arguments.
    below, options, choices = dict[str, str](), list[argparse.Action](), list[str]()
    for action in parser._actions:  # noqa: SLF001 (argparse tells its options in no other way)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            below |= {each.dest: each.help or "" for each in action._choices_actions}  # noqa: SLF001
        elif not action.option_strings:
            choices += map(str, action.choices or ())
        elif action.help is not argparse.SUPPRESS:
            options.append(action)
    return below, options, choices


def commands_below(
    parser: argparse.ArgumentParser, path: str
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command by its path, such as `/serve/user`."""
    yield path, parser
    for action in parser._actions:  # noqa: SLF001 (argparse tells its options in no other way)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for name, below in action.choices.items():
                yield from commands_below(below, f"{path}/{name}")


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


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
    # Roff is to find no command in it.
    line = " ".join((text or "").replace("%%", "%").split())
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line
