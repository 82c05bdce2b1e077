"""Changing stages and comments, where deployed services want another body or another path.

The rule it keeps: the specification first; another way only after an answer that says that nothing
was done; the way that worked is remembered and is the first the next time.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from tui.api.comments import Comments
from tui.api.dialect.capabilities import CommentPath, StageBody
from tui.api.dialect.memory import Memory
from tui.api.errors import ApiError, NotOffered, Refused
from tui.api.records import CommentRecord, StageRecord
from tui.api.stages import Stages


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


class CommentUpdates:
    """Changes the person's own comments (4.4)."""

    def __init__(self, comments: Comments, memory: Memory) -> None:
        self._comments = comments
        self._memory = memory

    async def update(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str = "",
        *,
        images: Sequence[int] | None = None,
        mentions: Sequence[int] = (),
    ) -> CommentRecord:
        """Change a comment, at the path that the service has; None leaves the images.

        Raises `NotAllowed` for somebody else's comment, `Refused`, `NotThere`.
        """
        comments = self._comments
        ways: dict[CommentPath, Callable[[], Awaitable[CommentRecord]]] = {
            CommentPath.LONG: lambda: comments.update(
                board_id, task_id, comment_id, text, images=images, mentions=mentions
            ),
            CommentPath.SHORT: lambda: comments.update_short(
                board_id, comment_id, text, images=images, mentions=mentions
            ),
        }
        first = self._memory.capabilities.comment_path or CommentPath.LONG
        path, other = first, next(way for way in CommentPath if way is not first)
        try:
            comment = await ways[path]()
        except NotOffered:
            path = other
            comment = await ways[path]()
        self._memory.learn(replace(self._memory.capabilities, comment_path=path))
        return comment
