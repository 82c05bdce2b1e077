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
from tui.model.find import Found, Thing
from tui.text import clean

LETTERED = 9
"""The most links that are listed with a digit as key; for more, the number is typed."""

_CARD = re.compile(r"(?<![\w&/#])#\d{1,18}\b")
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
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


def cards_in(text: str) -> tuple[str, ...]:
    """The numbers of cards in a text or in HTML, as `#12`, each once."""
    return tuple(dict.fromkeys(_CARD.findall(clean.unescaped(_TAG.sub(" ", text)))))


async def follow_link(host: Host, link: str) -> None:
    """Open an address, or the card with a number such as `#12`, on whatever board it is."""
    if not link.startswith("#"):
        open_link(host, link)
        return
    from tui.model.query.language import check

    store = host.context.store
    boards = [board.id for board in store.boards() if board.archived_at is None]
    found = await store.find_cards(check(link), boards, host.context.now(), boards)
    card = next((card for view in found.views for card in view.all_tasks()), None)
    if card is None:
        host.say(f"{link} was not found on boards that were opened here")
    else:
        await go_to(Found(Thing.CARD, card.id, card.title, card.board_id), host)


async def choose_link(host: Host, links: Sequence[str]) -> str | None:
    """Ask for one of several links by its number."""
    if len(links) <= LETTERED:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice

        choices = [QuestionChoice(str(n), link, str(n)) for n, link in enumerate(links, 1)]
        number = await host.ask(ChooseDialog("Open which link?", choices))
    else:
        from tui.dialogs.questions import AskDialog

        title = f"Open which link? 1 to {len(links)}"
        number = await host.ask(
            AskDialog(title, "1", reading=lambda words: numbered(links, words), replaces=True)
        )
    return None if number is None else numbered(links, number)


def numbered(links: Sequence[str], words: str) -> str:
    """The link with the number `words`. Raises `CallboardError` if there is none."""
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
