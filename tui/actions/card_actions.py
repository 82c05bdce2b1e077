"""The actions on the chosen cards that board, task, my work, lists and standup share.

What works on cards everywhere is one method here.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from importlib import import_module

from tui.actions.action import action, board_action
from tui.actions.program import go_to
from tui.actions.tasks.cards import Cards, named, shared_ids
from tui.client.capabilities import Feature, why_missing
from tui.model.board import BoardView, Place
from tui.model.detail import DetailPart, TaskDetail
from tui.model.find import Found, Thing
from tui.model.task import Status, Task
from tui.model.work.agents import agents_of
from tui.navigation import ThreadRequested
from tui.runtime.slices import turned
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted
from tui.text.keyed import keyed

_CARD_URL = "set card_url of the profile in the settings"
DELETES_SAID = 3
"""The most titles that the confirmation lists."""


def _question(
    name: str,
    keys: str,
    label: str,
    ask: Callable[[Cards], Awaitable[None]],
    *,
    needs: Feature | None = None,
    hint: str = "",
    words: str = "",
) -> Callable[["CardActions"], Awaitable[None]]:
    async def run(actions: "CardActions") -> None:
        await ask(actions._cards)  # noqa: SLF001  it is a method of theirs

    return board_action(name, keys, label, hint=hint, words=words, needs=needs, asks=True)(run)


def _later(module: str, function: str) -> Callable[[Cards], Awaitable[None]]:
    # A function of `tui.actions.tasks` that is imported when it is called.
    async def ask(cards: Cards) -> None:
        await getattr(import_module(f"tui.actions.tasks.{module}"), function)(cards)

    return ask


def _field(
    name: str, keys: str, label: str, *, hint: str = "", words: str = ""
) -> Callable[["CardActions"], Awaitable[None]]:
    async def ask(cards: Cards) -> None:
        from tui.actions.tasks.fields import set_field

        await set_field(cards, name)

    return _question(name, keys, label, ask, hint=hint, words=words)


class CardActions:
    """What is done with the chosen cards.

    `type_title` opens the input for a new title, `links` are those in texts that are shown, and the
    numbers of cards.
    """

    def __init__(
        self,
        cards: Cards,
        type_title: Callable[[Task], object],
        links: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._cards = cards
        self._type_title = type_title
        self._links = links

    def why_not_now(self, action_id: str) -> str:
        tasks = self._cards.tasks
        if not tasks:
            return "no card"
        if action_id == "task.to-subtask" and any(task.parent_id is not None for task in tasks):
            return "is a subtask"
        if action_id == "task.to-subtask" and any(task.subtasks_total for task in tasks):
            return "has subtasks"
        return ""

    @action("task.menu", "comma,shift+f10", "Show menu of card", hint="menu", words="context")
    def show_menu(self) -> None:
        if self._cards.need_tasks_anywhere():
            self._cards.host.show_menu()

    @board_action("task.repeat", "full_stop", "Repeat last change")
    async def repeat(self) -> None:
        from tui.store.operations.repeating import repeated

        tasks, last = self._cards.need_tasks_anywhere(), self._cards.context.last_change
        if not tasks:
            return
        if not last.operations:
            hint = "change a label, a date, a person or a stage first"
            self._cards.say("nothing to repeat yet", hint=hint)
            return
        operations = list[Operation]()
        reached = list[Task]()
        for view, own in self._cards.by_board(tasks):
            changes = repeated(last.operations, own, view)
            operations += changes
            reached += own if changes else ()
        if any(not operation.changes_nothing for operation in operations):
            words = operations[0].describe() if len(tasks) == 1 else f"repeated on {named(reached)}"
            await self._cards.change(operations, words)
        else:
            self._cards.say("nothing to repeat here: already set, or on another board")

    @board_action("task.edit-title", "e", "Edit title", hint="title", words="rename")
    def edit_title(self) -> None:
        if tasks := self._cards.need_tasks():
            self._type_title(tasks[0])

    @board_action("task.close", "x", "Close or reopen card", hint="close", words="done finish")
    async def close(self) -> None:
        tasks = self._cards.need_tasks_anywhere()
        status = Status.OPEN if all(task.is_closed for task in tasks) else Status.CLOSED
        changed = [task for task in tasks if task.status is not status]
        if changed:
            verb = "reopened" if status is Status.OPEN else "closed"
            operations = [change.set_status(task, status) for task in changed]
            await self._cards.change(operations, f"{verb} {named(changed)}")

    set_priority = _field("task.priority", "p", "Set priority", words="urgent")
    set_due = _field("task.due", "d", "Set due date", hint="due", words="deadline")

    @board_action("task.archive", "A", "Archive or restore card")
    async def archive(self) -> None:
        tasks, view = self._cards.need_tasks_anywhere(), self._cards.view
        if not tasks or view is None:
            return
        if operations := archiving(tasks, view):
            verb = "restored" if is_archived(tasks) else "archived"
            await self._cards.change(operations, f"{verb} {named(tasks)}")
        else:
            self._cards.say(
                "a subtask cannot be archived",
                hint="{task.close:x} to close it, {task.delete:D} to delete it",
            )

    @board_action(
        "task.delete",
        "D",
        "Delete card",
        words="remove trash",
        needs=Feature.TASK_DELETION,
        instead="{task.archive:A} to archive it instead",
        asks=True,
    )
    async def delete(self) -> None:
        from tui.dialogs.questions import ConfirmDialog

        tasks = self._cards.need_tasks_anywhere()
        if not tasks:
            return
        question = ConfirmDialog(f"Delete {named(tasks)}?", what_goes(tasks))
        if not await self._cards.ask(question):
            self._cards.say("nothing was deleted")
            return
        # The cards may have changed, or got their ids from the service, during the dialog.
        tasks, view = self._cards.as_now(tasks), self._cards.view
        if view is not None and (operations := deleting(tasks, view, self._cards.store.detail)):
            await self._cards.change(operations, f"deleted {named(tasks)}")

    convert_to_subtask = _question(
        "task.to-subtask",
        ">",
        "Convert to subtask",
        _later("moving", "convert_to_subtasks"),
        words="demote checklist",
        needs=Feature.SUBTASKS,
    )

    @board_action(
        "task.comment", "c", "Write comment", hint="comment", words="mention reply", asks=True
    )
    async def comment(self) -> None:
        from tui.actions.comments import write_comment

        tasks = self._cards.need_tasks()[:1]
        if why := self._cards.why_lacking(tasks, DetailPart.COMMENTS):
            self._cards.say(why)
        elif tasks:
            await write_comment(self._cards, tasks[0])

    @action("task.thread", "T", "Open comments")
    def open_thread(self) -> None:
        if tasks := self._cards.need_tasks():
            request = ThreadRequested(self._cards.board_id, tasks[0].id)
            self._cards.host.post_message(request)

    @board_action("task.edit-description", "E", "Edit description", hint="description", asks=True)
    async def edit_description(self) -> None:
        # An edit is based on the stored HTML, which is kept beside the draft: changes by others are
        # merged, and parts that were not edited stay byte for byte.
        from tui.dialogs.editor.text import TextEditor
        from tui.text.markdown import edited_html, to_html, to_markdown

        cards, drafts = self._cards, self._cards.context.drafts
        tasks = cards.need_tasks()
        if not tasks:
            return
        task = tasks[0]
        draft, base = _drafts(task.id)
        source = await cards.store.description_source(task.id)
        is_on_board = cards.view is not None and cards.view.task(task.id) is not None
        former = drafts.get(base)
        # A draft is an edit of the text kept beside it, not of what the service has now.
        if former is not None and drafts.get(draft) is not None:
            source = former
        original = await turned(to_markdown, source)
        try:
            drafts.keep(base, source)
        except OSError:
            cards.host.app.log("the base text of a draft is in memory only; the editor tells of it")
        editor = TextEditor(
            f"Description of {named([task])}",
            original,
            drafts=drafts,
            draft=draft,
            people=cards.people,
            as_html=to_html,
            again=keyed("{task.edit-description:E}"),
        )
        written = await cards.ask(editor)
        # The service may have assigned an id to the task, and its drafts, meanwhile.
        task = replace(task, id=cards.called(task.id), board_id=cards.called(task.board_id))
        draft, base = _drafts(task.id)
        if written is None:
            # A draft that is continued later needs its base.
            if drafts.get(draft) is None:
                drafts.forget(base)
            return
        html = await turned(edited_html, source, original, written)
        operations = change.set_written(replace(task, description=source), html)
        if all(operation.changes_nothing for operation in operations):
            cards.say("nothing was changed")
        elif is_on_board and cards.view and cards.view.task(task.id) is None:
            cards.say(
                f"{named([task])} was deleted", hint="your text is saved as a draft", error=True
            )
            return
        elif not await cards.change(operations, f"updated the description of {named([task])}"):
            return
        drafts.forget(draft)
        drafts.forget(base)

    clone = _question(
        "task.clone",
        "C",
        "Duplicate card",
        _later("moving", "clone"),
        words="copy clone",
        needs=Feature.TASK_COPIES,
    )
    move = _question(
        "task.move-to", "m", "Move to stage or board", _later("moving", "move"), words="column"
    )
    set_start = _field("task.start", "s", "Set start date")
    set_reminder = _field("task.reminder", "", "Set reminder")

    @board_action("task.template", "", "Turn template on or off")
    async def turn_template(self) -> None:
        tasks = self._cards.need_tasks()
        things = [self._cards.store.detail(task.id) or task for task in tasks]
        value = not all(thing.is_template for thing in things)
        changes = [change.set_plain(thing, "template", value) for thing in things]
        kind = "template" if value else "ordinary card"
        article = "an" if kind[0] == "o" else "a"
        words = f"is now {article} {kind}" if len(tasks) == 1 else f"are now {kind}s"
        if tasks:
            await self._cards.change(changes, f"{named(tasks)} {words}")

    set_cover = _field("task.cover", "", "Set cover colour")
    set_contact = _field("task.contact", "", "Set contact")
    choose_labels = _question(
        "task.labels", "t", "Edit labels", _later("labels", "choose_labels"), words="tag"
    )
    assign = _question(
        "task.assign",
        "a",
        "Assign people",
        _later("people", "choose_assignees"),
        hint="assign",
        words="assignee",
    )

    @board_action("task.assign-me", "i", "Assign or unassign me", words="assignee take")
    async def assign_me(self) -> None:
        from tui.actions.tasks import people

        tasks, me = self._cards.need_tasks_anywhere(), self._cards.me
        if not tasks:
            return
        if me is None:
            people.say_not_a_member(self._cards)
        elif me.id in shared_ids(task.assignees for task in tasks):
            await people.set_assignees(self._cards, tasks, (), {me.id})
        else:
            await people.set_assignees(self._cards, tasks, (me,), ())

    @board_action("task.release", "X", "Release from agent", words="claim stop give back")
    async def release(self) -> None:
        claimed = [task for task in self._cards.need_tasks_anywhere() if agents_of(task)]
        if not claimed:
            if self._cards.tasks:
                self._cards.say("no agent has claimed this card")
            return
        me = self._cards.me
        operations = [operation for task in claimed for operation in change.release(task, me)]
        await self._cards.change(operations, f"released {named(claimed)}")

    @board_action("task.watch", "w", "Watch or stop watching", words="mute follow notify")
    async def watch(self) -> None:
        tasks, store = self._cards.need_tasks_anywhere(), self._cards.store
        details = [store.detail(task.id) for task in tasks]
        if any(detail is not None and detail.watching is None for detail in details):
            self._cards.say("your watch status is not loaded yet: nothing was changed")
            return
        is_watched = [detail is not None and bool(detail.watching) for detail in details]
        watches = not all(is_watched)
        is_theirs = any(store.me.among(task.assignees) for task in tasks)
        if not watches and is_theirs and store.offers(Feature.UNWATCHING_OWN) is False:
            # The service makes assignees watchers, and some editions keep them so.
            self._cards.say(why_missing(Feature.UNWATCHING_OWN))
            return
        changed = [
            task for task, watched in zip(tasks, is_watched, strict=True) if watched is not watches
        ]
        if changed:
            operations = [change.set_watching(task, on=watches) for task in changed]
            verb = "watching" if watches else "stopped watching"
            await self._cards.change(operations, f"{verb} {named(changed)}")

    block = _question(
        "task.block",
        "b",
        "Block by cards or a reason, or unblock",
        _later("blocking", "block_or_unblock"),
        words="stuck depends waits",
    )

    @action("go.blocker", "g e", "Go to blocker", words="blocked waits dependency")
    async def go_to_blocker(self) -> None:
        for task in self._cards.need_tasks()[:1]:
            blocking = self._cards.store.relations().blocking(task)
            if blocking:
                card = blocking[0]
                found = Found(Thing.CARD, card.id, card.title, card.board_id)
                await go_to(found, self._cards.host)
            elif task.blockers:
                self._cards.say(f"no open card blocks {named([task])}")
            else:
                hint = "{task.block:b} to say what does"
                self._cards.say(f"no card blocks {named([task])}", hint=hint)

    @action("task.copy-title", "y y", "Copy number and title")
    def copy_title(self) -> None:
        tasks = self._cards.need_tasks_anywhere()
        self._copy([task.title if task.is_local else f"#{task.id} {task.title}" for task in tasks])

    @action("task.copy-link", "y u", "Copy link")
    def copy_link(self) -> None:
        if not self._cards.context.card_url:
            self._cards.say("not copied: no web address for cards", hint=_CARD_URL)
            return
        self._copy(self._addresses(self._need_numbers()))

    @action("task.links", "o", "Open web page of card, or link", asks=True)
    async def open_link(self) -> None:
        from tui.actions.links import choose_link, follow_link

        tasks = self._cards.need_tasks()[:1]
        pages = self._addresses([task for task in tasks if not task.is_local])
        blockers = [
            f"#{blocker.id}" for task in tasks for blocker in task.blockers if blocker.id > 0
        ]
        links = tuple(dict.fromkeys((*pages, *self._links(), *blockers)))
        if tasks and not links:
            why = "no link here, and no web address for cards"
            self._cards.say(why, hint=_CARD_URL)
        elif links:
            host = self._cards.host
            link = links[0] if len(links) == 1 else await choose_link(host, links)
            if link is not None:
                await follow_link(host, link)

    def _addresses(self, tasks: Sequence[Task]) -> list[str]:
        pattern = self._cards.context.card_url
        return [task.web_address(pattern) for task in tasks if pattern]

    @action("task.copy-branch", "y b", "Copy name of git branch")
    def copy_branch(self) -> None:
        from tui.model.work.branch import branch_of

        pattern = self._cards.context.settings.branch_name
        self._copy([branch_of(task, pattern) for task in self._need_numbers()[:1]])

    def _need_numbers(self) -> tuple[Task, ...]:
        tasks = self._cards.need_tasks_anywhere()
        local = [task for task in tasks if task.is_local]
        if local:
            self._cards.say(
                f"not copied: no number until it is sent: {named(local)}",
                hint="{go.waiting:g u} to show why",
            )
        return () if local else tasks

    def _copy(self, texts: Sequence[str]) -> None:
        if texts:
            self._cards.host.app.copy_to_clipboard("\n".join(texts))
            summary = texts[0] if len(texts) == 1 else counted(len(texts), "line")
            self._cards.say(f"copied {summary}")


def is_archived(tasks: Sequence[Task]) -> bool:
    """Whether there are tasks and all of them are archived."""
    return bool(tasks) and all(task.archived_at is not None for task in tasks)


def archiving(tasks: Sequence[Task], view: BoardView) -> list[Operation]:
    """Operations that restore the tasks if all are archived, else archive those on the board."""
    if is_archived(tasks):
        return [change.RestoreTask.on(task) for task in tasks]
    return [
        change.ArchiveTask.on(task, place[1])
        for task in tasks
        if (place := view.place_of(task.id)) is not None
    ]


def deleting(
    tasks: Sequence[Task], view: BoardView, detail: Callable[[int], TaskDetail | None]
) -> list[Operation]:
    """Operations that delete the tasks; `detail` looks up the parent of a subtask by its id."""
    operations: list[Operation] = []
    for task in tasks:
        parent = None if task.parent_id is None else detail(task.parent_id)
        place = view.place_of(task.id)
        if place is not None:
            operations.append(change.DeleteTask(task, place[1]))
        elif parent is not None and parent.place_of(task.id) is not None:
            operations.append(change.DeleteSubtask.on(parent, task))
        elif task.archived_at is not None:
            operations.append(change.DeleteTask(task, Place()))
    return operations


def what_goes(tasks: Sequence[Task]) -> str:
    """The text of the confirmation: what is lost, and the key for an alternative."""
    if any(task.parent_id is not None for task in tasks):
        text = "{task.close:x} to close it instead and keep everything."
    elif is_archived(tasks):
        text = "{task.archive:A} to restore it instead."
    else:
        text = "{task.archive:A} to archive instead and keep everything."
    text = keyed(f"Comments and history will be deleted too. {text}")
    if len(tasks) == 1:
        return text
    titles = [f"· {task.title}" for task in tasks[:DELETES_SAID]]
    unlisted = len(tasks) - DELETES_SAID
    titles += [f"… and {unlisted} more"] if unlisted > 0 else []
    return "\n".join([*titles, "", text])


def _drafts(task_id: int) -> tuple[str, str]:
    return f"description-{task_id}", f"ground-{task_id}"
