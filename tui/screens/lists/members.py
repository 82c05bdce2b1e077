"""The members of a board, with their roles and the number of their open cards."""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from tui.actions.action import action
from tui.actions.availability import MEMBER, roles_on_offer
from tui.actions.tasks.history import HistoryActions
from tui.actions.tasks.people import how_to_invite
from tui.client.capabilities import Feature
from tui.model.board import Board
from tui.model.people import Role, in_initials, initials_of
from tui.model.task import Person
from tui.model.urgency import is_overdue
from tui.navigation import BoardsRequested
from tui.screens.keys import Hints
from tui.screens.lists.table import TableScreen
from tui.store import operations as change
from tui.store.online import administration as online
from tui.text.clean import counted
from tui.text.fuzzy import fold
from tui.text.keyed import keyed
from tui.widgets.painted import Line
from tui.widgets.row_list import ListColumn, number

_CHOICES = {
    Role.MEMBER: ("m", "member: can edit"),
    Role.VIEWER: ("v", "viewer: can view"),
    Role.MANAGER: ("M", "manager: can also manage members"),
}
"""The letters and the meaning of the roles."""


class MemberRow(NamedTuple):
    """A member of a board; `cards` are the open ones assigned to them, `late` those overdue.

    Somebody who left the board, but is still assigned to cards, has no role.
    """

    person: Person
    role: Role | None
    is_me: bool = False
    is_administrator: bool = False
    cards: int = 0
    late: int = 0

    @property
    def role_in_words(self) -> str:
        return self.role.in_words if self.role else "left"


class MembersScreen(TableScreen[MemberRow]):
    """The members of a board: managers first, then by name."""

    heading, row_name, opens = "Members", "member", "member.role"
    actions_of = (HistoryActions,)
    columns = (
        ListColumn(" who", width=6, least=36),
        ListColumn("name", gap=1, limit=36),
        ListColumn("role", width=10, role="quiet"),
        ListColumn("open", width=8, align="right"),
        ListColumn("overdue", width=11, align="right", gap=2, least=36),
        ListColumn("login", width=14, role="quiet", least=70),
    )
    first_hints: ClassVar[Hints] = {
        "member.add": "",
        "member.role": "",
        "member.remove": "remove",
        "list.search": "",
        "board.undo": "",
        "list.back": "",
    }
    _administrators: frozenset[int] = frozenset()
    _assigned: Sequence[Person] = ()

    async def load_rows(self) -> None:
        service = await self.store.service()
        self._administrators = await online.administrators(service, self.board_id)
        self._assigned = await online.assignees(service, self.board_id)

    def rows(self) -> Sequence[MemberRow]:
        view = self.view
        if view is None:
            return ()
        tasks = [task for task in view.all_tasks() if task.is_open]
        late = [task for task in tasks if is_overdue(task, self.context.now())]
        cards, late_cards = (
            Counter(person.id for task in group for person in task.assignees)
            for group in (tasks, late)
        )
        ids = {person.id for person in view.board.people}
        # People who left the board may still be assigned to cards; the service lists them.
        former = [person for person in self._assigned if person.id not in ids]
        administrators = self._administrators | view.board.administrators
        members = [
            MemberRow(
                person,
                view.board.member_role(person.id),
                self.store.me.is_of(person),
                person.id in administrators,
                cards[person.id],
                late_cards[person.id],
            )
            for person in (*view.board.people, *former)
        ]
        return sorted(
            members, key=lambda row: (-(row.role or 0), fold(row.person.in_words), row.person.id)
        )

    def key(self, row: MemberRow) -> int:
        return row.person.id

    def words(self, row: MemberRow) -> str:
        return f"{row.person.in_words} {row.person.login} {row.role_in_words}"

    def counts(self) -> Line:
        left = sum(row.role is None for row in self.known)
        count = len(self.known) - left
        words: Line = ((f"{count} {'person' if count == 1 else 'people'}", "strong"),)
        return (*words, (f"{left} left", "quiet")) if left else words

    def cells(self, row: MemberRow) -> Sequence[str | Line]:
        initials = initials_of(() if self.view is None else self.view.people)
        you = " (you)" if row.is_me else ""
        also = " · administrator" if row.is_administrator else ""
        role = "strong" if row.role is Role.MANAGER else "quiet"
        return (
            ((f" {in_initials((row.person,), initials)[0]}", "accent" if row.is_me else "text"),),
            ((row.person.in_words, "text"), (f"{you}{also}", "quiet")),
            ((row.role_in_words, role),),
            number(row.cards),
            number(row.late, "bad"),
            row.person.login,
        )

    def edge_words(self) -> str:
        if self.context.is_embedded:
            return how_to_invite(self.context, is_among_members=True)
        return "" if self.role is Role.MANAGER else "Only managers can change members."

    def empty(self) -> tuple[str, str]:
        if self.view is None:
            return (
                "you are no longer on this board",
                "{list.back:esc}, then {go.boards:g b} to list the boards",
            )
        return "the members of this board are not loaded yet", "{list.refresh:R} to refresh"

    @action(
        "member.add", "n", "Add member", hint="add", words="invite", asks=True, manages_board=True
    )
    async def add_member(self) -> None:
        from tui.dialogs.pick.person import PickPerson

        board = self._need_board()
        if board is None:
            return
        people = {person.id: person for board in self.store.boards() for person in board.people}

        async def find(words: str) -> Sequence[Person]:
            service = await self.store.service()
            search = online.search_users(service, words) if words else online.everybody(service)
            return await search

        members = frozenset(person.id for person in board.people)
        title = f"Add to “{board.title}”"
        invite = how_to_invite(self.context, is_among_members=True)
        pause = self.context.typing_seconds
        dialog = PickPerson(
            title, people.values(), members, find, invite=invite, pause_seconds=pause
        )
        person = await self.ask(dialog)
        if person is None:
            return
        role = await self._ask_role(f"Role for {person.in_words}", Role.MEMBER)
        if role is not None:
            added = change.SetRole.on(board, person, role)
            await self.submit(f"added {person.in_words} as {role.in_words}", added)
            self.load(person.id)

    @action("member.role", "r", "Change role", hint="role", asks=True, manages_board=True,
            needs=Feature.ROLES)  # fmt: skip
    async def change_role(self) -> None:
        rows, board = self.need_rows(), self._need_board()
        if not rows or board is None:
            return
        names = ", ".join(row.person.in_words for row in rows)
        current = rows[0].role if len({row.role for row in rows}) == 1 else None
        role = await self._ask_role(f"Role of {names}", current)
        if role is None:
            return
        changes = [change.SetRole.on(board, row.person, role) for row in rows]
        changes = [role_change for role_change in changes if not role_change.changes_nothing]
        if changes:
            await self.submit(f"{names}: {role.in_words}", *changes)
        else:
            self.say(f"already {role.in_words}: {names}")

    @action("member.remove", "D", "Remove member, or leave board", asks=True, changes_more=True)
    async def remove_members(self) -> None:
        rows, board = self.need_rows(), self._need_board()
        if not rows or board is None:
            return
        rows = [row for row in rows if row.role]
        if not rows:
            self.say("already left the board", hint="{task.assign:a} on a card to unassign them")
            return
        leaving = any(row.is_me for row in rows)
        leaves = all(row.is_me for row in rows)
        if not leaves and self.role is not Role.MANAGER:
            self.say(MEMBER, hint="to leave, press {member.remove:D} on yourself")
            return
        names = ", ".join(row.person.in_words for row in rows)
        cards = sum(row.cards for row in rows)
        text = f"{counted(cards, 'open card')} will be unassigned." if cards else ""
        if leaving:
            text = "To come back, someone else has to add you again.\n" + text
        title = f"Leave “{board.title}”?" if leaves else f"Remove {names} from “{board.title}”?"
        if await self.confirm(title, text or keyed("Undo ({board.undo:u}) adds them again.")):
            removals = [change.SetRole.on(board, row.person, None) for row in rows]
            message = f"left “{board.title}”" if leaves else f"removed {names}"
            await self.submit(message, *removals)
            if leaving:
                self.post_message(BoardsRequested(message, self.sent_later))

    async def _ask_role(self, title: str, current: Role | None) -> Role | None:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice

        roles = roles_on_offer(self.store)
        choices = [QuestionChoice(*_CHOICES[role], role.word) for role in roles]
        word = await self.ask(ChooseDialog(title, choices, current.word if current else None))
        return next((role for role in roles if role.word == word), None)

    def _need_board(self) -> Board | None:
        if self.view is None:
            self.say("this board is not loaded yet", hint="{list.refresh:R} to refresh")
            return None
        return self.view.board


SCREEN = MembersScreen
