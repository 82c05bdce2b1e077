"""What a terminal is sent to show a notice: understood by it, and never ended by a text."""

import re
from base64 import b64decode

import pytest
from hypothesis import given, strategies as st

from tui.runtime.notices import notice

XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("environ", "begin"),
    [
        (XTERM, "\a"),
        ({**XTERM, "TERM_PROGRAM": "iTerm.app"}, "\x1b]9;"),
        ({**XTERM, "LC_TERMINAL": "iTerm2"}, "\x1b]9;"),
        ({**XTERM, "TERM_PROGRAM": "WezTerm"}, "\x1b]9;"),
        ({"TERM": "xterm-ghostty"}, "\x1b]9;"),
        ({"TERM": "foot"}, "\x1b]777;notify;"),
        ({"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}, "\x1b]99;"),
        ({**XTERM, "TERM_PROGRAM": "vscode", "KITTY_WINDOW_ID": "1"}, "\a"),
        ({**XTERM, "TERM_PROGRAM": "Apple_Terminal"}, "\a"),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TMUX": "x,1,0"}, "\a"),
        ({"TERM": "screen", "STY": "1.pts", "KITTY_WINDOW_ID": "1"}, "\a"),
        ({"TERM": "linux"}, "\a"),
        ({}, "\a"),
    ],
)
def test_only_a_terminal_that_is_known_to_understand_it_is_sent_a_sequence(
    environ: dict[str, str], begin: str
) -> None:
    assert notice("auto", "Hello", environ).startswith(begin)


def test_each_sequence_has_the_form_of_its_terminals() -> None:
    assert notice("bell", "Hello", XTERM) == "\a"
    assert notice("osc9", "Hello", XTERM) == "\x1b]9;Callboard: Hello\a"
    assert notice("osc777", "a;b", XTERM) == "\x1b]777;notify;Callboard;a,b\x1b\\"
    assert notice("osc99", "Hello", XTERM) == (
        "\x1b]99;i=callboard:d=0;Callboard\x1b\\\x1b]99;i=callboard:p=body:e=1;SGVsbG8=\x1b\\"
    )


def test_tmux_is_asked_to_pass_it_on_and_what_cannot_do_that_rings() -> None:
    tmux = {**XTERM, "TMUX": "x,1,0"}
    assert notice("osc9", "Hello", tmux) == "\x1bPtmux;\x1b\x1b]9;Callboard: Hello\a\x1b\\"
    assert "\x1b\x1b]777;notify;Callboard;Hello\x1b\x1b\\\x1b\\" in notice("osc777", "Hello", tmux)
    for environ in ({**XTERM, "STY": "1"}, {**XTERM, "ZELLIJ": "0"}, {"TERM": "dumb"}):
        assert notice("osc9", "Hello", environ) == "\a"


@given(
    st.text(st.characters() | st.sampled_from("\x1b\x07\x9c\\];4"), max_size=300),
    st.sampled_from(["osc9", "osc777", "osc99"]),
)
def test_no_text_ends_a_sequence_or_begins_another_one(text: str, way: str) -> None:
    sequence = notice(way, text, XTERM)
    parts = re.fullmatch(r"(?:\x1b\](9|777|99);([^\x00-\x1f\x7f-\x9f]*)(?:\x07|\x1b\\))+", sequence)
    assert parts is not None
    assert sequence.count("\x1b]") == (2 if way == "osc99" else 1)
    assert len(parts[2].encode()) <= 1_500
    sequence.encode()
    if way == "osc9":
        assert parts[2].startswith("Callboard: ")
    if way == "osc777":
        assert parts[2].count(";") == 2
    if way == "osc99":
        body = b64decode(parts[2].rpartition(";")[2]).decode()
        assert not re.search(r"[\x00-\x1f\x7f-\x9f]", body)
