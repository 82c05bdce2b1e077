"""What is written to a terminal that is gone."""

import errno
import io

from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from tui.runtime.driver import LastingOutput


class Gone(io.StringIO):
    """A terminal whose other side is closed after the first text."""

    def write(self, text: str) -> int:
        if self.getvalue():
            raise OSError(errno.EIO, "Input/output error")
        return super().write(text)

    def flush(self) -> None:
        if self.getvalue():
            raise OSError(errno.EIO, "Input/output error")


def test_nobody_waits_for_a_terminal_that_is_gone() -> None:
    output = Gone()
    thread = WriterThread(LastingOutput(output))  # type: ignore[arg-type]  # what Textual uses of a file
    thread.start()
    for _ in range(2 * MAX_QUEUED_WRITES):
        thread.write("a frame")
    thread.stop()
    assert output.getvalue() == "a frame"
