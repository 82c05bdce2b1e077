"""Waits until an application has nothing left to do.

Textual's pilot waits for a pause of the process instead, of 20 ms at least, and sends a message to
each widget before: that takes longer than what is tested.
"""

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import get_native_id
from time import process_time
from typing import Any, cast
from weakref import WeakSet

import textual.app
from textual._compositor import Compositor
from textual._context import active_app, visible_screen_stack
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip
from textual.worker import WorkerCancelled

from tests.drivers.loops import EAGER
from tests.drivers.patience import PATIENCE
from tui.runtime.key_queue import SerialKeys

_SOON = 0.03
"""Seconds: what is due within them is waited for."""
_LOOK = 0.02
"""Seconds: a process that uses less than a twentieth of them rests."""
_MOMENT = 0.002
"""Seconds after which it is looked whether Textual has painted."""
_LONGEST = 1.0
"""Seconds of pauses after which timers that never end are no longer waited for.

They are counted, not measured: the same timers are waited for on every machine.
"""
_LEAST = 0.005
"""Seconds that a pause counts at least, also if its timer is overdue when it is seen."""
_LOOKS = 30
"""How often keys that wait look for what opens, with nothing else to do, until that is at rest."""

_in_threads: WeakSet["Future[Any]"] = WeakSet()
_paints_at_once = True
_is_painted = True


def paint_at_once(wanted: bool) -> None:
    """Paint at once what has changed, which Textual does at the next sixtieth of a second.

    If that is not wanted, nothing of Textual is called but by itself.
    """
    global _paints_at_once  # noqa: PLW0603  one for the whole process
    _paints_at_once = wanted


def leave_unpainted(wanted: bool) -> None:
    """Leave screens unpainted until somebody looks at them, see `drawn_lines`.

    An application without a terminal throws away what it paints, which takes a quarter of the time
    of a test.
    """
    global _is_painted  # noqa: PLW0603
    _is_painted = not wanted


def let_screens_be_unpainted() -> None:
    """Let `leave_unpainted` have an effect."""
    render_update = Compositor.render_update

    def render_if_painted(self: Compositor, full: bool = False, *rest: Any, **named: Any) -> Any:
        if full or _is_painted:  # a picture is of the full screen
            return render_update(self, full, *rest, **named)
        self._dirty_regions.clear()
        return None

    Compositor.render_update = render_if_painted  # type: ignore[method-assign]  # for tests alone


def let_pilots_wait() -> None:
    """Let all pilots wait so."""
    Pilot._wait_for_screen = _wait_for_screen  # type: ignore[method-assign]  # for tests alone
    Pilot.pause = _pause  # type: ignore[method-assign]
    textual.app.wait_for_idle = _wait_for_idle  # type: ignore[attr-defined]
    submit = ThreadPoolExecutor.submit

    def submit_and_note(self: ThreadPoolExecutor, *work: Any, **named: Any) -> "Future[Any]":
        future = submit(self, *work, **named)
        _in_threads.add(future)
        return future

    ThreadPoolExecutor.submit = submit_and_note  # type: ignore[method-assign, assignment]
    run = asyncio.run_coroutine_threadsafe

    def run_and_note(*work: Any, **named: Any) -> "Future[Any]":
        future = run(*work, **named)
        _in_threads.add(future)
        return future

    asyncio.run_coroutine_threadsafe = run_and_note


async def until_quiet(app: App[Any]) -> None:
    """Wait until nothing is ready to run or due soon, and all that has changed is painted."""
    loop = cast("Any", asyncio.get_running_loop())
    assert loop.get_task_factory() is EAGER, "tests.drivers.loops has the loop of the program"
    waited, looks = 0.0, 0
    waiting: object = None
    endless: set[Future[Any]] = set()
    end = loop.time() + PATIENCE
    while waited < _LONGEST:
        if loop.time() > end:
            ready = [str(each) for each in loop._ready][:5]
            raise AssertionError(f"the program does not come to rest: {app.screen}, {ready}")
        await asyncio.sleep(0)
        if loop._ready:
            continue
        if not _unfinished() <= endless:
            await _until_threads_rest()
            endless = _unfinished()
            continue
        screen = app.screen_stack[-1] if app.is_running and app.screen_stack else None
        if screen is not None and _is_changed(screen):
            if _paints_at_once:
                screen._on_timer_update()
            else:
                waited += _MOMENT  # longer ones are those of other programs
                await asyncio.sleep(_MOMENT)
            continue
        if (due := _next_due(loop, app)) is None:
            key = _waiting_key(app)
            looks = looks + 1 if key is waiting else 0
            waiting = key
            if key is None or looks > _LOOKS:
                return
            await asyncio.sleep(_LEAST)
            continue
        pause = max(0.0, due - loop.time())
        waited += max(pause, _LEAST)
        await asyncio.sleep(pause)


def _unfinished() -> "set[Future[Any]]":
    return {future for future in _in_threads if not future.done()}


async def _until_threads_rest() -> None:
    # One that waits for a processor does not rest, though it uses none.
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    while loop.time() < end:
        used = process_time()
        await asyncio.sleep(_LOOK)
        if process_time() - used < _LOOK / 20 and not _is_a_thread_busy():
            return
    raise AssertionError(f"a thread of the program does not come to rest: {_unfinished()}")


def _is_a_thread_busy() -> bool:
    own = get_native_id()
    for thread in Path("/proc/self/task").glob("*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            state = thread.read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            if state in {"R", "D"} and int(thread.parent.name) != own:
                return True
    return False


async def until_work_ends(app: App[Any]) -> None:
    """Wait until no worker is left, also of those that have taken the place of others meanwhile."""
    while running := [worker for worker in app.workers if not worker.is_finished]:
        with suppress(WorkerCancelled):
            await app.workers.wait_for_complete(running)


def drawn_lines(app: App[Any]) -> list[Strip]:
    """What is on the screen, drawn now: only what somebody looks at is."""
    visible_screen_stack.set(app._background_screens)
    return app.screen._compositor.render_strips()


def _is_changed(screen: Screen[Any]) -> bool:
    if not screen.is_current or screen.app._batch_count or screen._closing:
        return False
    return bool(
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    )


def _next_due(loop: Any, app: App[Any]) -> float | None:
    # When the first timer fires, if that is soon; those that paint have nothing to paint, and keys
    # that wait are counted elsewhere.
    others: list[Any] = [screen._update_timer._task for screen in app.screen_stack]
    others.append(_waiting_key(app))
    futures = {id(task._fut_waiter) for task in others if task is not None}
    soon = loop.time() + _SOON
    return min(
        (
            handle._when
            for handle in loop._scheduled
            if handle._when < soon
            and not handle._cancelled
            and not (handle._args and id(handle._args[0]) in futures)
        ),
        default=None,
    )


def _waiting_key(app: App[Any]) -> Any:
    # The task of a key that has not taken effect.
    task = app._settling if isinstance(app, SerialKeys) else None
    return None if task is None or task.done() else task


async def _wait_for_screen(self: Pilot[Any], timeout: float = 0) -> bool:  # noqa: ASYNC109
    del timeout
    await until_quiet(self.app)
    return not self.app._exception_event.is_set()


async def _pause(self: Pilot[Any], delay: float | None = None) -> None:
    if delay:
        await asyncio.sleep(delay)
    await until_quiet(self.app)


async def _wait_for_idle(min_sleep: float = 0, max_sleep: float = 0) -> None:
    del min_sleep, max_sleep
    await until_quiet(active_app.get())
