"""The terminal in the report of `callboard doctor`, by the environment."""

import locale
from collections.abc import Mapping

from tui.cli.terminal import COLUMNS, LINES
from tui.store.doctor import Level, Remark

TERMINAL = "terminal"

_COMFORTABLE = 80, 24
_BETWEEN = {
    "TMUX": "tmux",
    "STY": "screen",
    "ZELLIJ": "zellij",
    "MOSH_CONNECTION": "mosh",
    "SSH_CONNECTION": "ssh",
}


def examine_terminal(
    environment: Mapping[str, str], size: tuple[int, int] | None, encoding: str = ""
) -> list[Remark]:
    """The remarks about a terminal; `size` is columns and lines, if known."""
    if size is None:
        text = "There is none here (this is a pipe or a job), so nothing is told about it."
        return [Remark(Level.NOTE, TERMINAL, text, "Run it in the terminal that you use.")]
    between = [name for variable, name in _BETWEEN.items() if environment.get(variable)]
    return [
        _size(*size),
        _kind(environment),
        _colours(environment),
        _letters(encoding or locale.getpreferredencoding(do_setlocale=False), environment),
        Remark(Level.OK, TERMINAL, f"In between: {', '.join(between) or 'nothing'}."),
        _clipboard(between),
        _keys(between),
    ]


def _size(columns: int, lines: int) -> Remark:
    text = f"{columns}×{lines} cells."
    if columns < COLUMNS or lines < LINES:
        hint = f"Make it at least {COLUMNS}×{LINES}; {_COMFORTABLE[0]}×{_COMFORTABLE[1]} is good."
        return Remark(Level.PROBLEM, TERMINAL, text, hint)
    if columns < _COMFORTABLE[0] or lines < _COMFORTABLE[1]:
        return Remark(
            Level.NOTE, TERMINAL, text, "ctrl+e on a board shows more cards in less room."
        )
    return Remark(Level.OK, TERMINAL, text)


def _kind(environment: Mapping[str, str]) -> Remark:
    term = environment.get("TERM", "")
    program = environment.get("TERM_PROGRAM", "")
    if term in ("", "dumb", "unknown"):
        text = f"TERM is {f'“{term}”' if term else 'not set'}: it tells of nothing to draw with."
        return Remark(Level.PROBLEM, TERMINAL, text, "Type: export TERM=xterm-256color")
    return Remark(
        Level.OK, TERMINAL, f"TERM is “{term}”{f', program {program}' if program else ''}."
    )


def _colours(environment: Mapping[str, str]) -> Remark:
    if environment.get("NO_COLOR"):
        return Remark(Level.OK, TERMINAL, "No colours, as NO_COLOR says; signs tell everything.")
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return Remark(Level.OK, TERMINAL, "All colours, as COLORTERM says.")
    if "256" in environment.get("TERM", ""):
        hint = "If it can show all colours, type: export COLORTERM=truecolor"
        return Remark(Level.OK, TERMINAL, "256 colours, as TERM says.", hint)
    return Remark(Level.NOTE, TERMINAL, "16 colours, as TERM says.", "The theme ansi suits it.")


def _letters(encoding: str, environment: Mapping[str, str]) -> Remark:
    if encoding.lower().replace("-", "") == "utf8":
        return Remark(Level.OK, TERMINAL, "Letters are UTF-8.")
    said = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG", "")
    text = f"Letters are {encoding} (by “{said}”): frames and signs may come out wrong."
    hint = "Type: export LANG=C.UTF-8, or start it with --ascii."
    return Remark(Level.PROBLEM, TERMINAL, text, hint)


def _clipboard(between: list[str]) -> Remark:
    text = "Copying asks the terminal (OSC 52); whether it allows that cannot be known from here."
    if "tmux" in between:
        return Remark(Level.NOTE, TERMINAL, text, "In tmux type: tmux set -g set-clipboard on")
    if "screen" in between or "mosh" in between:
        hint = "screen and older mosh keep it from the terminal."
        return Remark(Level.NOTE, TERMINAL, text, hint)
    return Remark(Level.OK, TERMINAL, text)


def _keys(between: list[str]) -> Remark:
    text = (
        "Whether keys such as shift+arrows arrive cannot be known; H J K L do the same everywhere."
    )
    hint = "In tmux type: tmux set -g xterm-keys on" if "tmux" in between else ""
    return Remark(Level.OK, TERMINAL, text, hint)
