"""The people of the whole service, with their roles on every board."""

from collections.abc import Mapping, Sequence

from tui.actions.action import action
from tui.actions.availability import roles_on_offer
from tui.client.capabilities import Feature
from tui.model.board import Board
from tui.model.people import Role, RoleWord, User
from tui.screens.lists.table import TableScreen
from tui.store.online import administration as online
from tui.text.cells import cut
from tui.text.clean import counted, quoted
from tui.text.keyed import keyed
from tui.widgets.painted import Line
from tui.widgets.row_list import TABLE_WIDTH, ListColumn

_NAME_WIDTH, _CELL_WIDTH = 24, 11
_WIDE = _NAME_WIDTH + 2 * _CELL_WIDTH
"""From this width on, there is a column for each board."""
_LABEL_WIDTH = 28
_ADMINISTRATOR = "administrators can manage every board: their roles cannot be set"


class PeopleScreen(TableScreen[User]):
    """All users, or those of the user's boards, below the titles of the boards."""

    heading, row_name, opens = "People", "person", "person.roles"
    nothing = ("no people", "{list.refresh:R} to refresh")
    is_of_board = False
    _users: Sequence[User] = ()
    _first = 0
    """The index of the board in the first column."""

    @property
    def columns(self) -> Sequence[ListColumn]:  # type: ignore[override]  # one for each board in sight
        boards = self._boards()
        if not boards:
            return (ListColumn("person", gap=1), ListColumn("boards", width=11, role="quiet"))
        hidden = len(self.active_boards) - len(boards)
        side = f" {keyed('{person.left:h} {person.right:l}')}: {hidden} more" if hidden else ""
        names = (ListColumn(board.title or "(no title)", _CELL_WIDTH, gap=1) for board in boards)
        return (ListColumn(side, _NAME_WIDTH, gap=1), *names)

    async def load_rows(self) -> None:
        self._users = await online.users(await self.store.service(), self.active_boards)

    def rows(self) -> Sequence[User]:
        return self._users

    def key(self, row: User) -> int:
        return row.person.id

    def words(self, row: User) -> str:
        return f"{row.person.in_words} {row.person.login}"

    def cells(self, row: User) -> Sequence[str | Line]:
        you = " (you)" if self.store.me.is_of(row.person) else ""
        name = (f" {row.person.in_words}{you}", "quiet" if row.is_administrator else "text")
        boards = self._boards()
        if not boards:
            return (name,), counted(len(row.roles), "board")
        cells: list[Line] = [(name,)]
        for board in boards:
            role = row.roles.get(board.id)
            is_strong = role in (Role.MEMBER, Role.MANAGER) and not row.is_administrator
            words = role.in_words if role else "·"
            cells.append(((words, "text" if is_strong else "quiet"),))
        return cells

    @action("person.roles", "e", "Edit roles on all boards", hint="roles", asks=True,
            changes_more=True, needs=Feature.ROLES)  # fmt: skip
    async def edit_roles(self) -> None:
        from tui.dialogs.form import Choice, FormDialog, FormField

        row = self.need_row()
        if row is None:
            return
        boards, managed = self.active_boards, self._managed()
        if row.is_administrator or not managed:
            none = "you manage none of these boards, so you cannot set roles"
            self.say(_ADMINISTRATOR if row.is_administrator else none)
            return
        offered = roles_on_offer(self.store)

        def choices(board: Board) -> list[Choice[str]]:
            roles = (role for role in Role if role in offered or role is row.roles.get(board.id))
            return [
                Choice("", "not a member"),
                *(Choice(role.word, role.in_words) for role in roles),
            ]

        def changed(answers: Mapping[str, str]) -> dict[int, RoleWord]:
            wanted = {board.id: Role.of(answers.get(str(board.id))) for board in boards}
            return {
                board_id: _word(role)
                for board_id, role in wanted.items()
                if role is not row.roles.get(board_id)
            }

        async def send(answers: Mapping[str, str]) -> None:
            if roles := changed(answers):
                service = await self.store.service()
                await service.sync_roles(row.person.id, roles)

        fields = [
            FormField(
                str(board.id),
                cut(board.title or "(no title)", _LABEL_WIDTH),
                _word(row.roles.get(board.id)),
                choices(board),
                why_not="" if board in managed else "you do not manage it",
            )
            for board in boards
        ]
        name = row.person.in_words
        answers = await self.ask(FormDialog(f"Roles of {name}", fields, send=send))
        if answers is None:
            return
        count = len(changed(answers))
        self.say(f"set {counted(count, 'role')} of {name}" if count else "nothing was changed")
        await self._fetch_again()

    @action("person.remove", "D", "Remove person from a board", asks=True, changes_more=True)
    async def remove_person(self) -> None:
        from tui.dialogs.pick.places import PickParent, PlaceChoice

        row = self.need_row()
        if row is None:
            return
        name = row.person.in_words
        boards = {board.id: board for board in self._managed() if board.id in row.roles}
        if not boards:
            self.say(f"{name} is not on any board you manage")
            return
        places = [
            PlaceChoice(board.id, board.title, row.roles[board.id].in_words)
            for board in boards.values()
        ]
        place = await self.ask(PickParent(f"Remove {name} from which board?", places))
        if place is None:
            return
        board = quoted(boards[place.key].title)
        if await self.confirm(
            f"Remove {name} from {board}?", f"{name} will be unassigned from the cards there."
        ):
            try:
                await online.remove_user(await self.store.service(), place.key, row.person.id)
                self.say(f"removed {name} from {board}")
            finally:
                await self._fetch_again()

    @action("person.left", "h,left", "Boards further left", arguments=(-1,))
    @action("person.right", "l,right", "Boards further right", arguments=(1,))
    def shift(self, by: int) -> None:
        previous = self._first
        self._first += by
        # `_boards` also clamps `_first` to the boards there are.
        if not self._boards():
            self.say(
                "a wider terminal shows a column for each board",
                hint="{person.roles:e} to show the roles",
            )
        elif self._first == previous:
            self.say(f"no more boards on the {'left' if by < 0 else 'right'}")
        self.row_list.redraw()

    def _managed(self) -> list[Board]:
        me = self.store.me
        return [board for board in self.active_boards if board.role_of(me) is Role.MANAGER]

    def _boards(self) -> Sequence[Board]:
        width = min(self.row_list.size.width - 1, TABLE_WIDTH)
        if width < _WIDE:
            return ()
        boards, room = self.active_boards, (width - _NAME_WIDTH) // _CELL_WIDTH
        self._first = max(0, min(self._first, len(boards) - room))
        return boards[self._first : self._first + room]

    async def _fetch_again(self) -> None:
        self.load()
        await self.store.refresh()


def _word(role: Role | None) -> RoleWord:
    return "" if role is None else role.word


SCREEN = PeopleScreen
