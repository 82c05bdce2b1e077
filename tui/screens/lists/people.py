"""The people of the whole service, with their roles on every board."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.strip import Strip

from tui.actions.availability import roles_on_offer
from tui.actions.host import ErrorsSaid
from tui.actions.old import Action, Do, bindings
from tui.client.capabilities import Feature
from tui.context import Context
from tui.model.board import Board
from tui.model.people import Role, RoleWord, User
from tui.screens.lists.content import ListContext
from tui.screens.lists.screen import ListScreen
from tui.store.events import StoreEvent
from tui.store.online import administration as online
from tui.store.protocol import Store
from tui.text.cells import cut, fit
from tui.text.clean import counted, quoted
from tui.text.keyed import keyed
from tui.widgets.painted import Line, Painted, fitted

_NAME_WIDTH, _CELL_WIDTH = 24, 11
_WIDE = _NAME_WIDTH + 2 * _CELL_WIDTH
"""From this width on, there is a column for each board."""
_LABEL_WIDTH = 28
_ADMINISTRATOR = "administrators of the service may manage every board: their roles cannot be set"


class People:
    """All users, or those of the user's boards; the first column is that of board `first`."""

    title, row, opens = "People", "person", "person.roles"
    move = None

    def __init__(self, store: Store) -> None:
        self._store = store
        self._users: Sequence[User] = ()
        self.first = 0

    @property
    def boards(self) -> Sequence[Board]:
        return [board for board in self._store.boards() if board.archived_at is None]

    def managed(self) -> Sequence[Board]:
        """The boards on which the user may set roles."""
        me = self._store.me
        return [board for board in self.boards if board.role_of(me) is Role.MANAGER]

    async def load(self) -> None:
        self._users = await online.users(await self._store.service(), self.boards)

    def rows(self) -> Sequence[User]:
        return self._users

    def key(self, row: User) -> int:
        return row.person.id

    def words(self, row: User) -> str:
        return f"{row.person.in_words} {row.person.login}"

    def line(self, row: User, width: int) -> Line:
        role = "meta" if row.is_administrator else "title"
        name = f" {row.person.in_words}"
        if self._store.me.is_of(row.person):
            name += " (you)"
        if width < _WIDE:
            boards = f"{counted(len(row.roles), 'board')} "
            return ((fit(name, max(1, width - len(boards))), role), (boards, "count"))
        cells = [row.roles.get(board.id) for board in self.columns(width)]
        return (
            (fit(name, _NAME_WIDTH), role),
            *((fit(one.in_words if one else "·", _CELL_WIDTH), _look(row, one)) for one in cells),
        )

    def columns(self, width: int) -> Sequence[Board]:
        boards = self.boards
        room = max(1, (width - _NAME_WIDTH) // _CELL_WIDTH)
        self.first = max(0, min(self.first, len(boards) - room))
        return boards[self.first : self.first + room]

    def heading(self, width: int) -> Line:
        """The titles of the boards above their columns; nothing if there are none."""
        if width < _WIDE:
            return ()
        shown = self.columns(width)
        titles = [fit(cut(board.title, _CELL_WIDTH - 1), _CELL_WIDTH) for board in shown]
        hidden = len(self.boards) - len(shown)
        side = f"{keyed('{person.left:h} {person.right:l}')}: {hidden} more" if hidden else ""
        return ((fit(f" {side}", _NAME_WIDTH + 1), "quiet"), ("".join(titles), "quiet"))

    def empty(self) -> tuple[str, str]:
        return "nobody is known", "{list.refresh:R} refreshes"


def _look(row: User, role: Role | None) -> str:
    """The style of a role."""
    if row.is_administrator or role is None:
        return "meta"
    return "count" if role is Role.VIEWER else "title"


class PeopleContext(ListContext[User]):
    """The people that the actions run on."""

    content: People


class EditRoles(Action[PeopleContext]):
    """Asks for the person's role on every board, and sets those that changed at once."""

    id, keys, label, hint = "person.roles", "e", "Edit roles on all boards", "roles"
    changes_more = True
    asks = True
    needs = Feature.ROLES

    async def run(self, on: PeopleContext) -> None:
        from tui.dialogs.form import Choice, Field, FormDialog

        row = _settable(on)
        if row is None:
            return
        managed = {board.id for board in on.content.managed()}
        offered = roles_on_offer(on.store)

        def choices(board: Board) -> list[Choice]:
            roles = (one for one in Role if one in offered or one is row.roles.get(board.id))
            return [Choice("", "not a member"), *(Choice(one.word, one.in_words) for one in roles)]

        fields = [
            Field(
                str(board.id),
                cut(board.title or "(no title)", _LABEL_WIDTH),
                _word(row, board),
                choices(board),
                why_not="" if board.id in managed else "you do not manage it",
            )
            for board in on.content.boards
        ]

        async def send(answers: Mapping[str, str]) -> None:
            roles = _changed(row, on.content.boards, answers)
            if roles:
                remote = await on.store.service()
                await remote.sync_roles(row.person.id, roles)

        name = row.person.in_words
        answers = await on.ask(FormDialog(f"Roles of {name}", fields, send=send))
        if answers is None:
            return
        roles = _changed(row, on.content.boards, answers)
        on.say(f"set {counted(len(roles), 'role')} of {name}" if roles else "nothing was changed")
        await _refresh(on)


class RemovePerson(Action[PeopleContext]):
    """Asks for a board and for confirmation, then removes the person from it."""

    id, keys, label = "person.remove", "D", "Remove person from a board"
    changes_more = True
    asks = True

    async def run(self, on: PeopleContext) -> None:
        from tui.dialogs.pick.find import PickParent, PlaceChoice

        row = on.need_row()
        if row is None:
            return
        name = row.person.in_words
        boards = {board.id: board for board in on.content.managed() if board.id in row.roles}
        if not boards:
            on.say(f"{name} is on no board that you manage")
            return
        places = [
            PlaceChoice(board.id, board.title, row.roles[board.id].in_words)
            for board in boards.values()
        ]
        place = await on.ask(PickParent(f"Remove {name} from which board?", places))
        if place is None:
            return
        board = quoted(boards[place.key].title)
        text = f"{name} loses the cards there, too."
        if await on.confirm(f"Remove {name} from {board}?", text):
            with ErrorsSaid(on.host):
                await online.remove_user(await on.store.service(), place.key, row.person.id)
                on.say(f"removed {name} from {board}")
            await _refresh(on)


def _settable(on: PeopleContext) -> User | None:
    """The person whose roles can be set; say so if there is none."""
    row = on.need_row()
    if row is not None and row.is_administrator:
        on.say(_ADMINISTRATOR)
        return None
    if row is not None and not on.content.managed():
        on.say("you manage none of these boards, so you cannot set roles")
        return None
    return row


def _word(row: User, board: Board) -> RoleWord:
    role = row.roles.get(board.id)
    return "" if role is None else role.word


def _changed(row: User, boards: Sequence[Board], answers: Mapping[str, str]) -> dict[int, RoleWord]:
    """The roles that differ from those the person has."""
    wanted = {board: Role.of(answers.get(str(board.id))) for board in boards}
    return {
        board.id: "" if role is None else role.word
        for board, role in wanted.items()
        if role is not row.roles.get(board.id)
    }


async def _refresh(on: PeopleContext) -> None:
    """Fetch the people again, and the boards, which hold their members."""
    on.reload()
    with ErrorsSaid(on.host):
        await on.store.refresh()


ACTIONS: tuple[Action[PeopleContext], ...] = (EditRoles(), RemovePerson())
COLUMNS: tuple[Action["PeopleScreen"], ...] = (
    Do("person.left", "h,left", "Boards further left", lambda on: on.shift(-1)),
    Do("person.right", "l,right", "Boards further right", lambda on: on.shift(1)),
)


class Heading(Painted):
    """The titles of the boards above their columns."""

    def __init__(self, content: People) -> None:
        super().__init__()
        self._content = content

    def render_line(self, y: int) -> Strip:
        del y
        width = self.size.width
        return self.strip(fitted(self._content.heading(width - 1), width, "quiet"))


class PeopleScreen(ListScreen):
    """The people of the service, below the titles of the boards."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS, COLUMNS)

    content: People

    def __init__(self, context: Context, board_id: int | None) -> None:
        del board_id
        super().__init__(context, None, People(context.store), ACTIONS)
        self.actions.add(COLUMNS, self)
        self._heading = Heading(self.content)

    def compose(self) -> ComposeResult:
        bar, *others = super().compose()
        yield from (bar, self._heading, *others)

    def shift(self, by: int) -> None:
        """Show the columns of other boards, or say why there are none."""
        before, width = self.content.first, self.row_list.drawn_size.width - 1
        self.content.first += by
        self.content.columns(width)
        if width < _WIDE:
            self.say(
                "a wider terminal shows a column for each board",
                hint="{person.roles:e} shows the roles",
            )
        elif self.content.first == before:
            self.say(f"there are no more boards on the {'left' if by < 0 else 'right'}")
        self.row_list.redraw()
        self._heading.refresh()

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        self._heading.refresh()


SCREEN = PeopleScreen
