"""Own commands are taken as written, or refused with what is wrong and on which line."""

import re
from pathlib import Path

import pytest

from tests.config.test_themes import of, refused
from tests.screens.test_hostile import HOSTILE
from tui.cli.main import main
from tui.cli.settings import documented, read_settings
from tui.config.own_commands import OUTPUTS, OwnCommand
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.settings_writing import literal
from tui.help import topics
from tui.text import clean

ISSUE = '[commands.issue]\ntitle = "Show the issue"\nrun = "gh issue view {id}"\n'


def test_a_command_has_a_title_a_line_and_perhaps_a_key() -> None:
    words = ("gh", "issue", "view", "{id}")
    assert of(ISSUE).commands == {"issue": OwnCommand("issue", "Show the issue", words)}
    command = of(f'{ISSUE}key = "alt+i"\noutput = "silent"').commands["issue"]
    assert (command.id, command.key, command.output) == ("own.issue", "alt+i", "silent")
    listed = of("[commands.a]\ntitle = 'A'\nrun = ['sh', '-c', 'echo \"$1\"', 'sh', '{title}']")
    assert listed.commands["a"].words[-1] == "{title}"
    assert of("").commands == {}


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("commands = 3", "“commands” in config.toml, line 1 must be tables of their own", "Corr"),
        ("[commands]\na = 3", "“a” in config.toml, line 2 must be a table of its own", "Correct"),
        ("[commands.A]\n", "“A” in config.toml, line 1 cannot name a command", "small letters"),
        ("[commands.a]\nrun = 'x'", "“a” in config.toml, line 1 has no title", "title = "),
        ("[commands.a]\ntitle = 'x'", "“a” in config.toml, line 1 has no run", "run = "),
        (ISSUE + "kye = 'x'", "“kye” in config.toml, line 4 is not a setting", "“key”?"),
        (ISSUE + "output = 'pan'", "“output” in config.toml, line 4 must be one of", "Correct"),
        (ISSUE + "key = 3", "“key” in config.toml, line 4 must be a key in quotes", "Correct"),
        (ISSUE.replace("{id}", "{x}"), "line 3: {x} is not a placeholder", "{id}, {number}"),
        (ISSUE.replace("{id}", "{titel}"), "{titel} is not a placeholder", "“{title}”?"),
        (ISSUE.replace("gh", "{title}"), "{title} cannot be the program", "Begin with"),
        (ISSUE.replace("{id}", "'"), "line 3 is not a command: a quote is not", "list of its"),
        (ISSUE.replace("{id}", "| less"), "“|” means something in a shell only", "sh -c"),
        (ISSUE.replace("gh", "sh -c '{title}'"), "would become part of", '"$CALLBOARD_TITLE"'),
        (ISSUE + "key = 'x'", "‘x’ is taken by Close or reopen card (task.close)", "another key"),
        (ISSUE + "key = 'g'", "‘g’ is taken: ‘g ", "another key"),
        (ISSUE + "key = 'x y'", "‘x y’ is taken: ‘x’ is", "another key"),
        (ISSUE + "key = 'enter'", "‘↵’ is used on every screen", "another key"),
        (ISSUE + "key = 'ctrl+i'", "terminals send tab for ‘ctrl+i’", "another key"),
        (ISSUE + "key = 'hello'", "line 4: ‘hello’ is not the name of a key", "another key"),
        (ISSUE + "key = 'alt+c d e'", "has more than two keys", "another key"),
        (
            f"{ISSUE}key = 'alt+c'\n{ISSUE.replace('issue]', 'b]')}key = 'alt+c'",
            "line 4: ‘alt+c’ is taken by Show the issue (own.b)",
            "another key",
        ),
        (
            f"keys.'task.close' = 'alt+c'\n{ISSUE}key = 'alt+c'",
            "‘alt+c’ is taken by Close or reopen card",
            "another key",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, text: str, message: str, hint: str
) -> None:
    said, advice = refused(tmp_path, text)
    assert message in said
    assert hint in advice


@pytest.mark.parametrize("text", [*HOSTILE, "[bold red]x[/]", "\x1b[31mred", "a\nb", ""])
def test_what_is_hostile_is_refused_and_said_without_control_characters(
    tmp_path: Path, text: str
) -> None:
    for written in (
        f"[commands.{literal(text)}]",
        f"[commands.a]\n{literal(text)} = 'x'",
        f"{ISSUE}key = {literal(text + ' no key at all')}",
        f"{ISSUE}output = {literal(text)}",
        f"[commands.a]\ntitle = {literal(text * 50 + chr(7))}",
    ):
        said, advice = refused(tmp_path, written)
        assert "config.toml, line " in said
        assert clean.line(said) == said
        assert clean.line(advice) == advice


def test_the_examples_of_the_help_are_commands() -> None:
    text = topics.markdown("settings")
    (example,) = re.findall(r"```toml\n(\[commands.*?)```", text, re.DOTALL)
    commands = of(example).commands
    assert {command.output for command in commands.values()} == {*OUTPUTS}
    assert commands["note"].words[2] == 'echo "$CALLBOARD_TITLE" >> ~/notes.txt'


def test_a_free_key_is_accepted_and_the_doctor_refuses_a_taken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    places = Places.find()
    places.settings.parent.mkdir(parents=True)
    places.settings.write_text(f'{ISSUE}key = "alt+i,alt+j"')
    settings, warnings = read_settings(places)
    assert settings.commands["issue"].key == "alt+i,alt+j"
    assert warnings == []
    places.settings.write_text(f'{ISSUE}key = "x"')
    assert main(["doctor", "--offline"]) == 1
    said = capsys.readouterr().out
    assert "problem  settings" in said
    assert "‘x’ is taken by Close or reopen card" in said


def test_the_printed_settings_have_the_commands_as_they_can_be_read_again() -> None:
    for output in OUTPUTS:
        settings = of(f'{ISSUE}key = "alt+i"\noutput = "{output}"')
        assert of("\n".join(documented(settings))).commands == settings.commands
