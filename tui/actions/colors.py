"""Asking for a colour."""

from collections.abc import Awaitable, Callable
from typing import Any

from textual.screen import Screen

from tui.model.colors import color_words


async def ask_color(
    ask: Callable[[Screen[Any]], Awaitable[str | None]], title: str, color: str
) -> str | None:
    """Ask for a colour: a named one, another one as hex, or empty for none; None if cancelled."""
    from tui.dialogs.ask import AskDialog
    from tui.dialogs.choose import OTHER, color_dialog, read_color

    answer = await ask(color_dialog(title, color))
    if answer != OTHER:
        return answer
    answer = await ask(
        AskDialog(
            title,
            color,
            placeholder="dark green · #4bce97",
            reading=lambda words: color_words(read_color(words)),
            replaces=True,
        )
    )
    return None if answer is None else read_color(answer)
