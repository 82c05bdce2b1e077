"""The members of a board, with their roles and the number of their open cards."""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType

from tui.actions.availability import MEMBER, roles_on_offer
from tui.actions.old import Action, bindings
from tui.actions.tasks.history import HISTORY_ACTIONS
from tui.client.capabilities import Feature
from tui.context import Context
from tui.model.board import Board, BoardView
from tui.model.people import Role
from tui.model.task import Person, Status
from tui.navigation import BoardsRequested
from tui.screens.lists.content import TABLE_WIDTH, ListContext
from tui.screens.lists.screen import ListScreen
from tui.store import operations as change
from tui.store.online import administration as online
from tui.store.protocol import Store
from tui.text.cells import fit, width as width_of
from tui.text.clean import counted
from tui.text.fuzzy import fold
from tui.text.keyed import keyed
from tui.widgets.painted import Line

_ROLE_WIDTH, _LOGIN_WIDTH, _COUNT_WIDTH = 9, 16, 9
_WIDE = 60
"""From this width on, logins are shown."""
_LETTERS = {Role.MEMBER: "m", Role.VIEWER: "v", Role.MANAGER: "M"}
_MEANING = {
    Role.MEMBER: "member: changes the board",
    Role.VIEWER: "viewer: only reads",
    Role.MANAGER: "manager: also its members",
}


class Member(NamedTuple):
    """A member of a board; `cards` are the open ones assigned to them.

    Somebody who left the board, but is still assigned to cards, has no role.
    """

    person: Person
    role: Role | None
    is_me: bool = False
    is_administrator: bool = False
    cards: int = 0


class Members:
    """The members of a board: managers first, then by name."""

    title, row, opens = "Members", "member", "member.role"
    move = None

    def __init__(self, store: Store, board_id: int) -> None:
        self._store = store
        self.board_id = board_id
        self._administrators: frozenset[int] = frozenset()
        self._assigned: Sequence[Person] = ()

    @property
    def view(self) -> BoardView | None:
        return self._store.board(self.board_id)

    async def load(self) -> None:
        """Learn who administers the service, and who left; the rest comes with the board."""
        remote = await self._store.service()
        self._administrators = await online.administrators(remote, self.board_id)
        self._assigned = await online.assignees(remote, self.board_id)

    def rows(self) -> Sequence[Member]:
        view = self.view
        if view is None:
            return ()
        tasks = (task for task in view.all_tasks() if task.status is Status.OPEN)
        cards = Counter(person.id for task in tasks for person in task.assignees)
        known = {person.id for person in view.board.people}
        former = [person for person in self._assigned if person.id not in known]
        administrators = self._administrators | view.board.administrators
        members = [
            Member(
                person,
                view.board.member_role(person.id),
                self._store.me.is_of(person),
                person.id in administrators,
                cards[person.id],
            )
            for person in (*view.board.people, *former)
        ]
        return sorted(
            members, key=lambda one: (-(one.role or 0), fold(one.person.in_words), one.person.id)
        )

    def key(self, row: Member) -> int:
        return row.person.id

    def words(self, row: Member) -> str:
        return f"{row.person.in_words} {row.person.login} {_role(row)}"

    def line(self, row: Member, width: int) -> Line:
        width = min(width, TABLE_WIDTH)
        is_wide = width >= _WIDE
        room = max(1, width - 1 - _ROLE_WIDTH - _COUNT_WIDTH - (_LOGIN_WIDTH if is_wide else 0))
        you = " (you)" if row.is_me else ""
        also = " · administrator" if row.is_administrator and is_wide else ""
        name_room = room - len(you) - len(also)
        name = fit(row.person.in_words, max(1, name_room)).rstrip()
        return (
            (" ", "title"),
            (name, "title"),
            (fit(f"{you}{also}", max(0, room - width_of(name))), "meta"),
            (fit(row.person.login, _LOGIN_WIDTH) if is_wide else "", "meta"),
            (fit(_role(row), _ROLE_WIDTH), "title" if (row.role or 0) > Role.VIEWER else "count"),
            (fit(counted(row.cards, "card") if row.cards else "no cards", _COUNT_WIDTH), "count"),
        )

    def empty(self) -> tuple[str, str]:
        if self._store.board(self.board_id) is None:
            return (
                "you are not on this board any more",
                "{list.back:esc}, then {go.boards:g b} lists the boards",
            )
        return "the members of this board are not known yet", "{list.refresh:R} refreshes"


class AddMember(Action[ListContext[Member]]):
    """Asks for a person and a role, and adds them to the board."""

    id, keys, label, hint = "member.add", "n", "Add member", "add"
    asks = manages_board = True

    async def run(self, on: ListContext[Member]) -> None:
        from tui.dialogs.pick.find import PickPerson

        board = _board(on)
        if board is None:
            return
        known = {one.id: one for other in on.store.boards() for one in other.people}

        async def find(words: str) -> Sequence[Person]:
            remote = await on.store.service()
            return await (online.search_users(remote, words) if words else online.everybody(remote))

        members = frozenset(one.id for one in board.people)
        person = await on.ask(PickPerson(f"Add to “{board.title}”", known.values(), members, find))
        if person is None:
            return
        roles = roles_on_offer(on.store)
        role = await ask_role(on, f"{person.in_words} becomes …", roles, Role.MEMBER)
        if role is not None:
            added = change.SetRole.on(board, person, role)
            await on.submit(f"added {person.in_words} as {role.in_words}", added)
            on.reload(person.id)


class ChangeRole(Action[ListContext[Member]]):
    """Asks for a role, and gives it to the members."""

    id, keys, label, hint = "member.role", "r", "Change role", "role"
    asks = manages_board = True
    needs = Feature.ROLES

    async def run(self, on: ListContext[Member]) -> None:
        rows, board = on.need_rows(), _board(on)
        if not rows or board is None:
            return
        roles = roles_on_offer(on.store)
        names = ", ".join(row.person.in_words for row in rows)
        current = rows[0].role if len({row.role for row in rows}) == 1 else None
        role = await ask_role(on, f"Role of {names}", roles, current)
        changes = [change.SetRole.on(board, row.person, role) for row in rows]
        changes = [one for one in changes if not one.changes_nothing]
        if role is None:
            return
        if changes:
            await on.submit(f"{names}: {role.in_words}", *changes)
        else:
            on.say(f"already {role.in_words}: {names}")


class RemoveMembers(Action[ListContext[Member]]):
    """Asks for confirmation, then removes the members, or lets the user leave."""

    id, keys, label = "member.remove", "D", "Remove member, or leave board"
    changes_more = True
    asks = True

    async def run(self, on: ListContext[Member]) -> None:
        rows, board = on.need_rows(), _board(on)
        if not rows or board is None:
            return
        rows = [row for row in rows if row.role]
        if not rows:
            on.say("already left the board", hint="{task.assign:a} on a card takes them off it")
            return
        leaving = any(row.is_me for row in rows)
        leaves = all(row.is_me for row in rows)
        if not leaves and on.host.role is not Role.MANAGER:
            on.say(MEMBER, hint="everybody may leave: {member.remove:D} on oneself")
            return
        names = ", ".join(row.person.in_words for row in rows)
        cards = sum(row.cards for row in rows)
        text = f"{counted(cards, 'open card')} assigned here will be without them." if cards else ""
        if leaving:
            text = "You leave this board: somebody else has to add you again.\n" + text
        title = f"Leave “{board.title}”?" if leaves else f"Remove {names} from “{board.title}”?"
        if await on.confirm(title, text or keyed("{board.undo:u} adds them again.")):
            removals = [change.SetRole.on(board, row.person, None) for row in rows]
            said = f"left “{board.title}”" if leaves else f"removed {names}"
            if await on.submit(said, *removals) and leaving:
                on.host.post_message(BoardsRequested(said, on.sent_later))


async def ask_role(
    on: ListContext[Member], title: str, roles: Sequence[Role], current: Role | None
) -> Role | None:
    """Ask for one of the roles; None if cancelled."""
    from tui.dialogs.choose import Choice, ChooseDialog

    choices = [Choice(_LETTERS[role], _MEANING[role], role.word) for role in roles]
    word = await on.ask(ChooseDialog(title, choices, current.word if current else None))
    return next((role for role in roles if role.word == word), None)


def _board(on: ListContext[Member]) -> Board | None:
    """The board with its members; say so if it is not known."""
    view = on.store.board(on.board_id)
    if view is None:
        on.say("this board is not known yet", hint="{list.refresh:R} refreshes")
        return None
    return view.board


def _role(row: Member) -> str:
    return row.role.in_words if row.role else "left"


ACTIONS: tuple[Action[ListContext[Member]], ...] = (
    AddMember(),
    ChangeRole(),
    RemoveMembers(),
    *HISTORY_ACTIONS,
)


class MembersScreen(ListScreen):
    """The members of a board."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id, Members(context.store, board_id), ACTIONS)


SCREEN = MembersScreen
