"""What the service stands on: its database and clock, where its files are, who sends its letters.

One request is one transaction, and what happens outside of the database follows from how that
transaction ends.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.requests import Request

from tui.service.accounts.accounts import Account
from tui.service.attachments import Attachments
from tui.service.call import Call
from tui.service.database.base import AfterCommit, Database, Transaction
from tui.service.documents.images import remove_loose_images
from tui.service.listings import Listings
from tui.service.mail import MailQueue
from tui.service.times import Site

VERSION_PATH = "/v2"
EMBEDDED_URL = "http://embedded" + VERSION_PATH


@dataclass(frozen=True, slots=True)
class Context:
    """Where requests are carried out.

    Without `attachments` no files are kept, without `mail` no letters go out. Links in replies
    begin with `base_url`, which ends in the version segment, whatever host a request names.
    """

    database: Database
    site: Site
    attachments: Attachments | None = None
    mail: MailQueue | None = None
    base_url: str = EMBEDDED_URL
    listings: Listings = field(default_factory=Listings)

    @contextmanager
    def transaction(
        self, *, writing: bool, board_id: int | None = None
    ) -> Iterator[tuple[Transaction, AfterCommit]]:
        """A transaction with what follows it; see `Database.transaction`."""
        after_commit = AfterCommit()
        transaction = self.database.transaction(writing=writing, board_id=board_id)
        with after_commit.following(), transaction as db:
            yield db, after_commit

    @contextmanager
    def call(
        self,
        request: Request,
        user: Account,
        *,
        writing: bool,
        alone: bool,
        ids: Mapping[str, int],
    ) -> Iterator[Call]:
        """A request of somebody inside its transaction, while nobody else writes if `alone`."""
        board_id = None if alone else ids.get("board_id")
        with self.transaction(writing=writing, board_id=board_id) as (db, after_commit):
            call = self.called(request, user, db, after_commit, ids)
            call.alone = board_id is None
            yield call
            if writing:
                remove_loose_images(call)

    def called(
        self,
        request: Request,
        user: Account,
        db: Transaction,
        after_commit: AfterCommit,
        ids: Mapping[str, int],
    ) -> Call:
        """A request inside a transaction that has begun."""
        return Call(
            db=db,
            site=self.site,
            user=user,
            now=self.site.now(),
            ids=ids,
            query=request.query_params,
            address=self.base_url.removesuffix(VERSION_PATH) + request.url.path,
            base=self.base_url,
            attachments=self.attachments,
            mail=self.mail,
            after_commit=after_commit,
            listings=self.listings,
        )
