"""What comes to the front is written once: over a slow line every frame is seen to arrive."""

from pathlib import Path

from tests.terminal.program import has_tour, is_settled, program


def test_a_task_and_the_board_behind_it_are_written_once_each(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.until(lambda: is_settled(terminal, home), "the service")
        for opened in range(1, 4):
            begun = len(terminal.written)
            terminal.press("enter")
            terminal.sees("completed", "no comments")
            terminal.press("escape")
            terminal.sees("Moving")
            terminal.until(lambda: "completed" not in terminal.text, "the board")
            frames = bytes(terminal.written[begun:])
            if opened > 1:  # the first time, what the service answers may come in between
                assert (frames.count(b"completed"), frames.count(b"Moving")) == (1, 1)


def test_a_board_is_written_once_when_a_dialog_in_front_of_it_goes(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.until(lambda: is_settled(terminal, home), "the service")
        terminal.press("p")
        terminal.sees("Medium")
        begun = len(terminal.written)
        terminal.press("escape")
        terminal.until(lambda: "Medium" not in terminal.text, "the board alone")
        terminal.press("?")
        terminal.sees("Keys that work here")
        dialog_and_board = bytes(terminal.written[begun:])
        assert dialog_and_board.count(b"Moving") == 2, "the board, and the board behind the dialog"
