"""Long texts are turned in a thread, so that keys go on working."""

import threading

from tui.runtime.slices import turned


async def test_a_short_text_is_turned_at_once_and_a_long_one_in_a_thread() -> None:
    threads: list[int] = []

    def upper(first: str, second: str) -> str:
        threads.append(threading.get_ident())
        return (first + second).upper()

    assert await turned(upper, "a", "b") == "AB"
    assert await turned(upper, "a" * 30_000, "b" * 30_000) == "A" * 30_000 + "B" * 30_000
    assert threads[0] == threading.get_ident()
    assert threads[1] != threading.get_ident()
