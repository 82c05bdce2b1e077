"""The operation on the members of a board: add, change the role, remove.

A role is set as a whole: the client takes the steps that the service needs. Somebody who is removed
may be unassigned from the board's cards by the service; what it did is read from one of the cards.
"""

from dataclasses import replace
from typing import Self

from tui.client.errors import NotAllowed, NotFound
from tui.model.board import Board, BoardView
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId
from tui.model.people import Role, RoleWord, role_in_words
from tui.model.task import Person, Task
from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadyApplied,
    Baseline,
    Conflicting,
    FieldDifference,
    Operation,
    Reply,
    ReplyPart,
    Subject,
    Verdict,
    operation,
)
from tui.store.operations.edit import is_edit
from tui.store.operations.setters import set_assignees
from tui.store.remote import Remote


@operation("set-role")
@record
class SetRole(Operation):
    """Give a person a role on a board, adding them, or removing them with an empty one.

    `base` is the role before, empty for somebody new; None if not known.
    """

    board_id: BoardId
    person: Person
    role: RoleWord
    base: RoleWord | None = None

    @classmethod
    def on(cls, board: Board, person: Person, role: Role | None) -> Self:
        """Give a person a role; None removes them."""
        word: RoleWord = "" if role is None else role.word
        return cls(board.id, person, word, board.role_word(person.id))

    @property
    def subject(self) -> Subject:
        return Subject("member", self.person.id)

    @property
    def keeps_base(self) -> bool:
        return self.base is not None

    @property
    def changes_nothing(self) -> bool:
        return self.base == self.role

    def apply(self, view: BoardView) -> BoardView:
        board = view.board.with_role(self.person, self.role)
        view = replace(view, board=board, people=board.people)
        for task in self._cards_of(view):
            view = view.with_task(self._unassigned(task))
        return view

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if self.role or not self._is_on(detail.task):
            return detail
        return detail.with_task(self._unassigned(detail.task))

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        return tuple(
            board.with_role(self.person, self.role) if board.id == self.board_id else board
            for board in boards
        )

    def _cards_of(self, view: BoardView) -> tuple[Task, ...]:
        return () if self.role else tuple(filter(self._is_on, view.all_tasks()))

    def _is_on(self, task: Task) -> bool:
        return task.board_id == self.board_id and task.is_assigned_to(self.person)

    def _unassigned(self, task: Task) -> Task:
        remaining = (person for person in task.assignees if person.id != self.person.id)
        return replace(task, assignees=tuple(remaining))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # Services differ in whether they unassign a person who is removed: one card tells for all.
        members = await remote.set_role(self.board_id, self.person.id, self.role)
        if not members and not self.role:
            return self.reply_about(None)
        reply = self.reply_about({"users": members})
        cards = self._cards_of(truth)
        if not cards:
            return reply
        card = await remote.task(self.board_id, cards[0].id)
        if any(person.get("ID") == self.person.id for person in card.get("assignees") or ()):
            return reply
        by_id = {int(member["ID"]): member for member in members}
        parts = list(reply.parts)
        for task in cards:
            assignees = [
                by_id.get(
                    person.id,
                    {"ID": person.id, "display_name": person.name, "user_login": person.login},
                )
                for person in self._unassigned(task).assignees
            ]
            parts.append(ReplyPart("task", task.id, {"id": task.id, "assignees": assignees}))
        return Reply(parts=tuple(parts))

    def reply_about(self, now: Document | None) -> Reply:
        # Without members the user may not read the board any more.
        document = None if now is None else {"users": now["users"]}
        return Reply(parts=(ReplyPart("board", self.board_id, document),))

    async def fetch(self, remote: Remote) -> Document | None:
        # None if the board is gone, or was left by the user.
        try:
            return {"users": await remote.members(self.board_id)}
        except NotFound:
            return None
        except NotAllowed:
            if self.role:
                raise
            return None

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        # Sending it again is harmless.
        return not self.role if now is None else self._role_in(now) == self.role

    def check(self, now: Document) -> Verdict:
        # A manager is made in steps: after a lost reply they may be a member so far.
        current = self._role_in(now)
        if current == self.role:
            return AlreadyApplied()
        is_on_the_way = current == Role.MEMBER.word and self.role == Role.MANAGER.word
        if self.base is None or current == self.base or is_on_the_way:
            return self
        roles = (role_in_words(role) for role in (self.role, current, self.base))
        return Conflicting((FieldDifference("role", *roles),))

    def rebased_on(self, now: Document) -> Self:
        return replace(self, base=self._role_in(now))

    def without_base(self) -> Self:
        return replace(self, base=None)

    def _role_in(self, now: Document) -> RoleWord:
        for user in now["users"]:
            if user.get("ID") == self.person.id:
                return (Role.of(user.get("role")) or Role.MEMBER).word
        return ""

    def merged_with(self, later: Operation) -> Operation | None:
        # A removal is sent by itself: it takes the person off cards too.
        if not isinstance(later, SetRole) or not self.role:
            return None
        return replace(later, person=self.person, base=self.base)

    def conflicts_with(self, other: Operation) -> bool:
        if isinstance(other, SetRole):
            return other.person.id == self.person.id
        return is_edit(other, "assignees") and other.conflicts_with(self)

    def depends_on(self, earlier: Operation) -> bool:
        return self.conflicts_with(earlier)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        # Who was removed is assigned again to the cards that they had.
        previous_role = view.board.role_word(self.person.id)
        if previous_role == self.role:
            return ()
        back = replace(self, role=previous_role, base=self.role)
        cards = self._cards_of(view)
        return (back, *(set_assignees(self._unassigned(task), task.assignees) for task in cards))

    def lost_when_undone(self) -> str:
        if self.role:
            return ""
        return (
            f"{self.person.in_words} is a member again, "
            "but archived cards and subtasks may have lost them."
        )

    def describe(self) -> str:
        name = self.person.in_words
        if not self.role:
            return f"Remove {name} from the board"
        role = role_in_words(self.role)
        return f"Make {name} a {role}" if self.base else f"Add {name} as {role}"
