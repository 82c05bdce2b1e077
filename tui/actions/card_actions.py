"""The actions on the chosen cards that board, task, my work, lists and standup share.

What works on cards everywhere is one method here.
"""

from collections.abc import Callable, Sequence

from tui.actions.action import action
from tui.actions.tasks import labels, moving, people
from tui.actions.tasks.cards import Cards, named, shared_ids
from tui.actions.tasks.comment import write_comment
from tui.actions.tasks.description import edit_description
from tui.actions.tasks.removing import archiving, deleting, is_archived, what_goes
from tui.client.capabilities import Feature, why_missing
from tui.model.detail import Part
from tui.model.task import Status, Task
from tui.model.work.branch import branch_of
from tui.navigation import ThreadRequested
from tui.store import operations as change
from tui.text.clean import counted


class CardActions:
    """What is done with the chosen cards; `type_title` opens the input for a new title."""

    def __init__(self, cards: Cards, type_title: Callable[[Task], object]) -> None:
        self._cards = cards
        self._type_title = type_title

    @action("task.edit-title", "e", "Edit title", hint="title", changes_board=True)
    def edit_title(self) -> None:
        if tasks := self._cards.need_tasks():
            self._type_title(tasks[0])

    @action("task.close", "x", "Close or reopen task", hint="close", changes_board=True)
    async def close(self) -> None:
        tasks = self._cards.need_tasks()
        status = Status.OPEN if all(task.is_closed for task in tasks) else Status.CLOSED
        changed = [task for task in tasks if task.status is not status]
        if changed:
            done = "reopened" if status is Status.OPEN else "closed"
            operations = [change.set_status(task, status) for task in changed]
            await self._cards.change(operations, f"{done} {named(changed)}")

    @action("task.priority", "p", "Set priority", changes_board=True, asks=True)
    async def set_priority(self) -> None:
        from tui.actions.tasks import fields

        await fields.set_of_tasks(self._cards, fields.PRIORITY)

    @action("task.due", "d", "Set due date", changes_board=True, asks=True)
    async def set_due(self) -> None:
        from tui.actions.tasks import fields

        await fields.set_of_tasks(self._cards, fields.DUE)

    @action("task.archive", "A", "Archive or restore task", changes_board=True)
    async def archive(self) -> None:
        tasks, view = self._cards.need_tasks(), self._cards.view
        if not tasks or view is None:
            return
        if operations := archiving(tasks, view):
            done = "restored" if is_archived(tasks) else "archived"
            await self._cards.change(operations, f"{done} {named(tasks)}")
        else:
            self._cards.say(
                "a subtask cannot be archived",
                hint="{task.close:x} closes it, {task.delete:D} deletes it",
            )

    @action(
        "task.delete",
        "D",
        "Delete task",
        changes_board=True,
        needs=Feature.TASK_DELETION,
        instead="{task.archive:A} archives it instead",
        asks=True,
    )
    async def delete(self) -> None:
        from tui.dialogs.questions import ConfirmDialog

        tasks = self._cards.need_tasks()
        if not tasks:
            return
        question = ConfirmDialog(f"Delete {named(tasks)}?", what_goes(tasks))
        if not await self._cards.ask(question):
            self._cards.say("nothing was deleted")
            return
        tasks, view = self._cards.as_now(tasks), self._cards.view
        if view is not None and (operations := deleting(tasks, view, self._cards.store.detail)):
            await self._cards.change(operations, f"deleted {named(tasks)}")

    @action(
        "task.to-subtask",
        ">",
        "Convert to subtask",
        changes_board=True,
        needs=Feature.SUBTASKS,
        asks=True,
    )
    async def convert_to_subtask(self) -> None:
        await moving.convert_to_subtasks(self._cards)

    @action("task.comment", "c", "Write comment", changes_board=True, asks=True)
    async def comment(self) -> None:
        tasks = self._cards.need_tasks()[:1]
        if why := self._cards.why_lacking(tasks, Part.COMMENTS):
            self._cards.say(why)
        elif tasks:
            await write_comment(self._cards, tasks[0])

    @action("task.thread", "T", "Open comments")
    def open_thread(self) -> None:
        if tasks := self._cards.need_tasks():
            request = ThreadRequested(self._cards.board_id, tasks[0].id)
            self._cards.host.post_message(request)

    @action("task.edit-description", "E", "Edit description", changes_board=True, asks=True)
    async def edit_description(self) -> None:
        await edit_description(self._cards)

    @action("task.clone", "C", "Clone task", changes_board=True, asks=True)
    async def clone(self) -> None:
        await moving.clone(self._cards)

    @action("task.move-to", "m", "Move to stage or board", changes_board=True, asks=True)
    async def move(self) -> None:
        await moving.move(self._cards)

    @action("task.start", "s", "Set start date", changes_board=True, asks=True)
    async def set_start(self) -> None:
        from tui.actions.tasks import fields

        await fields.set_of_tasks(self._cards, fields.START)

    @action("task.reminder", "", "Set reminder", changes_board=True, asks=True)
    async def set_reminder(self) -> None:
        from tui.actions.tasks import fields

        await fields.set_of_detail(self._cards, fields.REMINDER)

    @action("task.template", "", "Turn template on or off", changes_board=True)
    async def turn_template(self) -> None:
        if detail := self._cards.need_detail():
            is_template = not detail.is_template
            kind = "a template" if is_template else "an ordinary task"
            operation = change.set_template(detail, is_template=is_template)
            await self._cards.submit([operation], f"{named([detail.task])} is {kind} now")

    @action("task.cover", "", "Set cover colour", changes_board=True, asks=True)
    async def set_cover(self) -> None:
        from tui.actions.tasks import fields

        await fields.set_of_detail(self._cards, fields.COVER)

    @action("task.contact", "", "Set contact", changes_board=True, asks=True)
    async def set_contact(self) -> None:
        from tui.actions.tasks import fields

        await fields.set_of_detail(self._cards, fields.CONTACT)

    @action("task.labels", "t", "Edit labels", changes_board=True, asks=True)
    async def choose_labels(self) -> None:
        await labels.choose_labels(self._cards)

    @action("task.assign", "a", "Assign people", changes_board=True, asks=True)
    async def assign(self) -> None:
        await people.choose_assignees(self._cards)

    @action("task.assign-me", "i", "Assign or unassign me", changes_board=True)
    async def assign_me(self) -> None:
        tasks, me = self._cards.need_tasks(), self._cards.me
        if not tasks:
            return
        if me is None:
            people.say_not_a_member(self._cards)
        elif me.id in shared_ids(task.assignees for task in tasks):
            await people.set_assignees(self._cards, tasks, (), {me.id})
        else:
            await people.set_assignees(self._cards, tasks, (me,), ())

    @action("task.watch", "w", "Watch or stop watching", changes_board=True)
    async def watch(self) -> None:
        tasks, store = self._cards.need_tasks(), self._cards.store
        details = [store.detail(task.id) for task in tasks]
        if any(detail is not None and detail.watching is None for detail in details):
            self._cards.say("whether you watch this is not loaded yet: nothing was changed")
            return
        is_watched = [detail is not None and bool(detail.watching) for detail in details]
        watches = not all(is_watched)
        is_theirs = any(store.me.among(task.assignees) for task in tasks)
        if not watches and is_theirs and store.offers(Feature.UNWATCHING_OWN) is False:
            # The service makes assignees watch.
            self._cards.say(why_missing(Feature.UNWATCHING_OWN))
            return
        changed = [
            task for task, watched in zip(tasks, is_watched, strict=True) if watched is not watches
        ]
        if changed:
            operations = [change.Watch.of(task, on=watches) for task in changed]
            done = "watching" if watches else "stopped watching"
            await self._cards.change(operations, f"{done} {named(changed)}")

    @action("task.block", "b", "Block with a reason, or unblock", changes_board=True, asks=True)
    async def block(self) -> None:
        await labels.block_or_unblock(self._cards)

    @action("task.copy-title", "y y", "Copy number and title")
    def copy_title(self) -> None:
        tasks = self._cards.need_tasks()
        self._copy([task.title if task.is_local else f"#{task.id} {task.title}" for task in tasks])

    @action("task.copy-link", "y u", "Copy link")
    def copy_link(self) -> None:
        pattern = self._cards.context.card_url
        if not pattern:
            hint = "card_url of the profile says it in the settings"
            self._cards.say("not copied: the web address of cards is not known", hint=hint)
            return
        self._copy(
            [
                pattern.replace("{id}", str(task.id)).replace("{board}", str(task.board_id))
                for task in self._need_numbers()
            ]
        )

    @action("task.copy-branch", "y b", "Copy name of git branch")
    def copy_branch(self) -> None:
        pattern = self._cards.context.settings.branch_name
        self._copy([branch_of(task, pattern) for task in self._need_numbers()[:1]])

    def _need_numbers(self) -> tuple[Task, ...]:
        tasks = self._cards.need_tasks()
        local = [task for task in tasks if task.is_local]
        if local:
            self._cards.say(
                f"not copied: {named(local)} has no number until it is sent",
                hint="{go.waiting:g u} shows why",
            )
        return () if local else tasks

    def _copy(self, texts: Sequence[str]) -> None:
        if texts:
            self._cards.host.app.copy_to_clipboard("\n".join(texts))
            what = texts[0] if len(texts) == 1 else counted(len(texts), "line")
            self._cards.say(f"copied {what}")
