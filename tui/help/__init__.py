"""The help: a Markdown file for each topic, with tables that are made when it is shown."""

from pathlib import Path

FOLDER = Path(__file__).parent


def latest_version() -> str:
    """The version that the release notes begin with, which is that of the program."""
    with (FOLDER / "news.md").open(encoding="utf-8") as file:
        return next(line.removeprefix("## ").strip() for line in file if line.startswith("## "))
