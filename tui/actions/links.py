"""Opening links in a browser, or showing and copying the address if there is no display; and cards.

Only http, https and mailto addresses are opened, by the system's opener and never through a shell.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from shutil import which

from tui.actions.host import Host
from tui.actions.program import go_to
from tui.errors import CallboardError
from tui.model.find import Found, Thing, number_of
from tui.text import clean
from tui.text.card_numbers import is_card_number

LETTERED = 9
"""The most links that are listed with a digit as key; for more, the number is typed."""

_MAY_BE_OPENED = r"(?i)(?:https?://|mailto:)\S+"


def may_be_opened(url: str) -> bool:
    """Whether an address has an allowed scheme and contains no blanks or control characters."""
    return re.fullmatch(_MAY_BE_OPENED, url) is not None and url == clean.line(url)


def browser_command(environ: Mapping[str, str], platform: str) -> list[str] | None:
    """The command that opens an address on this system; None without a display or an opener."""
    if platform == "darwin":
        return None if "SSH_CONNECTION" in environ else ["open"]
    has_display = bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
    opener = which("xdg-open", path=environ.get("PATH", "")) if has_display else None
    return [opener] if opener else None


def open_link(host: Host, url: str, *, environ: Mapping[str, str] | None = None) -> None:
    """Open an address in the browser that shows the program, or in that of this machine.

    Without one, show the address and copy it.
    """
    if not may_be_opened(url):
        host.say(f"not opened: {clean.line(url)}", hint="only http, https and mailto links open")
        return
    if host.app.is_web:  # the display of this machine is not that of the user
        host.app.open_url(url)
        host.say(f"opened {url}")
        return
    command = browser_command(os.environ if environ is None else environ, sys.platform)
    if command is not None and _started([*command, url]):
        host.say(f"opened {url}")
        return
    from tui.dialogs.help import AddressDialog

    host.app.copy_to_clipboard(url)
    host.app.push_screen(AddressDialog(url))


async def follow_link(host: Host, link: str) -> None:
    """Open an address, or the card with a number such as `#12`, on whatever board it is."""
    if not is_card_number(link):
        open_link(host, link)
        return
    found = await _card(host, link)
    if found is None:
        why = "it was deleted, or is on a board that was not opened here"
        host.say(f"{link} was not found: {why}")
    else:
        await go_to(found, host)


async def _card(host: Host, number: str) -> Found | None:
    from tui.model.query.language import check

    store, card_id = host.context.store, number_of(number)
    boards = [board.id for board in store.boards() if board.archived_at is None]
    found = await store.find_cards(check(f"#{card_id}"), boards, host.context.now(), boards)
    for card in (card for view in found.views for card in view.all_tasks()):
        return Found(Thing.CARD, card.id, card.title, card.board_id)
    # Archived cards and subtasks are on no board.
    async for things in store.everything():
        for thing in things:
            if thing.thing in (Thing.CARD, Thing.SUBTASK) and thing.id == card_id:
                return thing
    return None


def in_words(host: Host, link: str) -> str:
    """A link to choose; the number of a card has its title beside it, if that is known."""
    if not is_card_number(link):
        return link
    store, card_id = host.context.store, number_of(link)
    views = filter(None, (store.board(board.id) for board in store.boards()))
    cards = (view.task(card_id) for view in views)
    card = store.relations().cards.get(card_id) or next(filter(None, cards), None)
    return link if card is None else f"{link}  {card.title}"


async def choose_link(host: Host, links: Sequence[str]) -> str | None:
    """Ask for one of several links by its number."""
    if len(links) <= LETTERED:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice

        words = [in_words(host, link) for link in links]
        choices = [QuestionChoice(str(n), label, str(n)) for n, label in enumerate(words, 1)]
        number = await host.ask(ChooseDialog("Open which link?", choices))
    else:
        from tui.dialogs.questions import AskDialog

        cards = [link for link in links if is_card_number(link)]
        title = f"Open which link? 1 to {len(links)}{f', or {cards[0]}' if cards else ''}"
        number = await host.ask(
            AskDialog(title, "1", reading=lambda words: numbered(links, words), replaces=True)
        )
    return None if number is None else numbered(links, number)


def numbered(links: Sequence[str], words: str) -> str:
    """The link with the number `words`, or this card. Raises `CallboardError` if there is none."""
    if is_card_number(words.strip()) and words.strip() in links:
        return words.strip()
    number = int(words) if words.strip().isdecimal() and len(words) < LETTERED else 0
    if not 1 <= number <= len(links):
        raise CallboardError(f"Type a number from 1 to {len(links)}.")
    return links[number - 1]


def _started(command: list[str]) -> bool:
    null = subprocess.DEVNULL
    try:
        # In a session of its own, so that ctrl+c and the end of the terminal do not reach the
        # browser.
        subprocess.Popen(  # noqa: S603 (the system's opener, with a validated address)
            command, stdin=null, stdout=null, stderr=null, start_new_session=True
        )
    except OSError:
        return False
    return True
