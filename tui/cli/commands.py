"""The arguments of each command, and the functions that run them.

Each parser has its function as `run`; that function imports what it needs, so that parsing needs
argparse alone. A password is never an argument, since every user of the machine can read those.
"""

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from tui.cli.scripts.arguments import add_figures, add_reading
from tui.cli.scripts.writing_arguments import add_writing
from tui.config.profiles import is_path_word, is_timezone
from tui.text import clean

_DATABASE_HELP = "the file of the boards (default: your own boards)"
_LARGEST_PORT, _MOST_WORKERS = 65_535, 64
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

Commands = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


_CHOICE = re.compile(r"argument \S+: invalid choice: '([^']*)' \(choose from (.*)\)")
_FEW = 9
"""So many choices are named."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong with arguments in a line, and where they are explained."""

    def error(self, message: str) -> NoReturn:
        """End with the message, without the usage and without long lists of choices."""
        hint = f"{self.prog} --help explains it."
        if wrong := _CHOICE.fullmatch(message):
            from tui.config.settings_file import nearest

            choices = re.findall(r"[\w-]+", wrong[2])
            among = f"; use one of {', '.join(choices)}" if len(choices) <= _FEW else ""
            message = f"“{clean.line(wrong[1])}” is not possible here{among}."
            hint = nearest(wrong[1], choices) or hint
        self.exit(2, f"{self.prog}: {message}\n{' ' * len(self.prog)}  {hint}\n")


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


def _add_services(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add `login`, `logout`, `settings`, `profiles` and `check`."""
    login = commands.add_parser("login", help="add a service", description=_LOGIN)
    login.set_defaults(run=_log_in)
    login.add_argument("name", metavar="NAME", nargs="?", help="what to call it here")
    login.add_argument("--url", metavar="URL", default="", help="any address of its site")
    login.add_argument("--login", metavar="LOGIN", default="", help="your login name there")
    login.add_argument("--ca-file", type=Path, metavar="FILE", help="its own authority, as PEM")
    login.add_argument("--path-word", type=_path_word, help="the service's own word in its paths")
    login.add_argument("--timezone", type=_timezone, help="of its clock, such as Europe/Berlin")
    login.add_argument("--keyring", action="store_true", help="keep the password in the keyring")
    login.add_argument("--default", action="store_true", help="open it when no other is named")
    login.add_argument("--force", action="store_true", help="replace the one of that name")
    settings = commands.add_parser("settings", help="print all settings", description=_SETTINGS)
    settings.set_defaults(run=_print_settings)
    logout = commands.add_parser("logout", help="forget a service", description=_LOGOUT)
    logout.set_defaults(run=_log_out)
    logout.add_argument("name", metavar="NAME", help="which")
    unsent = logout.add_mutually_exclusive_group()
    unsent.add_argument("--keep-changes", action="store_true", help="keep what was not sent")
    unsent.add_argument("--yes", action="store_true", help="discard what was not sent")
    profiles = commands.add_parser("profiles", help="list the services that were added")
    profiles.set_defaults(run=_list_profiles)
    profiles.add_argument("--json", action="store_true", help="for programs")
    check = commands.add_parser("check", help="try out a service", description=_CHECK)
    check.set_defaults(run=_check)
    check.add_argument("name", metavar="NAME", nargs="?", default="", help="which (the default)")
    check.add_argument("--json", action="store_true", help="for programs")


def _path_word(text: str) -> str:
    if not is_path_word(text):
        raise argparse.ArgumentTypeError("must be one word")
    return text


def _timezone(text: str) -> str:
    if not is_timezone(text):
        raise argparse.ArgumentTypeError("must be a zone such as Europe/Berlin, or +06:00")
    return text


def _log_in(asked: Mapping[str, Any]) -> int:
    from tui.cli.login import log_in
    from tui.profiles.login import Wanted

    return log_in(
        Wanted(
            name=asked["name"] or asked["profile"],
            url=asked["url"],
            login=asked["login"],
            ca_file=asked["ca_file"],
            path_word=asked["path_word"],
            timezone=asked["timezone"],
            in_keyring=asked["keyring"],
            is_default=asked["default"],
            force=asked["force"],
        )
    )


def _print_settings(asked: Mapping[str, Any]) -> int:
    from tui.cli import settings

    del asked
    return settings.print_settings()


def _log_out(asked: Mapping[str, Any]) -> int:
    from tui.cli import logout

    return logout.run(asked["name"], keeps_changes=asked["keep_changes"], says_yes=asked["yes"])


def _list_profiles(asked: Mapping[str, Any]) -> int:
    from tui.cli import profiles

    return profiles.list_profiles(as_json=asked["json"])


def _check(asked: Mapping[str, Any]) -> int:
    from tui.cli import check

    return check.check(asked["name"] or asked["profile"], as_json=asked["json"])


def _add_doctor(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add `doctor`."""
    doctor = commands.add_parser("doctor", help="see whether all is well", description=_DOCTOR)
    doctor.set_defaults(run=_examine)
    doctor.add_argument("name", metavar="NAME", nargs="?", default="", help="which profile")
    doctor.add_argument("--json", action="store_true", help="for programs")
    doctor.add_argument("--offline", action="store_true", help="leave the service alone")
    doctor.add_argument(
        "--repair",
        action="store_true",
        help="offer to save what a damaged file of changes holds, to mend the cache, and to take"
        " the time zone of the profile from its site",
    )
    doctor.add_argument("--yes", action="store_true", help="accept what --repair offers")


def _examine(asked: Mapping[str, Any]) -> int:
    from tui.cli.doctor import examine

    return examine(
        asked["name"] or asked.get("profile", ""),
        as_json=asked["json"],
        is_offline=asked["offline"],
        repairs=asked["repair"],
        says_yes=asked["yes"],
    )


def _add_serve(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add `serve` with its commands."""
    serve = commands.add_parser("serve", help="serve boards to others", epilog=_SERVE)
    serve.set_defaults(run=_serve)
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=_port, default=8642, help="the port, 0 for any (8642)")
    serve.add_argument("--database", metavar="PATH", help=_DATABASE_HELP)
    serve.add_argument("--attachments", type=Path, metavar="FOLDER", help="where uploads are kept")
    serve.add_argument("--workers", type=_workers, default=1, help="how many processes (1)")
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
    add = actions.add_parser("add", help="make an account; the first is an administrator")
    add.add_argument("name", metavar="NAME", help="what the person logs in as")
    add.add_argument("--display-name", default="", help="what others see (NAME)")
    add.add_argument("--email", default="", help="where notifications go")
    add.add_argument("--admin", action="store_true", help="may do everything on every board")
    password = actions.add_parser("password", help="give an account another password")
    password.add_argument("name", metavar="NAME")
    listed = actions.add_parser("list", help="list the accounts")
    remove = actions.add_parser("remove", help="remove an account; what it wrote stays")
    remove.add_argument("name", metavar="NAME")
    for parser, run in (
        (add, _add_account),
        (password, _set_password),
        (listed, _list_accounts),
        (remove, _remove_account),
    ):
        parser.set_defaults(run=run)
        # The option may be before or after the command: a default here would hide the former.
        parser.add_argument(
            "--database", metavar="PATH", default=argparse.SUPPRESS, help=_DATABASE_HELP
        )


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > _LARGEST_PORT:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to {_LARGEST_PORT}")
    return int(text)


def _workers(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to {_MOST_WORKERS}")
    return int(text)


def _serve(asked: Mapping[str, Any]) -> int:
    from tui.service.http.options import Options
    from tui.service.http.serving import serve

    return serve(
        Options(
            host=asked["host"],
            port=asked["port"],
            database=_database(asked),
            attachments=asked["attachments"],
            workers=asked["workers"],
            behind_proxy=asked["behind_proxy"],
            public_url=asked["public_url"],
            tls_cert=asked["tls_cert"],
            tls_key=asked["tls_key"],
            mail=asked["mail"],
        )
    )


def _add_account(asked: Mapping[str, Any]) -> int:
    from tui.cli import accounts

    return accounts.add(
        _database(asked),
        asked["name"],
        display_name=asked["display_name"],
        email=asked["email"],
        administrator=asked["admin"],
    )


def _set_password(asked: Mapping[str, Any]) -> int:
    from tui.cli import accounts

    return accounts.password(_database(asked), asked["name"])


def _list_accounts(asked: Mapping[str, Any]) -> int:
    from tui.cli import accounts

    return accounts.listed(_database(asked))


def _remove_account(asked: Mapping[str, Any]) -> int:
    from tui.cli import accounts

    return accounts.remove(_database(asked), asked["name"])


def _database(asked: Mapping[str, Any]) -> str:
    """The given database, or the embedded service's."""
    from tui.config.paths import Places

    return asked.get("database") or str(Places.find().boards)


def _add_archive(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add `export` and `import`."""
    _archive_parser(commands, "export", "write all boards into one file", _EXPORT).set_defaults(
        run=_export
    )
    _archive_parser(commands, "import", "read such a file", _IMPORT).set_defaults(run=_import)


def _archive_parser(
    commands: "Commands[argparse.ArgumentParser]", name: str, brief: str, description: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=brief, description=description)
    parser.add_argument("file", type=Path, metavar="FILE", help="the archive, a zip file")
    parser.add_argument("--database", metavar="PATH", help=_DATABASE_HELP)
    parser.add_argument("--attachments", type=Path, metavar="FOLDER", help="where uploads are kept")
    return parser


def _export(asked: Mapping[str, Any]) -> int:
    from tui.cli import archiving

    return archiving.export_to(asked["file"], asked["database"], asked["attachments"])


def _import(asked: Mapping[str, Any]) -> int:
    from tui.cli import archiving

    return archiving.import_from(asked["file"], asked["database"], asked["attachments"])


def _add_web(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add `web`."""
    web = commands.add_parser("web", help="open the program in a browser", description=_WEB)
    web.set_defaults(run=_serve_web, may_be_read_only=True)
    web.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    web.add_argument("--port", type=_port, default=8643, help="the port, 0 for any (8643)")


def _serve_web(asked: Mapping[str, Any]) -> int:
    from tui.cli import web

    options = {"--ascii": "ascii", "--boards": "boards", "--read-only": "read_only"}
    words = [option for option, name in options.items() if asked[name]]
    if asked["profile"]:
        words += ["--profile", asked["profile"]]
    return web.serve(web.Wanted(asked["host"], asked["port"], tuple(words)))
