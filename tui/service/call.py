"""`Call`: a request inside its transaction, as handlers see it; and the declaration of endpoints.

A handler is a plain function from a call to the reply's document. Before it runs, the caller is
authenticated, the board of the path exists and the caller's role on it suffices.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from inspect import signature
from typing import Any, Generic, TypeVar

from tui.service.accounts.accounts import BoardRole, Caller
from tui.service.attachments import Attachments, StoredFile
from tui.service.database.base import (
    Collision,
    Database,
    Later,
    Rows,
    Transaction,
    Written,
    listed,
)
from tui.service.listings import Listings
from tui.service.mail import MailQueue
from tui.service.requests.body import Body, BodyField
from tui.service.requests.forms import FORM_TYPE, JSON_TYPE, MULTIPART_TYPE
from tui.service.requests.replies import RawJson
from tui.service.times import SiteClock, iso
from tui.service.waiting import Turns

Document = dict[str, Any]


VERSION_PATH = "/v2"
VIA_HEADER, VIA_PATTERN = "Callboard-Via", "[a-z][a-z0-9-]{0,19}"
"""Names what makes a request in place of the user; another value counts as none."""
UPDATED_TASKS = "updatedTasks"
"""The member of a reply with the tasks that the request has changed."""
EMBEDDED_URL = "http://embedded" + VERSION_PATH


@dataclass(slots=True)
class Touched:
    """What a request changes: tasks by id, and whether the board itself changes.

    Without tasks it is a change of the board.
    """

    tasks: set[int] = field(default_factory=set)
    board: bool = False


@dataclass(frozen=True, slots=True)
class Service:
    """The dependencies of requests: database, clock, file store and mail.

    Without `attachments` no files are stored, without `mail` no e-mails are sent. Links in replies
    begin with `base_url`, which ends in the version segment, whatever host a request names.
    `listings` caches serialised task lists, `turns` are those of writers.
    """

    database: Database
    site: SiteClock
    attachments: Attachments | None = None
    mail: MailQueue | None = None
    base_url: str = EMBEDDED_URL
    listings: Listings = field(default_factory=Listings)
    turns: Turns = field(default_factory=Turns)


@dataclass(slots=True)
class Call:
    """A request inside its transaction.

    `now` is the time of everything in this request, in UTC, `ids` are the integers of the path by
    name, `file` is the stored upload. `touched` is what this request changes. `ahead` are
    prefetched rows by table and id. `via` is what makes the request in place of the user, such as
    “mcp”, or empty. What must wait for the end of the transaction goes into `db.after_commit`.
    """

    service: Service
    db: Transaction
    user: Caller
    now: datetime
    ids: Mapping[str, int] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    path: str = ""
    body: Body = field(default_factory=lambda: Body({}))
    file: StoredFile | None = None
    touched: Touched = field(default_factory=Touched)
    ahead: dict[tuple[str, int], Rows] = field(default_factory=dict)
    via: str = ""

    def reach_beyond(self) -> None:
        """Declare a write beyond the path's board.

        Raises `Collision` while others can write: the request then runs again with all locks.
        """
        if not self.db.is_alone:
            raise Collision(needs_all=True)

    def add(self, table: str, **columns: object) -> Written:
        """Insert a row with the current time."""
        return self.db.insert(table, **columns, created_at=self.stamp, updated_at=self.stamp)

    def change(self, table: str, row_id: int, **columns: object) -> Written:
        """Update columns of a row and its time of change."""
        return self.db.update(table, row_id, **columns, updated_at=self.stamp)

    def put_in_order(self, table: str, ids: Sequence[int], begin: int = 1) -> None:
        """Set the positions of rows to 1 to n, or from `begin` on."""
        self.db.run(
            f"""update {table} set position = wanted.one, updated_at = :now
            from {{pairs}} as wanted where {table}.id = wanted.other""",
            pairs=listed(enumerate(ids, begin)),
            now=self.stamp,
        )

    @property
    def address(self) -> str:
        """The URL as links show it, without its query."""
        return self.service.base_url.removesuffix(VERSION_PATH) + self.path

    @property
    def board_id(self) -> int:
        """The board of the path."""
        return self.ids["board_id"]

    def on_board(self, board_id: int, **ids: int) -> "Call":
        """The same call for another board and other ids in the path."""
        # Prefetched rows belong to the board of the path.
        return replace(self, ids={"board_id": board_id, **ids}, ahead={})

    @property
    def stamp(self) -> str:
        """The current time in the format of created_at and updated_at."""
        return iso(self.now)

    @property
    def wall(self) -> str:
        """The current time in the format of due_at and archived_at."""
        return self.service.site.wall(self.now)


@dataclass(frozen=True, slots=True)
class ManyTasks:
    """A reply whose `updatedTasks`, by id, are read after the commit, when no writer waits."""

    document: Document
    ids: list[int]

    @property
    def short(self) -> Document:
        """The reply with nothing but the ids of the tasks."""
        return self.document | {UPDATED_TASKS: [{"id": task_id} for task_id in self.ids]}


Answer = Document | list[Document] | RawJson | Later[Document] | ManyTasks
"""What a handler returns; a `Later` may be called after the transaction."""
Answer_co = TypeVar("Answer_co", bound=Answer, covariant=True)


@dataclass(frozen=True, slots=True)
class Handler(Generic[Answer_co]):
    """The function of an endpoint, with its declared fields and reply; see `answers`."""

    function: Callable[..., Answer_co]
    reply: object
    fields: Mapping[str, BodyField[Any]]
    refuses: tuple[int, ...]

    def __call__(self, call: Call) -> Answer_co:
        """The endpoint's reply. Raises `ServiceError`."""
        arguments = {name: field.read(call.body, call.query) for name, field in self.fields.items()}
        return self.function(call, **arguments)


def answers(
    reply: object, *, refuses: tuple[int, ...] = ()
) -> Callable[[Callable[..., Answer_co]], Handler[Answer_co]]:
    """Declare a handler, whose parameters after the call are fields of the request.

    They are read before the function runs; see `required`, `optional` and `query`. `reply` is the
    type of a successful reply: field names with types, or the type of a list. `refuses` are
    statuses in addition to those that follow from path, role, body and query.
    """

    def declare(function: Callable[..., Answer_co]) -> Handler[Answer_co]:
        defaults = ((name, item.default) for name, item in signature(function).parameters.items())
        fields = {name: field for name, field in defaults if isinstance(field, BodyField)}
        return Handler(function, reply, fields, refuses)

    return declare


@dataclass(frozen=True, slots=True)
class Route:
    """An endpoint: method and path under the base URL, least role, and handler.

    `role` is the least role on the path's board; None if the path has no board. `status` is that of
    a success. With `takes_form` the body may be form-encoded as well as JSON; with `takes_file` it
    is a multipart form with a file.
    """

    method: str
    path: str
    handler: Handler[Answer]
    role: BoardRole | None = None
    status: int = 200
    takes_form: bool = False
    takes_file: bool = False

    @property
    def media_types(self) -> list[str]:
        """The accepted content types."""
        if self.takes_file:
            return [MULTIPART_TYPE]
        return [JSON_TYPE, FORM_TYPE] if self.takes_form else [JSON_TYPE]
