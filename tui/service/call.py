"""One request, as handlers see it: who asks, for what, at what moment, inside one transaction.

The rule it keeps: a handler is a plain function from a call to the document it answers with. By
the time it runs, the caller is known, the board of the path exists and the caller's role on it
suffices.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from tui.service.accounts.accounts import Account, Role
from tui.service.after_commit import Aftermath
from tui.service.attachments import Attachments
from tui.service.database.base import Collision, Transaction
from tui.service.errors import ServiceError, invalid
from tui.service.listings import Listings
from tui.service.mail.mail import MailRoom
from tui.service.requests.forms import FORM_TYPE, is_form, parse_form
from tui.service.requests.json_body import read_object
from tui.service.requests.raw_json import Ready
from tui.service.requests.uploads import MULTIPART_TYPE, Upload
from tui.service.times import Site, iso
from tui.service.values import DESCRIPTION_LIMIT, Reader, SafeHtml, Value, html

JSON_TYPE = "application/json"

Document = dict[str, Any]


class Body:
    """The JSON object or the form that came with a request; no body is an empty one.

    The fields of a form are text; every reader takes text for what it reads.
    """

    def __init__(self, values: Mapping[str, object], within: str = "") -> None:
        self._values = values
        self._within = within

    @classmethod
    def parse(cls, raw: bytes, content_type: str = "") -> "Body":
        """Read a request's body: a form if its type says so, else JSON.

        Descriptions are made safe here already: that may take long, and a body is read before the
        transaction begins, for which others wait. Raises `ServiceError` 400 if the body is neither
        a form nor a JSON object.
        """
        if not raw.strip():
            return cls({})
        if is_form(content_type):
            return cls(_with_safe_html(parse_form(raw)))
        return cls(_with_safe_html(read_object(raw)))

    def over(self, defaults: Mapping[str, object]) -> "Body":
        """The same body, with values for what it leaves out."""
        return Body({**defaults, **self._values}, self._within)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def required(self, name: str, read: Reader[Value]) -> Value:
        """A field that must be there, through its reader."""
        if name not in self._values:
            raise invalid(self._within + name, "is required")
        return read(self._within + name, self._values[name])

    def optional(self, name: str, read: Reader[Value], default: Value) -> Value:
        """A field that may be left out or be null."""
        if self._values.get(name) is None:
            return default
        return read(self._within + name, self._values[name])

    def part(self, name: str) -> "Body":
        """An object within the body, such as `board` or `task`; its fields are named within it."""
        value = self._values.get(name)
        if not isinstance(value, dict):
            raise invalid(self._within + name, "is required and must be an object")
        return Body(value, f"{self._within}{name}.")


def _with_safe_html(values: dict[str, object]) -> dict[str, object]:
    """The body with its descriptions, and that of the board in it, made safe."""
    board = values.get("board")
    safe = _with_safe_description(values)
    return safe | {"board": _with_safe_description(board)} if isinstance(board, dict) else safe


def _with_safe_description(values: dict[str, object]) -> dict[str, object]:
    """The fields with a description made safe; one that is too long is left to be refused."""
    name = "value" if values.get("property") == "description" else "description"
    source = values.get(name)
    if not isinstance(source, str) or len(source) > DESCRIPTION_LIMIT:
        return values
    return values | {name: SafeHtml(html(name, source))}


@dataclass(slots=True)
class Touched:
    """What a request changes: tasks by their ids, and whether a board itself changes with them.

    A change without tasks is one of the board.
    """

    tasks: set[int] = field(default_factory=set)
    board: bool = False


@dataclass(slots=True)
class Call:
    """A request inside its transaction.

    `ids` are the integers of the path by name, `address` is the URL as links show it, without
    its query, `base` the base URL, `now` the one moment at which everything of this request
    happens, in UTC. `upload` is the file that came with it, `attachments` where files are kept,
    `mail` who delivers letters; each may be missing. What must wait for the end of the
    transaction goes into `aftermath`; `listings` are the boards that have been written down,
    `touched` what this request changes. `alone` tells whether nobody else can write before the
    end.
    """

    db: Transaction
    site: Site
    user: Account
    now: datetime
    ids: Mapping[str, int] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    address: str = ""
    base: str = ""
    body: Body = field(default_factory=lambda: Body({}))
    upload: Upload | None = None
    attachments: Attachments | None = None
    mail: MailRoom | None = None
    aftermath: Aftermath = field(default_factory=Aftermath)
    listings: Listings = field(default_factory=Listings)
    touched: Touched = field(default_factory=Touched)

    alone: bool = True

    def reach_beyond(self) -> None:
        """Say that more than the path's board is about to be written to.

        Raises `Collision` while others write: the request is done again when they keep still.
        """
        if not self.alone:
            raise Collision(needs_all=True)

    @property
    def board_id(self) -> int:
        """The board of the path."""
        return self.ids["board_id"]

    def on_board(self, board_id: int, **ids: int) -> "Call":
        """The same call as if its path named a board, and other things by their ids."""
        return replace(self, ids={"board_id": board_id, **ids})

    @property
    def stamp(self) -> str:
        """Now, as created_at and updated_at show it."""
        return iso(self.now)

    @property
    def wall(self) -> str:
        """Now, as due_at and archived_at show it."""
        return self.site.wall(self.now)


Reply = Document | list[Document] | Ready
Handler = Callable[[Call], Reply]


@dataclass(frozen=True, slots=True)
class Route:
    """An endpoint: its method and path under the base URL, who may call it, and who answers.

    `role` is the least role on the path's board; None where no board is named. `status` is that
    of a success. With `takes_form` the body may be form-encoded as well as JSON; with `takes_file`
    it is a multipart form with a file in it.
    """

    method: str
    path: str
    handler: Handler
    role: Role | None = None
    status: int = 200
    takes_form: bool = False
    takes_file: bool = False

    def refuse_type(self, content_type: str, raw: bytes) -> None:
        """Raises 415 for a body of another type than this endpoint takes; no body needs no type.

        A page of another site can make a browser send forms and plain text with the credentials it
        remembers, but not JSON.
        """
        kind = content_type.partition(";")[0].strip().lower()
        if not raw and (not kind or self.method == "GET"):
            return
        if self.takes_file:
            taken = [MULTIPART_TYPE]
        else:
            taken = [JSON_TYPE, FORM_TYPE] if self.takes_form else [JSON_TYPE]
        if kind not in taken:
            raise ServiceError(
                415,
                "unsupported_media_type",
                f"The Content-Type must be {' or '.join(taken)}.",
            )
