"""Commands that change cards and boards."""

from tui.cli.arguments import add_argument, add_choices
from tui.cli.commands.parts import BOARD, CARD, CHANGING, DESCRIPTION, NAMED, Commands


def add(commands: Commands) -> None:
    """Add these commands."""
    _add_making(commands)
    _add_changing(commands)


def _add_making(commands: Commands) -> None:
    boards = commands.add("board", "")
    board = Commands(boards, {"add": "add a board"}, required=True).add(
        "add", "scripts.changing:add_board", *CHANGING
    )
    for parser in (boards, board):
        parser.about("""
            Add a board. Name its stages in order, each with --stage; cards in the last
            one are closed. Without --stage it has the usual stages of the service.
            $ callboard board add 'Web shop' --stage Open --stage Doing --stage Done
        """)
    add_argument(board, "TITLE...", "the title, or -")
    add_argument(board, "--type {to-do,roadmap}", "(to-do)", "kind", default="to-do")
    add_argument(board, "--stage TITLE...", "a stage, in the order given", "stages")
    add_argument(board, *DESCRIPTION, default=None)
    add_argument(board, "--currency CODE", "such as EUR")
    add_argument(board, "--folder NAME", NAMED)
    commands.add("tour", "scripts.changing:show_tour").about("""
        Create the tutorial board again, and open it on a terminal. No other board is
        changed.
        $ callboard tour
    """)
    add = commands.add("add", "scripts.adding:add", *CHANGING).about("""
        Add a card, or with - one for each line of standard input, which may be a Markdown list of
        at most 1,000 lines and 1 MB. Each card is printed as it is added. If interrupted,
        the same command with the same lines adds the rest; with --again it adds all.
        Marks at the end of a title set fields, as in the program: #label @person !high ^fri. A
        label that does not exist is created; an unknown mark is kept as text. Put
        the title in single quotes, as a shell has its own use for such signs. Without --board it is
        added to the board opened last, or the only one; without --stage to the first.
        $ callboard add 'Fix login #bug @ann !high ^fri' --board platform
        $ callboard add - --stage ideas < list.md
        $ callboard add 'Login fails ^fri' --template 'bug report'
    """)
    add_argument(add, "[TITLE...]", "the title with marks, or -")
    add_argument(add, "--board NAME", NAMED)
    add_argument(add, "--stage NAME", NAMED)
    add_argument(add, "--template NAME", "a copy of this template of the board")
    add_argument(add, "--again", "with -, add also what an interrupted run added")


def _add_changing(commands: Commands) -> None:
    commands.add("start", "git.starting:start", *CHANGING, CARD, BOARD).about("""
        Start work on a card: assign it to you, move it from the backlog to the first active stage,
        and switch to its git branch, which is created if needed and named by branch_name
        of the settings. Nothing is done outside of a repository, or in one with conflicts.
        $ callboard start 12
        $ callboard start "fix login" --dry-run
    """)
    claim = commands.add("claim", "agents.claiming:claim", *CHANGING, CARD, BOARD).about("""
        Claim a card: it is assigned to you and moved from the backlog to the first active stage,
        and the label of an agent that is named is put on it. Of several who claim it at once only
        one succeeds; the exit code is 1 for the others. It needs the service: nothing is kept.
        $ callboard claim 12
        $ callboard claim 12 --as codex
        $ callboard claim 12 --release
    """)
    add_argument(claim, "--release", "give it back instead, where it is", "releases")
    edit = commands.add("edit", "scripts.changing:edit", *CHANGING, CARD, BOARD).about("""
        Set fields of a card.
        $ callboard edit 42 --due fri --priority high
        $ callboard edit 42 --description notes.md
        $ callboard edit 42 --blocked-by 12
    """)
    add_argument(edit, "--title TITLE", "a new title", default=None)
    add_argument(edit, *DESCRIPTION, default=None)
    add_argument(edit, "--priority {low,medium,high}", "a new priority", default=None)
    for name in ("due", "start"):
        add_argument(edit, f"--{name} DATE", "such as fri or 2026-12-01, or none", default=None)
    add_argument(edit, "--set NAME=VALUE...", "another field, such as contact=7 or =none", "values")
    add_argument(edit, "--blocked-by CARD...", "a card of any board, or none", "blockers")
    move = commands.add("move", "scripts.changing:move", *CHANGING, CARD).about("""
        Move a card to a stage of its board, or of another one. It goes to the bottom, unless it is
        in the stage already.
        $ callboard move 42 review --top
        $ callboard move 42 open --board platform
    """)
    add_argument(move, "STAGE", NAMED)
    where = move.add_mutually_exclusive_group()
    ends = {"top": "to the top of the stage", "bottom": "to the bottom, also within it"}
    add_choices(where, "end", ends)
    add_argument(where, "--board NAME", "to a stage of another board")
    add_argument(move, "--from NAME", BOARD[1], "source")
    done = commands.add("done", "scripts.changing:close", *CHANGING).about("""
        Close cards.
        $ callboard done 42 43
        $ callboard done 42 --reopen
    """)
    add_argument(done, "CARD...", "by number, or by title", "cards")
    add_argument(done, *BOARD)
    add_argument(done, "--reopen", "reopen them instead", "reopens")
    assign = commands.add("assign", "scripts.changing:assign", *CHANGING, CARD, BOARD).about("""
        Add people to the assignees of a card; they are named by name, login or initials, and you
        are @me.
        $ callboard assign 42 ann @me
        $ callboard assign 42 ann --remove
    """)
    add_argument(assign, "PERSON...", "by name, login or initials", "people")
    add_argument(assign, "--remove", "remove them instead", "removes")
    label = commands.add("label", "scripts.changing:label", *CHANGING, CARD, BOARD).about("""
        Put labels on a card.
        $ callboard label 42 bug
        $ callboard label 42 urgent --create
    """)
    add_argument(label, "LABEL...", "by title, or part of it", "labels")
    how = label.add_mutually_exclusive_group()
    add_argument(how, "--remove", "remove them instead", "removes")
    add_argument(how, "--create", "create missing labels", "creates")
    subtask = commands.add("subtask", "scripts.changing:subtask", *CHANGING, CARD, BOARD).about("""
        Add subtasks to a card, or close or reopen those that it has, by number or title. They go
        to the end of a group, without its name of the first one.
        $ callboard subtask 42 'Write the test' 'Ask Ann'
        $ callboard subtask 42 test --done
    """)
    add_argument(subtask, "TITLE...", "the title of each", "subtasks")
    add_argument(subtask, "--group NAME", "the group of subtasks, by title")
    which = subtask.add_mutually_exclusive_group()
    add_argument(which, "--done", "close existing subtasks instead", "closes")
    add_argument(which, "--reopen", "reopen existing subtasks instead", "reopens")
    comment = commands.add("comment", "scripts.changing:comment", *CHANGING, CARD, BOARD).about("""
        Comment on a card, in Markdown, where @login mentions someone; with - the comment is read
        from standard input.
        $ callboard comment 42 'It works, @ann.'
        $ callboard comment 42 - < notes.md
    """)
    add_argument(comment, "TEXT...", "the comment, or -")
    progress = commands.add("progress", "agents.progress:progress", *CHANGING, CARD, BOARD)
    progress.about("""
        Say how far you are on a card: one comment, whose text each call replaces. Its agent is the
        one that is named, else the one that has claimed the card.
        $ callboard progress 42 'tests green, 3 files' --as codex
    """)
    add_argument(progress, "TEXT...", "how far you are, or -")
