"""The command line: the arguments of each command, its help, and the function that runs it.

Nothing that runs a command is imported here: a shell that completes commands reads all of this each
time it starts. A password is never an argument, since every user of the machine can read those.
"""

import argparse
import gc
from collections.abc import Iterable, Mapping
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

from tui.cli.arguments import Parser, add_argument, add_choices, matching, number

_PATH_WORD = matching(lambda text: _profiles().is_path_word(text), "one word")
_TIMEZONE = matching(
    lambda text: _profiles().is_timezone(text), "a zone such as Europe/Berlin, or +06:00"
)
_PORT = number(0, 65_535)
_IS_COROUTINE = 0x80
"""The flag of coroutine functions, as `inspect` has it, which takes long to import."""
_MANY = 100_000
"""New objects that are looked through for garbage; modules and cards last as long as a command."""
_WEEKS = number(1, 57)
"""Activities are kept for 400 days."""


def run_command(options: Mapping[str, Any]) -> int:
    """Run a command with its parsed arguments; the exit code. Raises `CallboardError`.

    Its function has a parameter for each argument that it needs, or one for several of them: a
    named tuple or a dataclass with fields of these names. A coroutine function works on the opened
    profile, its first parameter. What may read standard input is none: asyncio would keep ctrl+c
    from ending that.
    """
    gc.set_threshold(_MANY)
    module, _, name = options["run"].partition(":")
    function = getattr(import_module(f"tui.cli.{module}"), name)

    def filled(fields: Iterable[str]) -> dict[str, Any]:
        return {field: options[field] for field in fields if field in options}

    code, arguments = function.__code__, {}
    for parameter in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        annotation = function.__annotations__[parameter]
        if fields := getattr(annotation, "__match_args__", None):
            arguments[parameter] = annotation(**filled(fields))
        elif parameter != "opened":
            arguments[parameter] = options[parameter]
    if not code.co_flags & _IS_COROUTINE:
        return int(function(**arguments))
    from tui.cli.scripts.opened import How, run_opened

    how, work = How(**filled(How._fields)), partial(function, **arguments)
    return run_opened(how, work, is_read_only=options["is_read_only"])


_BOARD = "--board NAME", "where the card is, by title, part of it, or id"
_BOARDS = "--board NAME...", "by title, part of it, or id", "boards"
_CARD = "CARD", "its number, its title, or a part of that"
_DATABASE = "--database PATH", "the file of the boards (default: your own boards)"
_DESCRIPTION = "--description FILE", "Markdown of a file, or - for input"
_DRY_RUN = "-n --dry-run", "print the first request of each change, and send none", "is_dry"
_HOST = "--host HOST", "the address to listen on (127.0.0.1)"
_JSON = "--json", "for programs", "as_json"
_ONLY_IDS = "-q --quiet", "print only the ids", "only_ids"
_QUIET = "-q --quiet", "say only what did not work", "is_quiet"
_UPLOADS = "--attachments FOLDER", "where uploads are kept"
_NAMED = "by title, part of it, or id"
_CHANGING = _JSON, _QUIET, _DRY_RUN
"""The options of everything that changes something."""


def _path(text: str) -> object:
    return import_module("pathlib").Path(text)


def _profiles() -> ModuleType:
    return import_module("tui.config.profiles")


class _Commands:
    """The commands below a parser."""

    def __init__(self, parser: argparse.ArgumentParser, **how: Any) -> None:
        self._all = parser.add_subparsers(title="commands", metavar="COMMAND", **how)

    def add(
        self, name: str, run: str, brief: str, *arguments: tuple[str, str] | tuple[str, str, str]
    ) -> Parser:
        """Add a command that is run by `run`: a module of `tui.cli` and a function in it, if any.

        The module is imported when the command is run.
        """
        parser: Parser = self._all.add_parser(name, help=brief)
        parser.set_defaults(run=run)
        for argument in arguments:
            add_argument(parser, *argument)
        return parser


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Add every command to a parser."""
    commands = _Commands(parser, prog=parser.prog)
    _add_services(commands)
    _add_reading(commands)
    _add_texts(commands)
    _add_making(commands)
    _add_changing(commands)
    _add_figures(commands)
    _add_transfer(commands)
    _add_serving(commands)


def _add_services(commands: _Commands) -> None:
    login = commands.add("login", "services:log_in", "add a service").about("""
        Add a service: asks for the address of its site, your login name and the password there,
        finds the boards, tries everything out at once and keeps it. Without a terminal, give --url
        and --login, and the password as the first line of standard input or in CALLBOARD_PASSWORD.
        $ callboard login
        $ callboard login work --url https://example.org --login ann
    """)
    add_argument(login, "[NAME]", "what to call it here")
    add_argument(login, "--url URL", "any address of its site")
    add_argument(login, "--login LOGIN", "your login name there")
    add_argument(login, "--ca-file FILE", "its own authority, as PEM", type=_path)
    add_argument(
        login, "--path-word PATH_WORD", "the service's own word in its paths", type=_PATH_WORD
    )
    add_argument(
        login, "--timezone TIMEZONE", "of its clock, such as Europe/Berlin", type=_TIMEZONE
    )
    add_argument(login, "--keyring", "keep the password in the keyring", "in_keyring")
    add_argument(login, "--default", "open it when no other is named", "is_default")
    add_argument(login, "--force", "replace the one of that name")
    commands.add("settings", "settings:print_settings", "print all settings").about("""
        Print all settings with what they mean, as TOML: your own, and the others with their
        defaults as comments. In the program, g , shows and changes them.
        $ callboard settings
        $ callboard settings > my-settings.toml
    """)
    logout = commands.add(
        "logout", "services:log_out", "forget a service", ("NAME", "which")
    ).about("""
        Forget a service: its password, cache and settings. Changes and texts that did not reach it
        are listed, and kept or discarded as you say.
        $ callboard logout work
        $ callboard logout work --keep-changes
    """)
    unsent = logout.add_mutually_exclusive_group()
    add_argument(unsent, "--keep-changes", "keep what was not sent", "keeps_changes")
    add_argument(unsent, "--yes", "discard what was not sent", "says_yes")
    commands.add(
        "profiles", "services:list_profiles", "list the services that were added", _JSON
    ).about("""
        $ callboard profiles
        $ callboard profiles --json
    """)
    which = "[NAME]", "which (the default)"
    commands.add("check", "services:check", "try out a service", which, _JSON).about("""
        Try out a profile: whether its service is reached and believes you, and what it offers.
        Nothing is changed there. On a terminal it offers to set the time zone of the site's clock
        in the profile.
        $ callboard check work
        $ callboard check work --json
    """)


def _add_reading(commands: _Commands) -> None:
    commands.add(
        "boards", "scripts.lists:list_boards", "list the boards", _ONLY_IDS, _JSON
    ).about("""
        List the boards that are not archived, newest first.
        $ callboard boards
        $ callboard boards --quiet
    """)
    query = "[QUERY...]", "as in the filter of a board"
    commands.add(
        "tasks", "scripts.lists:list_tasks", "list cards", query, _BOARDS, _ONLY_IDS, _JSON
    ).about("""
        List the cards that a query finds, in the words of the filter (/) in the program, such as
        label:bug @me due:week; without one, all cards. Put -- before a query that begins with -.
        $ callboard tasks label:bug @me due:week
        $ callboard tasks --board platform -- -label:bug
    """)
    commands.add("show", "scripts.reading:show", "print a card", _CARD, _BOARD, _JSON).about("""
        Print a card with its fields, description, subtasks and comments.
        $ callboard show 42
        $ callboard show "fix login" --json
    """)
    here = commands.add("here", "here:here", "the card of this git branch", *_CHANGING).about("""
        Print the card after which the current git branch is named, such as 12-fix-login-redirect,
        or move it to a stage. Its title is that which was read last, without a connection.
        $ callboard here
        $ callboard here review
        $ callboard here --title
    """)
    what = here.add_mutually_exclusive_group()
    add_argument(what, "[STAGE]", "move it there", default=None)
    briefs = {"title": "print only its title", "trailer": "print it as Card: #12, for a commit"}
    add_choices(what, "shown", briefs)
    commands.add(
        "sync", "scripts.reading:sync", "send and read everything", _QUIET, _JSON
    ).about("""
        Send the pending changes, and read the news of all boards. The exit code is 1 if a change is
        still pending.
        $ callboard sync
        $ callboard -p work sync --json
    """)
    watch = commands.add(
        "watch", "scripts.watch:watch", "tell what is new, until interrupted", _BOARDS, _JSON
    ).about("""
        Print a line for each change of a card, as soon as the service tells of it. It begins with
        the cards that others changed and you have not looked at, and marks none of them as seen.
        Without names it is about all boards. It goes on after a lost connection.
        $ callboard watch
        $ callboard watch --board platform --mine --notify
        $ callboard watch --json --from-now
    """)
    add_argument(watch, "--mine", "only your cards, and what is for you", "only_mine")
    add_argument(watch, "--others", "leave out what you changed yourself", "only_others")
    add_argument(watch, "--from-now", "leave out what was unseen before")
    add_argument(watch, "--notify", "send notifications, as the settings say", "notifies")
    commands.add("tour", "scripts.changing:show_tour", "the board that teaches the keys").about("""
        Make the board that teaches the keys again, and open it on a terminal. No other board is
        changed.
        $ callboard tour
    """)


def _add_texts(commands: _Commands) -> None:
    commands.add("hook", "here:print_hook", "print a hook for git").about("""
        Print a prepare-commit-msg hook, which adds the card of the branch to the message of each
        commit, as the trailer Card: #12. Write it into the hooks of a repository, and make it
        executable.
        $ callboard hook > .git/hooks/prepare-commit-msg
        $ callboard hook | install -m 755 /dev/stdin .git/hooks/prepare-commit-msg
    """)
    completion = commands.add("completion", "completion.shells:complete", "completion for a shell")
    completion.about("""
        Print a script that completes commands, options and their values: cards, boards, stages,
        people, labels and profiles, as they were read last. For bash, put
        eval "$(callboard completion bash)" into ~/.bashrc; zsh alike; for fish, write it into
        ~/.config/fish/completions/callboard.fish.
        $ callboard completion bash
        $ callboard completion fish > ~/.config/fish/completions/callboard.fish
    """)
    add_argument(completion, "{bash,zsh,fish}", "", "shell")
    add_argument(completion, "[LINE]", "what is typed: the script asks what completes it")
    commands.add("man", "parser_texts:page", "print the manual page").about("""
        Print the manual page as roff; callboard man | man -l - shows it.
        $ callboard man | man -l -
    """)
    commands.add("help", "help:show", "show a topic of the help", ("[TOPIC]", "which")).about("""
        Show a topic of the help, in a pager on a terminal; without a name, list the topics. The
        name of a command shows its --help.
        $ callboard help
        $ callboard help filter
    """)


def _add_making(commands: _Commands) -> None:
    boards = commands.add("board", "", "add boards")
    board = _Commands(boards, required=True).add(
        "add", "scripts.changing:add_board", "add a board", *_CHANGING
    )
    for parser in (boards, board):
        parser.about("""
            Add a board. Its stages are named in their order, each with --stage; cards in the last
            one are closed. Without any it has those of the service.
            $ callboard board add 'Web shop' --stage Open --stage Doing --stage Done
        """)
    add_argument(board, "TITLE...", "the title, or -")
    add_argument(board, "--type {to-do,roadmap}", "(to-do)", "kind", default="to-do")
    add_argument(board, "--stage TITLE...", "a stage, in the order given", "stages")
    add_argument(board, *_DESCRIPTION, default=None)
    add_argument(board, "--currency CODE", "such as EUR")
    add_argument(board, "--folder NAME", _NAMED)
    add = commands.add("add", "scripts.changing:add", "add cards", *_CHANGING).about("""
        Add a card, or with - one for each line of standard input, which may be a Markdown list of
        at most 1,000 lines and 1 MB. Each card is printed as it is added. If that is interrupted,
        the same command with the same lines goes on with the others; with --again it adds all.
        Marks at the end of a title set fields, as in the program: #label @person !high ^fri. Put
        the title in single quotes, as a shell has its own use for such signs. Without --board it is
        added to the board opened last, or the only one; without --stage to the first.
        $ callboard add 'Fix login #bug @ann !high ^fri' --board platform
        $ callboard add - --stage ideas < list.md
    """)
    add_argument(add, "[TITLE...]", "the title with marks, or -")
    add_argument(add, "--board NAME", _NAMED)
    add_argument(add, "--stage NAME", _NAMED)
    add_argument(add, "--again", "with -, also what an interrupted run has added")


def _add_changing(commands: _Commands) -> None:
    commands.add(
        "start", "scripts.starting:start", "start work on a card", *_CHANGING, _CARD, _BOARD
    ).about("""
        Start work on a card: assign it to you, move it from the backlog to the first active stage,
        and switch to its git branch, which is made if it is missing and is named after branch_name
        of the settings. Nothing is done outside of a repository, or in one with conflicts.
        $ callboard start 12
        $ callboard start "fix login" --dry-run
    """)
    edit = commands.add(
        "edit", "scripts.changing:edit", "set fields of a card", *_CHANGING, _CARD, _BOARD
    ).about("""
        Set fields of a card.
        $ callboard edit 42 --due fri --priority high
        $ callboard edit 42 --description notes.md
    """)
    add_argument(edit, "--title TITLE", "a new title", default=None)
    add_argument(edit, *_DESCRIPTION, default=None)
    add_argument(edit, "--priority {low,medium,high}", "a new priority", default=None)
    for name in ("due", "start"):
        add_argument(edit, f"--{name} DATE", "such as fri or 2026-12-01, or none", default=None)
    add_argument(edit, "--set NAME=VALUE...", "another field, such as contact=7 or =none", "values")
    move = commands.add("move", "scripts.changing:move", "move a card", *_CHANGING, _CARD).about("""
        Move a card to a stage of its board, or of another one. It goes to the bottom, unless it is
        in the stage already.
        $ callboard move 42 review --top
        $ callboard move 42 open --board platform
    """)
    add_argument(move, "STAGE", _NAMED)
    where = move.add_mutually_exclusive_group()
    ends = {"top": "to the top of the stage", "bottom": "to the bottom, also within it"}
    add_choices(where, "end", ends)
    add_argument(where, "--board NAME", "to a stage of another board")
    add_argument(move, "--from NAME", _BOARD[1], "source")
    done = commands.add("done", "scripts.changing:close", "close cards", *_CHANGING).about("""
        Close cards.
        $ callboard done 42 43
        $ callboard done 42 --reopen
    """)
    add_argument(done, "CARD...", "by number, or by title", "cards")
    add_argument(done, *_BOARD)
    add_argument(done, "--reopen", "reopen them instead", "reopens")
    assign = commands.add(
        "assign", "scripts.changing:assign", "assign people to a card", *_CHANGING, _CARD, _BOARD
    ).about("""
        Add people to the assignees of a card; they are named by name, login or initials, and you
        are @me.
        $ callboard assign 42 ann @me
        $ callboard assign 42 ann --remove
    """)
    add_argument(assign, "PERSON...", "by name, login or initials", "people")
    add_argument(assign, "--remove", "remove them instead", "removes")
    label = commands.add(
        "label", "scripts.changing:label", "put labels on a card", *_CHANGING, _CARD, _BOARD
    ).about("""
        Put labels on a card.
        $ callboard label 42 bug
        $ callboard label 42 urgent --create
    """)
    add_argument(label, "LABEL...", "by title, or part of it", "labels")
    how = label.add_mutually_exclusive_group()
    add_argument(how, "--remove", "take them off instead", "removes")
    add_argument(how, "--create", "create those that are missing", "creates")
    subtask = commands.add(
        "subtask", "scripts.subtasks:subtask", "add subtasks to a card", *_CHANGING, _CARD, _BOARD
    ).about("""
        Add subtasks to a card, or close or reopen those that it has, by number or title. They go
        to the end of a group, without its name of the first one.
        $ callboard subtask 42 'Write the test' 'Ask Ann'
        $ callboard subtask 42 test --done
    """)
    add_argument(subtask, "TITLE...", "the title of each", "subtasks")
    add_argument(subtask, "--group NAME", "the group of subtasks, by title")
    which = subtask.add_mutually_exclusive_group()
    add_argument(which, "--done", "close those that it has instead", "closes")
    add_argument(which, "--reopen", "reopen those that it has instead", "reopens")
    comment = commands.add(
        "comment", "scripts.changing:comment", "comment on a card", *_CHANGING, _CARD, _BOARD
    ).about("""
        Comment on a card, in Markdown, where @login mentions somebody; with - the comment is read
        from standard input.
        $ callboard comment 42 'It works, @ann.'
        $ callboard comment 42 - < notes.md
    """)
    add_argument(comment, "TEXT...", "the comment, or -")


def _add_figures(commands: _Commands) -> None:
    standup = commands.add(
        "standup", "scripts.standup:hold_standup", "what happened lately", _BOARDS
    ).about("""
        On a terminal, and without a format, this opens the program in the standup. Otherwise it
        reads the news of the boards once and prints the standup as text, Markdown, JSON or for
        Slack. Without --board and --folder it is about the boards of the last standup, else the
        board opened last, else all boards.
        $ callboard standup
        $ callboard standup --md --board platform --since fri
    """)
    add_argument(standup, "--folder NAME", "the boards of a folder")
    whom = standup.add_mutually_exclusive_group()
    add_argument(whom, "--team", "about everybody (the default)")
    add_argument(whom, "--me", "only your own part, by person", "only_me")
    add_argument(standup, "--since DATE", "such as fri or 2026-11-02 (last working day)")
    lens = standup.add_mutually_exclusive_group()
    add_argument(lens, "--walk", "stage by stage (the default)")
    add_argument(lens, "--by-person", "what each person does")
    formats = standup.add_mutually_exclusive_group()
    briefs = {"md": "as Markdown", "slack": "for Slack, with links", "json": "for programs"}
    add_choices(formats, "format", briefs | {"plain": "as text"})
    insight = commands.add(
        "insight", "scripts.standup:print_insight", "figures of boards", _BOARDS
    ).about("""
        Print four figures, such as the cards closed a week, and for some weeks how many cards were
        in each stage, how old the open cards are, and how many were closed each week. Without
        --board it is about the boards of the last standup, else the board opened last, else all.
        $ callboard insight --board platform --weeks 12
    """)
    add_argument(insight, "--weeks N", "how many weeks (default: 4)", type=_WEEKS, default=4)
    add_argument(insight, *_JSON)
    status = commands.add(
        "status", "status:print_status", "a line for prompts and status bars", _JSON
    ).about("""
        Print how many of your cards are due today and overdue, how many comments mention you and
        wait for your answer, and how many changes are pending, as they were read last: nothing is
        asked of the service. What is 0 is left out. A format has {due_today}, {overdue},
        {mentions} and {pending}; with a text, as in {overdue: late}, the number and the text are
        left out if it is 0. callboard help scripts has lines for tmux and for prompts.
        $ callboard status
        $ callboard status --format '{overdue: late }{pending:↑}'
    """)
    add_argument(status, "--format TEMPLATE", "such as {overdue: late}", "template")
    doctor = commands.add(
        "doctor", "doctor:examine", "see whether all is well", ("[NAME]", "which profile"), _JSON
    ).about("""
        Look at cache, pending changes, settings, terminal and service, and say in words what is
        well and what to do about what is not. Nothing is changed without --repair. The exit code is
        1 if there is a problem.
        $ callboard doctor
        $ callboard doctor work --repair
    """)
    add_argument(doctor, "--offline", "leave the service alone", "is_offline")
    repairs = (
        "offer to save what a damaged file of changes holds, to mend the cache, and to take"
        " the time zone of the profile from its site"
    )
    add_argument(doctor, "--repair", repairs, "repairs")
    add_argument(doctor, "--yes", "accept what --repair offers", "says_yes")


def _add_transfer(commands: _Commands) -> None:
    export = commands.add("export", "scripts.transfer:export", "write boards into a file")
    export.about("""
        Write all boards with their pictures, the accounts and the hashes of their passwords into a
        new file, for you alone. Keep it as you would keep the passwords. With --md, --csv or --json
        write one board of a profile, to a new file or without one to the output.
        $ callboard export boards.zip
        $ callboard export --board platform --md platform.md
    """)
    imported = commands.add("import", "scripts.transfer:import_file", "read such a file, or others")
    imported.about("""
        Put everything of an archive into a database that is new or empty: all of it or nothing.
        Import only archives from people whose database you would use. Or add the cards of another
        program's file to a board of a profile: Trello's JSON, gh issue list --json, task export,
        CSV, or Markdown with stages as headings. Cards that are there already stay as they are, so
        that the same file can be imported again. callboard help transfer has more.
        $ callboard import boards.zip --database new.sqlite3
        $ callboard import trello.json --dry-run
        $ callboard import tasks.csv --board platform --map title=Summary
    """)
    add_argument(export, "[FILE]", "the archive, a zip file", type=_path, default=None)
    add_argument(imported, "FILE", "an archive, another file, or - for input", type=_path)
    add_argument(export, "--board NAME", "one board, by title, part of it, or id")
    formats = export.add_mutually_exclusive_group()
    add_choices(formats, "form", {"md": "as Markdown", "csv": "as CSV", "json": "for programs"})
    add_argument(imported, "--board NAME", "where cards are added (that of their title, or new)")
    forms = "trello,github,taskwarrior,csv,markdown"
    add_argument(imported, f"--format {{{forms}}}", "(found out)", "form", default="")
    add_argument(imported, "--map FIELD=COLUMN...", "which column of CSV holds what", "columns")
    add_argument(imported, "--again", "also cards that were imported before, and are gone")
    add_argument(imported, "-n --dry-run", "print what would be made", "is_dry")
    add_argument(imported, *_QUIET)
    add_argument(imported, *_JSON)
    for parser in (export, imported):
        add_argument(parser, *_DATABASE)
        add_argument(parser, *_UPLOADS, type=_path)


def _add_serving(commands: _Commands) -> None:
    serve = commands.add("serve", "serving:serve", "serve boards to others").about("""
        Serve boards to others. It listens on this machine alone unless there is a certificate
        (--tls-cert, --tls-key) or a proxy in front of it that encrypts (--behind-proxy). Make the
        first account with: callboard serve user add NAME
        $ callboard serve
        $ callboard serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
    """)
    add_argument(serve, *_HOST, default="127.0.0.1")
    add_argument(serve, "--port PORT", "the port, 0 for any (8642)", type=_PORT, default=8642)
    add_argument(serve, *_DATABASE)
    add_argument(serve, *_UPLOADS, type=_path)
    add_argument(
        serve, "--workers WORKERS", "how many processes (1)", type=number(1, 64), default=1
    )
    add_argument(serve, "--behind-proxy", "trust the headers of a proxy")
    add_argument(serve, "--public-url URL", "where others reach it, for links", default=None)
    add_argument(serve, "--tls-cert FILE", "a certificate, as PEM", type=_path)
    add_argument(serve, "--tls-key FILE", "its key, as PEM", type=_path)
    add_argument(serve, "--mail FILE", "where e-mails go, as TOML", type=_path)
    user = _Commands(serve).add("user", "", "add, list and remove accounts")
    user.about("""
        $ callboard serve user add ann --admin
        $ callboard serve user list
    """)
    accounts = _Commands(user, required=True)
    add = accounts.add(
        "add", "serving:add_account", "make an account; the first is an administrator"
    ).about("$ callboard serve user add ann --display-name 'Ann Lee'")
    add_argument(add, "NAME", "what the person logs in as")
    add_argument(add, "--display-name DISPLAY_NAME", "what others see (NAME)")
    add_argument(add, "--email EMAIL", "where notifications go")
    add_argument(add, "--admin", "may do everything on every board", "administrator")
    password = accounts.add(
        "password", "serving:set_password", "give an account another password", ("NAME", "")
    ).about("$ callboard serve user password ann")
    every = accounts.add("list", "serving:list_accounts", "list the accounts")
    every.about("$ callboard serve user list")
    remove = accounts.add(
        "remove", "serving:remove_account", "remove an account; what it wrote stays", ("NAME", "")
    ).about("$ callboard serve user remove ann")
    for parser in (add, password, every, remove):
        # The option may be before or after the command: a default here would hide the former.
        add_argument(parser, *_DATABASE, default=argparse.SUPPRESS)
    mcp = commands.add("mcp", "mcp.serving:serve", "serve boards to an agent").about("""
        Serve the boards to an agent by the Model Context Protocol, on standard input and output,
        until the input ends. What it changes is shown at once in the program that is open beside
        it, undone there, and kept without a connection. Needs the extra mcp. Most agents are told
        of it by {"mcpServers": {"callboard": {"command": "callboard", "args": ["mcp"]}}} in a file;
        callboard help agents says more.
        $ callboard mcp
        $ callboard -p work mcp --board platform --read-only
    """)
    mcp.set_defaults(may_be_read_only=True)
    add_argument(mcp, "--board NAME", "only this one, by title, part of it, or id")
    add_argument(mcp, "--read-only", "change nothing", "is_read_only", default=argparse.SUPPRESS)
    web = commands.add("web", "web:serve", "open the program in a browser").about("""
        Serve the program to your browser, at the address it prints; everybody who has it acts as
        you. It listens on this machine alone unless there is another --host, and does not encrypt.
        With --read-only before the command nothing can be changed. Needs the extra web.
        $ callboard web
        $ callboard --read-only web --port 0
    """)
    web.set_defaults(may_be_read_only=True)
    add_argument(web, *_HOST, default="127.0.0.1")
    add_argument(web, "--port PORT", "the port, 0 for any (8643)", type=_PORT, default=8643)
