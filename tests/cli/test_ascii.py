"""`--ascii`: what a command prints for people has ASCII signs, and only what they wrote stays."""

import io
import json
from contextvars import copy_context
from pathlib import Path

import pytest

from tests.cli.conftest import Said, cached_for_work
from tests.lint import tables
from tui.cli import output
from tui.cli.arguments import Parser, commands_below
from tui.cli.commands.table import add_commands
from tui.help import topics

pytestmark = pytest.mark.long

LETTERS = "Größe 漢字"
TITLE = f"{LETTERS} “now” → …"
"""The title of a card: the letters stay, the signs have their stand-ins."""

CALLS = """
login work --url http://127.0.0.1:9/x --login me
login home
settings
logout nobody
logout work --yes
profiles
check
check work
boards
agents
agents codex --undo
tasks
tasks is:closed
tasks --board Platfrom
tasks nothing-like-it
show 6
show 8
show 99
here
watch --notify
watch --board Nowhere
here --title
here --trailer
hook
start 6
sync
tour
help
help nothing
agent-guide
inbox
next
claim 6
progress 6 going on
board add Roadmap
board add Roadmap --dry-run
add --board Platform Another card
edit 6 --due someday
edit 6 --due 2037-01-02 --priority high
move 6 Done
move 6 Nowhere
done 6
done 6 --dry-run
assign 5 me
assign 5 nobody
label 5 bug
label 5 none
subtask 5 Write the test
subtask 5 nothing --done
comment 5 Well done
status --format {due_today:·}{pending}
standup
standup --md
standup --slack
standup --by-person --board Website
standup --since tomorrow
insight --weeks 2
doctor
doctor work --offline
doctor --repair
serve --tls-cert nothing.pem
serve --workers many
serve user add ann --admin
serve user add ann
serve user password nobody
serve user list
serve user remove ann
export boards.zip
export boards.zip
import boards.zip
import nothing.zip
mcp --board Nowhere
web --host 256.256.256.256
nonsense
""".strip().splitlines()

FOR_PROGRAMS = {"completion"}
"""The commands whose output is read by programs."""


def commands() -> list[str]:
    parser = Parser(prog="callboard")
    add_commands(parser)
    below = commands_below(parser, "")
    return [path.strip("/").replace("/", " ") for path, each in below if each.get_default("run")]


def foreign(text: str) -> str:
    """The characters beyond ASCII that are not letters of the title."""
    return "".join(sorted({sign for sign in text if not sign.isascii()} - {*LETTERS}))


def test_every_command_is_called() -> None:
    called = {name for name in commands() for call in CALLS if f"{call} ".startswith(f"{name} ")}
    for_people = {*commands()} - FOR_PROGRAMS
    tables.check(
        tables.missing((f"{name} ARGUMENTS" for name in for_people - called), "`CALLS`", __file__),
        tables.obsolete(FOR_PROGRAMS & called, "`FOR_PROGRAMS` or `CALLS`", __file__),
    )


def test_what_commands_print_is_ascii(
    said: Said, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cached_for_work(home, said)
    with (home / "config" / "config.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[profiles.home]\nurl = "https://example.org"\nlogin = "“me”"\n')
    assert said("add", "--board", "Platform", TITLE)[0] == 0
    printed = []
    for call in CALLS:
        monkeypatch.setattr("sys.stdin", io.StringIO("correct horse\n"))
        code, text, beside = said("--ascii", *call.split())
        assert text or beside, call
        assert code in (0, 1, 2), (call, beside)
        assert foreign(text + beside) == "", call
        printed.append(text)
    assert any('Größe 漢字 "now" > ~' in text for text in printed)


def test_every_help_is_ascii(said: Said) -> None:
    for topic in topics.names():
        assert foreign(said("--ascii", "help", topic)[1]) == "", topic
    for name in ("", *commands()):
        code, text, _ = said("--ascii", *name.split(), "--help")
        assert (code, foreign(text)) == (0, ""), name


def test_what_programs_read_is_the_same(said: Said) -> None:
    said("add", "--board", "Platform", TITLE)
    for arguments in (
        ("tasks", "--json"),
        ("show", "8", "--json"),
        ("completion", "bash"),
        ("profiles", "--json"),
    ):
        assert said("--ascii", *arguments) == said(*arguments)
    changing = ("edit", "8", "--title", f"{TITLE}!", "--dry-run")
    line = said("--ascii", *changing)[1].splitlines()[0]
    assert line.isascii()
    body = json.loads(line[line.index("{") :])
    plain = said(*changing)[1].splitlines()[0]
    assert body == json.loads(plain[plain.index("{") :])
    assert TITLE in json.dumps(body, ensure_ascii=False)


def test_questions_are_ascii(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    questions: list[str] = []

    def answer(question: str) -> str:
        questions.append(question)
        return "correct horse battery"

    monkeypatch.setattr("getpass.getpass", answer)
    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    assert said("--ascii", "serve", "user", "add", "ann")[0] == 0
    assert questions == ["Password: ", "Again: "]
    context = copy_context()
    context.run(output.ascii_only.set, True)
    for ask in (output.ask, output.ask_secret):
        context.run(ask, f"“{TITLE}”? ")
        assert foreign(questions[-1]) == ""
        ask("“now”? ")
        assert questions[-1] == "“now”? "


def test_a_command_without_it_is_as_before(said: Said) -> None:
    assert foreign(said("--ascii", "tasks", "is:closed")[1]) == ""
    assert "✓" in said("tasks", "is:closed")[1]
    assert "“Platfrom”" in said("tasks", "--board", "Platfrom")[2]
