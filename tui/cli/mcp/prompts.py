"""The prompts: questions about the boards, with what they are about."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tui.cli.mcp import answers
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.standup import StandupOptions, standup_of
from tui.errors import WrongInput
from tui.model.query.language import QueryContext, parse
from tui.model.query.matching import filtered
from tui.model.standup.writing import markdown
from tui.model.urgency import urgency
from tui.text.cells import cut
from tui.text.clean import line, quoted
from tui.text.dates import wall_clock

_MINE, _FREE = "is:open @me", "is:open @none"
_STANDUP_BYTES = 8_000
_LONGEST_NAME = 60


class Prompt(NamedTuple):
    """A prompt by its name, with what it is for; `board` is its only argument."""

    name: str
    about: str
    text: Callable[[Opened, str], Awaitable[str]]


async def _standup(opened: Opened, board: str) -> str:
    report, _ = await standup_of(StandupOptions((board,) if board else ()), opened)
    lines = [
        text_line for text_line in markdown(report, StandupOptions().lens).splitlines() if text_line
    ]
    shown = answers.part("markdown", lines, 1, lambda row: row, _STANDUP_BYTES)
    return (
        "Prepare my standup from what happened on my boards: what was finished, what is under way"
        " and who is on it, what is overdue or blocked and needs to be talked about. Be brief, and"
        f" name cards by their numbers. {answers.WRITTEN_BY_PEOPLE}\n\n{answers.fenced(shown)}"
    )


async def _next_card(opened: Opened, board: str) -> str:
    views = await opened.views(opened.named([board] if board else []))
    now = wall_clock()
    about = QueryContext.of(views, opened.store.me, now, relations=opened.store.relations())
    lists = {}
    for name, query in (("mine", _MINE), ("of_nobody", _FREE)):
        terms = parse(query)
        cards = [
            (task, view) for view in views for task in filtered(view, terms, about).all_tasks()
        ]
        cards.sort(key=lambda card: urgency(card[0], now))
        lists[name] = answers.part(
            "cards", cards, 1, lambda card: answers.card_row(*card, now, has_board=len(views) > 1)
        )
    return (
        "Pick the card that I should work on next: first what is overdue or due, then by priority,"
        " then what is under way already; if none is mine, an unassigned one. Say which and why in"
        " two sentences, and offer to assign it to me and to move it to the first active stage, but"
        f" change nothing before I agree. {answers.WRITTEN_BY_PEOPLE}\n\n{answers.fenced(lists)}"
    )


PROMPTS = {
    prompt.name: prompt
    for prompt in (
        Prompt("standup", "Prepare my standup", _standup),
        Prompt("next_card", "Pick my next card", _next_card),
    )
}


def prompt_of(name: str) -> Prompt:
    """The prompt of a name. Raises `WrongInput`."""
    if name not in PROMPTS:
        raise WrongInput(
            f"there is no prompt {quoted(cut(line(name), _LONGEST_NAME))}.",
            hint=f"There are: {', '.join(PROMPTS)}.",
        )
    return PROMPTS[name]
