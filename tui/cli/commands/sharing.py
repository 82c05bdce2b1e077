"""Commands for files, and for others: export and import, the server, agents and browsers."""

import argparse
import re

from tui.cli.arguments import add_argument, add_choices, number
from tui.cli.commands.parts import AGENT, DATABASE, HOST, JSON, QUIET, UPLOADS, Commands, path
from tui.transfer import FORMATS

_PORT = number(0, 65_535)


_SIZE = re.compile(r"([1-9][0-9]{1,2})x([1-9][0-9]{0,2})")
"""Columns and rows, at least 10 columns."""


def _cells(text: str) -> tuple[int, int]:
    found = _SIZE.fullmatch(text)
    if not found:
        raise argparse.ArgumentTypeError("must be columns and rows, such as 120x36")
    return int(found[1]), int(found[2])


def add(commands: Commands) -> None:
    """Add these commands."""
    _add_transfer(commands)
    _add_serving(commands)


def _add_transfer(commands: Commands) -> None:
    export = commands.add("export", "scripts.exporting:export")
    export.about("""
        Write all boards with their pictures, the accounts and the hashes of their passwords into a
        new file, for you alone. Keep it as you would keep the passwords. With a format write one
        board of a profile, to a new file or without one to the output; as a page also the standup,
        insight or a saved view.
        $ callboard export boards.zip
        $ callboard export --board platform --md platform.md
        $ callboard export --html --standup standup.html
        $ callboard export --html --view "my work" work.html
        $ callboard export --svg --size 80x24 board.svg
    """)
    imported = commands.add("import", "scripts.transfer:import_file")
    imported.about("""
        Put everything of an archive into a database that is new or empty: all of it or nothing.
        Import only archives from people whose database you would use. Or add the cards of another
        program’s file to a board of a profile: Trello’s JSON, issues of gh and glab, task export,
        CSV, or Markdown with stages as headings. Cards that are there already stay as they are, so
        that the same file can be imported again. callboard help transfer has more.
        $ callboard import boards.zip --database new.sqlite3
        $ callboard import trello.json --dry-run
        $ callboard import tasks.csv --board platform --map title=Summary
    """)
    add_argument(export, "[FILE]", "the archive, a zip file", type=path, default=None)
    add_argument(imported, "FILE", "an archive, another file, or - for input", type=path)
    add_argument(export, "--board NAME", "one board, by title, part of it, or id")
    formats = export.add_mutually_exclusive_group()
    briefs = {"md": "as Markdown", "csv": "as CSV", "json": "for programs", "html": "as a page"}
    briefs["svg"] = "as a picture of the screen"
    add_choices(formats, "form", briefs)
    subjects = export.add_mutually_exclusive_group()
    briefs = {"standup": "the standup as a page", "insight": "figures for boards as a page"}
    add_choices(subjects, "subject", briefs)
    add_argument(subjects, "--view NAME", "the cards of a saved view as a page")
    add_argument(export, "--size SIZE", "of a picture (120x36)", type=_cells, default=None)
    add_argument(imported, "--board NAME", "where cards are added (that of their title, or new)")
    forms = ",".join(FORMATS)
    add_argument(imported, f"--format {{{forms}}}", "(detected)", "form", default="")
    add_argument(imported, "--map FIELD=COLUMN...", "which column of CSV holds what", "columns")
    add_argument(imported, "--again", "also cards imported before and deleted since")
    add_argument(imported, "-n --dry-run", "print what would be added", "is_dry")
    add_argument(imported, *QUIET)
    add_argument(imported, *JSON)
    for parser in (export, imported):
        add_argument(parser, *DATABASE)
        add_argument(parser, *UPLOADS, type=path)


def _add_serving(commands: Commands) -> None:
    serve = commands.add("serve", "serving:serve").about("""
        Serve boards to others. It listens on this machine alone unless there is a certificate
        (--tls-cert, --tls-key) or a proxy in front of it that encrypts (--behind-proxy). Make the
        first account with: callboard serve user add NAME
        $ callboard serve
        $ callboard serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
    """)
    add_argument(serve, *HOST, default="127.0.0.1")
    add_argument(serve, "--port PORT", "the port, 0 for any (8642)", type=_PORT, default=8642)
    add_argument(serve, *DATABASE)
    add_argument(serve, *UPLOADS, type=path)
    add_argument(
        serve, "--workers WORKERS", "how many processes (1)", type=number(1, 64), default=1
    )
    add_argument(serve, "--behind-proxy", "trust the headers of a proxy")
    add_argument(serve, "--public-url URL", "where others reach it, for links", default=None)
    add_argument(serve, "--tls-cert FILE", "a certificate, as PEM", type=path)
    add_argument(serve, "--tls-key FILE", "its key, as PEM", type=path)
    add_argument(serve, "--mail FILE", "where e-mails go, as TOML", type=path)
    user = Commands(serve, {"user": "add, list and remove accounts"}).add("user", "")
    user.about("""
        $ callboard serve user add ann --admin
        $ callboard serve user list
    """)
    briefs = {
        "add": "add an account; the first is an administrator",
        "password": "change the password of an account",
        "list": "list the accounts",
        "remove": "remove an account; its content stays",
    }
    accounts = Commands(user, briefs, required=True)
    add = accounts.add("add", "serving:add_account").about(
        "$ callboard serve user add ann --display-name 'Ann Lee'"
    )
    add_argument(add, "NAME", "what the person logs in as")
    add_argument(add, "--display-name DISPLAY_NAME", "what others see (NAME)")
    add_argument(add, "--email EMAIL", "where notifications go")
    add_argument(add, "--admin", "may do anything on every board", "administrator")
    password = accounts.add("password", "serving:set_password", ("NAME", "")).about(
        "$ callboard serve user password ann"
    )
    every = accounts.add("list", "serving:list_accounts")
    every.about("$ callboard serve user list")
    remove = accounts.add("remove", "serving:remove_account", ("NAME", "")).about(
        "$ callboard serve user remove ann"
    )
    for parser in (add, password, every, remove):
        # The option may be before or after the command: a default here would hide the former.
        add_argument(parser, *DATABASE, default=argparse.SUPPRESS)
    mcp = commands.add("mcp", "mcp.serving:serve").about("""
        Serve the boards to an agent by the Model Context Protocol, on standard input and output,
        until the input ends. What it changes is shown at once in the program that is open beside
        it, undone there, and kept without a connection. Needs the extra mcp. Most agents are told
        of it by {"mcpServers": {"callboard": {"command": "callboard", "args": ["mcp"]}}} in a file;
        callboard help agents says more.
        $ callboard mcp
        $ callboard -p work mcp --board platform --read-only
        $ callboard mcp --as codex
    """)
    mcp.set_defaults(may_be_read_only=True)
    add_argument(mcp, "--board NAME", "only this one, by title, part of it, or id")
    add_argument(mcp, *AGENT)
    add_argument(mcp, "--read-only", "change nothing", "is_read_only", default=argparse.SUPPRESS)
    commands.add("agent-guide", "agents.guide:print_guide").about("""
        Print how an agent works from boards, to copy into the instructions of one: next, claim,
        progress, blocked, done. It is Markdown of less than 60 lines.
        $ callboard agent-guide
        $ callboard agent-guide > AGENTS.md
    """)
    web = commands.add("web", "web.site:serve").about("""
        Serve the program to your browser at the address it prints; anyone who has it acts as
        you. It listens on this machine alone unless there is another --host, and does not encrypt.
        With --read-only before the command nothing can be changed. Needs the extra web.
        $ callboard web
        $ callboard --read-only web --port 0
    """)
    web.set_defaults(may_be_read_only=True)
    add_argument(web, *HOST, default="127.0.0.1")
    add_argument(web, "--port PORT", "the port, 0 for any (8643)", type=_PORT, default=8643)
