"""Deletions, and moves between boards, that do not what they say."""

from dataclasses import dataclass

from tests.quirky.asking import Answer, Asked, Onward, breakdown
from tests.quirky.quirks import Quirks

_TASK = "/projects/{board}/tasks/{task}"


@dataclass(frozen=True, slots=True)
class Deleting:
    """Deletes, or says so."""

    quirks: Quirks

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        moved = asked.ids("PUT", _TASK + "/move-task")
        if moved and self.quirks.cross_board_move_loses:
            target = asked.body.get("newBoardId") or moved["board"]
            if target != moved["board"]:
                await onward(asked.instead("DELETE", asked.path.removesuffix("/move-task")))
                return breakdown('Class "service\\App\\Models\\TaskAttachment" not found')
        if asked.method != "DELETE":
            return await onward(asked)
        if asked.ids("DELETE", _TASK) and self.quirks.task_delete_fails:
            return breakdown('Class "service\\App\\Models\\TaskAttachment" not found')
        answer = await onward(asked)
        is_comment = asked.ids("DELETE", "/projects/{board}/tasks/comments/{comment}")
        if is_comment and answer.status == 403 and self.quirks.foreign_comment_delete_lies:
            return Answer(200, {"message": "Comment has been deleted"})
        if answer.status == 404 and self.quirks.gone_is_fine:
            return await self._gone(asked, answer, onward)
        return answer

    async def _gone(self, asked: Asked, answer: Answer, onward: Onward) -> Answer:
        """What deleting something answers that is not there."""
        if asked.ids("DELETE", "/webhooks/{webhook}"):
            listed = await onward(asked.instead("GET", "/webhooks"))
            told = {"webhooks": listed.body.get("webhooks", []), "message": "Deleted"}
            return Answer(200, told)
        if asked.ids("DELETE", _TASK + "/labels/{label}"):
            return Answer(200, {"message": "Label has been removed"})
        return answer
