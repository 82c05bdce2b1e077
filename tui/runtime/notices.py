"""Notices by a terminal: the bell, or an escape sequence for a notification of the desktop.

A sequence is sent only to a terminal that is known to understand it, unless the user chose one:
others might print it. No text of others can end a sequence or begin another one.
"""

import re
from base64 import b64encode
from collections.abc import Mapping

AUTO, BELL_ALONE, OSC_9, OSC_777, OSC_99 = "auto", "bell", "osc9", "osc777", "osc99"
"""The ways, as the settings name them."""
_BELL = "\a"
_TITLE = "Callboard"
_END = "\x1b\\"
_LONGEST = 200
_BY_PROGRAM = {"iTerm.app": OSC_9, "WezTerm": OSC_9, "ghostty": OSC_9}
"""By TERM_PROGRAM, which any other terminal may have set too."""
_BY_TERM = {
    "xterm-kitty": OSC_99,
    "xterm-ghostty": OSC_9,
    "wezterm": OSC_9,
    "foot": OSC_777,
    "foot-extra": OSC_777,
}
_MULTIPLEXERS = ("TMUX", "STY", "ZELLIJ")
_WITHOUT_SEQUENCES = ("dumb", "linux", "")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def notice(way: str, text: str, environ: Mapping[str, str]) -> str:
    """What to write to the terminal of this environment to show a text there.

    The way is "bell", a sequence such as "osc9", or "auto". tmux passes a sequence on if its option
    `allow-passthrough` is on; other multiplexers get the bell.
    """
    if way == AUTO:
        way = understood(environ)
    sequence = _sequence(way, _CONTROLS.sub(" ", text)[:_LONGEST])
    is_plain = environ.get("TERM", "") in _WITHOUT_SEQUENCES
    if not sequence or is_plain or environ.get("STY") or environ.get("ZELLIJ"):
        return _BELL
    if environ.get("TMUX"):
        # tmux takes a single Esc for the end of what it passes on, so each one is doubled.
        return f"\x1bPtmux;{sequence.replace(chr(27), chr(27) * 2)}{_END}"
    return sequence


def understood(environ: Mapping[str, str]) -> str:
    """The way that the terminal of an environment is known to understand, else the bell.

    Behind a multiplexer nobody knows the terminal; it marks a window that rings.
    """
    if any(environ.get(name) for name in _MULTIPLEXERS):
        return BELL_ALONE
    if program := environ.get("TERM_PROGRAM"):
        return _BY_PROGRAM.get(program, BELL_ALONE)
    if environ.get("KITTY_WINDOW_ID"):
        return OSC_99
    if environ.get("LC_TERMINAL") == "iTerm2":  # which ssh passes on
        return OSC_9
    return _BY_TERM.get(environ.get("TERM", ""), BELL_ALONE)


def _sequence(way: str, text: str) -> str:
    if way == OSC_9:  # text that begins with a number is the progress of something
        return f"\x1b]9;{_TITLE}: {text}{_BELL}"
    if way == OSC_777:
        # Semicolons separate the fields, and cannot be escaped.
        return f"\x1b]777;notify;{_TITLE};{text.replace(';', ',')}{_END}"
    if way == OSC_99:
        body = b64encode(text.encode()).decode()
        # `d=0`: the notification is incomplete until its body arrives; `e=1`: that is base64.
        head = f"\x1b]99;i=callboard:d=0;{_TITLE}{_END}"
        return f"{head}\x1b]99;i=callboard:p=body:e=1;{body}{_END}"
    return ""
