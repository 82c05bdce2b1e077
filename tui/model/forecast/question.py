"""What is asked of a forecast: about which cards, a number of them, a date, or both."""

import re
from datetime import date, datetime, timedelta

from tui.errors import WrongInput
from tui.model.forecast.forecast import ForecastQuestion
from tui.model.forecast.outlook import WEEKS_AHEAD
from tui.model.forecast.words import day_words
from tui.model.query.language import Query, QueryContext
from tui.model.query.matching import matcher
from tui.model.query.terms import TermKind
from tui.text.clean import counted
from tui.text.dates import parse_when

MOST_CARDS = 9_999
_OF_OPEN_CARDS = (TermKind.STATUS, TermKind.DUE, TermKind.STAGE, TermKind.CHANGED)
_CARDS = re.compile(r"(\d+)(?:\s*cards?)?(?:\s*,\s*(.*))?", re.IGNORECASE)


def about_cards(question: ForecastQuestion, query: Query, about: QueryContext) -> ForecastQuestion:
    """The question about the cards that match a query.

    A closed card is no longer open, overdue or in the stage that is asked for: of closed ones those
    count that match the other terms.
    """
    if not query.terms:
        return question._replace(matches=None, matches_closed=None, closed_filter="")
    lasting = Query(tuple(term for term in query.terms if term.kind not in _OF_OPEN_CARDS))
    return question._replace(
        matches=matcher(query, about),
        closed_filter=lasting.print(),
        matches_closed=matcher(lasting, about) if lasting.terms else None,
    )


def asked(typed: str, now: datetime) -> tuple[int, date | None]:
    """The number of cards, 0 for the open ones, and the day that are meant. Raises `WrongInput`."""
    words = typed.strip()
    match = _CARDS.fullmatch(words)
    if match is None:
        return 0, day_asked(words, now) if words else None
    number, day = match.groups()
    return cards_asked(number), day_asked(day, now) if day else None


def cards_asked(number: str) -> int:
    """The number of cards that is meant. Raises `WrongInput`."""
    if not number.isdecimal() or not 1 <= int(number[:6]) <= MOST_CARDS:
        raise WrongInput(f"The number of cards must be from 1 to {MOST_CARDS:,}.")
    return int(number)


def day_asked(words: str, now: datetime) -> date:
    """The day that is meant, tomorrow at the earliest. Raises `WrongInput`."""
    day = parse_when(words, now).date()
    if day <= now.date():
        raise WrongInput(f"{day_words(day, now.date())} is not in the future.")
    if day > now.date() + timedelta(weeks=WEEKS_AHEAD - 1):
        raise WrongInput("A forecast reaches two years ahead at most.")
    return day


def what_is_asked(cards: int, day: date | None, today: date) -> str:
    """What is asked, in words."""
    about = counted(cards, "card") if cards else "the open cards"
    return f"{about}, and by {day_words(day, today)}" if day else about
