"""The command line: the arguments of each command, its help, and the function that runs it.

Nothing that runs a command is imported here: a shell that completes commands reads all of this each
time it starts. A password is never an argument, since every user of the machine can read those.
"""

import argparse
import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from inspect import iscoroutinefunction, signature
from pathlib import Path
from typing import Any, NoReturn

from tui.config.profiles import is_path_word, is_timezone
from tui.text import clean

_CHOICE = re.compile(r"argument \S+: invalid choice: '([^']*)' \(choose from (.*)\)")
EXAMPLES = "examples:"
"""The first line of a text of which all lines stay as they are."""
_FEW = 9
"""So many choices are named."""

_DATABASE = "the file of the boards (default: your own boards)"
_MARKDOWN = "Markdown of a file, or - for input"
_ITS_BOARD = "where the card is, by title, part of it, or id"
_NAMED = "by title, part of it, or id"


def _matching(accepts: Callable[[str], bool], wanted: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not accepts(text):
            raise argparse.ArgumentTypeError(f"must be {wanted}")
        return text

    return read


def _number(least: int, most: int) -> Callable[[str], int]:
    is_number = _matching(
        lambda text: text.isdecimal() and least <= int(text) <= most,
        f"a number from {least} to {most}",
    )
    return lambda text: int(is_number(text))


_PATH_WORD = _matching(is_path_word, "one word")
_TIMEZONE = _matching(is_timezone, "a zone such as Europe/Berlin, or +06:00")
_PORT = _number(0, 65_535)
_WEEKS = _number(1, 57)
"""Activities are kept for 400 days."""


class _Formatter(argparse.HelpFormatter):
    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith(EXAMPLES):
            return text
        return super()._fill_text(text, width, indent)


class Parser(argparse.ArgumentParser):
    """Says what is wrong with arguments in a line, and where they are explained."""

    def __init__(self, **how: Any) -> None:
        super().__init__(formatter_class=_Formatter, **how)

    def error(self, message: str) -> NoReturn:
        hint = f"{self.prog} --help explains it."
        if wrong := _CHOICE.fullmatch(message):
            from tui.config.settings_file import nearest

            choices = re.findall(r"[\w-]+", wrong[2])
            among = f"; use one of {', '.join(choices)}" if len(choices) <= _FEW else ""
            message = f"“{clean.line(wrong[1])}” is not possible here{among}."
            hint = nearest(wrong[1], choices) or hint
        self.exit(2, f"{self.prog}: {message}\n{' ' * len(self.prog)}  {hint}\n")


def run_command(options: Mapping[str, Any]) -> int:
    """Run a command with its parsed arguments; the exit code. Raises `CallboardError`.

    Its function has a parameter for each argument that it needs, or one for several of them: a
    named tuple or a dataclass with fields of these names. A coroutine function works on the opened
    profile, its first parameter. What may read standard input is none: asyncio would keep ctrl+c
    from ending that.
    """
    module, _, name = options["run"].partition(":")
    function = getattr(import_module(f"tui.cli.{module}"), name)
    arguments = {}
    for parameter in signature(function).parameters.values():
        if fields := getattr(parameter.annotation, "__match_args__", None):
            values = {field: options[field] for field in fields if field in options}
            arguments[parameter.name] = parameter.annotation(**values)
        elif parameter.name != "opened":
            arguments[parameter.name] = options[parameter.name]
    if not iscoroutinefunction(function):
        return int(function(**arguments))
    from tui.cli.scripts.opened import run_opened

    work = partial(function, **arguments)
    return run_opened(options["profile"], work, is_read_only=options["is_read_only"])


def add_switch(
    where: "argparse._ActionsContainer", option: str, name: str, brief: str, *, letter: str = ""
) -> None:
    """Add an option without a value, for the parameter with this name."""
    options = [letter, option] if letter else [option]
    where.add_argument(*options, dest=name, action="store_true", help=brief)


class Commands:
    """The commands below a parser."""

    def __init__(self, parser: argparse.ArgumentParser, **how: Any) -> None:
        self._all = parser.add_subparsers(title="commands", metavar="COMMAND", **how)

    def add(self, name: str, run: str, brief: str, *examples: str) -> argparse.ArgumentParser:
        """Add a command that is run by `run`: a module of `tui.cli` and a function in it, if any.

        The module is imported when the command is run. The examples end its help.
        """
        parser: argparse.ArgumentParser = self._all.add_parser(name, help=brief)
        parser.set_defaults(run=run)
        if examples:
            parser.epilog = "\n".join([EXAMPLES, *(f"  callboard {each}" for each in examples)])
        return parser


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Add every command to a parser."""
    commands = Commands(parser, prog=parser.prog)
    _add_services(commands)
    _add_reading(commands)
    _add_texts(commands, parser)
    _add_making(commands)
    _add_changing(commands)
    _add_figures(commands)
    _add_serving(commands)


def _add_services(commands: Commands) -> None:
    login = commands.add(
        "login",
        "services:log_in",
        "add a service",
        "login",
        "login work --url https://example.org --login ann",
    )
    login.description = (
        "Add a service: asks for the address of its site, your login name and the password there,"
        " finds the boards, tries everything out at once and keeps it. Without a terminal, give"
        " --url and --login, and the password as the first line of standard input or in"
        " CALLBOARD_PASSWORD."
    )
    login.add_argument("name", metavar="NAME", nargs="?", default="", help="what to call it here")
    login.add_argument("--url", metavar="URL", default="", help="any address of its site")
    login.add_argument("--login", metavar="LOGIN", default="", help="your login name there")
    login.add_argument("--ca-file", type=Path, metavar="FILE", help="its own authority, as PEM")
    login.add_argument("--path-word", type=_PATH_WORD, help="the service's own word in its paths")
    login.add_argument("--timezone", type=_TIMEZONE, help="of its clock, such as Europe/Berlin")
    add_switch(login, "--keyring", "in_keyring", "keep the password in the keyring")
    add_switch(login, "--default", "is_default", "open it when no other is named")
    add_switch(login, "--force", "force", "replace the one of that name")
    settings = commands.add(
        "settings",
        "settings:print_settings",
        "print all settings",
        "settings",
        "settings > my-settings.toml",
    )
    settings.description = (
        "Print all settings with what they mean, as TOML: your own, and the others with their"
        " defaults as comments. In the program, g , shows and changes them."
    )
    logout = commands.add(
        "logout",
        "services:log_out",
        "forget a service",
        "logout work",
        "logout work --keep-changes",
    )
    logout.description = (
        "Forget a service: its password, cache and settings. Changes and texts that did not reach"
        " it are listed, and kept or discarded as you say."
    )
    logout.add_argument("name", metavar="NAME", help="which")
    unsent = logout.add_mutually_exclusive_group()
    add_switch(unsent, "--keep-changes", "keeps_changes", "keep what was not sent")
    add_switch(unsent, "--yes", "says_yes", "discard what was not sent")
    profiles = commands.add(
        "profiles",
        "services:list_profiles",
        "list the services that were added",
        "profiles",
        "profiles --json",
    )
    check = commands.add(
        "check", "services:check", "try out a service", "check work", "check work --json"
    )
    check.description = (
        "Try out a profile: whether its service is reached and believes you, and what it offers."
        " Nothing is changed there. On a terminal it offers to set the time zone of the site's"
        " clock in the profile."
    )
    check.add_argument("name", metavar="NAME", nargs="?", default="", help="which (the default)")
    for parser in (profiles, check):
        _add_json(parser)


def _add_reading(commands: Commands) -> None:
    boards = commands.add(
        "boards", "scripts.reading:list_boards", "list the boards", "boards", "boards --quiet"
    )
    boards.description = "List the boards that are not archived, newest first."
    tasks = commands.add(
        "tasks",
        "scripts.reading:list_tasks",
        "list cards",
        "tasks label:bug @me due:week",
        "tasks --board platform -- -label:bug",
    )
    tasks.description = (
        "List the cards that a query finds, in the words of the filter (/) in the program, such as"
        " label:bug @me due:week; without one, all cards. Put -- before a query that begins with -."
    )
    tasks.add_argument("query", metavar="QUERY", nargs="*", help="as in the filter of a board")
    _add_boards(tasks)
    for parser in (boards, tasks):
        add_switch(parser, "--quiet", "only_ids", "print only the ids", letter="-q")
    show = commands.add(
        "show", "scripts.card:show", "print a card", "show 42", 'show "fix login" --json'
    )
    show.description = "Print a card with its fields, description, subtasks and comments."
    _add_card(show)
    here = commands.add(
        "here", "scripts.changing:here", "the card of this git branch", "here", "here review"
    )
    here.description = (
        "Print the card after which the current git branch is named, such as"
        " 12-fix-login-redirect, or move it to a stage."
    )
    here.add_argument("stage", metavar="STAGE", nargs="?", help="move it there")
    _add_how(here)
    sync = commands.add(
        "sync", "scripts.reading:sync", "send and read everything", "sync", "-p work sync --json"
    )
    sync.description = (
        "Send the pending changes, and read the news of all boards. The exit code is 1 if a change"
        " is still pending."
    )
    _add_quiet(sync)
    for parser in (boards, tasks, show, sync):
        _add_json(parser)
    tour = commands.add(
        "tour", "scripts.making:show_tour", "the board that teaches the keys", "tour"
    )
    tour.description = (
        "Make the board that teaches the keys again, and open it on a terminal. No other board is"
        " changed."
    )


def _add_texts(commands: Commands, program: argparse.ArgumentParser) -> None:
    completion = commands.add(
        "completion",
        "parser_texts:script",
        "completion for a shell",
        "completion bash",
        "completion fish > ~/.config/fish/completions/callboard.fish",
    )
    completion.description = (
        'Print a script that completes commands and options. For bash, put eval "$(callboard'
        ' completion bash)" into ~/.bashrc; zsh alike; for fish, write it into'
        " ~/.config/fish/completions/callboard.fish."
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    man = commands.add("man", "parser_texts:page", "print the manual page", "man | man -l -")
    man.description = "Print the manual page as roff; callboard man | man -l - shows it."
    topic = commands.add("help", "help:show", "show a topic of the help", "help", "help filter")
    topic.description = (
        "Show a topic of the help, in a pager on a terminal; without a name, list the topics. The"
        " name of a command shows its --help."
    )
    topic.add_argument("topic", metavar="TOPIC", nargs="?", default="", help="which")
    for parser in (completion, man, topic):
        parser.set_defaults(program=program)


def _add_making(commands: Commands) -> None:
    about = (
        "Add a board. Its stages are named in their order, each with --stage; cards in the last one"
        " are closed. Without any it has those of the service."
    )
    examples = ("board add 'Web shop' --stage Open --stage Doing --stage Done",)
    boards = commands.add("board", "", "add boards", *examples)
    below = Commands(boards, required=True)
    board = below.add("add", "scripts.making:add_board", "add a board", *examples)
    boards.description = board.description = about
    _add_how(board)
    board.add_argument("title", metavar="TITLE", nargs="+", help="the title, or -")
    board.add_argument(
        "--type", dest="kind", choices=("to-do", "roadmap"), default="to-do", help="(to-do)"
    )
    board.add_argument(
        "--stage",
        dest="stages",
        metavar="TITLE",
        action="append",
        default=[],
        help="a stage, in the order given",
    )
    board.add_argument("--description", metavar="FILE", help=_MARKDOWN)
    board.add_argument("--currency", metavar="CODE", default="", help="such as EUR")
    board.add_argument("--folder", metavar="NAME", default="", help=_NAMED)
    add = commands.add(
        "add",
        "scripts.making:add",
        "add cards",
        "add 'Fix login #bug @ann !high ^fri' --board platform",
        "add - --stage ideas < list.md",
    )
    add.description = (
        "Add a card, or with - one for each line of standard input, which may be a Markdown list of"
        " at most 1,000 lines and 1 MB. Each card is printed as it is added. If that is"
        " interrupted, the same command with the same lines goes on with the others; with --again"
        " it adds all. Marks at the end of a title set fields, as in the program: #label @person"
        " !high ^fri. Put the title in single quotes, as a shell has its own use for such signs."
        " Without --board it is added to the board opened last, or the only one; without --stage to"
        " the first."
    )
    _add_how(add)
    add.add_argument("title", metavar="TITLE", nargs="*", help="the title with marks, or -")
    add.add_argument("--board", metavar="NAME", default="", help=_NAMED)
    add.add_argument("--stage", metavar="NAME", default="", help=_NAMED)
    add_switch(add, "--again", "again", "with -, also what an interrupted run has added")


def _add_changing(commands: Commands) -> None:
    def add(
        name: str, brief: str, about: str, *examples: str, run: str = ""
    ) -> argparse.ArgumentParser:
        parser = commands.add(name, f"scripts.changing:{run or name}", brief, *examples)
        parser.description = about
        _add_how(parser)
        return parser

    edit = add(
        "edit",
        "set fields of a card",
        "Set fields of a card.",
        "edit 42 --due fri --priority high",
        "edit 42 --description notes.md",
    )
    _add_card(edit)
    edit.add_argument("--title", metavar="TITLE", help="a new title")
    edit.add_argument("--description", metavar="FILE", help=_MARKDOWN)
    edit.add_argument("--priority", choices=("low", "medium", "high"), help="a new priority")
    for name in ("due", "start"):
        edit.add_argument(f"--{name}", metavar="DATE", help="such as fri or 2026-12-01, or none")
    move = add(
        "move",
        "move a card",
        "Move a card to a stage of its board, or of another one. It goes to the bottom, unless it"
        " is in the stage already.",
        "move 42 review --top",
        "move 42 open --board platform",
    )
    _add_card(move, has_board=False)
    move.add_argument("stage", metavar="STAGE", help=_NAMED)
    where = move.add_mutually_exclusive_group()
    add_switch(where, "--top", "is_top", "to the top of the stage")
    add_switch(where, "--bottom", "is_bottom", "to the bottom, also within it")
    where.add_argument("--board", metavar="NAME", default="", help="to a stage of another board")
    move.add_argument("--from", dest="source", metavar="NAME", default="", help=_ITS_BOARD)
    done = add("done", "close cards", "Close cards.", "done 42 43", "done 42 --reopen", run="close")
    done.add_argument("cards", metavar="CARD", nargs="+", help="by number, or by title")
    done.add_argument("--board", metavar="NAME", default="", help=_ITS_BOARD)
    add_switch(done, "--reopen", "reopens", "reopen them instead")
    assign = add(
        "assign",
        "assign people to a card",
        "Add people to the assignees of a card; they are named by name, login or initials, and you"
        " are @me.",
        "assign 42 ann @me",
        "assign 42 ann --remove",
    )
    _add_card(assign)
    assign.add_argument("people", metavar="PERSON", nargs="+", help="by name, login or initials")
    add_switch(assign, "--remove", "removes", "remove them instead")
    label = add(
        "label",
        "put labels on a card",
        "Put labels on a card.",
        "label 42 bug",
        "label 42 urgent --create",
    )
    _add_card(label)
    label.add_argument("labels", metavar="LABEL", nargs="+", help="by title, or part of it")
    how = label.add_mutually_exclusive_group()
    add_switch(how, "--remove", "removes", "take them off instead")
    add_switch(how, "--create", "creates", "create those that are missing")
    comment = add(
        "comment",
        "comment on a card",
        "Comment on a card, in Markdown, where @login mentions somebody; with - the comment is read"
        " from standard input.",
        "comment 42 'It works, @ann.'",
        "comment 42 - < notes.md",
    )
    _add_card(comment)
    comment.add_argument("text", metavar="TEXT", nargs="+", help="the comment, or -")


def _add_how(parser: argparse.ArgumentParser) -> None:
    # The options of everything that changes something.
    _add_json(parser)
    _add_quiet(parser)
    add_switch(
        parser,
        "--dry-run",
        "is_dry",
        "print the first request of each change, and send none",
        letter="-n",
    )


def _add_json(parser: argparse.ArgumentParser) -> None:
    add_switch(parser, "--json", "as_json", "for programs")


def _add_quiet(parser: argparse.ArgumentParser) -> None:
    add_switch(parser, "--quiet", "is_quiet", "say only what did not work", letter="-q")


def _add_card(parser: argparse.ArgumentParser, *, has_board: bool = True) -> None:
    parser.add_argument("card", metavar="CARD", help="its number, its title, or a part of that")
    if has_board:
        parser.add_argument("--board", metavar="NAME", default="", help=_ITS_BOARD)


def _add_boards(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--board", dest="boards", metavar="NAME", action="append", default=[], help=_NAMED
    )


def _add_figures(commands: Commands) -> None:
    standup = commands.add(
        "standup",
        "scripts.standup:hold_standup",
        "what happened lately",
        "standup",
        "standup --md --board platform --since fri",
    )
    standup.description = (
        "On a terminal, and without a format, this opens the program in the standup. Otherwise it"
        " reads the news of the boards once and prints the standup as text, Markdown, JSON or"
        " for Slack. Without --board and --folder it is about the boards of the last standup, else"
        " the board opened last, else all boards."
    )
    _add_boards(standup)
    standup.add_argument("--folder", metavar="NAME", default="", help="the boards of a folder")
    whom = standup.add_mutually_exclusive_group()
    add_switch(whom, "--team", "team", "about everybody (the default)")
    add_switch(whom, "--me", "only_me", "only your own part, by person")
    standup.add_argument(
        "--since", metavar="DATE", default="", help="such as fri or 2026-11-02 (last working day)"
    )
    lens = standup.add_mutually_exclusive_group()
    add_switch(lens, "--walk", "walk", "stage by stage (the default)")
    add_switch(lens, "--by-person", "by_person", "what each person does")
    formats = standup.add_mutually_exclusive_group()
    for name, brief in (
        ("md", "as Markdown"),
        ("slack", "for Slack, with links"),
        ("json", "for programs"),
        ("plain", "as text"),
    ):
        formats.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, default="", help=brief
        )
    insight = commands.add(
        "insight",
        "scripts.standup:print_insight",
        "figures of boards",
        "insight --board platform --weeks 12",
    )
    insight.description = (
        "Print, for some weeks, how many cards were in each stage, how old the open cards are, and"
        " how many were closed each week. Without --board it is about the boards of the last"
        " standup, else the board opened last, else all boards."
    )
    _add_boards(insight)
    insight.add_argument(
        "--weeks", type=_WEEKS, default=4, metavar="N", help="how many weeks (default: 4)"
    )
    _add_json(insight)
    doctor = commands.add(
        "doctor", "doctor:examine", "see whether all is well", "doctor", "doctor work --repair"
    )
    doctor.description = (
        "Look at cache, pending changes, settings, terminal and service, and say in words what is"
        " well and what to do about what is not. Nothing is changed without --repair. The exit code"
        " is 1 if there is a problem."
    )
    doctor.add_argument("name", metavar="NAME", nargs="?", default="", help="which profile")
    _add_json(doctor)
    add_switch(doctor, "--offline", "is_offline", "leave the service alone")
    add_switch(
        doctor,
        "--repair",
        "repairs",
        "offer to save what a damaged file of changes holds, to mend the cache, and to take"
        " the time zone of the profile from its site",
    )
    add_switch(doctor, "--yes", "says_yes", "accept what --repair offers")


def _add_serving(commands: Commands) -> None:
    serve = commands.add(
        "serve",
        "serving:serve",
        "serve boards to others",
        "serve",
        "serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem",
    )
    serve.description = (
        "Serve boards to others. It listens on this machine alone unless there is a certificate"
        " (--tls-cert, --tls-key) or a proxy in front of it that encrypts (--behind-proxy). Make"
        " the first account with: callboard serve user add NAME"
    )
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=_PORT, default=8642, help="the port, 0 for any (8642)")
    serve.add_argument("--database", metavar="PATH", help=_DATABASE)
    serve.add_argument("--attachments", type=Path, metavar="FOLDER", help="where uploads are kept")
    serve.add_argument("--workers", type=_number(1, 64), default=1, help="how many processes (1)")
    add_switch(serve, "--behind-proxy", "behind_proxy", "trust the headers of a proxy")
    serve.add_argument("--public-url", metavar="URL", help="where others reach it, for links")
    serve.add_argument("--tls-cert", type=Path, metavar="FILE", help="a certificate, as PEM")
    serve.add_argument("--tls-key", type=Path, metavar="FILE", help="its key, as PEM")
    serve.add_argument("--mail", type=Path, metavar="FILE", help="where e-mails go, as TOML")
    user = Commands(serve).add(
        "user", "", "add, list and remove accounts", "serve user add ann --admin", "serve user list"
    )
    accounts = Commands(user, required=True)
    add = accounts.add(
        "add",
        "serving:add_account",
        "make an account; the first is an administrator",
        "serve user add ann --display-name 'Ann Lee'",
    )
    add.add_argument("name", metavar="NAME", help="what the person logs in as")
    add.add_argument("--display-name", default="", help="what others see (NAME)")
    add.add_argument("--email", default="", help="where notifications go")
    add_switch(add, "--admin", "administrator", "may do everything on every board")
    password = accounts.add(
        "password",
        "serving:set_password",
        "give an account another password",
        "serve user password ann",
    )
    password.add_argument("name", metavar="NAME")
    every = accounts.add("list", "serving:list_accounts", "list the accounts", "serve user list")
    remove = accounts.add(
        "remove",
        "serving:remove_account",
        "remove an account; what it wrote stays",
        "serve user remove ann",
    )
    remove.add_argument("name", metavar="NAME")
    for parser in (add, password, every, remove):
        # The option may be before or after the command: a default here would hide the former.
        parser.add_argument("--database", metavar="PATH", default=argparse.SUPPRESS, help=_DATABASE)
    export = commands.add(
        "export", "archiving:export_to", "write all boards into one file", "export boards.zip"
    )
    export.description = (
        "Write all boards with their pictures, the accounts and the hashes of their passwords into"
        " a new file, for you alone. Keep it as you would keep the passwords."
    )
    imported = commands.add(
        "import",
        "archiving:import_from",
        "read such a file",
        "import boards.zip --database new.sqlite3",
    )
    imported.description = (
        "Put everything of an archive into a database that is new or empty: all of it or nothing."
        " Import only archives from people whose database you would use."
    )
    for parser in (export, imported):
        parser.add_argument("file", type=Path, metavar="FILE", help="the archive, a zip file")
        parser.add_argument("--database", metavar="PATH", help=_DATABASE)
        parser.add_argument(
            "--attachments", type=Path, metavar="FOLDER", help="where uploads are kept"
        )
    web = commands.add(
        "web", "web:serve", "open the program in a browser", "web", "--read-only web --port 0"
    )
    web.description = (
        "Serve the program to your browser, at the address it prints; everybody who has it acts as"
        " you. It listens on this machine alone unless there is another --host, and does not"
        " encrypt. With --read-only before the command nothing can be changed. Needs the extra"
        " web."
    )
    web.set_defaults(may_be_read_only=True)
    web.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    web.add_argument("--port", type=_PORT, default=8643, help="the port, 0 for any (8643)")
