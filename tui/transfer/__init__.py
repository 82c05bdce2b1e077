"""Boards of other programs: read from their files, and written for them."""

FORMATS = {
    "trello": "Trello's export of a board",
    "github": "gh issue list --json, gh project item-list",
    "gitlab": "glab issue list",
    "taskwarrior": "task export",
    "csv": "",
    "markdown": "",
}
"""What can be imported, by its name on the command line; of JSON what its program calls it.

The command line reads the names from this package, because it must not import the readers.
"""
