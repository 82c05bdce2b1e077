"""Every command of the README and of the help is run as it is written there.

Its placeholders are filled in. The examples of each `--help` are held against the parser.
"""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.conftest import Said, on_branch
from tests.harness.cases import mostly_long
from tests.lint import tables
from tui.cli.arguments import EXAMPLES, Parser, commands_below
from tui.cli.commands.table import add_commands
from tui.cli.main import main
from tui.help import topics

README = Path(__file__).parents[2] / "README.md"
_COMMAND = re.compile(r"`(callboard [^`|\\]+[^`|\\ ])|^(callboard .+)$", re.MULTILINE)


class Run(NamedTuple):
    """What is run for a command, its exit code, and words of what it prints.

    `words` are those for the placeholders, in the order of the command.
    """

    words: tuple[str, ...] = ()
    code: int = 0
    told: str = ""
    typed: str = ""


RUNS = {
    "callboard agents": Run(told="nothing was changed by agents in the last hour"),
    "callboard agents codex --undo": Run(told="undone: 0 changes of codex"),
    "callboard help": Run(told="`callboard help TOPIC` shows one"),
    "callboard help TOPIC": Run(("offline",), told="Working offline"),
    "callboard help server": Run(told="Your own server"),
    "callboard login": Run((), 2, "Use --url"),
    "callboard login NAME --force": Run(("work",), 2, "--url"),
    "callboard doctor": Run(told="cache"),
    "callboard doctor NAME --repair": Run(("embedded",), told="cache"),
    "callboard standup --md": Run(told="Platform"),
    "callboard standup --slack": Run(told="Platform"),
    "callboard standup --plain": Run(told="Standup: Platform, Web shop, Website"),
    "callboard --plain --board NAME": Run(("website",), told="Website", typed="quit\n"),
    "callboard tasks label:bug due:week": Run((), 1, "no cards found"),
    "callboard add 'Fix login #bug !high ^fri'": Run((), 2, "Choose one with --board"),
    "callboard add -": Run((), 2, "Choose one with --board", typed="One\n"),
    "callboard -p NAME": Run(("embedded",), 2, "needs an interactive terminal"),
    "callboard --read-only": Run((), 2, "needs an interactive terminal"),
    "callboard --plain": Run((), told="3. Website: 1 open card.", typed="quit\n"),
    "callboard login NAME": Run(("work",), 2, "--url"),
    "callboard settings views": Run(told='name = "Due this week"'),
    "callboard settings views FILE": Run(("views.toml",), 2, "views.toml"),
    "callboard tasks --view NAME": Run(("my work",), told="Mine"),
    "callboard settings": Run(told='# theme = "callboard-dark"'),
    "callboard logout NAME": Run(("embedded",), 2, "nothing to log out of"),
    "callboard profiles": Run(told="* embedded"),
    "callboard check NAME": Run(("embedded",), told="nothing to check"),
    "callboard status": Run(),
    "callboard insight": Run(told="Website, 4 weeks"),
    "callboard insight --forecast": Run((), 1, "Not enough history"),
    "callboard insight --forecast --view NAME": Run(("my work",), 1, "Not enough history"),
    "callboard insight --view NAME": Run(("my work",), told="My work, 4 weeks"),
    "callboard standup": Run(told="Standup: Platform, Web shop, Website"),
    "callboard doctor NAME": Run(("embedded",), told="cache"),
    "callboard serve user add NAME": Run(("zoe",), told="zoe", typed="a very long password\n"),
    "callboard export FILE": Run(("boards.zip",), told="3 boards"),
    "callboard import FILE": Run(("nothing.zip",), 2, "nothing.zip"),
    "callboard export --board NAME --md": Run(("platform",), told="## In Progress"),
    "callboard export --html": Run((), 2, "Choose one with --board"),
    "callboard export --html --view NAME": Run(("my work",), told="<h1"),
    "callboard export --board NAME --html": Run(("platform",), told='<h1 dir="auto">Platform'),
    "callboard export --board NAME --svg": Run(("platform",), told="<svg xml"),
    "callboard help transfer": Run(told="From and to other programs"),
    "callboard boards": Run(told="Website"),
    "callboard board add TITLE": Run(("New",), told="added the board #4 “New”"),
    "callboard tasks QUERY": Run(("label:bug",), told="Mine"),
    "callboard inbox": Run(),
    "callboard show CARD": Run(("6",), told="#6 Mine"),
    "callboard next": Run(told="#6 Mine"),
    "callboard next --claim": Run((), 1, "no card to take"),
    "callboard claim CARD": Run(("6",), told="#6 “Mine” is already up to date"),
    "callboard progress CARD TEXT": Run(("6", "Half"), told="noted the progress of #6 “Mine”"),
    "callboard agent-guide": Run(told="# Working from a Callboard board"),
    "callboard here": Run(told="#6 Mine"),
    "callboard here STAGE": Run(("completed",), told="moved #6 “Mine” to “Completed”"),
    "callboard start CARD": Run(("6",), told="already on the branch 6-mine"),
    "callboard hook": Run(told="commit-msg hook"),
    "callboard add TITLE": Run(("One",), 2, "Choose one with --board"),
    "callboard edit CARD --blocked-by OTHER": Run(("6", "4"), told="changed #6 “"),
    "callboard edit CARD --title TITLE": Run(("6", "New"), told="changed #6 “New”"),
    "callboard move CARD STAGE": Run(("6", "Open"), told="moved #6 “Mine” to “Open”"),
    "callboard done CARD": Run(("6",), told="closed #6 “Mine”"),
    "callboard assign CARD PERSON": Run(("4", "@me"), told="#4 “Mine” is already up to date"),
    "callboard label CARD LABEL": Run(("5", "bug"), told="labelled #5 “Card of Platform” with"),
    "callboard subtask CARD TITLE": Run(("6", "Test it"), told="added 1 subtask to #6 “Mine”"),
    "callboard comment CARD TEXT": Run(("6", "-"), told="commented on #6", typed="Yes.\n"),
    "callboard sync": Run(told="sent 0 changes, read 3 boards"),
    "callboard tour": Run(told="created the board “Start here” (4)"),
    "callboard completion bash": Run(told="complete -F _callboard callboard"),
}
"""The runs by the commands of the README and the topics."""
ELSEWHERE = {
    "callboard serve",
    "callboard web",
    "callboard watch",
    "callboard mcp",
    'callboard hook "$1"',
}
"""Commands that do not end by themselves, which `server`, `test_web`, `test_watch` and `mcp` run;
and a line of a hook, which `test_hook` lets git run."""


def _written() -> set[str]:
    texts = [README.read_text("utf-8"), *map(topics.markdown, topics.names())]
    return {code or line for text in texts for code, line in _COMMAND.findall(text)}


def test_every_command_that_is_written_is_run() -> None:
    written, known = _written(), {*RUNS} | ELSEWHERE
    lines = (f'"{each}": Run(WORDS FOR PLACEHOLDERS, told="WORDS"),' for each in written - known)
    tables.check(
        tables.missing(lines, "`RUNS`", __file__),
        tables.obsolete(known - written, "`RUNS` or `ELSEWHERE`", __file__),
    )


def test_every_command_has_a_place_in_the_help() -> None:
    parser = Parser(prog="callboard")
    add_commands(parser)
    written = " ".join(_written())
    below = commands_below(parser, "")
    leaves = {path.strip("/").replace("/", " ") for path, each in below if each.get_default("run")}
    leaves -= {"serve user password", "serve user list", "serve user remove"}
    unwritten = [name for name in leaves if f"callboard {name}" not in written]
    lines = (f"`callboard {name}`" for name in unwritten)
    tables.check(tables.missing(lines, "a topic of the help", "tui/help/*.md"))


def test_the_readme_is_short() -> None:
    size = len(README.read_bytes())
    assert size <= 10_240, f"README.md has {size:,} of 10,240 bytes: move details to tui/help/*.md"


def test_the_help_of_the_program_fits_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    text = capsys.readouterr().out
    height = len(text.splitlines())
    assert height <= 60, f"{height} of 60 lines: shorten the last lines, of tui/cli/main.py"
    assert "\n\nreading:\n  boards " in text
    assert "\n\nchanging:\n  add " in text


def test_every_command_has_examples_that_are_understood(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parser = Parser(prog="callboard")
    parser.add_argument("-p", "--profile")
    parser.add_argument("--read-only", action="store_true")
    add_commands(parser)
    without, wrong = list[str](), list[str]()
    for path, below in commands_below(parser, ""):
        name = path.strip("/").replace("/", " ")
        heading, *examples = (below.epilog or "").splitlines() or [""]
        if name and (heading != EXAMPLES or not examples):
            without.append(f'"callboard {name}": $ callboard {name} ARGUMENTS')
        for example in map(str.strip, examples if name else ()):
            words = shlex.split(re.split(" [|<>] ", example)[0])
            if words[0] != "callboard" or name.split()[0] not in words:
                wrong.append(f"{example}: it is no example of `callboard {name}`")
            try:
                parser.parse_args(words[1:])
            except SystemExit:
                wrong.append(f"{example}: {capsys.readouterr().err.strip()}")
    tables.check(
        tables.missing(without, "the examples of `about`", "tui/cli/commands/*.py"),
        tables.Edit("Correct the examples in tui/cli/commands/*.py:", wrong),
    )


@mostly_long("written", RUNS, every=3)
def test_a_command_that_is_written(
    written: str, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = RUNS[written]
    words = iter(run.words)
    arguments = [next(words) if word.isupper() else word for word in shlex.split(written)[1:]]
    assert next(words, None) is None
    place = tmp_path / "place"
    place.mkdir()
    on_branch(place, "6-mine")
    monkeypatch.chdir(place)
    with (place / "typed").open("w+", encoding="utf-8") as typed:
        typed.write(run.typed)
        typed.seek(0)
        monkeypatch.setattr("sys.stdin", typed)
        code, text, beside = said(*arguments)
    printed = text + beside
    assert (run.told in printed, code, "Traceback" in beside) == (True, run.code, False), (
        f"`{written}` ended with {code} and printed\n{printed}"
        f"If that is right, correct its row of `RUNS` in {Path(__file__).relative_to(tables.ROOT)}."
    )
