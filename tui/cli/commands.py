"""The arguments of each command, and the function that runs it.

A password is never an argument, since every user of the machine can read those.
"""

import argparse
from functools import partial
from pathlib import Path

from tui.cli.board_commands import add_figures, add_reading, add_writing
from tui.cli.parser import Commands, add_json, add_switch, whole_number
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
    commands = Commands(parser, prog=parser.prog)
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
    login = commands.add("login", "login:log_in", "add a service", _LOGIN)
    login.add_argument("name", metavar="NAME", nargs="?", default="", help="what to call it here")
    login.add_argument("--url", metavar="URL", default="", help="any address of its site")
    login.add_argument("--login", metavar="LOGIN", default="", help="your login name there")
    login.add_argument("--ca-file", type=Path, metavar="FILE", help="its own authority, as PEM")
    login.add_argument("--path-word", type=_path_word, help="the service's own word in its paths")
    login.add_argument("--timezone", type=_timezone, help="of its clock, such as Europe/Berlin")
    add_switch(login, "--keyring", "in_keyring", "keep the password in the keyring")
    add_switch(login, "--default", "is_default", "open it when no other is named")
    add_switch(login, "--force", "force", "replace the one of that name")
    commands.add("settings", "settings:print_settings", "print all settings", _SETTINGS)
    logout = commands.add("logout", "services:log_out", "forget a service", _LOGOUT)
    logout.add_argument("name", metavar="NAME", help="which")
    unsent = logout.add_mutually_exclusive_group()
    add_switch(unsent, "--keep-changes", "keeps_changes", "keep what was not sent")
    add_switch(unsent, "--yes", "says_yes", "discard what was not sent")
    profiles = commands.add(
        "profiles", "services:list_profiles", "list the services that were added"
    )
    check = commands.add("check", "services:check", "try out a service", _CHECK)
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
    doctor = commands.add("doctor", "doctor:examine", "see whether all is well", _DOCTOR)
    doctor.add_argument("name", metavar="NAME", nargs="?", default="", help="which profile")
    add_json(doctor)
    add_switch(doctor, "--offline", "is_offline", "leave the service alone")
    add_switch(
        doctor,
        "--repair",
        "repairs",
        "offer to save what a damaged file of changes holds, to mend the cache, and to take"
        " the time zone of the profile from its site",
    )
    add_switch(doctor, "--yes", "says_yes", "accept what --repair offers")


def _add_serve(commands: Commands) -> None:
    serve = commands.add("serve", "serving:serve", "serve boards to others", epilog=_SERVE)
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=_PORT, default=8642, help="the port, 0 for any (8642)")
    serve.add_argument("--database", metavar="PATH", help=_DATABASE_HELP)
    serve.add_argument("--attachments", type=Path, metavar="FOLDER", help="where uploads are kept")
    serve.add_argument("--workers", type=_WORKERS, default=1, help="how many processes (1)")
    add_switch(serve, "--behind-proxy", "behind_proxy", "trust the headers of a proxy")
    serve.add_argument("--public-url", metavar="URL", help="where others reach it, for links")
    serve.add_argument("--tls-cert", type=Path, metavar="FILE", help="a certificate, as PEM")
    serve.add_argument("--tls-key", type=Path, metavar="FILE", help="its key, as PEM")
    serve.add_argument("--mail", type=Path, metavar="FILE", help="where e-mails go, as TOML")
    _add_user(serve)


def _add_user(serve: argparse.ArgumentParser) -> None:
    user = Commands(serve).add("user", "", "add, list and remove accounts")
    commands = Commands(user, required=True)
    add = commands.add(
        "add", "serving:add_account", "make an account; the first is an administrator"
    )
    add.add_argument("name", metavar="NAME", help="what the person logs in as")
    add.add_argument("--display-name", default="", help="what others see (NAME)")
    add.add_argument("--email", default="", help="where notifications go")
    add_switch(add, "--admin", "administrator", "may do everything on every board")
    password = commands.add("password", "serving:set_password", "give an account another password")
    password.add_argument("name", metavar="NAME")
    listed = commands.add("list", "serving:list_accounts", "list the accounts")
    remove = commands.add(
        "remove", "serving:remove_account", "remove an account; what it wrote stays"
    )
    remove.add_argument("name", metavar="NAME")
    for parser in (add, password, listed, remove):
        # The option may be before or after the command: a default here would hide the former.
        parser.add_argument(
            "--database", metavar="PATH", default=argparse.SUPPRESS, help=_DATABASE_HELP
        )


def _add_archive(commands: Commands) -> None:
    export = commands.add(
        "export", "archiving:export_to", "write all boards into one file", _EXPORT
    )
    imported = commands.add("import", "archiving:import_from", "read such a file", _IMPORT)
    for parser in (export, imported):
        parser.add_argument("file", type=Path, metavar="FILE", help="the archive, a zip file")
        parser.add_argument("--database", metavar="PATH", help=_DATABASE_HELP)
        parser.add_argument(
            "--attachments", type=Path, metavar="FOLDER", help="where uploads are kept"
        )


def _add_web(commands: Commands) -> None:
    web = commands.add("web", "web:serve", "open the program in a browser", _WEB)
    web.set_defaults(may_be_read_only=True)
    web.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    web.add_argument("--port", type=_PORT, default=8643, help="the port, 0 for any (8643)")
