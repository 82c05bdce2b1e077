"""The links of a task's description, opened by their numbers.

The rule it keeps: a single link opens at once; of several the number is asked for, with the address
that would open beside it.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from tui.errors import CallboardError
from tui.screens.actions.task_actions import TaskActions

LETTERED = 9
"""So many links are listed, each with its number as the key; of more the number is typed."""


class LinkActions(TaskActions):
    """A screen with a text that has links."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "o", "links", "open link", id="task.links", show=False,
            tooltip="Open a link of the description",
        ),
    ]  # fmt: skip

    @property
    def links(self) -> Sequence[str]:
        """The links, of which the first has the number 1; for subclasses."""
        raise NotImplementedError

    @work(exclusive=True, group="dialog")
    async def action_links(self) -> None:
        """Open the link, or ask which."""
        from tui.screens.links import open_link

        links = tuple(self.links)
        if not links:
            self.say("there is no link in the description", hint="T shows the comments")
            return
        chosen = links[0] if len(links) == 1 else await self._which(links)
        if chosen is not None:
            open_link(self, chosen)

    async def _which(self, links: tuple[str, ...]) -> str | None:
        """Ask for one of several links."""
        if len(links) <= LETTERED:
            from tui.screens.dialogs.choose import Choice, ChooseDialog

            choices = [Choice(str(n), link, str(n)) for n, link in enumerate(links, 1)]
            number = await self.app.push_screen_wait(ChooseDialog("Open which link?", choices))
        else:
            from tui.screens.dialogs.ask import AskDialog

            title = f"Open which link? 1 to {len(links)}"
            number = await self.app.push_screen_wait(
                AskDialog(title, "1", reading=lambda words: numbered(links, words), replaces=True)
            )
        return None if number is None else numbered(links, number)


def numbered(links: Sequence[str], words: str) -> str:
    """The link with the number that was typed. Raises `CallboardError` if there is none."""
    number = int(words) if words.strip().isdecimal() and len(words) < LETTERED else 0
    if not 1 <= number <= len(links):
        raise CallboardError(f"There are links 1 to {len(links)}.")
    return links[number - 1]
