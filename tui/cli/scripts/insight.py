"""`callboard insight`: the figures of boards, and by when their open cards will be closed."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from shutil import get_terminal_size

from tui.cli.output import say, write_json
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.standup import read_news
from tui.cli.scripts.views import Wanted
from tui.config.saved_views import ViewStore
from tui.config.stage_settings import with_own_settings
from tui.model.board import Board, BoardView
from tui.model.forecast.forecast import (
    WEEKS,
    Forecast,
    ForecastQuestion,
    document as forecast_document,
    forecast,
)
from tui.model.forecast.question import about_cards, day_asked
from tui.model.forecast.words import why_not
from tui.model.query.language import QueryContext, check
from tui.model.standup.insight import Insight, begins, document, insight
from tui.model.standup.report import BoardSource
from tui.model.standup.view_insight import view_insight
from tui.store.clock import few_at_once
from tui.text.clean import counted, line
from tui.text.dates import LocalZone, wall_clock

_WIDEST = 100
_WEEKS = 4


async def print_insight(
    opened: Opened,
    *,
    boards: Sequence[str],
    weeks: int | None,
    is_forecast: bool,
    view: str,
    query: str,
    cards: int | None,
    by: str,
) -> int:
    """Print the figures of each board, with the latest news if there is a connection.

    What is asked of a forecast prints that instead; the exit code is 1 if there is none.
    """
    wanted = Wanted.of(ViewStore(opened.preferences).read(), view, query, boards)
    check(wanted.words)
    if is_forecast or query or cards or by:
        day = day_asked(by, wall_clock()) if by else None
        question = ForecastQuestion(weeks or WEEKS, wanted.words, cards=cards or 0, day=day)
        return await _print_forecasts(opened, wanted, question)
    weeks = weeks or _WEEKS
    await opened.connect()
    if wanted.view is not None:
        of_view = await insight_of_view(opened, wanted, weeks)
        if opened.how.as_json:
            write_json({"weeks": weeks, **document(of_view)})
        else:
            for text in _figures_text(of_view, _width()):
                say(text)
        return 0
    figures = await read_insight(opened, boards, weeks)
    if opened.how.as_json:
        write_json({"weeks": weeks, "boards": [document(board) for board in figures]})
        return 0
    for board_figures in figures:
        for text in _figures_text(board_figures, _width()):
            say(text)
    return 0


async def read_insight(opened: Opened, names: Sequence[str], weeks: int) -> list[Insight]:
    """The figures of the boards that are named, else of those of the last standup.

    Those that are not known are left out; raises `CannotGoOn` if none is known.
    """
    now, boards = datetime.now(LocalZone()), _boards(opened, names)
    await _read(opened, boards, begins(now, weeks), has_archived=False)
    figures = []
    for board in boards:
        view, history = await _view(opened, board), await opened.store.history(board.id)
        if view is not None:
            figures.append(insight(view, history, now, weeks))
    if not figures:
        raise opened.nothing_known()
    opened.say_problem(boards)
    return figures


async def insight_of_view(opened: Opened, wanted: Wanted, weeks: int) -> Insight:
    """The figures of the cards of a view on its boards, as far as they are known.

    Raises `CannotGoOn` if none is known, and `NotAQuery`.
    """
    now, boards = datetime.now(LocalZone()), wanted.among(opened.boards())
    question = ForecastQuestion(weeks, wanted.words)
    sources = await _sources(opened, boards, question, now)
    asked = _asked(opened, sources, question)
    opened.say_problem(boards)
    return view_insight(
        line(wanted.view.name if wanted.view else ""),
        sources,
        now,
        weeks,
        matches=asked.matches,
        matches_past=asked.matches_closed,
        past_filter=asked.past_filter,
    )


async def _print_forecasts(opened: Opened, wanted: Wanted, question: ForecastQuestion) -> int:
    await opened.connect()
    if wanted.view is None:
        boards = _boards(opened, wanted.boards)
        shown = await forecasts(opened, boards, question)
    else:
        boards = wanted.among(opened.boards())
        shown = [await forecast_of_view(opened, wanted.view.name, boards, question)]
    opened.say_problem(boards)
    if opened.how.as_json:
        documents = [forecast_document(forecast, why_not(forecast)) for forecast in shown]
        if wanted.view is None:
            write_json({"weeks": question.weeks, "boards": documents})
        else:
            write_json({"weeks": question.weeks, **documents[0]})
    else:
        from tui.screens.lists.forecast_rows import forecast_text

        for board in shown:
            of_filter = f", {line(question.filter)}" if question.filter else ""
            say(f"{board.title}{of_filter}")
            for text in ("", *forecast_text(board, _width()), ""):
                say(text)
    return 1 if all(board.outlook is None for board in shown) else 0


async def forecasts(
    opened: Opened, boards: Sequence[Board], question: ForecastQuestion
) -> list[Forecast]:
    """The forecast of each board that is known, with the latest news if there is a connection.

    Raises `CannotGoOn` if none is known, and `NotAQuery`.
    """
    now = datetime.now(LocalZone())
    return [
        forecast([source], now, opened.settings.calendar, _asked(opened, [source], question))
        for source in await _sources(opened, boards, question, now)
    ]


async def forecast_of_view(
    opened: Opened, name: str, boards: Sequence[Board], question: ForecastQuestion
) -> Forecast:
    """The forecast of the cards of a view on its boards, as far as they are known.

    Raises `CannotGoOn` if none is known, and `NotAQuery`.
    """
    now = datetime.now(LocalZone())
    sources = await _sources(opened, boards, question, now)
    asked = _asked(opened, sources, question)
    return forecast(sources, now, opened.settings.calendar, asked, line(name))


async def _sources(
    opened: Opened, boards: Sequence[Board], question: ForecastQuestion, now: datetime
) -> list[BoardSource]:
    since = begins(now, question.weeks + 1)
    await _read(opened, boards, since, has_archived=bool(question.filter))
    sources = []
    for board in boards:
        view = await _view(opened, board)
        if view is not None:
            history = await opened.store.history(board.id)
            archived = await opened.store.archived_tasks(board.id)
            sources.append(BoardSource(view, history, archived))
    if not sources:
        raise opened.nothing_known()
    return sources


def _asked(
    opened: Opened, sources: Sequence[BoardSource], question: ForecastQuestion
) -> ForecastQuestion:
    views = [source.view for source in sources]
    changed = {card for view in views for card in opened.store.changed_by_others(view.board.id)}
    about = QueryContext.of(
        views, opened.store.me, wall_clock(), changed, relations=opened.store.relations()
    )
    return about_cards(question, check(question.filter, about), about)


def _boards(opened: Opened, names: Sequence[str]) -> Sequence[Board]:
    return opened.named(names) if names else opened.standup_boards()


async def _read(
    opened: Opened, boards: Sequence[Board], since: datetime, *, has_archived: bool
) -> None:
    problems = opened.problems
    if not problems:
        await few_at_once(
            lambda board: read_news(opened.store, board.id, since, problems, has_ages=has_archived),
            boards,
        )


async def _view(opened: Opened, board: Board) -> BoardView | None:
    view = await opened.store.load_board(board.id)
    return None if view is None else with_own_settings(view, opened.preferences)


def _width() -> int:
    return min(get_terminal_size().columns, _WIDEST)


def _figures_text(figures: Insight, width: int) -> Iterator[str]:
    from tui.screens.lists.insight_rows import known_words, text_lines

    extent = known_words(figures) or "all is known"
    yield f"{figures.title}, {counted(len(figures.weeks), 'week')}, {extent}"
    yield ""
    yield from text_lines(figures, width)
    yield ""
