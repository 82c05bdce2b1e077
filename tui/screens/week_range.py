"""How far back figures look."""

from collections.abc import Callable, Sequence

from tui.actions.host import Host


class WeekRange:
    """One of several numbers of weeks; `changed` is called with another one."""

    def __init__(
        self, host: Host, choices: Sequence[int], weeks: int, changed: Callable[[], None]
    ) -> None:
        self._host = host
        self._choices = choices
        self._changed = changed
        self.weeks = weeks

    def step(self, by: int) -> None:
        """Take the next greater or smaller number, or say that there is none."""
        index = self._choices.index(self.weeks) + by
        if 0 <= index < len(self._choices):
            self.weeks = self._choices[index]
            self._changed()
        else:
            limit = "most" if by > 0 else "least"
            self._host.say(f"{self.weeks} weeks is the {limit}")
