"""What comes to the front is written once: over a slow line every frame is seen to arrive."""

from pathlib import Path

from tests.terminal.program import has_tour, is_settled, program


def test_a_task_and_the_board_behind_it_are_written_once_each(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.until(lambda: is_settled(terminal, home), "the service")
        for _ in range(2):
            terminal.press("enter")
            terminal.sees("Subtasks", "Fields")
            terminal.until(lambda: b"no comments" in terminal.written, "the answer")
            begun = len(terminal.written)
            terminal.press("escape")
            terminal.sees("Moving")
            terminal.until(lambda: "Fields" not in terminal.text, "the board")
            assert bytes(terminal.written[begun:]).count(b"Moving") == 1
        begun = len(terminal.written)
        terminal.press("enter")
        terminal.sees("Subtasks", "Fields")
        assert bytes(terminal.written[begun:]).count(b"completed") == 1
