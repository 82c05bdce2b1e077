"""Claims of tasks on services that have no request for it.

A claim writes a comment first, and reads the comments after a pause: of several that are claiming,
the oldest wins, since ids grow. The others delete theirs, and change nothing else. Once the winner
is assigned, its comment says so. One that stays `claiming`, as the claim was interrupted, counts
for some minutes only.
"""

import asyncio
import re
from contextlib import suppress
from datetime import datetime, timedelta

from tui.client.answers import every_page
from tui.client.capabilities import Feature
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.errors import ApiError, Conflict, ServerFault, after_success
from tui.client.resources.tasks import Claim
from tui.client.values import as_object
from tui.text.agent_marks import CLAIMED, CLAIMING, is_claiming, progress_comment, progress_in
from tui.text.clean import line

_ANNOUNCED = "claims"
_COUNTS_FOR = timedelta(minutes=10)
_READINGS = 2
_TAG = re.compile(r"<[^<>]*>")


class CheckedClaims(Client):
    """Claims a task by a request for that where there is one, else by a comment."""

    claim_pause = 1.0
    """Seconds in which a comment written before must appear in the list."""

    async def claim_task(self, board_id: int, task_id: int, claim: Claim) -> Document:
        has_request = await self.service.announces(_ANNOUNCED)
        self.service.learn_features({Feature.CLAIMS: has_request})
        if has_request:
            return await self._claim(board_id, task_id, claim)
        _check(await self.task(board_id, task_id), claim)
        text = progress_comment(claim.agent, CLAIMING)
        own = await self.create_comment(board_id, task_id, text)
        try:
            await asyncio.sleep(self.claim_pause)
            await self._check_older(board_id, task_id, own)
            _check(await self.task(board_id, task_id), claim)
        except ApiError:
            # The claim is lost, or that it was won cannot be known. Nothing but the comment was
            # written, so the error stands for all of it.
            with suppress(ApiError):
                await self.delete_comment(board_id, task_id, own["id"])
            raise
        with after_success():
            await self.assign(board_id, task_id, [*claim.seen_assignee_ids, claim.person_id])
            if claim.label_id is not None:
                await self.add_label(board_id, task_id, claim.label_id)
            if claim.stage_id != claim.seen_stage_id:
                await self._move_to_end(board_id, task_id, claim.stage_id)
            # Last, so that who sees no claim any more sees who has the task. It is claimed anyway.
            with suppress(ApiError):
                await self._end_claim(board_id, task_id, own, claim)
            return await self.task(board_id, task_id)

    async def _end_claim(self, board_id: int, task_id: int, own: Document, claim: Claim) -> None:
        if claim.agent:
            text = progress_comment(claim.agent, CLAIMED)
            await self.update_comment(board_id, task_id, own["id"], text)
        else:
            await self.delete_comment(board_id, task_id, own["id"])

    async def _move_to_end(self, board_id: int, task_id: int, stage_id: int) -> None:
        end = max(await self.available_positions(board_id, stage_id), default=1)
        try:
            await self.move_task(board_id, task_id, stage_id, end)
        except ServerFault:
            # Others move cards to the same end; which is the last one does not matter.
            if (await self.task(board_id, task_id)).get("stage_id") != stage_id:
                raise

    async def _check_older(self, board_id: int, task_id: int, own: Document) -> None:
        # While pages are read others delete their comments, and what follows moves to an earlier
        # page: several pages are read twice.
        for _ in range(_READINGS):
            older, pages = list[Document](), 0
            reading = every_page(lambda page: self.comments(board_id, task_id, page))
            async for comments in reading:
                pages += 1
                recent = [comment for comment in comments if _is_recent(comment, own)]
                older += [
                    comment
                    for comment in recent
                    if comment["id"] < own["id"] and is_claiming(_text(comment))
                ]
                if not recent:
                    break
            if older:
                raise _lost_to(min(older, key=lambda comment: int(comment["id"])))
            if pages <= 1:
                break


def _lost_to(first: Document) -> Conflict:
    mark = progress_in(_text(first))
    name = (mark and mark[0]) or str(first.get("author_name") or "Someone else")
    return Conflict(f"{line(name)} was faster: the claim was lost.")


def _text(comment: Document) -> str:
    raw = as_object(comment.get("settings")).get("raw_description")
    return str(raw or _TAG.sub("", str(comment.get("description") or "")))


def _is_recent(comment: Document, own: Document) -> bool:
    # Both times are those of the service. One that cannot be read counts, so that nothing is
    # claimed twice.
    try:
        times = [
            datetime.fromisoformat(str(document.get("created_at"))) for document in (comment, own)
        ]
        return times[1] - times[0] < _COUNTS_FOR
    except (ValueError, TypeError):
        return True


def _check(task: Document, claim: Claim) -> None:
    """Raise `Conflict` if a task is not as it was seen."""
    people = {int(user["ID"]): user for user in task.get("assignees") or ()}
    names = [
        str(user.get("display_name") or user.get("user_login") or f"person {number}")
        for number, user in people.items()
        if number not in claim.seen_assignee_ids
    ]
    if names:
        raise Conflict(f"{line(', '.join(names))} has claimed it.")
    labels = {int(label["id"]) for label in task.get("labels") or ()}
    is_moved = task.get("stage_id") != claim.seen_stage_id or set(people) != set(
        claim.seen_assignee_ids
    )
    if is_moved or labels != set(claim.seen_label_ids) or task.get("status") == "closed":
        raise Conflict("Someone else changed it meanwhile.")
