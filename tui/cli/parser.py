"""The command line, read."""

import argparse


def parser() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    made = argparse.ArgumentParser(
        prog="callboard",
        description="A terminal kanban board: every action a key away, nothing ever lost.",
        epilog="Inside the program ? lists the keys. CALLBOARD_HOME sets where everything is kept.",
    )
    made.add_argument("--version", action="store_true", help="say which version this is and end")
    made.add_argument("--ascii", action="store_true", help="draw with ASCII signs only")
    made.add_argument("--boards", action="store_true", help="open the list of boards")
    return made
