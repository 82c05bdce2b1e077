"""Assigning one person more, or one fewer."""

from tui.model.task import Person, Task
from tui.store.operations import Edit, set_assignees


def toggled(task: Task, person: Person) -> Edit:
    """Have a person work on a task, or no longer if they do."""
    others = tuple(one for one in task.assignees if one.id != person.id)
    stays = len(others) == len(task.assignees)
    return set_assignees(task, (*others, person) if stays else others)
