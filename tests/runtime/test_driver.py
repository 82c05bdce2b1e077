"""A terminal that is gone, stalls, does not block, or sends what no key is."""

import inspect
import os
import select
from collections.abc import Iterator
from threading import Event, Thread

import pytest
from hypothesis import given, strategies as st
from textual import events
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver

from tui.runtime.driver import Input, Output


class Hasty(Output):
    """An output that waits for nobody at the end."""

    last_seconds = 0.01


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The ends of a pipe; what a test closes is left alone."""
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue


def output_on(descriptor: int, kind: type[Output] = Output) -> Output:
    """An output on a descriptor, which is left open."""
    return kind(os.fdopen(descriptor, "w", closefd=False, encoding="utf-8"))


def is_behind(output: Output) -> bool:
    return output.is_behind


def test_textual_makes_what_is_ours() -> None:
    assert "WriterThread(self._file)" in inspect.getsource(LinuxDriver.start_application_mode)
    assert "XTermParser(self._debug)" in inspect.getsource(LinuxDriver.run_input_thread)
    assert vars(linux_driver)["WriterThread"] is Output
    assert vars(linux_driver)["XTermParser"] is Input


def test_nobody_waits_for_a_terminal_that_is_gone(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.close(reading)
    output = output_on(writing)
    output.start()
    for _ in range(100):
        output.write("a frame")
    output.stop()
    assert not output.is_alive()


def test_nobody_waits_for_a_terminal_that_stalls(pipe: tuple[int, int]) -> None:
    output = output_on(pipe[1], Hasty)
    output.start()
    for _ in range(100):
        output.write("a frame" * 10_000)
    output.stop()
    os.close(pipe[0])
    output.join()


def test_a_frame_is_written_at_once(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.set_blocking(reading, False)
    output = output_on(writing)
    output.write(SYNC_START)
    output.write("a frame")
    output.start()
    with pytest.raises(BlockingIOError):
        os.read(reading, 100)
    output.write(SYNC_END)
    assert select.select([reading], [], [], 10)[0]
    assert os.read(reading, 100).decode() == f"{SYNC_START}a frame{SYNC_END}"
    output.stop()


def test_what_was_begun_is_written_at_the_end(pipe: tuple[int, int]) -> None:
    output = output_on(pipe[1])
    output.start()
    output.write(SYNC_START)
    output.write("half a frame")
    output.stop()
    assert os.read(pipe[0], 100).decode() == f"{SYNC_START}half a frame"


def test_a_terminal_that_does_not_block_gets_every_byte(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.set_blocking(writing, False)
    output = output_on(writing)
    output.start()
    frames = [f"{number}:ä€😀".ljust(5_000, "x") for number in range(100)]
    for frame in frames:
        output.write(frame)
    stopping = Thread(target=output.stop)
    stopping.start()
    wanted = "".join(frames).encode()
    received = bytearray()
    while len(received) < len(wanted):
        received += os.read(reading, 65_536)
    stopping.join()
    assert received == wanted


def test_what_a_slow_terminal_did_not_get_is_drawn_once_it_has_caught_up(
    pipe: tuple[int, int],
) -> None:
    reading, writing = pipe
    output, caught_up = output_on(writing), Event()
    output.caught_up = caught_up.set
    output.start()
    left = 0
    while not is_behind(output):
        output.write("x" * 10_000)
        left += 10_000
    while left:
        left -= len(os.read(reading, 65_536))
    assert caught_up.wait(10)
    assert not is_behind(output)
    output.stop()


def keys(*chunks: str) -> list[str]:
    """The keys that are typed by these texts, which arrive one after another."""
    return [event.key for event in events_of(*chunks) if isinstance(event, events.Key)]


def events_of(*chunks: str) -> list[object]:
    parser = Input(clock=lambda: 0.0)
    return [event for chunk in (*chunks, "") for event in parser.feed(chunk)]


@pytest.mark.parametrize(
    "answer",
    [
        "\x1b]11;rgb:AAAA/xxxx/dddd\x1b\\",
        "\x1b]11;rgb:AAAA/xxxx/dddd\x07",
        "\x1b]52;c;" + "A" * 100_000 + "\x07",
        "\x1bP>|Axterm(390)\x1b\\",
        "\x1bP1$r0m\x1b\\",
        "\x1b_Gi=31;OK\x1b\\",
        "\x1b[?62;22c",
        "\x1b[>0;276;0c",
        "\x1b[0n",
        "\x1b[?1u",
        "\x1b[" + "1;" * 5_000 + "c",
        "\x1b[9999999999u",
        "\x1b[97:65;5:1u",
        "\x1b[?2026;2$y",
        "\x1b[48;0;0;0;0t\x1b[<35;5;5M",
        "\x1b[<35;99999999999999;99999999999999M",
    ],
)
def test_an_answer_types_no_keys_and_those_after_it_are_read(answer: str) -> None:
    assert keys(f"j{answer}k") == ["j", "k"]
    assert keys("j", answer, "k") == ["j", "k"]


def test_esc_waits_for_nothing_on_a_terminal_that_sends_it_as_a_sequence() -> None:
    # With the keyboard protocol of kitty, which Textual asks for.
    def never(_seconds: float) -> bool:
        raise AssertionError("it waited")

    parser = Input(has_more=never)
    read = [event.key for event in parser.feed("\x1b[27u") if isinstance(event, events.Key)]
    assert read == ["escape"]
    with pytest.raises(AssertionError, match="it waited"):
        list(parser.feed("\x1b"))


def test_an_answer_may_come_in_pieces() -> None:
    answer = "\x1b]11;rgb:AAAA/xxxx\x1b\\"
    for cut in range(1, len(answer)):
        assert keys(f"j{answer[:cut]}", f"{answer[cut:]}k") == ["j", "k"], cut


@pytest.mark.parametrize("ends", ["\r", "\x11", "\x1b[113;5u", "\x1b[27u"])
def test_an_answer_without_an_end_leaves_the_keys_that_leave(ends: str) -> None:
    assert keys("\x1b]52;c;AAAA", "AAA", ends) == keys(ends)


def test_an_answer_without_an_end_has_ended_after_a_silence() -> None:
    now = 0.0
    parser = Input(clock=lambda: now)
    assert list(parser.feed("\x1b]52;c;AAAA")) == []
    now = 5.0
    assert [event.key for event in parser.feed("q") if isinstance(event, events.Key)] == ["q"]


def test_alt_keys_are_keys() -> None:
    assert keys("\x1bx", "\x1bX") == ["alt+x", "alt+shift+x"]
    assert keys("\x1bb", "\x1b1", "\x1b/") == ["alt+b", "alt+1", "alt+slash"]
    assert keys("\x1b\r", "\x1b\t", "\x1b ") == ["alt+enter", "alt+tab", "alt+space"]
    assert keys("\x1b\x7f", "\x1b\x04") == ["alt+backspace", "alt+ctrl+d"]
    assert keys("\x1b\x1bx", "\x1bO") == ["escape", "alt+x", "alt+shift+o"]
    assert keys("\x1b[1;3A", "\x1b[c") == ["alt+up", "shift+right"]


def test_a_key_that_was_taken_for_the_begin_of_an_answer_is_typed_soon() -> None:
    now = 0.0
    parser = Input(clock=lambda: now)
    list(parser.feed("j\x1bP"))
    now = 1.0
    typed = [*parser.tick(), *parser.feed("")]
    assert [event.key for event in typed if isinstance(event, events.Key)] == ["alt+shift+p"]


@pytest.mark.parametrize("is_asked", [True, False])
def test_esc_at_the_end_of_a_burst_is_a_key_of_its_own(*, is_asked: bool) -> None:
    now = 0.0
    parser = Input(clock=lambda: now)
    typed = list(parser.feed("j\r\x1b"))
    now = 0.2
    typed += parser.tick() if is_asked else ()
    typed += [*parser.feed("q"), *parser.feed("")]
    pressed = [event.key for event in typed if isinstance(event, events.Key)]
    assert pressed == ["j", "enter", "escape", "q"]


def test_esc_is_pressed_as_soon_as_nothing_follows_it() -> None:
    parser = Input(clock=lambda: 0.0, has_more=lambda _: False)
    typed = [*parser.feed("\x1b"), *parser.feed("j")]
    assert [event.key for event in typed if isinstance(event, events.Key)] == ["escape", "j"]
    typed = [*parser.feed("\x1b"), *parser.feed("[<35;5;5Mk")]
    assert [event.key for event in typed if isinstance(event, events.Key)] == ["escape", "k"]
    typed = [*parser.feed("\x1b"), *parser.feed("\x1b[<0;5;5M")]
    assert isinstance(typed[-1], events.MouseDown), "that is no rest of Esc"


def test_esc_waits_for_what_follows_it() -> None:
    parser = Input(clock=lambda: 0.0, has_more=lambda _: True)
    typed = [*parser.feed("\x1b"), *parser.feed("[A"), *parser.feed("")]
    assert [event.key for event in typed if isinstance(event, events.Key)] == ["up"]


@pytest.mark.parametrize("cut", range(1, 10))
@pytest.mark.parametrize("is_asked", [True, False])
def test_a_report_that_a_slow_line_cuts_types_no_keys(*, is_asked: bool, cut: int) -> None:
    """What is a key by itself is pressed when nobody could know that more would come."""
    now = 0.0
    parser = Input(clock=lambda: now)
    typed = list(parser.feed("j" + "\x1b[<35;5;5M"[:cut]))
    now = 0.2
    typed += parser.tick() if is_asked else ()
    typed += [*parser.feed("\x1b[<35;5;5M"[cut:] + "k"), *parser.feed("")]
    pressed = [event.key for event in typed if isinstance(event, events.Key)]
    first = {1: ["escape"], 2: ["alt+left_square_bracket"]}.get(cut, []) if is_asked else []
    assert pressed == ["j", *first, "k"]


PIECES = st.sampled_from(
    ["\x1b", "[", "]", "P", "_G", "\\", "\x07", ";", ":", "48;", "?", "<", "M"]
)
FINALS = st.sampled_from(["u", "~", "t", "c", "n", "R", "$y", "\r", "9" * 12, "0", "x", "ä", "\0"])


@given(st.lists(st.lists(PIECES | FINALS | st.characters(), max_size=12).map("".join)))
def test_nothing_that_is_sent_ends_the_program(chunks: list[str]) -> None:
    parser = Input(clock=lambda: 0.0)
    for chunk in chunks:
        if chunk:
            list(parser.feed(chunk))
    list(parser.feed(""))
    assert parser.is_eof
