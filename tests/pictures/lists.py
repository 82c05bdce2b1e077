"""A service that answers what lists ask it, for pictures."""

from collections.abc import Mapping
from datetime import timedelta
from typing import cast

from tests.fakes.boards import ANN, COLOUR, JON, MIRA, NOW
from tests.pictures.boards import on_the_wall
from tui.client.documents import Document, DocumentPage
from tui.store.remote import Remote

ADDRESS = "https://board.example/?service=1&route=task&hash="
PEOPLE = {one.id: one.name for one in (ANN, MIRA, JON)}


class ListService:
    """The webhooks, the activity and the archive of the board of the pictures."""

    async def folders(self) -> list[Document]:
        """None."""
        return []

    async def webhooks(self) -> tuple[list[Document], list[Document]]:
        """Three webhooks, and the fields that they accept."""
        named = (("Contact form", 1, 1), ("Monitoring", 1, 2), ("Shop orders", 8, 9))
        hooks = [
            {
                "id": number,
                "key": f"secret-{number}",
                "value": {
                    "name": name, "board": board, "stage": stage,
                    "url": f"{ADDRESS}secret-{number}",
                },
                "created_at": _days_ago(number * 3),
            }
            for number, (name, board, stage) in enumerate(named, start=1)
        ]  # fmt: skip
        field = {"type": "text", "rules": "required", "description": "What the task is called."}
        return hooks, [{"key": "title", "field": field}]

    async def post_to_webhook(self, url: str, fields: Mapping[str, str]) -> Document:
        """A reply in words."""
        del url, fields
        return {"message": "Task has been created"}

    async def board(self, board_id: int) -> Document:
        """A board that is not cached."""
        return {"id": board_id, "title": "", "stages": [{"id": 9, "title": "New", "position": 1.0}]}

    async def members(self, board_id: int) -> list[Document]:
        """Everybody; the first one administers the service."""
        del board_id
        return [{"ID": one, "is_super": one == ANN.id} for one in PEOPLE]

    async def assignees(self, board_id: int) -> list[Document]:
        """Nobody but members."""
        return await self.members(board_id)

    async def archived_stages(self, board_id: int) -> list[Document]:
        """Two archived stages."""
        return [
            {
                "id": number, "board_id": board_id, "title": title, "position": 0.0,
                "archived_at": str(NOW.replace(microsecond=0) - timedelta(days=number)),
            }
            for number, title in ((40, "Ideas"), (41, "Later"))
        ]  # fmt: skip

    async def used_labels(self, board_id: int) -> list[Document]:
        """One that only archived cards have."""
        del board_id
        return [{"id": COLOUR.id}]

    async def everybody(self) -> list[Document]:
        """The members, and Eve."""
        return [
            {"ID": one, "display_name": name} for one, name in (*PEOPLE.items(), (9, "Eve Hart"))
        ]

    async def search_users(self, text: str) -> list[Document]:
        """Everybody, whatever is searched for."""
        del text
        return await self.everybody()

    async def users(self) -> list[Document]:
        """Everybody with their roles."""
        roles = {ANN: (1, 8, 6), MIRA: (1, 9, 6, 5), JON: (8, 6)}
        return [
            {
                "ID": one.id, "display_name": one.name, "is_super": one == ANN,
                "boards": [
                    {"id": board, "role": "admin" if one == ANN else "member"} for board in on
                ],
            }
            for one, on in roles.items()
        ]  # fmt: skip

    async def activity_page(self, board_id: int, page: int) -> DocumentPage:
        """What happened lately."""
        del board_id, page
        told = (
            (2, 0, "moved", "stage", "Backlog", "Doing", 403),
            (3, 0, "added", "comment", "", "The design is in the wiki.", 415),
            (1, 0, "changed", "status", "open", "closed", 412),
            (1, 1, "created", "label", "", "security", 0),
            (2, 1, "added", "assignee", "", JON.name, 403),
            (3, 4, "created", "task", "", "Empty state for search", 415),
        )
        documents = [
            {
                "id": len(told) - number,
                "action": action, "column": column, "old_value": old, "new_value": new,
                "user": {"ID": person, "display_name": PEOPLE[person]},
                "created_at": _days_ago(days),
                "settings": {"task_id": task_id} if task_id else None,
            }
            for number, (person, days, action, column, old, new, task_id) in enumerate(told)
        ]  # fmt: skip
        return DocumentPage(documents, is_last=True)

    async def archived_tasks(self, board_id: int) -> list[Document]:
        """Four archived cards, one of an archived stage."""
        told = (
            (205, "Move the newsletter to the new sender", 2, 1, "closed"),
            (188, "Colours for people who see few", 1, 3, "open"),
            (171, "One page for all of the legal texts, in every language we offer", 1, 9, "open"),
            (160, "Try the new editor", 99, 40, "open"),
        )
        return [
            {
                "id": task_id,
                "board_id": board_id,
                "stage_id": stage_id,
                "title": title,
                "status": status,
                "archived_at": str(NOW.replace(microsecond=0) - timedelta(days=days)),
            }
            for task_id, title, stage_id, days, status in told
        ]


def list_service() -> Remote:
    """The service behind the lists of the pictures."""
    return cast("Remote", ListService())


def _days_ago(days: int) -> str:
    return (on_the_wall(0) - timedelta(days=days)).isoformat()
