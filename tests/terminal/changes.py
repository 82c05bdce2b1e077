"""Changes that a person makes to the board on the screen, each with what it looks like.

What the board must look like afterwards is worked out from what was on the
screen before, never read from the program's own files.
"""

from collections.abc import Callable
from random import Random

from tests.drivers.program import FAR_OFF, bare, card_sign, columns
from tests.drivers.terminal import Terminal

Cards = list[list[str]]
"""The cards of each column as `card_sign` writes them, from the top."""

Change = Callable[[Terminal, Random, str], Callable[[Cards], bool]]
"""Makes a change with keys; `name` is a title that was never used. Returns how to tell it."""

PROBES = "~`" * 10
"""Keys that do nothing on a board, which says so."""

MARK = "◆"
"""What stands at a marked card."""

FULL = 20
"""Cards in a column above which no more are made, so that all stay in sight."""

FEW = 5
"""Cards on the board below which none is taken away."""


_PLACEHOLDER = "title #label"
"""How the empty input of a new card begins, which is drawn in place of a card."""


def board(terminal: Terminal) -> Cards:
    """The cards on the screen; empty while the board is not drawn whole."""
    drawn = columns(terminal)
    cards = [list(column.cards) for column in drawn]
    counts = [column.count for column in drawn]
    every = [card for column in cards for card in column]
    is_whole = counts == [len(column) for column in cards] and len(set(every)) == len(every)
    is_typed = any(card.startswith(_PLACEHOLDER) for card in every)  # while cards move below it
    return cards if is_whole and not is_typed else []


def whole_board(terminal: Terminal) -> Cards:
    """The cards on the screen, once the board is drawn whole."""
    terminal.until(lambda: board(terminal), "the board, drawn whole")
    return board(terminal)


def has(cards: list[str], card: str) -> bool:
    """Whether a card is among these, whatever signs it has now."""
    return any(bare(each)[:20] == bare(card)[:20] for each in cards)


def go_to(terminal: Terminal, column: int, row: int) -> str:
    """Put the cursor on a card; the card."""
    card = whole_board(terminal)[column][row]
    begin = f"▌{title_of(card)}"

    def is_there() -> bool:
        return any(begin in one.text for one in columns(terminal)[column : column + 1])

    def has_moved() -> bool:
        cards = board(terminal)[column : column + 1]
        return any(has(each, card) and not has(each[row : row + 1], card) for each in cards)

    terminal.press(str(column + 1), "g", "g", *("j" * row))
    terminal.until(lambda: is_there() or has_moved(), f"the cursor on {card!r}")
    if is_there():
        return card
    # A second program has changed the cards above since they were read.
    rows = (at for at, one in enumerate(whole_board(terminal)[column]) if has([one], card))
    return go_to(terminal, column, next(rows, row))


def title_of(card: str) -> str:
    """What is drawn of a card, without the signs behind its title."""
    return card.removesuffix(" ◷").removesuffix(" ▲")


def go_to_any(terminal: Terminal, random: Random) -> tuple[int, str]:
    """Put the cursor on some card; its column and the card."""
    places = [(x, y) for x, cards in enumerate(whole_board(terminal)) for y in range(len(cards))]
    column, row = random.choice(places)
    return column, go_to(terminal, column, row)


def start_typing(terminal: Terminal, key: str) -> None:
    """Press a key that opens an input, see that it takes what is typed, and leave it empty."""
    terminal.press(key)
    for probe in PROBES:
        terminal.press(probe)
        terminal.until(lambda probe=probe: probe in terminal.text, "an answer to a key")  # type: ignore[misc]
        if any(probe in line for line in terminal.lines[:-1]):
            break
    terminal.press("ctrl+u")
    terminal.until(lambda: all(each not in terminal.text for each in PROBES), "an empty input")


def type_title(terminal: Terminal, name: str) -> None:
    """Type a title and Enter; blanks are doubled, so that a card never looks like its input."""
    terminal.press(*name.replace(" ", "  "), "enter")


def type_new(terminal: Terminal, name: str) -> None:
    """Type a new card, and no other one after it."""
    start_typing(terminal, "n")
    type_title(terminal, name)
    terminal.press("enter")


def shift(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Move a card one column to the side with one key."""
    del name
    column, card = go_to_any(terminal, random)
    right = column == 0 or (column == 1 and random.random() < 0.5)
    target = column + 1 if right else column - 1
    terminal.press("L" if right else "H")
    return lambda cards: has(cards[target], card)


def carry(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Pick a card up, carry it to another column and drop it."""
    del name
    column, card = go_to_any(terminal, random)
    target = (column + random.choice((1, 2))) % 3
    terminal.press("space")
    terminal.sees("◆ Moving")
    terminal.press(str(target + 1), "enter")
    return lambda cards: has(cards[target], card)


def write(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Type a new card below some card."""
    column, card = go_to_any(terminal, random)
    count = len(whole_board(terminal)[column])
    if count >= FULL:
        terminal.press("A")
        return lambda cards: not any(has(each, card) for each in cards)
    type_new(terminal, name)
    return lambda cards: len(cards[column]) > count and has(cards[column], name)


def retitle(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Type another title over that of a card."""
    column, _ = go_to_any(terminal, random)
    start_typing(terminal, "e")
    type_title(terminal, name)
    return lambda cards: has(cards[column], name)


def prioritise(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Make a card urgent, or no longer; one that is done is reopened instead."""
    column, card = go_to_any(terminal, random)
    if card.startswith("✓ "):
        return close(terminal, random, name)
    terminal.press("p")
    terminal.sees("Priority of")
    is_high = " ▲" not in card
    terminal.press("h" if is_high else "l")
    changed = card_sign(title_of(card), is_high=is_high, is_dated=card.endswith(" ◷"))
    return lambda cards: changed in cards[column]


def schedule(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Give a card a due date, or take it away; one that is done is reopened instead."""
    column, card = go_to_any(terminal, random)
    if card.startswith("✓ "):
        return close(terminal, random, name)
    terminal.press("d")
    terminal.sees("Due date of")
    is_dated = not card.endswith(" ◷")
    terminal.press("ctrl+u", *(f"{FAR_OFF}-12-05" if is_dated else ""), "enter")
    changed = card_sign(title_of(card), is_high=" ▲" in card, is_dated=is_dated)
    return lambda cards: changed in cards[column]


def archive(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Archive a card, or write one where few are left."""
    if sum(map(len, whole_board(terminal))) < FEW:
        return write(terminal, random, name)
    _, card = go_to_any(terminal, random)
    terminal.press("A")
    return lambda cards: not any(has(each, card) for each in cards)


def delete(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Delete a card, or write one where few are left."""
    if sum(map(len, whole_board(terminal))) < FEW:
        return write(terminal, random, name)
    _, card = go_to_any(terminal, random)
    terminal.press("D")
    terminal.sees("Delete “")
    terminal.press("y")
    return lambda cards: not any(has(each, card) for each in cards)


def close(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Close a card, or reopen it."""
    del name
    column, card = go_to_any(terminal, random)
    terminal.press("x")
    was = title_of(card)
    turned = was[2:] if was.startswith("✓ ") else f"✓ {was}"
    return lambda cards: any(each.startswith(turned[:20]) for each in cards[column])


def climb(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Move a card up or down with one key; write one where there is no room for that."""
    cards = whole_board(terminal)
    wide = [column for column, lane in enumerate(cards) if len(lane) > 1]
    if not wide:
        return write(terminal, random, name)
    column = random.choice(wide)
    row = random.randrange(len(cards[column]))
    target = (
        row + 1 if row == 0 or (row < len(cards[column]) - 1 and random.random() < 0.5) else row - 1
    )
    card = go_to(terminal, column, row)
    terminal.press("J" if target > row else "K")
    return lambda cards: len(cards[column]) > target and has([cards[column][target]], card)


def shift_marked(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Mark two cards and move both with one key: together, or not at all."""
    cards = whole_board(terminal)
    wide = [column for column, lane in enumerate(cards) if len(lane) > 1]
    if not wide:
        return shift(terminal, random, name)
    column = random.choice(wide)
    first, second = cards[column][:2]
    go_to(terminal, column, 0)
    terminal.press("v")
    go_to(terminal, column, 1)
    terminal.press("v")
    target = 1 if column == 0 else column - 1
    terminal.press("L" if target > column else "H")
    return lambda cards: has(cards[target], first) and has(cards[target], second)


def take_back(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Write a card and take it back at once."""
    before = whole_board(terminal)
    is_written = write(terminal, random, name)
    terminal.until(lambda: (cards := board(terminal)) and is_written(cards), "the new card")
    terminal.press("u")
    return lambda cards: cards == before


def do_again(terminal: Terminal, random: Random, name: str) -> Callable[[Cards], bool]:
    """Write a card, take it back, and do it again."""
    before = whole_board(terminal)
    is_written = write(terminal, random, name)
    terminal.until(lambda: (cards := board(terminal)) and is_written(cards), "the new card")
    terminal.press("u")
    terminal.until(lambda: board(terminal) == before, "the board as it was before")
    terminal.press("U")
    return is_written


CHANGES: dict[str, Change] = {
    change.__name__: change
    for change in (
        *(shift, carry, write, retitle, prioritise, archive, close, take_back),
        *(schedule, delete, climb, shift_marked, do_again),
    )
}
