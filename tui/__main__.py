"""Where the program starts: `callboard`, or `python -m tui`."""

import sys

from tui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
