"""What members may not do at deployed services, though the specification lets them."""

from dataclasses import dataclass

from tests.quirky.asking import Answer, Asked, Onward, refused
from tests.quirky.quirks import Quirks

_BOARDS = "/projects"
_BOARD = "/projects/{board}"


@dataclass(frozen=True, slots=True)
class Permissions:
    """Forbids members to make boards, or to delete those that they made."""

    quirks: Quirks

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        is_made = bool(asked.method == "POST" and asked.path == _BOARDS)
        is_deleted = asked.ids("DELETE", _BOARD) is not None
        is_reserved = (self.quirks.boards_made_by_administrators and is_made) or (
            self.quirks.boards_deleted_by_administrators and is_deleted
        )
        if is_reserved:
            # The list of all users is for administrators.
            users = await onward(asked.instead("GET", "/service-users"))
            if not users.is_success:
                return refused(403, "forbidden", "Sorry, you are not allowed to do that.")
        return await onward(asked)
