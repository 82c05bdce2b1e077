"""The services that the suite is held against.

Ann is the administrator of each, bob and eve have accounts too; whatever else
differs is what the client is there to hide.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from starlette.applications import Starlette
from starlette.types import ASGIApp

from tests.quirky.application import QuirkyService, base_url
from tests.quirky.listening import listening
from tests.quirky.people import PASSWORD, give_passwords
from tests.quirky.quirks import Quirks
from tests.quirky.routes import PATH_WORD
from tui.client.capabilities import Capabilities, Feature
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import HttpSession
from tui.service.accounts.accounts import account, create_account
from tui.service.attachments import Attachments
from tui.service.call import Call, Service
from tui.service.database.base import Database
from tui.service.embedded import BASE_URL, open_embedded
from tui.service.handlers.boards import create_board
from tui.service.handlers.people import add_member
from tui.service.http.application import served
from tui.service.requests.body import Body
from tui.service.times import SiteClock, utc_now

PEOPLE = ("ann", "bob", "eve")
_EXTENDED = (
    Feature.SUBTASKS,
    Feature.SUBTASK_COPIES,
    Feature.SUBTASK_GROUPS,
    Feature.CUSTOM_FIELDS,
    Feature.CUSTOM_FIELD_ORDER,
    Feature.FOLDERS,
    Feature.ROLES,
    Feature.VIEWER_ROLES,
    Feature.BOARD_MOVES,
)
_GROUPS = (Feature.SUBTASK_GROUPS, Feature.SUBTASK_COPIES, Feature.CUSTOM_FIELD_ORDER)
_PEOPLE_LISTS = (Feature.SERVICE_USERS, Feature.USER_SEARCH, Feature.REMOVAL_FROM_BOARD)


@dataclass(frozen=True)
class Running:
    """A service that answers; without an `application` it does so on a socket."""

    address: str
    database: Database
    ids: dict[str, int]
    application: ASGIApp | None = None
    quirky: QuirkyService | None = None
    quirks: Quirks = field(default_factory=Quirks.none)
    capabilities: Capabilities = field(default_factory=Capabilities)

    def session(self, login: str, password: str = PASSWORD) -> HttpSession:
        """A way to the service for somebody."""
        transport = None if self.application is None else InProcessTransport(self.application)
        return HttpSession(self.address, Credentials(login, password), transport=transport)

    def client(self, session: HttpSession, login: str) -> Client:
        """A client that knows nothing of the service but what a profile says.

        Where members carry no logins, the profile knows the id of the person, called `login`.
        """
        word = PATH_WORD if self.quirks.own_path_word else "service"
        known = self.capabilities
        if self.quirks.no_user_logins:
            known = replace(known, user_id=self.ids[login], user_login=login)
        return client_for(
            session,
            capabilities=known,
            path_word=word,
        )

    def new_board(self) -> tuple[int, tuple[int, ...]]:
        """A board of ann's with bob on it, made past all clients: its id and its stages."""
        site = SiteClock(utc_now, None)
        body = Body({"board": {"title": "Plans", "type": "to-do"}})
        with self.database.transaction(writing=True) as db:
            ann = account(db.all("select * from account where login = 'ann'")[0])
            made = create_board(Call(Service(self.database, site), db, ann, site.now(), body=body))[
                "board"
            ]
            bob = Body({"memberId": self.ids["bob"]})
            add_member(
                Call(
                    Service(self.database, site),
                    db,
                    ann,
                    site.now(),
                    ids={"board_id": made["id"]},
                    body=bob,
                )
            )
        return made["id"], tuple(stage["id"] for stage in made["stages"])

    @property
    def missing(self) -> frozenset[Feature]:
        """What the service does not offer."""
        quirks = self.quirks
        is_old_news = quirks.no_news or quirks.coarse_news or quirks.brief_news
        lacking = (
            (is_old_news, (Feature.WAITING_FOR_CHANGES,)),
            (self.quirks.no_extended_edition, _EXTENDED),
            (self.quirks.no_people_lists, _PEOPLE_LISTS),
            (self.quirks.no_news, (Feature.CHANGE_NEWS,)),
            (self.quirks.no_folders, (Feature.FOLDERS,)),
            (self.quirks.no_subtask_groups, _GROUPS),
            (self.quirks.no_pictures, (Feature.PICTURES,)),
            (self.quirks.no_viewers, (Feature.VIEWER_ROLES,)),
            (self.quirks.no_task_copies, (Feature.TASK_COPIES,)),
            (self.quirks.no_board_archive, (Feature.BOARD_ARCHIVE,)),
            (quirks.task_delete_fails and not quirks.details_off, (Feature.TASK_DELETION,)),
        )
        missing = [one for is_missing, features in lacking if is_missing for one in features]
        return frozenset(missing)


@contextmanager
def embedded(folder: Path) -> Iterator[Running]:
    """The program's own service, in this process."""
    service = open_embedded(folder / "boards.sqlite3", login="ann", display_name="Ann")
    ids = _peopled(service.database)
    yield Running(
        BASE_URL, service.database, ids, service.application, capabilities=Capabilities.embedded()
    )
    service.close()


@contextmanager
def over_http(folder: Path) -> Iterator[Running]:
    """The same service on a socket, of which the client knows nothing."""
    service = open_embedded(folder / "boards.sqlite3", login="ann", display_name="Ann")
    ids = _peopled(service.database)
    attachments = Attachments(folder / "attachments")

    def make(origin: str) -> Starlette:
        return served(service.database, attachments, base_url=f"{origin}/v2")

    with listening(make) as origin:
        yield Running(f"{origin}/v2", service.database, ids)


def quirky(quirks: Quirks) -> Callable[[Path], AbstractContextManager[Running]]:
    """A service with quirks, in this process."""

    @contextmanager
    def running(folder: Path) -> Iterator[Running]:
        service = open_embedded(folder / "boards.sqlite3", login="ann", display_name="Ann")
        ids = _peopled(service.database)
        application = QuirkyService(service.application, quirks, every=1_000_000)
        yield Running(base_url(quirks), service.database, ids, application, application, quirks)
        service.close()

    return running


def _peopled(database: Database) -> dict[str, int]:
    """Give everybody an account; returns their ids."""
    site = SiteClock(utc_now, None)
    with database.transaction(writing=True) as db:
        for login in PEOPLE[1:]:
            create_account(db, site, login=login, display_name=login.title())
    give_passwords(database, *PEOPLE)
    with database.transaction(writing=False) as db:
        return {row["login"]: row["id"] for row in db.all("select * from account")}
