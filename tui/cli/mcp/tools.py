"""The tools: what each of them does with an opened profile.

Most are commands of the command line, by the name of the command, with its arguments.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from tui.cli.agents.claiming import claimed_card, claimed_next, releasing
from tui.cli.agents.next_card import chosen_next
from tui.cli.agents.progress import progressing, text_given
from tui.cli.mcp import answers, declared
from tui.cli.mcp.answers import Document
from tui.cli.mcp.declared import START, Argument, text_schema
from tui.cli.mcp.session import McpSession
from tui.cli.scripts import adding, changing
from tui.cli.scripts.agent_name import agent_given
from tui.cli.scripts.board_counts import without_templates
from tui.cli.scripts.inbox import inbox_document, inbox_entries
from tui.cli.scripts.insight import forecast_of_view, forecasts
from tui.cli.scripts.lists import cards_of
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.reading import card_with_all
from tui.cli.scripts.standup import StandupOptions, standup_of
from tui.cli.scripts.views import Wanted
from tui.cli.scripts.writing import Plan, Planning
from tui.config.saved_views import ViewStore
from tui.config.stage_settings import with_own_settings
from tui.errors import WrongInput
from tui.model.forecast.forecast import ForecastQuestion
from tui.model.forecast.question import MOST_CARDS, cards_asked, day_asked
from tui.model.query.language import check
from tui.model.standup.writing import markdown
from tui.text.dates import wall_clock
from tui.text.markdown import to_markdown

Run = Callable[..., Awaitable[Document]]
"""Takes the session, the opened profile, and each argument by name."""

_NAMING_BOARDS = ("board", "boards", "from", "folder")
"""The arguments that name boards, which are left out if there is only one."""
_BOARD = Argument("board", "board", text_schema("by title, part of it, or id"), "")
_VIEW = Argument("view", "view", text_schema("a saved view in place of a board"), "")
_TITLE = Argument(
    "title", "title", text_schema("the title with marks; several each in a line"), is_required=True
)
_CARDS = Argument(
    "cards",
    "cards",
    {
        "type": "integer",
        "minimum": 1,
        "maximum": MOST_CARDS,
        "description": "by when so many will be closed, in place of those that are open",
    },
    0,
)
_CARD_OR_NEXT = Argument(
    "card",
    "card",
    text_schema("its number, its title, or part of it; without it, the next one"),
    "",
)
_MARKDOWN = Argument("description", "description", text_schema("a new one, in Markdown"))


class Tool(NamedTuple):
    """A tool, declared by a command, if there is one."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    changes: bool
    run: Run

    def without_boards(self) -> "Tool":
        """The same tool where there is one board alone."""
        remaining = tuple(
            argument for argument in self.arguments if argument.name not in _NAMING_BOARDS
        )
        return self._replace(arguments=remaining)

    def read(self, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call. Raises `WrongInput`."""
        every = TOOLS[self.name].arguments
        defaults = {argument.parameter: argument.default for argument in every}
        return defaults | declared.read(self.arguments, given)


TOOLS: dict[str, Tool] = {}
"""All tools by name, in the order in which they are listed."""


def _tool(
    command: str, *changed: Argument, without: str = "", note: str = ""
) -> Callable[[Run], Run]:
    """Register a tool that is called like its command, which declares it, else like its function.

    Arguments that are `changed` take the place of those of their name, or are added; one of the
    command is left out.
    """

    def register(run: Run) -> Run:
        own = (
            {argument.name: argument for argument in declared.arguments(command)} if command else {}
        )
        own |= {argument.name: argument for argument in changed}
        own.pop(without, None)
        text = declared.description(command) if command else ""
        changes = bool(command) and declared.changes_something(command)
        description = " ".join(filter(None, (text, note)))
        name = command or run.__name__.strip("_")
        TOOLS[name] = Tool(name, description, (*own.values(),), changes, run)
        return run

    return register


def offered(session: McpSession) -> list[Tool]:
    """The tools that a session offers."""
    tools = [tool for tool in TOOLS.values() if not (tool.changes and session.store.is_read_only)]
    return [tool.without_boards() for tool in tools] if session.board else tools


@_tool("boards", START, note=answers.WRITTEN_BY_PEOPLE)
async def _boards(_session: McpSession, opened: Opened, *, start: int) -> Document:
    boards = await without_templates(opened.store, opened.boards())
    return answers.part("boards", boards, start, answers.board_row)


@_tool(
    "",
    _BOARD,
    note="Show a board at a glance: its stages and how many cards they have, its members and"
    f" labels, and the most urgent cards. {answers.WRITTEN_BY_PEOPLE}",
)
async def _overview(_session: McpSession, opened: Opened, *, board: str) -> Document:
    (view,) = await opened.views([opened.board(board)])
    return answers.overview(view, wall_clock())


@_tool("tasks", START, note=answers.WRITTEN_BY_PEOPLE)
async def _tasks(
    _session: McpSession,
    opened: Opened,
    *,
    query: str,
    view: str,
    boards: Sequence[str],
    start: int,
) -> Document:
    wanted = Wanted.of(ViewStore(opened.preferences).read(), view, query, boards)
    check(wanted.words)
    views, now = await opened.views(wanted.among(opened.boards())), wall_clock()
    cards = wanted.in_order(cards_of(opened, views, wanted.words), opened.store.me)
    return answers.part(
        "cards",
        cards,
        start,
        lambda card: answers.card_row(*card, now, has_board=len(views) > 1),
    )


@_tool("inbox", START, note=answers.WRITTEN_BY_PEOPLE)
async def _inbox(_session: McpSession, opened: Opened, *, lists_all: bool, start: int) -> Document:
    entries = await inbox_entries(opened, lists_all=lists_all)
    titles = {board.id: board.title for board in opened.boards()}
    return answers.part(
        "notifications",
        entries,
        start,
        lambda entry: inbox_document(entry, titles.get(entry.board_id, "")),
    )


@_tool("show", START, note=answers.WRITTEN_BY_PEOPLE)
async def _show(
    session: McpSession, opened: Opened, *, card: str, board: str, start: int
) -> Document:
    within = str(session.board.id) if session.board else board
    view, detail = await card_with_all(opened, card, within)
    source = await opened.store.description_source(detail.task.id)
    return answers.card(detail, view, to_markdown(source), start, opened.store)


@_tool("next", without="as", note=answers.WRITTEN_BY_PEOPLE)
async def _next(_session: McpSession, opened: Opened, *, boards: Sequence[str]) -> Document:
    task, view, why = await chosen_next(opened, boards)
    card = answers.card_row(task, view, wall_clock(), has_board=True) if task and view else None
    return {"card": card, "why": why}


@_tool("standup", START, note=answers.WRITTEN_BY_PEOPLE)
async def _standup(
    _session: McpSession,
    opened: Opened,
    *,
    boards: Sequence[str],
    folder: str,
    only_me: bool,
    since: str,
    by_person: bool,
    start: int,
) -> Document:
    wanted = StandupOptions(boards, folder, only_me, since, by_person)
    report, _ = await standup_of(wanted, opened)
    lines = [line for line in markdown(report, wanted.lens).splitlines() if line]
    shown = answers.part("markdown", lines, start, lambda line: line)
    return shown | {"markdown": "\n".join(shown["markdown"])}


@_tool(
    "",
    _BOARD,
    _VIEW,
    Argument(
        "filter", "query", text_schema("only cards that match it, as in tasks: label:bug"), ""
    ),
    _CARDS,
    Argument("by", "by", text_schema("a date: how many cards will be closed by then"), ""),
    note="Forecast by when the open cards of a board or a view will be closed, with 50, 85 and 95%"
    " chance, from how many were closed in past weeks; it counts working days and holidays, and"
    f" assumes that no cards are added. {answers.WRITTEN_BY_PEOPLE}",
)
async def _forecast(
    _session: McpSession,
    opened: Opened,
    *,
    board: str,
    view: str,
    query: str,
    cards: int,
    by: str,
) -> Document:
    names = [board] if board else []
    wanted = Wanted.of(ViewStore(opened.preferences).read(), view, query, names)
    check(wanted.words)
    day = day_asked(by, wall_clock()) if by else None
    question = ForecastQuestion(
        filter=wanted.words, cards=cards_asked(str(cards)) if cards else 0, day=day
    )
    if wanted.view is not None:
        boards = wanted.among(opened.boards())
        return answers.forecast(await forecast_of_view(opened, wanted.view.name, boards, question))
    (shown,) = await forecasts(opened, [opened.board(board)], question)
    return answers.forecast(shown)


async def _plan_add(opened: Opened, *, title: str, board: str, stage: str, template: str) -> Plan:
    lines = adding.lines_of(title, "the title")
    view, stage_id = await adding.stage_for(opened, board, stage)
    source = adding.template_for(opened, view, template)
    if len(lines) == 1:
        return adding.adding(opened, view, stage_id, lines, source)
    added_count, plan = adding.going_on(opened, view, stage_id, lines, source)
    if not added_count:
        return plan
    note = f"{added_count:,} of {len(lines):,} cards were added by a call that was interrupted"
    return plan._replace(notes=[note, *plan.notes])


async def _plan_edit(
    opened: Opened, *, card: str, board: str, description: str | None, **others: Any
) -> Plan:
    plan = changing.editing(markdown=description, **others)
    return await plan(opened, card=card, board=board)


async def _plan_comment(opened: Opened, *, card: str, board: str, text: str) -> Plan:
    if not text.strip():
        raise WrongInput("the comment is empty: nothing was changed.")
    return changing.commenting(opened, *await opened.card(card, board), text.strip())


def _carries_out(planning: Planning) -> Run:
    # What plans it is the command itself, unless that reads files or standard input.
    async def run(session: McpSession, opened: Opened, **arguments: Any) -> Document:
        return await session.carry_out(opened, await planning(opened, **arguments))

    return run


_tool("add", _TITLE)(_carries_out(_plan_add))
_tool("edit", _MARKDOWN)(_carries_out(_plan_edit))
_tool("move")(_carries_out(changing.move))
_tool("done")(_carries_out(changing.close))
_tool("assign")(_carries_out(changing.assign))
_tool("label")(_carries_out(changing.label))


@_tool("claim", _CARD_OR_NEXT)
async def _claim(
    session: McpSession, opened: Opened, *, card: str, board: str, agent: str, releases: bool
) -> Document:
    name = session.named(agent_given(agent))
    if card:
        view, task = await opened.card(card, board)
        view = with_own_settings(view, opened.preferences)
        if releases:
            return await session.carry_out(opened, releasing(opened, view, task))
        claimed = await claimed_card(opened, view, task, name)
    elif releases:
        raise WrongInput("“card” is missing: which card is to be released.")
    else:
        claimed = await claimed_next(opened, [board] if board else [], name)
    if claimed.plan is None or claimed.result is None:
        return {"state": "unchanged", "why": claimed.why}
    answer = await session.outcome(opened, claimed.plan, claimed.result)
    return answer | ({"why": claimed.why} if claimed.why else {})


@_tool("progress")
async def _progress(
    session: McpSession, opened: Opened, *, card: str, text: str, board: str, agent: str
) -> Document:
    name = session.named(agent_given(agent))
    plan = await progressing(opened, card, text_given(text), board=board, agent=name)
    return await session.carry_out(opened, plan)


@_tool("subtask")
async def _subtask(session: McpSession, opened: Opened, **arguments: Any) -> Document:
    plan = await changing.subtask(opened, **arguments)
    answer = await session.carry_out(opened, plan)
    detail = opened.store.detail(plan.tasks[0].id)
    rows = answers.subtask_rows(detail) if detail else []
    return answer | {"subtasks": answers.part("of_card", rows, 1, lambda row: row)}


_tool("comment")(_carries_out(_plan_comment))
