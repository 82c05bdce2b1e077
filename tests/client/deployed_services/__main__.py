"""The same tests with many more examples: `python -m tests.client.deployed_services [TIMES]`."""

import os
import sys
from pathlib import Path

import pytest

from tests.client.deployed_services.deployed import TIMES

os.environ[TIMES] = sys.argv[1] if len(sys.argv) > 1 else "20"
here = str(Path(__file__).parent)
sys.exit(pytest.main(["-n", "0", "-q", "-p", "no:cacheprovider", "-o", "timeout=0", here]))
