"""The actions on a pending change: retry, discard, resolve a conflict."""

from collections.abc import Callable

from tui.actions.host import ErrorsSaid, Host
from tui.actions.old import Action
from tui.runtime.slices import turned
from tui.screens.pending.rows import Prospect, prospect
from tui.store.events import PendingChange, PendingState
from tui.store.operations import is_edit
from tui.store.protocol import Resolution
from tui.text.keyed import keyed


class PendingContext:
    """What the actions work on: the pending change at the cursor."""

    def __init__(self, host: Host, current: Callable[[], PendingChange | None]) -> None:
        self.host = host
        self.store = host.context.store
        self.drafts = host.context.drafts
        self.say = host.say
        self.ask = host.ask
        self.begun: dict[int, str] = {}
        """Unfinished merges of the texts of both sides, by the id of the change."""
        self._current = current

    @property
    def change(self) -> PendingChange | None:
        return self._current()

    def prospect(self, waiting: PendingChange) -> Prospect:
        """What will become of a change that nothing is to be decided about."""
        status = self.store.status(waiting.board_id)
        return prospect(waiting, status, is_read_only=self.store.is_read_only)

    async def retry(self, waiting: PendingChange, *, force: bool = False) -> bool:
        """Retry a change; whether the store accepted that."""
        with ErrorsSaid(self.host):
            await self.store.retry(waiting.id, force=force)
            return True
        return False

    async def resolve(
        self, waiting: PendingChange, how: Resolution, text: str | None = None
    ) -> bool:
        """Resolve a conflict; whether the store accepted that."""
        with ErrorsSaid(self.host):
            await self.store.resolve(waiting.id, how, text)
            return True
        return False


class Retry(Action[PendingContext]):
    """Retries the change; if it may have arrived, that is checked first."""

    id, keys, label, hint = "waiting.retry", "r", "Retry change", "retry"
    changes_more = True

    async def run(self, on: PendingContext) -> None:
        waiting = on.change
        if waiting is None:
            on.say("there is nothing to send again")
        elif waiting.state is PendingState.CONFLICT:
            on.say("conflict: somebody else changed it too", hint="{list.open:↵} shows both sides")
        elif not waiting.needs_attention and on.store.status(waiting.board_id).problem:
            on.host.run_worker(_ask_now(on), group="refresh", exclusive=True)
            on.say("asking the service again")
        elif not (waiting.needs_attention or waiting.reason):
            ahead = on.prospect(waiting)
            on.say("it is being sent already" if ahead.is_going else ahead.text)
        elif waiting.was_checked_again and waiting.operation.creates is not None:
            on.host.dialogs.run(_send_even_so(on, waiting))
        elif await on.retry(waiting):
            is_unsure = waiting.state is PendingState.UNSURE
            on.say("checking whether it arrived" if is_unsure else "sending it again")


class RetryAll(Action[PendingContext]):
    """Retries all changes now, except conflicts."""

    id, keys, label, hint = "waiting.retry-all", "R", "Retry all changes", "retry all"
    changes_more = True

    async def run(self, on: PendingContext) -> None:
        waiting = on.store.pending()
        stuck = [each for each in waiting if each.needs_attention]
        again = [each for each in stuck if each.state is not PendingState.CONFLICT]
        for each in again:
            if not await on.retry(each):
                return
        if len(waiting) > len(stuck):
            on.host.run_worker(_ask_now(on), group="refresh", exclusive=True)
        count = len(waiting) - len(stuck) + len(again)
        kept = len(stuck) - len(again)
        hint = f"{kept} in conflict: {{list.open:↵}} shows both sides" if kept else ""
        on.say(f"sending {count} again" if count else "there is nothing to send again", hint=hint)


class Discard(Action[PendingContext]):
    """Asks, then discards the change, unless it turns out to have arrived."""

    id, keys, label, hint = "waiting.discard", "D", "Discard change", "discard"
    changes_more = True
    asks = True

    async def run(self, on: PendingContext) -> None:
        from tui.dialogs.confirm import ConfirmDialog

        waiting = on.change
        if waiting is None:
            on.say("there is nothing to discard")
            return
        if not (waiting.needs_attention or waiting.reason):
            ahead = on.prospect(waiting)
            said = "it is still being sent" if ahead.is_going else ahead.text
            on.say(said, hint="{board.undo:u} on its board undoes it")
            return
        text = _discard_text(waiting, on.store.count_dependants(waiting.id))
        if not await on.ask(ConfirmDialog("Discard this change?", text)):
            on.say("nothing was discarded")
            return
        with ErrorsSaid(on.host):
            is_forgotten = await on.store.discard(waiting.id)
            on.say("discarded" if is_forgotten else "it had arrived: nothing was discarded")


class Acknowledge(Action[PendingContext]):
    """Removes the notices of what may have been lost with damaged files."""

    id, keys, label = "waiting.acknowledge", "a", "Acknowledge what was lost"

    async def run(self, on: PendingContext) -> None:
        if not on.store.losses():
            on.say("nothing was lost")
            return
        with ErrorsSaid(on.host):
            await on.store.acknowledge_losses()
            on.say("acknowledged", hint="the damaged file and its report are kept")


class StayHere(Action[Host]):
    """Shows a message in place of going to the screen that is already open."""

    id, keys, label = "go.waiting", "g u", "Go to pending changes"

    async def run(self, on: Host) -> None:
        on.say("these are the pending changes")


PENDING_ACTIONS: tuple[Action[PendingContext], ...] = (
    Retry(),
    RetryAll(),
    Discard(),
    Acknowledge(),
)


async def decide(on: PendingContext, waiting: PendingChange) -> None:
    """Ask how to resolve a conflict, and do it."""
    from tui.dialogs.conflict import ConflictDialog

    draft = on.store.merge_draft(waiting.id)
    how = await on.ask(ConflictDialog(waiting, is_text=draft is not None))
    if how == "text" and draft is not None and is_edit(waiting.operation, "description"):
        await _write_description(on, waiting, draft)
    elif how == "text" and draft is not None:
        await _write(on, waiting, on.begun.get(waiting.id, draft))
    elif how is None:
        on.say("nothing was decided: it stays pending")
    elif await on.resolve(waiting, how):
        on.say("your value is sent" if how == "mine" else "their value stays")


async def _send_even_so(on: PendingContext, waiting: PendingChange) -> None:
    """Ask, then resend a change that may have arrived, without another check."""
    from tui.dialogs.confirm import ConfirmDialog

    explanation = (
        f"{waiting.operation.describe()}\n\nIt was checked twice, and what the service has "
        "does not show whether it arrived. If it did, it will be there twice."
    )
    if not await on.ask(ConfirmDialog("Send it anyway?", explanation)):
        on.say("nothing was sent: it stays pending")
    elif await on.retry(waiting, force=True):
        on.say("sending it again")


async def _ask_now(on: PendingContext) -> None:
    """Ask the service now: as soon as it answers, everything is sent."""
    with ErrorsSaid(on.host):
        await on.store.refresh()


async def _write_description(on: PendingContext, waiting: PendingChange, draft: str) -> None:
    """Let the user merge both descriptions as Markdown, and send the result."""
    from tui.dialogs.editor.text import TextEditor
    from tui.text.markdown import edited_html, to_html, to_markdown

    both, key = await turned(to_markdown, draft), f"conflict-{waiting.id}"
    editor = TextEditor(
        "Both descriptions, yours first where they differ",
        both,
        drafts=on.drafts,
        draft=key,
        as_html=to_html,
        again=keyed("{list.open:↵} and {conflict.edit:e}"),
    )
    written = await on.ask(editor)
    if written is None:
        return
    html = await turned(edited_html, draft, both, written)
    if await on.resolve(waiting, "text", html):
        on.drafts.forget(key)
        on.say("your text is sent")


async def _write(on: PendingContext, waiting: PendingChange, draft: str) -> None:
    """Let the user merge both texts, and send the result."""
    from tui.dialogs.write import WriteDialog

    title = f"The {waiting.differences[0].field} of both" if waiting.differences else "Of both"
    about = "Where both changed the same text, yours comes first."
    if "\n" not in draft and waiting.differences:
        about = f"Theirs is: {waiting.differences[0].theirs}"
    written = await on.ask(WriteDialog(title, draft, about))
    if written is None or not written.is_submitted:
        if written is not None:
            on.begun[waiting.id] = written.text
        on.say("nothing was sent", hint="{list.open:↵} and {conflict.edit:e} go on with your text")
    elif await on.resolve(waiting, "text", written.text):
        on.say("your text is sent")
    else:
        on.begun[waiting.id] = written.text


def _discard_text(waiting: PendingChange, depending: int) -> str:
    """The text of the confirmation; `depending` is how many other changes need this one."""
    what = waiting.operation.describe()
    others = "1 other change needs it" if depending == 1 else f"{depending} other changes need it"
    if waiting.state is PendingState.CONFLICT:
        return f"{what}\n\nThe other person's value stays."
    if waiting.state is PendingState.REFUSED:
        return f"{what}\n\n{others}, and will be discarded with it." if depending else what
    checked = "The service is asked first: if it arrived, it stays"
    if not depending:
        return f"{what}\n\n{checked}; it is not sent again."
    return f"{what}\n\n{others}. {checked} and they go on; if not, all of it is discarded."
