"""Assigning and watching tasks.

Of several tasks the people whom all have in common are shown as picked, and those assigned to only
some of them stay.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from tui.client.capabilities import Feature, why_missing
from tui.model.task import Person, Task
from tui.screens.actions.task_actions import TaskActions, named
from tui.store import operations as change


class PeopleActions(TaskActions):
    """A screen on which people are put on tasks, and tasks are watched."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "a", "assign", "assign", id="task.assign", show=False,
            tooltip="Say who works on it",
        ),
        Binding(
            "i", "assign_me", "me", id="task.assign-me", show=False,
            tooltip="Assign it to me, or no longer",
        ),
        Binding(
            "w", "watch", "watch", id="task.watch", show=False, tooltip="Watch it, or stop watching"
        ),
    ]  # fmt: skip

    @property
    def me(self) -> Person | None:
        """The person at the keyboard, if they are on the board."""
        return self.store.me.among(self.view.people if self.view else ())

    @work(exclusive=True, group="dialog")
    async def action_assign(self) -> None:
        """Ask who works on the chosen tasks."""
        from tui.dialogs.pick.many import PickMany
        from tui.screens.actions import people_choices as offer

        tasks, view = self.need_tasks(), self.view
        if not tasks or view is None:
            return
        people = offer.offered(view.people, tasks, self.me)
        if not people:
            self.say("who is on this board is not known yet", hint="R asks the service")
            return
        shared = _shared(tasks)
        picked = await self.app.push_screen_wait(
            PickMany(
                f"Who works on {named(tasks)}?",
                offer.choices(people, view.people, tasks, self.me),
                frozenset(map(str, shared)),
            )
        )
        if picked is None:
            return
        chosen = {person.id for person in people if str(person.id) in picked.chosen}
        added = [person for person in people if person.id in chosen - shared]
        await self._assign(self.as_now(tasks), added, shared - chosen)

    async def action_assign_me(self) -> None:
        """Put the person at the keyboard on all chosen tasks, or off if all have them."""
        tasks, me = self.need_tasks(), self.me
        if not tasks:
            return
        if me is None:
            self._say_not_a_member()
        elif me.id in _shared(tasks):
            await self._assign(tasks, (), {me.id})
        else:
            await self._assign(tasks, (me,), set())

    async def action_watch(self) -> None:
        """Watch the chosen tasks; if all are watched, stop."""
        tasks = self.need_tasks()
        details = [self.store.detail(task.id) for task in tasks]
        if any(detail is not None and detail.watching is None for detail in details):
            self.say("whether you watch this is not known here: nothing was changed")
            return
        is_watched = [detail is not None and bool(detail.watching) for detail in details]
        on = not all(is_watched)
        if not on and self._is_kept_watching(tasks):
            self.say(why_missing(Feature.UNWATCHING_OWN))
            return
        changed = [
            task for task, watched in zip(tasks, is_watched, strict=True) if watched is not on
        ]
        if changed:
            said = f"{'watching' if on else 'no longer watching'} {named(changed)}"
            if await self.submit([change.Watch.of(task, on=on) for task in changed], said):
                self.tasks_changed()

    def _is_kept_watching(self, tasks: Sequence[Task]) -> bool:
        """Whether the service keeps the person watching one of the tasks, which they work on."""
        is_theirs = any(self.store.me.among(task.assignees) for task in tasks)
        return is_theirs and self.store.offers(Feature.UNWATCHING_OWN) is False

    async def _assign(
        self, tasks: Sequence[Task], added: Sequence[Person], removed: Iterable[int]
    ) -> None:
        """Put people on tasks and take others off, as one step."""
        gone = set(removed)
        operations = []
        for task in tasks:
            kept = [person for person in task.assignees if person.id not in gone]
            there = {person.id for person in kept}
            people = (*kept, *(person for person in added if person.id not in there))
            operation = change.SetAssignees.on(task, people)
            if not operation.changes_nothing:
                operations.append(operation)
        if not operations:
            if tasks:
                self.say("nobody was added or taken off")
            return
        off = {one.id: one for task in tasks for one in task.assignees if one.id in gone}
        if await self.submit(operations, _told(tasks, added, off.values())):
            self.tasks_changed()

    def _say_not_a_member(self) -> None:
        """Say why the person cannot be assigned."""
        login = self.store.me.login
        if self.view is None or not self.view.people:
            self.say("who is on this board is not known yet", hint="R asks the service")
        elif login:
            self.say(f"you ({login}) are not a member of this board", hint="a assigns others")
        else:
            self.say("it is not known who you are here", hint="a assigns people")


def _told(tasks: Sequence[Task], added: Iterable[Person], removed: Iterable[Person]) -> str:
    """What was done, in words."""
    names = ", ".join(person.name or person.login for person in added)
    gone = ", ".join(person.name or person.login for person in removed)
    told = (f"assigned to {names}" if names else "", f"no longer to {gone}" if gone else "")
    return f"{', '.join(filter(None, told))}: {named(tasks)}"


def _shared(tasks: Sequence[Task]) -> frozenset[int]:
    """Who works on all of the tasks."""
    each = [frozenset(person.id for person in task.assignees) for task in tasks]
    return frozenset.intersection(*each) if each else frozenset()
