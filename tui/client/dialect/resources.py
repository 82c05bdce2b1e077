"""What the dialect speaks through.

The rule it keeps: a group of endpoints stays plain, and does not know that it is in here.
"""

from dataclasses import dataclass

from tui.client.resources.boards import Boards
from tui.client.resources.comments import Comments
from tui.client.resources.fields import Fields
from tui.client.resources.folders import Folders
from tui.client.resources.labels import Labels
from tui.client.resources.people import People
from tui.client.resources.stages import Stages
from tui.client.resources.subtasks import Subtasks
from tui.client.resources.tasks import Tasks


@dataclass(frozen=True, slots=True)
class Resources:
    """The groups of endpoints that the dialect speaks through."""

    boards: Boards
    stages: Stages
    tasks: Tasks
    comments: Comments
    subtasks: Subtasks
    labels: Labels
    fields: Fields
    folders: Folders
    people: People
