"""The manual page: every command and option, as roff that groff reads without a warning."""

import argparse
import shutil
import subprocess

import pytest

from tests.cli.conftest import Said
from tui.cli.parser_texts import page


def test_every_command_is_on_the_page_with_its_options(said: Said) -> None:
    code, text, beside = said("man")
    assert (code, beside) == (0, "")
    commands = said("--help")[1].partition("\nreading:\n")[2].splitlines()
    names = [line.split()[0] for line in commands if line.startswith("  ") and line[2] != " "]
    assert len(names) > 15
    assert all(f"\n.SS {name}\n" in text for name in names)
    assert "\n.SS serve user add\n" in text
    assert "\n.TP\n.B \\-q, \\-\\-quiet\nprint only the ids\n" in text
    assert "\n.TP\n.B \\-\\-weeks N\nhow many weeks (default: 4)\n" in text
    assert text.count(".SH ") == 8


def test_texts_are_no_commands_of_roff(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser(prog="callboard", description=".so /etc/passwd")
    parser.add_argument("--dots", metavar="N", help="'quoted' \\fBold\n.br 100%%")
    assert page(parser) == 0
    text = capsys.readouterr().out
    assert "\n\\&.so /etc/passwd\n" in text
    assert "\n.B \\-\\-dots N\n\\&'quoted' \\efBold .br 100%\n" in text


def test_groff_reads_the_page(said: Said) -> None:
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("groff is not installed")
    ran = subprocess.run(  # noqa: S603
        [groff, "-man", "-Kutf8", "-Tutf8", "-ww"],
        input=said("man")[1],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count("CALLBOARD(1)") == 3
