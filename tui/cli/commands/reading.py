"""Commands that read: boards, cards, their figures, and what is new."""

from tui.cli.arguments import add_argument, add_choices, number
from tui.cli.commands.parts import (
    AGENT,
    BOARD,
    BOARDS,
    CARD,
    CHANGING,
    DRY_RUN,
    JSON,
    ONLY_IDS,
    QUIET,
    Commands,
)

_WEEKS = number(1, 57)
"""Activities are kept for 400 days."""
_CARDS = number(1, 9_999)


def add(commands: Commands) -> None:
    """Add these commands."""
    _add_reading(commands)
    _add_figures(commands)


def _add_reading(commands: Commands) -> None:
    commands.add("boards", "scripts.lists:list_boards", ONLY_IDS, JSON).about("""
        List the boards that are not archived, newest first.
        $ callboard boards
        $ callboard boards --quiet
    """)
    query = "[QUERY...]", "as in the filter of a board"
    view = "--view NAME", "those of a saved view, in its order"
    commands.add("tasks", "scripts.lists:list_tasks", query, view, BOARDS, ONLY_IDS, JSON).about("""
        List the cards that match a query, written as in the filter (/) of the program, such as
        label:bug @me due:week; without one, all cards. Put -- before a query that begins with -.
        $ callboard tasks label:bug @me due:week
        $ callboard tasks --view "my work"
        $ callboard tasks --board platform -- -label:bug
    """)
    inbox = commands.add("inbox", "scripts.inbox:list_inbox", JSON).about("""
        List what is new for you on all boards: comments that mention or answer you, cards that
        others assigned to you, blocked or unblocked, your cards that are due or overdue, and
        conflicts, by card. They are read in the program (g o).
        $ callboard inbox
        $ callboard inbox --all --json
    """)
    add_argument(inbox, "--all", "also those that are read, for 30 days", "lists_all")
    agents = commands.add("agents", "agents.log:agents", BOARDS, JSON, QUIET, DRY_RUN)
    agents.about("""
        List what agents changed in the last hour, newest first: those that act for you on this
        machine, and as far as the activity of the boards tells others. With --undo all that one of
        them did on this machine is undone, which is one step in the program (u). What someone has
        changed since is left as it is, and named.
        $ callboard agents
        $ callboard agents codex --minutes 30 --json
        $ callboard agents codex --undo
    """)
    add_argument(agents, "[NAME]", "of this agent only", "name", default="")
    add_argument(agents, "--minutes N", "of so many minutes (60)", type=number(1, 1440), default=60)
    add_argument(agents, "--undo", "undo what that agent did", "undoes")
    commands.add("show", "scripts.reading:show", CARD, BOARD, JSON).about("""
        Print a card with its fields, description, subtasks and comments.
        $ callboard show 42
        $ callboard show "fix login" --json
    """)
    chosen = commands.add("next", "agents.claiming:next_card", BOARDS, ONLY_IDS, JSON).about("""
        Print the card to take now, and why: an open one, unassigned or yours, not blocked, in the
        backlog or the first active stage; by due date, priority and place. Without --board it is
        chosen from all boards. With --claim it is claimed, as by callboard claim. The exit code is
        1 if there is none.
        $ callboard next
        $ callboard next --board platform --json
        $ callboard next --claim --as codex
    """)
    add_argument(chosen, "--claim", "claim it", "claims")
    add_argument(chosen, *AGENT)
    branch_card = commands.add("here", "here:here", *CHANGING).about("""
        Print the card of the current git branch, such as 12-fix-login-redirect,
        or move it to a stage. Its title comes from the cache.
        $ callboard here
        $ callboard here review
        $ callboard here --title
    """)
    wanted = branch_card.add_mutually_exclusive_group()
    add_argument(wanted, "[STAGE]", "move it there", default=None)
    briefs = {"title": "print only its title", "trailer": "print it as Card: #12, for a commit"}
    add_choices(wanted, "shown", briefs)
    commands.add("sync", "scripts.reading:sync", QUIET, JSON).about("""
        Send the pending changes, and fetch updates of all boards. The exit code is 1 if a change is
        still pending.
        $ callboard sync
        $ callboard -p work sync --json
    """)
    watch = commands.add("watch", "scripts.watch:watch", BOARDS, JSON).about("""
        Print a line for each change of a card, as soon as it happens. It starts with
        the cards that others changed and you have not seen, and marks none of them as seen.
        Without --board it covers all boards. It continues after a lost connection.
        $ callboard watch
        $ callboard watch --board platform --mine --notify
        $ callboard watch --json --from-now
    """)
    add_argument(watch, "--mine", "only your cards and what concerns you", "only_mine")
    add_argument(watch, "--others", "skip your own changes", "only_others")
    add_argument(watch, "--from-now", "skip earlier unseen changes")
    add_argument(watch, "--notify", "send notifications, as set in the settings", "notifies")


def _add_figures(commands: Commands) -> None:
    standup = commands.add("standup", "scripts.standup:hold_standup", BOARDS).about("""
        On a terminal, and without a format, this opens the program in the standup. Otherwise it
        fetches updates once and prints the standup as text, Markdown, JSON or for
        Slack. Without --board and --folder it is about the boards of the last standup, else the
        board opened last, else all boards.
        $ callboard standup
        $ callboard standup --md --board platform --since fri
    """)
    add_argument(standup, "--folder NAME", "the boards of a folder")
    whom = standup.add_mutually_exclusive_group()
    add_argument(whom, "--team", "everyone (the default)")
    add_argument(whom, "--me", "only your part", "only_me")
    add_argument(standup, "--since DATE", "such as fri or 2026-11-02 (last working day)")
    lens = standup.add_mutually_exclusive_group()
    add_argument(lens, "--walk", "stage by stage (the default)")
    add_argument(lens, "--by-person", "by person")
    formats = standup.add_mutually_exclusive_group()
    briefs = {"md": "as Markdown", "slack": "for Slack, with links", "json": "for programs"}
    add_choices(formats, "format", briefs | {"plain": "as text"})
    insight = commands.add("insight", "scripts.insight:print_insight", BOARDS).about("""
        Print four figures, such as the cards closed per week, and for some weeks how many cards
        were in each stage, how old the open cards are, and how many were closed each week. Without
        --board it is about the boards of the last standup, else the board opened last, else all.
        With --view it is about the cards of a saved view on all its boards.
        With --forecast, or what is asked of one, it prints by when the open cards will be closed,
        as the board closed cards in past weeks; the exit code is 1 if there is too little history.
        $ callboard insight --board platform --weeks 12
        $ callboard insight --forecast --filter label:bug
        $ callboard insight --view "my work"
        $ callboard insight --forecast --view "my work"
        $ callboard insight --by "18 dec"
    """)
    brief = "how many weeks (default: 4, for a forecast 12)"
    add_argument(insight, "--weeks N", brief, type=_WEEKS, default=None)
    add_argument(insight, "--forecast", "by when the open cards will be closed", "is_forecast")
    add_argument(insight, "--view NAME", "the cards of a saved view")
    add_argument(insight, "--filter QUERY", "only cards that match, as in the filter", "query")
    add_argument(insight, "--cards N", "by when so many will be closed", type=_CARDS, default=None)
    add_argument(insight, "--by DATE", "how many will be closed by then")
    add_argument(insight, *JSON)
    status = commands.add("status", "status:print_status", JSON).about("""
        Print how many of your cards are due today and overdue, how many comments mention you and
        await your answer, how many changes are pending, and how many notifications in the inbox
        are unread, as last fetched: nothing is asked of the service. A mention that was read there
        is not counted. Zeros are left out. A format has {due_today}, {overdue}, {mentions},
        {pending} and {unread}; with a text, as in {overdue: late}, the number and the text are
        left out if it is 0. callboard help scripts has lines for tmux and for prompts.
        $ callboard status
        $ callboard status --format '{overdue: late }{pending:↑}'
    """)
    add_argument(status, "--format TEMPLATE", "such as {overdue: late}", "template")
