"""Cards of a file that block each other, under their new numbers; and what the file lacks."""

from datetime import datetime

from tui.model.blocked_by import Blocker, joined
from tui.model.board import Board, BoardView, Stage
from tui.model.people import Account
from tui.model.task import Task
from tui.store.operations import Edit
from tui.store.operations.base import Operation
from tui.transfer.exporting import sheet_of
from tui.transfer.importing import ImportTarget, import_of
from tui.transfer.sheet import Sheet, SheetCard, tidied

BOARD = BoardView(Board(1, "Shop"), (Stage(1, 1, "To do"),), {1: ()})


def imported(
    *cards: SheetCard, view: BoardView = BOARD, **known: int
) -> tuple[dict[str, set[int]], dict[str, int], dict[str, str], list[str]]:
    """Which ids block which card, the ids of new cards, their descriptions, and what is lost."""
    target = ImportTarget(view, Account("ann"), datetime(2026, 11, 2, 9), known)  # noqa: DTZ001
    plan = import_of(tidied(Sheet("Shop", cards=cards)), target)
    operations: tuple[Operation, ...] = tuple(plan.operations)
    blocked: dict[str, set[int]] = {}
    for operation in operations:
        if isinstance(operation, Edit) and operation.blocker is not None:
            blocked.setdefault(operation.target.name, set()).add(operation.blocker.id)
    ids = {task.title: task.id for _, task in plan.cards}
    texts = {card.title: card.description for card, _ in plan.cards}
    return blocked, ids, texts, list(plan.lost)


def test_cards_block_each_other_under_their_new_numbers() -> None:
    text = "Why\n\nBlocked by: #12, Support #801"
    blocked, ids, texts, lost = imported(
        SheetCard("A", key="card-11", description=text, blocked_by=("card-13",)),
        SheetCard("B", key="card-12"),
        SheetCard("C", key="card-13", blocked_by=("card-13", "LIN-9")),
    )
    assert blocked == {"A": {ids["B"], ids["C"]}}
    assert texts["A"] == "Why\n\nWas blocked by: Support #801"
    assert texts["C"] == "Was blocked by: LIN-9"
    assert lost == ["blockers that are not in the file, named in the description"]


def test_a_card_that_was_imported_before_blocks_a_new_one() -> None:
    view = BoardView(BOARD.board, BOARD.stages, {1: (Task(77, 1, 1, "B"),)})
    cards = SheetCard("A", key="SHOP-1", blocked_by=("SHOP-2",)), SheetCard("B", key="SHOP-2")
    blocked, *_ = imported(*cards, view=view, **{"SHOP-2": 77})
    assert blocked == {"A": {77}}


def test_an_exported_line_is_read_again() -> None:
    waiting = Task(11, 1, 1, "A", blockers=(Blocker(12),))
    view = BoardView(BOARD.board, BOARD.stages, {1: (waiting, Task(12, 1, 1, "B"))})
    texts = {11: joined("Why", waiting.blockers).replace("<p>", "\n\n").replace("</p>", "")}
    sheet = sheet_of(view, (), texts, {})
    assert sheet.cards[0].description == "Why\n\nBlocked by: #12"
    blocked, ids, again, lost = imported(*sheet.cards)
    assert (blocked, again["A"], lost) == ({"A": {ids["B"]}}, "Why", [])
