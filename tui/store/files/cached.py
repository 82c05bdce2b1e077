"""Reads what shells and status lines need from the cache of a profile, and imports next to nothing.

The file is opened read-only; it is neither created nor migrated. Unreadable data counts as missing.
Pending changes are not applied. Texts are made terminal-safe.
"""

import json
import re
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from tui.store.files.database import connected_to_read
from tui.text.clean import line

_TITLE, _PEOPLE = 1, 11
"""Their indexes in the body of a card, as `tui.store.documents.cards` writes it."""
_ON_BOARDS = "board_id in (select value from json_each(:boards))"
_MOST_CARDS = 500


class CachedCard(NamedTuple):
    """A card by its number and title."""

    id: int
    title: str


class CachedFrame(NamedTuple):
    """Names on a board; a person is a login and a name, of which either stands for the other."""

    stages: Sequence[str]
    labels: Sequence[str]
    people: Sequence[tuple[str, str]]


class Cached:
    """The cache of a profile: boards that are not archived, newest first, and their cards."""

    def __init__(self, link: sqlite3.Connection) -> None:
        self._link = link
        summaries = self._rows("select body from section where kind = 'summary' order by id desc")
        documents = [json.loads(body) for (body,) in summaries]
        self._active = [document for document in documents if not document.get("archived_at")]
        self.boards = {int(document["id"]): _title(document) for document in self._active}

    def _rows(self, query: str, **values: object) -> list[tuple[Any, ...]]:
        try:
            return self._link.execute(query, values).fetchall()
        except sqlite3.Error:
            return []

    def title_of(self, number: int) -> str | None:
        """The title of a card, archived or not."""
        rows = self._rows(
            "select json_extract(body, '$.title') from section where kind = 'task' and id = :id",
            id=number,
        )
        return line(str(rows[0][0] or "")) if rows else None

    def board_of(self, number: int) -> int | None:
        """The board of a card."""
        rows = self._rows("select board_id from card where id = :id", id=number)
        return rows[0][0] if rows else None

    def cards(self, begun: str, boards: Collection[int] = ()) -> list[CachedCard]:
        """Cards on some boards, or on all: the open ones, or those that match what is `begun`.

        A number matches at its start. Titles that start with the text come before those that
        contain it; the newest cards come first.
        """
        number, order = begun.removeprefix("#"), ""
        if not begun:
            where = "is_open"
        elif number.isdecimal():
            where = "cast(id as text) like :number || '%'"
        else:
            where = "title like '%' || :title || '%' escape '\\'"
            order = "title like :title || '%' escape '\\' desc, "
        # The body is a blob, which the JSON functions of SQLite refuse.
        rows = self._rows(
            f"""select id, title
                from (select id, is_open, json_extract(cast(body as text), '$[{_TITLE}]') as title
                      from card where {_ON_BOARDS})
                where {where} order by {order} id desc limit {_MOST_CARDS}""",
            boards=json.dumps([*(boards or self.boards)]),
            number=number,
            title=re.sub(r"([\\%_])", r"\\\1", begun),
        )
        return [CachedCard(*row) for row in rows]

    def frames(self, boards: Collection[int] = ()) -> Iterator[CachedFrame]:
        """The names on boards, or on all."""
        listed = {int(board["id"]): board for board in self._active}
        for number in boards or self.boards:
            rows = self._rows(
                "select body from section where kind = 'board' and id = :id", id=number
            )
            document = json.loads(rows[0][0]) if rows else listed.get(number, {})
            people = [*map(_person, document.get("users") or ())]
            yield CachedFrame(
                _titles(document.get("stages")), _titles(document.get("labels")), people
            )

    def own_ids(self, login: str, user_id: int | None) -> frozenset[int]:
        """The ids of the user: the known one, and those of members with this login."""
        users = [user for board in self._active for user in board.get("users") or ()]
        same = {user["ID"] for user in users if _is_login(user.get("user_login"), login)}
        return frozenset(same | ({user_id} if user_id is not None else set()))

    def due_dates(self, own_ids: Collection[int], last: date) -> list[datetime]:
        """When the open cards of the user are due, as wall-clock times, until a last day."""
        # A tilde sorts after every time of the last day.
        rows = self._rows(
            f"select due_at, body from card where is_open and due_at < :end and {_ON_BOARDS}",
            end=f"{last}~",
            boards=json.dumps([*self.boards]),
        )
        # People are JSON text within the body, see `row_of`.
        return [
            datetime.fromisoformat(due_at)
            for due_at, body in rows
            if any(person[0] in own_ids for person in json.loads(json.loads(body)[_PEOPLE]))
        ]

    def mentions(self, own_ids: Collection[int], read: Collection[object] = ()) -> int:
        """The number of cached comments that mention the user, who has not answered below since.

        Those with an id in `read` do not count.
        """
        author_marks = [f'"created_by":{number}' for number in own_ids]
        waiting: dict[int, int] = {}
        for card, body in self._rows(
            "select parent, body from section where kind = 'comment' order by parent, id"
        ):
            # Searched as text first: decoding every comment takes far longer.
            names_somebody = '"mentioned_id":[' in body and '"mentioned_id":[]' not in body
            if not (names_somebody or any(author in body for author in author_marks)):
                continue
            comment = json.loads(body)
            if comment.get("created_by") in own_ids:
                waiting[card] = 0
            elif comment.get("id") not in read and _mentions(comment, own_ids):
                waiting[card] = waiting.get(card, 0) + 1
        rows = self._rows(
            f"select id from card where id in (select value from json_each(:ids)) and {_ON_BOARDS}",
            ids=json.dumps([card for card, count in waiting.items() if count]),
            boards=json.dumps([*self.boards]),
        )
        return sum(waiting[card] for (card,) in rows)


@contextmanager
def open_cached(cache: Path, profile: str) -> Iterator[Cached]:
    """Open the cache of a profile; an empty one if it cannot be read."""
    path = cache / profile / "cache.sqlite3"
    try:
        link = connected_to_read(path)
    except sqlite3.Error:
        link = sqlite3.connect(":memory:")
    with closing(link):
        yield Cached(link)


def _title(document: dict[str, Any]) -> str:
    return line(str(document.get("title") or ""))


def _titles(documents: Any) -> list[str]:
    # Of those that are not archived, in their order.
    active = [document for document in documents or () if not document.get("archived_at")]
    return [*map(_title, sorted(active, key=lambda document: document.get("position") or 0.0))]


def _person(user: dict[str, Any]) -> tuple[str, str]:
    login, name = line(str(user.get("user_login") or "")), line(str(user.get("display_name") or ""))
    return login or name, name or login


def _is_login(value: Any, login: str) -> bool:
    return bool(login) and str(value).casefold() == login.casefold()


def _mentions(comment: dict[str, Any], own_ids: Collection[int]) -> bool:
    settings = comment.get("settings")
    named = settings.get("mentioned_id") if isinstance(settings, dict) else None
    # Ids are numbers or digits in strings, depending on the edition.
    return isinstance(named, list) and not {*map(str, named)}.isdisjoint(map(str, own_ids))
