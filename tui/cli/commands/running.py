"""Runs a command with its parsed arguments."""

import gc
from collections.abc import Iterable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

_IS_COROUTINE = 0x80
"""The flag of coroutine functions, as `inspect` has it, which takes long to import."""
_MANY = 100_000
"""New objects that are looked through for garbage; modules and cards last as long as a command."""


def run_command(options: Mapping[str, Any]) -> int:
    """Run a command with its parsed arguments; the exit code. Raises `CallboardError`.

    Its function has a parameter for each argument that it needs, or one for several of them: a
    named tuple or a dataclass with fields of these names. A coroutine function works on the opened
    profile, its first parameter; a plan that it returns is carried out. What may read standard
    input is none: asyncio would keep ctrl+c from ending that.
    """
    gc.set_threshold(_MANY)
    module, _, name = options["run"].partition(":")
    function = getattr(import_module(f"tui.cli.{module}"), name)

    def filled(fields: Iterable[str]) -> dict[str, Any]:
        return {field: options[field] for field in fields if field in options}

    code, arguments = function.__code__, {}
    for parameter in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        annotation = function.__annotations__[parameter]
        if fields := getattr(annotation, "__match_args__", None):
            arguments[parameter] = annotation(**filled(fields))
        elif parameter != "opened":
            arguments[parameter] = options[parameter]
    if not code.co_flags & _IS_COROUTINE:
        return int(function(**arguments))
    from tui.cli.scripts.opened import How, run_opened

    how, work = How(**filled(How._fields)), partial(function, **arguments)
    if function.__annotations__["return"] is not int:
        from tui.cli.scripts.writing import run_plan

        return run_plan(how, work)
    return run_opened(how, work, is_read_only=options["is_read_only"])
