"""Things by the ids they have now.

The rule it keeps: a screen that was opened on something made here may go on speaking of it by its
local id.
"""

from tui.store.wiring import Parts


class PresentIds:
    """A part of the store that is asked about things by whichever id they had."""

    _parts: Parts

    def _current(self, some_id: int) -> int:
        """The id that the service gave, where a local one is still spoken of."""
        return self._parts.queue.renames.get(some_id, some_id)
