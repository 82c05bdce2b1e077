"""The standup as a page: the boards stage by stage, and the same cards by person."""

from collections.abc import Iterator

from tui.cli.pages.blocking import BLOCKED, holding_sign
from tui.cli.pages.document import document
from tui.cli.pages.markup import Markup, element, joined, link, moment
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.standup import words
from tui.model.standup.report import Flag, Standup, StandupCard
from tui.model.standup.words import SEPARATOR, LinePiece, PieceTopic
from tui.model.standup.writing import CardLine, Lens, StandupBlock, opening, sections

_HEADINGS = {Lens.WALK: "By board", Lens.BY_PERSON: "By person"}


def standup_page(
    report: Standup, card_url: str = "", *, relations: Relations = NO_RELATIONS
) -> str:
    """The page of a standup in both lenses; `relations` say which cards wait for others."""
    return document(
        words.title(report),
        opening(report),
        *(
            element(
                "section",
                element("h2", heading),
                *(_block(block, card_url, relations) for block in sections(report, lens)),
            )
            for lens, heading in _HEADINGS.items()
        ),
    )


def _block(block: StandupBlock, card_url: str, relations: Relations) -> Markup:
    # The headings of a lens are one level below it, as sections are below the title in Markdown.
    tag = f"h{block.level + 1}" if block.level else "p"
    items = [element("li", _line(card, card_url, relations), dir="auto") for card in block.cards]
    return joined(element(tag, block.text, dir="auto"), element("ul", *items) if items else "")


def _line(card: CardLine, card_url: str, relations: Relations) -> Markup:
    return joined(
        *_separated(_piece(piece, card.row, card_url, relations) for piece in card.pieces)
    )


def _separated(pieces: Iterator[Markup]) -> Iterator[str]:
    for at, piece in enumerate(pieces):
        yield SEPARATOR if at else ""
        yield piece


def _piece(piece: LinePiece, row: StandupCard, card_url: str, relations: Relations) -> Markup:
    task = row.task
    if piece.about is PieceTopic.FLAGS:
        # They name what blocks the card, so that its sign is for the eye alone.
        is_blocked = Flag.BLOCKED in row.flags
        sign = element("span", f"{BLOCKED} ", aria_hidden="true") if is_blocked else ""
        return element("strong", sign, piece.text, class_="bad")
    if piece.about is PieceTopic.TITLE:
        title = element("span", piece.text, class_="title")
        named = title if task.is_local else link(task.web_address(card_url), title)
        sign = holding_sign(task, relations)
        return joined(named, " ", sign) if sign else named
    if piece.about is PieceTopic.DUE and task.due_at:
        return moment(task.due_at, piece.text)
    return element("span", piece.text)
