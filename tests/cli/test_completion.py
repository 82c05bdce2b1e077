"""Completion: what is due on a line and its values, and each shell by itself, in a terminal."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Said, cached_for_work
from tests.drivers.terminal import Terminal
from tui.cli.completion.line import read_line
from tui.cli.completion.shells import _for_bash
from tui.cli.completion.values import Candidate
from tui.config.preferences import ALL_BOARDS, Preferences
from tui.model.query.language import read
from tui.model.query.terms import KEYS, TERMS

SHELLS = ("bash", "zsh", "fish")
TITLE = r"""Fix: "it" $(touch pwned) `touch pwned` it's & \ # ~ end"""


@pytest.fixture
def cached(said: Said, home: Path) -> Said:
    """Runs commands in a home of which everything is cached, with titles for shells."""
    add = ("add", "--board", "platform", "--stage", "open", "--")
    for title in (TITLE, "Fix other", "-rf /", "2037"):
        assert said(*add, title)[0] == 0
    said("board", "add", "Über uns", "--stage", "In Arbeit")
    said("label", "8", "two words", "--create")
    said("sync")
    preferences = Preferences(home / "data" / "preferences.json")
    preferences.keep(3, filters={"mine and late": "@me due:overdue"})
    preferences.keep(ALL_BOARDS, folders='[[1, "Sites", [1]]]')
    return said


def completed(said: Said, typed: str) -> list[str]:
    code, text, beside = said("completion", "zsh", f"callboard {typed}")
    assert (code, beside) == (0, "")
    return [line.partition("\t")[0] for line in text.splitlines()]


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("ta", ["tasks"]),
        ("tasks --q", ["--quiet"]),
        ("-p work standup --by", ["--by-person"]),
        ("serve u", ["user"]),
        ("serve user pass", ["password"]),
        ("serve user password --d", ["--database"]),
        ("completion z", ["zsh"]),
        ("nonsense --ver", ["--version"]),
        ("sync ", ["-h", "--help", "-q", "--quiet", "--json"]),
    ],
)
def test_commands_and_options_are_completed(typed: str, values: list[str], said: Said) -> None:
    assert completed(said, typed) == values


NUMBERS = ["11", "10", "9", "8", "6", "4", "2"]
STAGES = ["Open", "In Progress", "Completed"]
VALUES: tuple[tuple[str, list[str]], ...] = (
    ("show ", NUMBERS),
    ("show 1", ["11", "10", "1"]),
    (r"show \#6", ["#6"]),
    ("show fix", ["Fix other", TITLE]),
    ("show 'fix o", ["Fix other"]),
    ("show other", ["Fix other"]),
    ("show rf", []),
    ("show 6 x", []),
    ("show -- -", []),
    ("show 6 --board ", ["Über uns", "Platform", "Web shop", "Website"]),
    ("show --board plat ", ["11", "10", "9", "8", "6"]),
    ("show --board=Web", ["--board=Web shop", "--board=Website"]),
    ("show 6 ", ["-h", "--help", "--board", "--json"]),
    ("done 6 ", [number for number in NUMBERS if number != "6"]),
    ("move 6 ", STAGES),
    ("move 6 --board über ", ["In Arbeit"]),
    ("move --from website ", ["2"]),
    ("move 'fix other' comp", ["Completed"]),
    ("add --board über x --stage ", ["In Arbeit"]),
    ("board add x --stage ", []),
    ("here ", ["In Arbeit", *STAGES]),
    ("assign 6 ", ["@me", "me"]),
    ("assign 6 @", ["@me"]),
    ("label 6 ", ["bug", "two words"]),
    ("label 2 ", []),
    ("edit 6 --priority ", ["low", "medium", "high"]),
    ("edit 6 --priority=h", ["--priority=high"]),
    ("edit 6 --due t", ["today", "tomorrow", "tue", "thu"]),
    ("edit 6 --title ", []),
    ("standup --folder ", ["Sites"]),
    ("tasks mine", ["@me due:overdue"]),
    ("tasks label:", ["label:none", "label:bug", 'label:"two words"']),
    ("tasks stage:in", ['stage:"In Arbeit"', 'stage:"In Progress"']),
    ("tasks priority:h", ["priority:high"]),
    ("tasks p:", ["p:high", "p:medium", "p:low"]),
    ("tasks @n", ["@none"]),
    ("tasks --board website @", ["@me", "@none", '@"me"']),
    ("help off", ["offline"]),
    ("-p ", ["work", "embedded"]),
    ("doctor ", ["work", "embedded"]),
    ("login ", []),
    ("export ", [""]),
    ("edit 6 --description ", [""]),
    ("-p nobody show ", []),
)
"""What is typed, and the values of it; an empty word stands for names of files."""


def test_values_are_completed_from_the_cache(cached: Said, home: Path) -> None:
    cached_for_work(home, cached)
    for typed, values in VALUES:
        assert completed(cached, typed) == values, typed


def test_what_completes_a_filter_is_what_the_filter_accepts(cached: Said, home: Path) -> None:
    cached_for_work(home, cached)
    keys = completed(cached, "tasks ")
    assert {f"{form.keys[0]}:" for form in TERMS.values() if form.keys} <= {*keys}
    begun = [*keys, *(f"{key}:" for key in KEYS), "@"]
    offered = {term for word in begun for term in completed(cached, f"tasks {word}")}
    choices = {f"{key}:{value}" for key, kind in KEYS.items() for value in TERMS[kind].values}
    assert choices | {"label:bug", "label:none", "@none"} <= offered
    for term in offered - {*keys}:
        assert not read(term).problems, term
        code, _, beside = cached("tasks", term)
        assert code == 0 or "no card" in beside, beside


def test_names_are_completed_as_a_filter_reads_them(cached: Said, home: Path) -> None:
    """In quotes where they would mean something else; a label without a title is left out."""
    names = [{"id": 900 + at, "title": name} for at, name in enumerate(("none", "", "a b"))]
    people = [{"ID": 900, "display_name": "Bo Lee"}, {"ID": 901, "user_login": "none"}]
    with closing(sqlite3.connect(home / "cache" / "embedded" / "cache.sqlite3")) as link, link:
        for number, body in link.execute("select id, body from section where kind = 'board'"):
            board = json.loads(body)
            board["labels"], board["stages"], board["users"] = names, names, people
            kept = (json.dumps(board), number)
            link.execute("update section set body = ? where kind = 'board' and id = ?", kept)
    for key, terms in {
        "label:": ["label:none", 'label:"none"', 'label:"a b"'],
        "stage:": ["stage:none", 'stage:"a b"'],
        "@": ["@me due:overdue", "@me", "@none", '@"Bo Lee"', '@"none"'],
    }.items():
        assert completed(cached, f"tasks {key}") == terms
        assert not read(" ".join(terms)).problems


def test_the_columns_of_a_file_are_completed(said: Said, tmp_path: Path) -> None:
    file = tmp_path / "tasks.csv"
    file.write_bytes(b'\xef\xbb\xbfSummary;"Assigned to";State\r\nFix it;Ann;open\r\n')
    line = f"import {file} --map "
    assert completed(said, f"{line}t") == ["title=", "template="]
    assert completed(said, f"{line}title=Summary --map tit") == []
    assert completed(said, f"{line}title=") == ["title=Summary", "title=Assigned to", "title=State"]
    assert completed(said, f"{line}title=s") == ["title=Summary", "title=State"]
    assert completed(said, "import --map t") == ["title=", "template="]
    assert completed(said, "import --map title=") == []


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b'"open', b"a\0b"])
def test_what_is_no_csv_completes_nothing(said: Said, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "odd.csv"
    file.write_bytes(content)
    assert completed(said, f"import {file} --map title=") == []
    assert completed(said, f"import {tmp_path} --map title=") == []
    os.mkfifo(tmp_path / "pipe")
    assert completed(said, f"import {tmp_path / 'pipe'} --map title=") == []


def test_values_are_those_of_the_profile(cached: Said, home: Path) -> None:
    cached_for_work(home, cached)
    shutil.rmtree(home / "cache" / "work")
    assert completed(cached, "-p work show ") == []
    assert completed(cached, "-p embedded show ") == NUMBERS


def test_without_a_cache_or_with_wrong_settings_nothing_is_offered(
    said: Said, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "cache" / "embedded" / "cache.sqlite3").write_bytes(b"damaged")
    assert completed(said, "show ") == []
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text("[[", encoding="utf-8")
    assert completed(said, "show ") == []
    monkeypatch.setenv("CALLBOARD_HOME", str(home / "nowhere"))
    assert completed(said, "show ") == []
    assert not (home / "nowhere").exists()


def test_a_line_is_read_as_by_a_shell() -> None:
    assert read_line("callboard  show ") == (["callboard", "show"], "", 16, "")
    assert read_line('a \'b c\' "d\\"\\e" f\\ g') == (["a", "b c", 'd"\\e'], "f g", 16, "")
    assert read_line("a --b='c d") == (["a"], "--b=c d", 2, "'")
    assert read_line('a ""') == (["a"], "", 2, "")
    assert read_line("a b\\") == (["a"], "b\\", 2, "")


HOSTILE = (TITLE, "plain", "$HOME", "a!b", "~", "*", "{a,b}", "Größe 漢字", "';exit;'", '"', "\\")


@pytest.mark.parametrize("quote", ["", "'", '"'])
@pytest.mark.parametrize("value", HOSTILE)
def test_bash_reads_what_is_inserted_as_the_value(quote: str, value: str, tmp_path: Path) -> None:
    (inserted,) = _for_bash([Candidate(value, "about")], "", quote, is_listed=True)
    command = f"printf %s {quote}{inserted}{quote}"
    ran = subprocess.run(  # noqa: S603
        [shutil.which("bash") or "bash", "--norc", "-c", command],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd=tmp_path,
    )
    assert (ran.stdout, ran.stderr) == (value, "")
    assert list(tmp_path.iterdir()) == []


def test_bash_keeps_what_is_before_a_sign_that_begins_a_word(cached: Said) -> None:
    def inserted(key: str, replaced: str, typed: str) -> list[str]:
        code, text, _ = cached("completion", "bash", f"{key}\n{replaced}\ncallboard {typed}")
        assert code == 0
        return text.splitlines()

    assert inserted("9", "Web", "show --board=Web") == ["Web\\ shop", "Website"]
    assert inserted("9", "Web", "show --board='Web") == ["Web shop", "Website"]
    assert inserted("9", "\\ o", "show Fix\\ o") == ["\\ other"]
    assert inserted("63", "1", "show 1") == ["11  2037", "10  -rf /", "1  Card of Website"]
    assert inserted("63", "11", "show 11") == ["11"], "a single one is inserted"
    assert inserted("37", "1", "show 1") == ["11", "10", "1"], "each is inserted in turn"


def test_each_shell_has_its_script(said: Said) -> None:
    words = {"bash": "complete -F", "zsh": "compdef", "fish": "complete -c"}
    for shell, word in words.items():
        code, script, beside = said("completion", shell)
        assert (code, beside) == (0, "")
        assert f"{word} " in script


def test_what_a_candidate_is_about_is_cut(said: Said) -> None:
    said("add", "--board", "platform", "x" * 99)
    said("sync")
    assert said("completion", "zsh", "callboard show 8")[1] == f"8\t{'x' * 60}\n"
    assert said("completion", "bash", "callboard ta") == (0, "sks\n", ""), "asked by hand"


def test_another_shell_is_refused(said: Said) -> None:
    code, text, beside = said("completion", "powershell")
    assert (code, text) == (2, "")
    assert "use one of bash, zsh, fish." in beside


def started(shell: str, said: Said, folder: Path, home: Path) -> Terminal:
    """A shell in a terminal with the script; the test is skipped without it."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    program = folder / "bin" / "callboard"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m tui "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (folder / "a file").touch()
    settings = {
        "bash": ("bashrc", "PS1='ready> '\nHISTFILE=\n"),
        "zsh": (".zshrc", "PS1='ready> '\n"),
        "fish": ("config.fish", "function fish_prompt; echo 'ready> '; end\nset fish_greeting\n"),
    }
    name, begin = settings[shell]
    rc = folder / name
    rc.write_text(begin + said("completion", shell)[1], encoding="utf-8")
    options = {
        "bash": ["--noprofile", "--rcfile", str(rc)],
        "zsh": [],
        "fish": ["--no-config", "--init-command", f"source {rc}"],
    }
    environment = {
        "HOME": str(folder),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "LOGNAME": "me",
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "CALLBOARD_HOME": str(home),
    }
    command = [found, *options[shell]]
    return Terminal(command, environment=environment, folder=folder, columns=150)


LINES = {
    "ta": "tasks",
    "tasks --q": "tasks --quiet",
    "serve user a": "serve user add",
    "move 6 comp": "move 6 Completed",
    "move 6 --board=pl": "move 6 --board=Platform",
    "assign 6 @": "assign 6 @me",
    "edit 6 --priority h": "edit 6 --priority high",
    "tasks label:b": "tasks label:bug",
    "export a": "export a\\ file",
}
"""What is typed, and what it becomes."""
TITLES = ("fix:", "'Fix: \"it", '"Fix:', 'Fix:\\ \\"', "touch")
"""How the title for shells is begun."""


@pytest.mark.long
@pytest.mark.timeout(180)
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_what_is_typed(
    shell: str, cached: Said, tmp_path: Path, home: Path
) -> None:
    """A completed title names its card when the command is run, and nothing of it is run."""
    with started(shell, cached, tmp_path, home) as terminal:
        terminal.sees("ready>")
        for typed, whole in LINES.items():
            terminal.press("ctrl+u", *f"callboard {typed}", "tab")
            terminal.sees(f"callboard {whole}")
        for begun in TITLES:
            terminal.press("ctrl+u", "ctrl+l")
            terminal.until(lambda: "#8" not in terminal.text, "a clear screen")
            terminal.press(*f"callboard show {begun}", "tab")
            terminal.sees("end")
            terminal.press("enter")
            terminal.sees(f"#8 {TITLE}")
        terminal.press(*"callboard show 1", "tab", "tab")
        terminal.sees("Card of Website")
        assert "a file" not in terminal.text
    assert not (tmp_path / "pwned").exists()
