"""Compiles every module once, before several workers each do so at the same moment.

All of them begin with the same modules, so that none finds what another one has written. It
matters in a fresh clone, where that takes nine seconds of processor time. So it is with the
constants of the program, which Hypothesis tries and keeps: four seconds of each worker.
"""

import compileall
import multiprocessing
import os
import sys
from collections.abc import Sequence
from importlib.util import cache_from_source
from pathlib import Path
from types import ModuleType
from warnings import catch_warnings, simplefilter

import pytest
from _pytest.assertion import rewrite
from hypothesis.errors import HypothesisSideeffectWarning
from hypothesis.internal.constants_ast import constants_from_module

_ROOT = Path(__file__).parents[2]
_FEW = 50
"""So many modules that have changed are left to the workers."""


def compile_all(config: pytest.Config) -> None:
    """Compile what never was, with as many processes as there are processors."""
    files = [file for name in ("tests", "tui") for file in (_ROOT / name).rglob("*.py")]
    new = [file for file in files if not _compiled(file).exists()]
    if sys.dont_write_bytecode or len(new) <= _FEW or sys.platform == "win32":
        return
    count, forking = os.cpu_count() or 1, multiprocessing.get_context("fork")
    processes = [
        forking.Process(target=_compile, args=(config, new[each::count])) for each in range(count)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _compile(config: pytest.Config, files: Sequence[Path]) -> None:
    state = config.stash[rewrite.assertstate_key]
    for file in files:
        if not _has_tests(file):
            compileall.compile_file(str(file), quiet=2)
            if file.is_relative_to(_ROOT / "tui"):
                _keep_constants(file)
            continue
        compiled = _compiled(file)
        compiled.parent.mkdir(parents=True, exist_ok=True)
        stat, code = rewrite._rewrite_test(file, config)
        rewrite._write_pyc(state, code, stat, compiled)


def _keep_constants(file: Path) -> None:
    module = ModuleType(file.stem)
    module.__file__ = str(file)
    with catch_warnings():
        simplefilter("ignore", HypothesisSideeffectWarning)  # written this early
        constants_from_module(module)


def _has_tests(file: Path) -> bool:
    return file.name.startswith("test_") or file.name == "conftest.py"


def _compiled(file: Path) -> Path:
    """Where the code is kept; pytest has a name of its own for that with rewritten assertions."""
    if _has_tests(file):
        return rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
    return Path(cache_from_source(str(file)))
