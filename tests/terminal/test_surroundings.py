"""Where the program cannot start, or not go on, it says so in one clear line and leaves no mess."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.program import (
    COMMAND,
    FIRST,
    column_of,
    columns,
    environment,
    has_tour,
    is_settled,
    program,
)
from tests.drivers.terminal import Terminal
from tui.store.files.database import set_aside_files

pytestmark = pytest.mark.long

LEAVE = b"\x1b[?1049l"
"""What gives the terminal back its own screen."""

GARBAGE = bytes(range(256)) * 32


def last_words(terminal: Terminal, code: int) -> str:
    """What the program said on the terminal's own screen before it ended with this exit code."""
    assert terminal.exit_code() == code
    _, _, after = terminal.written.rpartition(LEAVE)
    said = after.decode()
    assert "Traceback" not in terminal.written.decode()
    assert said.count("callboard: ") == 1
    return said[said.index("callboard: ") :]


def test_without_a_terminal_it_says_that_it_needs_one(new_home: Path) -> None:
    done = subprocess.run(  # noqa: S603 (our own program)
        COMMAND,
        cwd=new_home,
        env=environment(new_home),
        check=False,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "callboard: Callboard needs an interactive terminal, not a pipe or a job."
    ]
    assert not list(new_home.iterdir())


@pytest.mark.parametrize("stream", ["< /dev/null", "> out", "2> err", "| cat", "<&-", ">&-"])
def test_every_stream_must_be_the_terminal(new_home: Path, stream: str) -> None:
    shell = ["/bin/sh", "-c", f'"$@" {stream}; echo "code $?"', "sh", *COMMAND]
    with Terminal(shell, environment=environment(new_home), folder=new_home) as terminal:
        assert terminal.exit_code() == 0
        said = terminal.written.decode()
        for file in ("out", "err"):
            if (new_home / file).exists():
                said += (new_home / file).read_text("utf-8")
    assert "needs an interactive terminal" in said
    assert LEAVE.decode() not in said
    if "|" not in stream:
        assert "code 2" in said


def test_a_command_ends_quietly_where_every_stream_is_closed(new_home: Path) -> None:
    shell = ["/bin/sh", "-c", '"$@" <&- >&- 2>&-; echo "code $?"', "sh", *COMMAND]
    with Terminal(shell, environment=environment(new_home), folder=new_home) as terminal:
        assert terminal.exit_code() == 0
    assert terminal.written.decode().split() == ["code", "2"]
    assert not list(new_home.iterdir())


def test_a_terminal_that_is_too_small_is_told_the_size_it_needs(new_home: Path) -> None:
    with program(new_home, columns=19, lines=5) as terminal:
        said = last_words(terminal, 2)
    assert "19×5" in said
    assert "20×6" in said
    assert not list(new_home.iterdir())


def test_a_terminal_that_does_not_know_its_size_is_drawn_on(home: Path) -> None:
    with program(home, columns=0, lines=0) as terminal:
        terminal.resize(80, 24)
        terminal.sees(FIRST)
        terminal.press("q")
        assert terminal.exit_code() == 0


def test_a_dumb_terminal_is_drawn_on_in_its_own_size(home: Path) -> None:
    with program(home, columns=90, lines=30, TERM="dumb") as terminal:
        terminal.sees(FIRST)
        assert "? keys" in terminal.lines[-1]
        terminal.press("q")
        assert terminal.exit_code() == 0


def test_a_board_file_that_is_garbage_is_named_and_left_alone(home: Path) -> None:
    path = home / "data" / "boards.sqlite3"
    path.write_bytes(GARBAGE)
    files = sorted(each.name for each in path.parent.iterdir())
    with program(home) as terminal:
        said = last_words(terminal, 1)
    assert str(path) in "".join(said.splitlines())
    assert "Nothing was changed" in said
    assert path.read_bytes() == GARBAGE
    assert sorted(each.name for each in path.parent.iterdir()) == files


def test_a_board_file_that_is_damaged_inside_is_named_and_left_alone(home: Path) -> None:
    path = home / "data" / "boards.sqlite3"
    content = bytearray(path.read_bytes())
    content[4096:] = GARBAGE[: len(content) - 4096].ljust(len(content) - 4096, b"\xa5")
    path.write_bytes(content)
    with program(home) as terminal:
        said = last_words(terminal, 1)
    assert str(path) in "".join(said.splitlines())
    assert path.read_bytes() == bytes(content)


def test_a_board_file_that_is_missing_is_told_and_none_is_made(home: Path) -> None:
    for file in (home / "data").glob("boards.sqlite3*"):
        file.unlink()
    with program(home) as terminal:
        said = "".join(last_words(terminal, 1).split())
    assert f"{home / 'data' / 'boards.sqlite3'}ismissing" in said
    assert "Restoreacopyofit" in said
    assert not (home / "data" / "boards.sqlite3").exists()


def test_a_damaged_cache_is_set_aside_and_filled_again(home: Path) -> None:
    folder = home / "cache" / "embedded"
    for each in folder.iterdir():
        each.unlink()
    (folder / "cache.sqlite3").write_bytes(GARBAGE)
    with program(home) as terminal:
        terminal.sees("The cache was damaged", "set aside as")
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("L")
        terminal.until(lambda: column_of(terminal, FIRST) == 1, "the card in the next column")
        terminal.until(lambda: is_settled(terminal, home), "the move at the service")
        terminal.press("q")
        assert terminal.exit_code() == 0
    aside = [each for each in folder.iterdir() if ".broken-" in each.name]
    assert [each.read_bytes() for each in aside] == [GARBAGE]


def test_damaged_waiting_changes_are_set_aside_and_said(home: Path) -> None:
    folder = home / "data" / "embedded"
    for each in folder.iterdir():
        each.unlink()
    (folder / "outbox.sqlite3").write_bytes(GARBAGE)
    with program(home) as terminal:
        terminal.sees("was damaged", "outbox.sqlite3.broken-")
        terminal.press("q")
        assert terminal.exit_code() == 0
    aside = set_aside_files(folder / "outbox.sqlite3")
    assert [each.read_bytes() for each in aside] == [GARBAGE]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("densty = 2\n", ("densty", "line 1", "Did you mean “density”?")),
        ('theme = "callbord-light"\n', ("callbord-light", "callboard-light")),
        ('[keys]\n"task.lif" = "s"\n', ("task.lif", "task.lift")),
        (b"\x1b]2;pwned\x07 = 1\n", ("not valid TOML", "config.toml")),
    ],
)
def test_settings_that_cannot_be_used_are_named(
    new_home: Path, settings: str | bytes, words: tuple[str, ...]
) -> None:
    path = new_home / "config" / "config.toml"
    path.parent.mkdir()
    path.write_bytes(settings if isinstance(settings, bytes) else settings.encode())
    with program(new_home, columns=400) as terminal:
        said = last_words(terminal, 2)
        assert b"\x1b" not in terminal.written
    for word in (*words, str(path)):
        assert word in said
    assert [each.name for each in new_home.iterdir()] == ["config"]


def test_a_theme_of_ones_choice_is_drawn(home: Path) -> None:
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text('theme = "callboard-light"\n', "utf-8")
    with program(home) as terminal:
        terminal.until(lambda: columns(terminal), "the board")
        lines = [line for y, line in terminal.screen.buffer.items() if y > 0]  # below the bar
        grounds = {cell.bg for line in lines for cell in line.values()}
        assert all(int(ground[:2], 16) > 0x80 for ground in grounds if ground != "default")


def test_in_ascii_only_ascii_reaches_the_terminal(home: Path) -> None:
    with program(home, "--ascii") as terminal:
        terminal.sees(FIRST)
        terminal.press("space", "l")
        terminal.sees("* Moving")
        terminal.press("escape")
        terminal.misses("* Moving")
        terminal.press("?")
        terminal.sees("Keys that work here")
        terminal.press("escape")
        terminal.misses("Keys that work here")
        terminal.press("q")
        assert terminal.exit_code() == 0
    assert not [character for character in terminal.written.decode() if not character.isascii()]


@pytest.mark.parametrize("name", ["data", "cache"])
def test_a_file_where_a_folder_should_be_is_named(new_home: Path, name: str) -> None:
    (new_home / name).write_text("in the way", "utf-8")
    with program(new_home) as terminal:
        said = last_words(terminal, 1)
    assert str(new_home / name) in "".join(said.splitlines())
    assert (new_home / name).read_text("utf-8") == "in the way"


def test_a_folder_where_the_board_file_should_be_is_named(home: Path) -> None:
    path = home / "data" / "boards.sqlite3"
    path.unlink()
    path.mkdir()
    with program(home) as terminal:
        said = last_words(terminal, 1)
    assert str(path) in "".join(said.splitlines())


def test_a_data_folder_that_cannot_be_written_to_is_named(home: Path) -> None:
    data = home / "data" / "embedded"
    data.chmod(0o500)
    try:
        if _is_writable(data):
            pytest.skip("permissions do not bind this user")
        with program(home) as terminal:
            said = last_words(terminal, 1)
        assert str(data) in "".join(said.splitlines())
    finally:
        data.chmod(0o700)


def _is_writable(folder: Path) -> bool:
    """Whether this user can write to a folder whose mode says otherwise."""
    probe = folder / "probe"
    try:
        probe.touch()
    except OSError:
        return False
    probe.unlink()
    return True


def test_ascii_signs_are_drawn_at_once_on_all_lines(home: Path) -> None:
    with program(home) as terminal:
        terminal.until(lambda: has_tour(terminal, home), "the tour")
        terminal.press("g", ",")
        terminal.sees("callboard-dark")
        terminal.press("j", "enter")
        terminal.sees("Card density: lines")
        terminal.press("1")
        terminal.sees("Card density: compact", "● compact")
        terminal.press("j", "enter")
        terminal.sees("ASCII signs: on", "o compact")
        terminal.press("enter")
        terminal.sees("ASCII signs: off", "● compact")
        terminal.press("escape")
        terminal.sees("▸1")


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C"},
        {"LANG": "POSIX"},
        {"LC_ALL": "en_US.ISO-8859-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=str,
)
def test_without_utf8_all_that_is_drawn_is_ascii(left: Path, locale: dict[str, Any]) -> None:
    with program(left, **locale) as terminal:
        terminal.sees("kept on this machine", FIRST)
        terminal.press("n", "Größe 漢 🚀", "enter", "escape")
        terminal.sees("Grose ?? ??", "x close")  # a key too close behind Esc would be another one
        terminal.press("?")
        terminal.sees("Keys that work here")
        terminal.press("escape")
        terminal.misses("Keys that work here")
        terminal.press("q")
        assert terminal.exit_code() == 0
    assert terminal.written.isascii()
    assert b"\\u" not in terminal.written
    assert b"from last time" not in terminal.written


def test_a_command_without_utf8_prints_ascii_on_a_terminal_alone(left: Path) -> None:
    def printed(*words: str, pipe: str = "") -> str:
        shell = ["/bin/sh", "-c", f'"$@" {pipe}', "sh", *COMMAND, *words]
        surroundings = environment(left, LC_ALL="C")
        with Terminal(shell, environment=surroundings, folder=left) as terminal:
            assert terminal.exit_code() == 0
        return terminal.written.decode()

    assert '"Grose > ??"' in printed("add", "Größe → 漢")
    assert "Grose > ??" in printed("tasks")
    assert printed("tasks").isascii()
    assert "Größe > 漢" in printed("tasks", pipe="| cat")
