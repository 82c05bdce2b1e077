"""Notifies the user of news in the configured way, but not of a card that is on screen.

Notifications are sent at most once a minute, and nothing twice: what was sent is recorded in the
preferences, which all running programs share. Times are aware wall-clock times; those in the
future, from before the clock was set back, do not count.

A command of the user has the text as its last argument, and in its environment, never as a part of
a line that a shell reads.
"""

import asyncio
import os
import shlex
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from tui.config.inbox_file import InboxFile
from tui.config.passwords import needs_shell
from tui.config.preferences import ALL_BOARDS, Preferences
from tui.config.settings import Settings
from tui.errors import CallboardError, reason_of
from tui.model.work.inbox import is_read
from tui.model.work.news import News, summary
from tui.runtime.beside import kill
from tui.runtime.notices import notice
from tui.store.clock import Clock, SystemClock
from tui.store.protocol import Store

_SENT, _SENT_AT = "notified", "notified_at"
_PATIENCE = 10.0
PAUSE = timedelta(minutes=1)
GATHER = timedelta(seconds=2)
"""How long news wait, for more to be sent with them, and for the user to see the card."""
KEPT = timedelta(hours=2)
"""How long it is recorded what was sent; nothing is found as news again after that."""


class PendingNews(NamedTuple):
    """News that are not sent yet; `was_marked` says that the card was marked as unseen."""

    news: News
    since: datetime
    was_marked: bool = False


def moment(
    waiting: Sequence[PendingNews], sent_at: datetime | None, now: datetime
) -> datetime | None:
    """When the news that wait may be sent; None if there are none."""
    if not waiting:
        return None
    # A time in the future comes from a clock that was set back, and would delay news for long.
    gathered = min(pending.since for pending in waiting) + GATHER
    return gathered if sent_at is None or sent_at > now else max(gathered, sent_at + PAUSE)


def unsent(waiting: Sequence[PendingNews], sent: Mapping[str, datetime]) -> list[PendingNews]:
    """Those that were not sent by any program, each once."""
    by_key: dict[str, PendingNews] = {}
    for pending in waiting:
        by_key.setdefault(pending.news.key, pending)
    return [pending for key, pending in by_key.items() if key not in sent]


def remembered(sent: Mapping[str, datetime], now: datetime) -> dict[str, datetime]:
    """What was sent within `KEPT`, without times in the future."""
    return {key: at for key, at in sent.items() if timedelta() <= now - at < KEPT}


class Terminal(NamedTuple):
    """The terminal of a program: how to write to it, how to show an error, its environment."""

    write: Callable[[str], None]
    complain: Callable[[str], None]
    environ: Mapping[str, str]


class Notifier:
    """Collects news, and sends them when they may be sent; `settings` returns the current ones.

    `is_on_screen` says whether the user sees a card in this program. What was read in the `inbox`
    is not sent, and how much is unread there is told to commands.
    """

    def __init__(
        self,
        store: Store,
        settings: Callable[[], Settings],
        preferences: Preferences,
        terminal: Terminal,
        *,
        is_on_screen: Callable[[int], bool] = lambda _: False,
        inbox: InboxFile | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._store = store
        self._inbox = inbox or InboxFile()
        self._settings = settings
        self._preferences = preferences
        self._terminal = terminal
        self._is_on_screen = is_on_screen
        self._clock = clock or SystemClock()
        self._waiting: list[PendingNews] = []
        self._woken = asyncio.Event()

    def add(self, news: Sequence[News]) -> None:
        """Send these news, unless the user sees the card or is not to be told of such."""
        now, wanted, seen = self._clock.now(), self._settings().notify_of, list[News]()
        for item in news:
            if item.reason.value in wanted and self._is_on_screen(item.task.id):
                seen.append(item)
            elif item.reason.value in wanted:
                self._waiting.append(PendingNews(item, now, self._is_marked(item)))
        self._keep(seen, now)  # so that no other program sends them
        self._woken.set()

    async def run(self) -> None:
        """Send news whenever they may be sent; never returns."""
        while True:
            # Before looking, so that news that are added from now on end the next wait.
            self._woken.clear()
            now = self._clock.now()
            self._preferences.read()
            sent_at = _time(self._preferences.text(ALL_BOARDS, _SENT_AT))
            at = moment(self._waiting, sent_at, now)
            if at is None:
                await self._woken.wait()
            elif at > now:
                await self._clock.sleep((at - now).total_seconds())
            else:
                await self._send(now)

    async def _send(self, now: datetime) -> None:
        waiting, self._waiting = unsent(self._waiting, self._sent(now)), []
        news = [pending.news for pending in waiting if not self._is_seen(pending)]
        # Recorded before a command runs, for seconds perhaps, so that no other program sends them.
        self._keep([pending.news for pending in waiting], now)
        if not news:
            return
        # Only what is really sent delays the next notification.
        self._preferences.keep(ALL_BOARDS, **{_SENT_AT: now.isoformat()})
        settings, text = self._settings(), summary(news)
        if settings.notify == "command":
            try:
                unread = len(self._inbox.read().unread)
                await run_command(settings.notify_command, text, news, unread)
            except CallboardError as error:
                self._terminal.complain(error.message)
        elif settings.notify != "off":
            self._terminal.write(notice(settings.notify, text, self._terminal.environ))

    def _is_marked(self, news: News) -> bool:
        return news.task.id in self._store.changed_by_others(news.task.board_id)

    def _is_seen(self, waiting: PendingNews) -> bool:
        # The mark is gone once the user looked at the card, in whichever program.
        was_looked_at = waiting.was_marked and not self._is_marked(waiting.news)
        return (
            was_looked_at
            or self._is_on_screen(waiting.news.task.id)
            or is_read(self._inbox.read(), waiting.news)
        )

    def _sent(self, now: datetime) -> dict[str, datetime]:
        self._preferences.read()
        texts = self._preferences.texts_by_name(ALL_BOARDS, _SENT)
        times = {key: at for key, text in texts.items() if (at := _time(text))}
        return remembered(times, now)

    def _keep(self, news: Sequence[News], now: datetime) -> None:
        if news:
            sent = self._sent(now) | {item.key: now for item in news}
            texts = {key: at.isoformat() for key, at in sent.items()}
            self._preferences.keep(ALL_BOARDS, **{_SENT: texts})


def _time(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo else None


async def run_command(command: str, text: str, news: Sequence[News], unread: int = 0) -> None:
    """Run a command for some news, which `text` sums up. Raises `CallboardError` if it fails."""
    environ = os.environ | environment(text, news) | {"CALLBOARD_UNREAD": str(unread)}
    try:
        process = await asyncio.create_subprocess_exec(
            *words(command, text),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            env=environ,
            start_new_session=True,
        )
    except OSError as error:
        raise CallboardError(
            f"The notification command cannot be run: {reason_of(error)}."
        ) from error
    try:
        async with asyncio.timeout(_PATIENCE):
            code = await process.wait()
    except TimeoutError:
        code = 0  # it may show something as long as it runs
    finally:
        if process.returncode is None:  # also when cancelled
            await kill(process)
    if code:
        raise CallboardError(f"The notification command failed with exit code {code}.")


def words(command: str, text: str) -> list[str]:
    """The words of a command with the text as the last one.

    A line with shell syntax is read by a shell, in which the text is `$1`. Raises `CallboardError`.
    """
    if needs_shell(command):
        return ["/bin/sh", "-c", command, "callboard", text]
    try:
        split = shlex.split(command)
    except ValueError as error:
        raise CallboardError(
            "The notification command is invalid: a quote is not closed."
        ) from error
    if not split:
        raise CallboardError("The notification command is not set.")
    return [*split, text]


def environment(text: str, news: Sequence[News]) -> dict[str, str]:
    """The variables for the command; those about the card are of the first news."""
    first = news[0]
    return {
        "CALLBOARD_TEXT": text,
        "CALLBOARD_COUNT": str(len(news)),
        "CALLBOARD_EVENT": first.reason.value,
        "CALLBOARD_CARD": str(first.task.id),
        "CALLBOARD_TITLE": first.task.title,
        "CALLBOARD_BOARD": first.board,
    }
