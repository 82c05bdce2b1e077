"""Where the program starts: `callboard`, or `python -m tui`."""

import gc
import sys

from tui.runtime.last_frame import last_frame


def main() -> int:
    """Run the command, behind the last frame of the program if it is the program that starts."""
    if len(sys.argv) == 1:
        last_frame.show()
    from tui.cli.main import main as run

    try:
        return run()
    finally:
        last_frame.take_back()
        gc.freeze()  # the end of Python would look through all for garbage


if __name__ == "__main__":
    sys.exit(main())
