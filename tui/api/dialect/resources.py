"""What the dialect speaks through.

The rule it keeps: a group of endpoints stays plain, and does not know that it is in here.
"""

from dataclasses import dataclass

from tui.api.boards import Boards
from tui.api.comments import Comments
from tui.api.fields import Fields
from tui.api.folders import Folders
from tui.api.labels import Labels
from tui.api.people import People
from tui.api.stages import Stages
from tui.api.subtasks import Subtasks
from tui.api.tasks import Tasks


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
