"""The dialog for what blocks cards: a reason, cards of all boards, or both."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.context import Context
from tui.dialogs.base import DialogMessage
from tui.dialogs.one_line import TwoSided
from tui.dialogs.pick.find import MOST, FindDialog, PickRow, marked
from tui.model.blocked_by import Blocker, in_words
from tui.model.find import FindIndex, Found, Thing
from tui.model.ids import numbered
from tui.text.cells import cut
from tui.text.clean import line, listed
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput

_REASON, _SAVE = "reason", "save"
_SOME = 200
"""After so many cards the list is shown for the first time."""
_TITLE = 18
"""How many cells of the title of a card its chip has."""
_LABEL = Blocker(0)
"""Stands for the label in the row of chips."""


class BlockAnswer(NamedTuple):
    """What blocks the cards now.

    `reason` is for the label, empty for the label alone, and None to leave the label as it is; it
    is taken off if it was there and is not `has_label` any more.
    """

    blockers: tuple[Blocker, ...]
    reason: str | None = None
    has_label: bool = False


class BlockerInput(TextInput):
    """An input that says when Backspace finds nothing to delete."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "blockers", ("remove", "backspace", "delete_left", "Remove the last card")
    )

    def __init__(self, placeholder: str, at_start: Callable[[], None]) -> None:
        super().__init__(placeholder=placeholder, compact=True)
        self._at_start = at_start

    def action_delete_left(self) -> None:
        if self.value:
            super().action_delete_left()
        else:
            self._at_start()


class _Chips(Static):
    """The picked cards side by side; a click on one removes it."""

    def __init__(self, remove: Callable[[Blocker], None]) -> None:
        super().__init__(classes="dialog-text")
        self._remove = remove
        self._shown: list[tuple[Blocker, int, int]] = []

    def show(self, chips: Sequence[tuple[Blocker, str]], width: int) -> None:
        """Draw as many as fit, and the number of the others."""
        self.display = bool(chips)
        self._shown, content, at = [], Content(), 0
        for number, (blocker, words) in enumerate(chips):
            chip = f" {words} {glyphs.CLOSE} "
            remaining = f"+{len(chips) - number}"
            room = width - at - (len(remaining) + 2 if number < len(chips) - 1 else 0)
            if Content(chip).cell_length > room and number:
                content += Content.styled(remaining, "$quiet")
                break
            chip = cut(chip, max(1, room))
            end = at + Content(chip).cell_length
            self._shown.append((blocker, at, end))
            content += Content.styled(chip, "$refused") + Content("  ")
            at = end + 2
        self.update(content)

    def on_click(self, event: events.Click) -> None:
        for blocker, begin, end in self._shown:
            if begin <= event.x < end:
                event.stop()
                self._remove(blocker)
                return


class BlockedByDialog(FindDialog[BlockAnswer]):
    """Asks what blocks cards; those picked are chips above the input.

    `circle` says why a card cannot be picked, since it waits for one of the cards; `without` are
    the ids of these, `board_id` their board, `titles` those of cards that are picked already.
    `no_reason` says why there is no place for a reason; without `has_cards` there is only that, as
    for subtasks.
    """

    frame_class = "-tall"
    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "blockers", ("save", "ctrl+s", "save", "Save what blocks the card"), priority=True
    )

    def __init__(
        self,
        about: str,
        context: Context,
        *,
        board_id: int,
        without: Iterable[int],
        circle: Callable[[int], str],
        picked: Sequence[Blocker] = (),
        titles: Mapping[int, str],
        has_label: bool = False,
        no_reason: str = "",
        has_cards: bool = True,
    ) -> None:
        field = BlockerInput(
            "type a reason or find a card" if has_cards else "type a reason", self._remove_last
        )
        super().__init__("Blocked by", "", line=field)
        self._about = about
        self._store = context.store
        self._board_id = board_id
        self._without = frozenset(without)
        self._circle = circle
        self._picked = [*picked, *([_LABEL] if has_label else ())]
        self._was_blocked = bool(self._picked)
        self._titles = dict(titles)
        self._no_reason = no_reason
        self._has_cards = has_cards
        self._index = FindIndex((), context.now())
        self._matches: dict[str, Found] = {}
        self._is_reading = True
        self._chips = _Chips(self._remove)
        self._note = DialogMessage(classes="dialog-text")

    def body(self) -> Iterable[Widget]:
        field, cards = super().body()
        return self._chips, field, cards, self._note

    def on_mount(self) -> None:
        self.say_context(self._about)
        self.run_worker(self._read(), group="reading")

    def on_resize(self) -> None:  # beside that of the base, which Textual calls too
        self.call_after_refresh(self._show_picked)

    async def _read(self) -> None:
        listed = 0
        async for things in self._store.everything():
            if any(found.thing in (Thing.SUBTASK, Thing.COMMENT) for found in things):
                break  # which come after all cards
            self._index.add([found for found in things if self._can_block(found)])
            if len(self._index) >= 2 * listed + _SOME:
                listed = len(self._index)
                self._list_more()
        self._is_reading = False
        self._list_more()
        self.matches_found()

    def _can_block(self, card: Found) -> bool:
        is_open = not (card.is_closed or card.is_archived)
        is_offered = self._has_cards and card.id not in self._without
        return card.thing is Thing.CARD and is_open and is_offered

    @property
    def lacks_matches(self) -> bool:
        return self._is_reading and bool(self.line.value.strip())

    def _list_more(self) -> None:
        if self.is_mounted:
            self.list_again(at=self.at if self.at in self._matches else "")

    def rows(self, words: str) -> list[PickRow]:
        reason = " ".join(words.split())
        rows = [*_heading("Reason" if reason else ""), self._first_row(reason)]
        found = self._index.find(words, None if reason else MOST, is_strict=True)
        self._matches = {str(card.id): card for card in found[:MOST]}
        if self._matches or self._is_reading:
            rows += _heading(f"Cards  {len(found)}" if found else "reading …")
        rows += [PickRow(key, self._card(card, words)) for key, card in self._matches.items()]
        if more := len(found) - len(self._matches):
            rows.append(PickRow("", Content(f"   … {more} more: type to find them")))
        return rows

    def _first_row(self, reason: str) -> PickRow:
        if reason and self._no_reason:
            return PickRow("", Content.styled(f"   no reason: {self._no_reason}", "$quiet"))
        if reason:
            return PickRow(_REASON, Content(f"   use “{line(reason)}” as the reason"))
        named = listed([self._chip(blocker) for blocker in self._picked])
        if self._picked:
            return PickRow(_SAVE, Content(f"   save: blocked by {named}"))
        if self._was_blocked:
            return PickRow(_SAVE, Content("   save: no longer blocked"))
        return PickRow(_REASON, Content("   no card and no reason: only the label"))

    def _card(self, card: Found, words: str) -> TwoSided:
        is_picked = any(blocker.id == card.id for blocker in self._picked)
        left = Content(f" {glyphs.DONE if is_picked else ' '} {numbered(card.id)}  ")
        left += marked(card.title or "(no title)", words)
        place = " › ".join(filter(None, (card.board, card.place)))
        if self._circle(card.id):
            left, place = left.stylize("$quiet"), "would block itself"
        return TwoSided(left, Content.styled(place, "$quiet"))

    def _chip(self, blocker: Blocker) -> str:
        if blocker == _LABEL:
            return "label “Blocked”"
        return in_words(blocker)

    def _show_picked(self) -> None:
        chips = []
        for blocker in self._picked:
            title = cut(self._titles.get(blocker.id, ""), _TITLE)
            chips.append((blocker, f"{self._chip(blocker)} {title}".strip()))
        self._chips.show(chips, self._chips.size.width or self.line.size.width)
        blocks_itself = any(blocker != _LABEL for blocker in self._picked)
        has_label = _LABEL in self._picked or not (self._picked or self._was_blocked)
        again = keyed("press {task.block:b} again to unblock") if has_label else ""
        itself = "" if has_label else "unblocks itself when these are closed"
        self._note.show(itself if blocks_itself else again)

    def list_again(self, *, at: str = "") -> None:
        super().list_again(at=at)
        if not at and self._matches and self.line.value.strip():
            # A card is what most people look for; what they typed stands above it as a reason.
            self._list.highlighted = self._keys.index(next(iter(self._matches)))
        self._show_picked()

    def keys_line(self) -> str:
        keys = ["{blockers.remove:backspace} remove last"] if self._picked else []
        if self.can_take:
            verb = "save" if self.at in (_REASON, _SAVE) else "remove" if self._is_picked else "add"
            keys = [f"↵ {verb}", "{blockers.save:ctrl+s} save", *keys]
        return "   ".join((*keys, "{dialog.cancel:esc} cancel"))

    @property
    def _is_picked(self) -> bool:
        return any(str(blocker.id) == self.at for blocker in self._picked)

    def take(self) -> None:
        if self.at == _REASON:
            self._answer(" ".join(self.line.value.split()))
        elif self.at == _SAVE:
            self._answer(None)
        elif self._toggle():
            self.line.clear()
            self.list_again()

    def _toggle(self) -> bool:
        card = self._matches.get(self.at)
        if card is None:
            return False
        if self._is_picked:
            self._picked = [blocker for blocker in self._picked if blocker.id != card.id]
        elif why_not := self._circle(card.id):
            self.tell(why_not)
            return False
        else:
            self._titles[card.id] = card.title
            board = card.board if card.board_id != self._board_id else ""
            self._picked.append(Blocker(card.id, board))
        return True

    def action_save(self) -> None:
        is_typed = bool(self.line.value.strip())
        if self.at == _REASON:
            self.take()
        elif not is_typed or self._is_picked or self._toggle():
            self._answer(None)

    def _answer(self, reason: str | None) -> None:
        blockers = tuple(blocker for blocker in self._picked if blocker != _LABEL)
        self.dismiss(BlockAnswer(blockers, reason, _LABEL in self._picked))

    def _remove(self, blocker: Blocker) -> None:
        self._picked.remove(blocker)
        self.list_again(at=self.at)

    def _remove_last(self) -> None:
        if self._picked:
            self._remove(self._picked[-1])


def _heading(words: str) -> list[PickRow]:
    return [PickRow("", Content.styled(f" {words}", "$quiet"))] if words else []
