"""Changing stages, where deployed services want another body or another path.

The specification's way comes first; another one only after an answer that says that nothing was
done. The way that worked is remembered and is the first the next time.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from tui.client.capabilities import StageBody
from tui.client.dialect.memory import Memory
from tui.client.errors import ApiError, NotOffered, Refused
from tui.client.records import StageRecord
from tui.client.resources.stages import Stages


class StageUpdates:
    """Changes a stage's title and settings (4.2)."""

    def __init__(self, stages: Stages, memory: Memory) -> None:
        self._stages = stages
        self._memory = memory

    async def update(
        self,
        board_id: int,
        stage_id: int,
        *,
        title: str,
        settings: Mapping[str, object] | None = None,
    ) -> StageRecord:
        """Give a stage a title and, unless None, settings, in the body the service understands.

        Raises `Refused` (the first refusal, where every body is refused), `NotThere`, `NotAllowed`.
        """
        stages = self._stages

        async def by_property() -> StageRecord:
            stage = await stages.set_property(board_id, stage_id, "title", title)
            if settings is None:
                return stage
            return await stages.set_property(board_id, stage_id, "settings", dict(settings))

        ways: dict[StageBody, Callable[[], Awaitable[StageRecord]]] = {
            StageBody.FLAT: lambda: stages.update(
                board_id, stage_id, title=title, settings=settings
            ),
            StageBody.NESTED: lambda: stages.update_nested(
                board_id, stage_id, title=title, settings=settings
            ),
            StageBody.PROPERTY: by_property,
        }
        known = self._memory.capabilities.stage_body
        order = sorted(ways, key=lambda way: way is not known)
        refusal: ApiError | None = None
        for body in order:
            try:
                stage = await ways[body]()
            except (Refused, NotOffered) as error:
                refusal = refusal or error
                if error.may_have_happened or not title.strip() or self._memory.is_trusted:
                    raise
                continue
            self._memory.learn(replace(self._memory.capabilities, stage_body=body))
            return stage
        raise refusal or Refused("The service refused this.")
