"""The arguments of each command, and the function that runs it.

A password is never an argument, since every user of the machine can read those.
"""

import argparse
from functools import partial
from pathlib import Path

from tui.cli.board_commands import add_figures, add_reading, add_writing
from tui.cli.parser import Commands, add_command, add_json, whole_number
from tui.config.profiles import is_path_word, is_timezone

_DATABASE_HELP = "the file of the boards (default: your own boards)"
_LOGIN = (
    "Add a service: asks for the address of its site, your login name and the password there, finds"
    " the boards, tries everything out at once and keeps it. Without a terminal, give --url and"
    " --login, and the password as the first line of standard input or in CALLBOARD_PASSWORD."
)
_LOGOUT = (
    "Forget a service: its password, cache and settings. Changes and texts that did not reach it"
    " are listed, and kept or discarded as you say. The exit code is 0 if it was forgotten, 1 if"
    " that was cancelled, and 2 if nothing could be done."
)
_CHECK = (
    "Try out a profile: whether its service is reached and believes you, and what it offers."
    " Nothing is changed there. On a terminal it offers to set the time zone of the site's clock in"
    " the profile. The exit code is 0 if all is well and 1 if not."
)
_SETTINGS = (
    "Print all settings with what they mean, as TOML: your own, and the others with their defaults"
    " as comments. In the program, g , shows and changes them."
)
_DOCTOR = (
    "Look at cache, pending changes, settings, terminal and service, and say in words what is well"
    " and what to do about what is not. Nothing is changed without --repair. The exit code is 0 if"
    " there is no problem and 1 if there is one."
)
_SERVE = (
    "It listens on this machine alone unless there is a certificate (--tls-cert, --tls-key) or a "
    "proxy in front of it that encrypts (--behind-proxy). Make the first account with: "
    "callboard serve user add NAME"
)
_WEB = (
    "Serve the program to your browser, at the address it prints; everybody who has it acts as"
    " you. It listens on this machine alone unless there is another --host, and does not encrypt."
    " With --read-only before the command nothing can be changed. Needs the extra web."
)
_EXPORT = (
    "Write all boards with their pictures, the accounts and the hashes of their passwords into a "
    "new file, for you alone. Keep it as you would keep the passwords."
)
_IMPORT = (
    "Put everything of an archive into a database that is new or empty: all of it or nothing. "
    "Import only archives from people whose database you would use."
)
_PORT = partial(whole_number, least=0, most=65_535)
_WORKERS = partial(whole_number, least=1, most=64)


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Add every command to a parser."""
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog=parser.prog)
    _add_services(commands)
    add_reading(commands, parser)
    add_writing(commands)
    add_figures(commands)
    _add_doctor(commands)
    _add_serve(commands)
    _add_archive(commands)
    _add_web(commands)


def _add_services(commands: Commands) -> None:
    """Add `login`, `settings`, `logout`, `profiles` and `check`."""
    login = add_command(
        commands, "login", "login:log_in", brief="add a service", description=_LOGIN
    )
    login.add_argument("name", metavar="NAME", nargs="?", default="", help="what to call it here")
    login.add_argument("--url", metavar="URL", default="", help="any address of its site")
    login.add_argument("--login", metavar="LOGIN", default="", help="your login name there")
    login.add_argument("--ca-file", type=Path, metavar="FILE", help="its own authority, as PEM")
    login.add_argument("--path-word", type=_path_word, help="the service's own word in its paths")
    login.add_argument("--timezone", type=_timezone, help="of its clock, such as Europe/Berlin")
    login.add_argument(
        "--keyring", dest="in_keyring", action="store_true", help="keep the password in the keyring"
    )
    login.add_argument(
        "--default", dest="is_default", action="store_true", help="open it when no other is named"
    )
    login.add_argument("--force", action="store_true", help="replace the one of that name")
    add_command(
        commands,
        "settings",
        "settings:print_settings",
        brief="print all settings",
        description=_SETTINGS,
    )
    logout = add_command(
        commands, "logout", "services:log_out", brief="forget a service", description=_LOGOUT
    )
    logout.add_argument("name", metavar="NAME", help="which")
    unsent = logout.add_mutually_exclusive_group()
    unsent.add_argument(
        "--keep-changes", dest="keeps_changes", action="store_true", help="keep what was not sent"
    )
    unsent.add_argument(
        "--yes", dest="says_yes", action="store_true", help="discard what was not sent"
    )
    profiles = add_command(
        commands, "profiles", "services:list_profiles", brief="list the services that were added"
    )
    check = add_command(
        commands, "check", "services:check", brief="try out a service", description=_CHECK
    )
    check.add_argument("name", metavar="NAME", nargs="?", default="", help="which (the default)")
    add_json(profiles, check)


def _path_word(text: str) -> str:
    if not is_path_word(text):
        raise argparse.ArgumentTypeError("must be one word")
    return text


def _timezone(text: str) -> str:
    if not is_timezone(text):
        raise argparse.ArgumentTypeError("must be a zone such as Europe/Berlin, or +06:00")
    return text


def _add_doctor(commands: Commands) -> None:
    doctor = add_command(
        commands, "doctor", "doctor:examine", brief="see whether all is well", description=_DOCTOR
    )
    doctor.add_argument("name", metavar="NAME", nargs="?", default="", help="which profile")
    add_json(doctor)
    doctor.add_argument(
        "--offline", dest="is_offline", action="store_true", help="leave the service alone"
    )
    doctor.add_argument(
        "--repair",
        dest="repairs",
        action="store_true",
        help="offer to save what a damaged file of changes holds, to mend the cache, and to take"
        " the time zone of the profile from its site",
    )
    doctor.add_argument(
        "--yes", dest="says_yes", action="store_true", help="accept what --repair offers"
    )


def _add_serve(commands: Commands) -> None:
    """Add `serve` with its commands."""
    serve = add_command(
        commands, "serve", "serving:serve", brief="serve boards to others", epilog=_SERVE
    )
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=_PORT, default=8642, help="the port, 0 for any (8642)")
    serve.add_argument("--database", metavar="PATH", help=_DATABASE_HELP)
    serve.add_argument("--attachments", type=Path, metavar="FOLDER", help="where uploads are kept")
    serve.add_argument("--workers", type=_WORKERS, default=1, help="how many processes (1)")
    serve.add_argument("--behind-proxy", action="store_true", help="trust the headers of a proxy")
    serve.add_argument("--public-url", metavar="URL", help="where others reach it, for links")
    serve.add_argument("--tls-cert", type=Path, metavar="FILE", help="a certificate, as PEM")
    serve.add_argument("--tls-key", type=Path, metavar="FILE", help="its key, as PEM")
    serve.add_argument("--mail", type=Path, metavar="FILE", help="where e-mails go, as TOML")
    _add_user(serve)


def _add_user(serve: argparse.ArgumentParser) -> None:
    below = serve.add_subparsers(title="commands", metavar="COMMAND")
    user = below.add_parser("user", help="add, list and remove accounts")
    actions = user.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add = add_command(
        actions,
        "add",
        "serving:add_account",
        brief="make an account; the first is an administrator",
    )
    add.add_argument("name", metavar="NAME", help="what the person logs in as")
    add.add_argument("--display-name", default="", help="what others see (NAME)")
    add.add_argument("--email", default="", help="where notifications go")
    add.add_argument(
        "--admin",
        dest="administrator",
        action="store_true",
        help="may do everything on every board",
    )
    password = add_command(
        actions, "password", "serving:set_password", brief="give an account another password"
    )
    password.add_argument("name", metavar="NAME")
    listed = add_command(actions, "list", "serving:list_accounts", brief="list the accounts")
    remove = add_command(
        actions,
        "remove",
        "serving:remove_account",
        brief="remove an account; what it wrote stays",
    )
    remove.add_argument("name", metavar="NAME")
    for parser in (add, password, listed, remove):
        # The option may be before or after the command: a default here would hide the former.
        parser.add_argument(
            "--database", metavar="PATH", default=argparse.SUPPRESS, help=_DATABASE_HELP
        )


def _add_archive(commands: Commands) -> None:
    export = add_command(
        commands,
        "export",
        "archiving:export_to",
        brief="write all boards into one file",
        description=_EXPORT,
    )
    imported = add_command(
        commands, "import", "archiving:import_from", brief="read such a file", description=_IMPORT
    )
    for parser in (export, imported):
        parser.add_argument("file", type=Path, metavar="FILE", help="the archive, a zip file")
        parser.add_argument("--database", metavar="PATH", help=_DATABASE_HELP)
        parser.add_argument(
            "--attachments", type=Path, metavar="FOLDER", help="where uploads are kept"
        )


def _add_web(commands: Commands) -> None:
    web = add_command(
        commands, "web", "web:serve", brief="open the program in a browser", description=_WEB
    )
    web.set_defaults(may_be_read_only=True)
    web.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    web.add_argument("--port", type=_PORT, default=8643, help="the port, 0 for any (8643)")
