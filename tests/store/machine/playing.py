"""Playing many histories in one process."""

import gc
import io
import traceback
from contextlib import redirect_stdout
from typing import NamedTuple

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.store.machine.order import OrderMachine, TroubledOrderMachine
from tests.store.machine.real import RealMachine, RealQuirkyMachine
from tests.store.machine.rules import KeyedMachine, Machine, QuirkyMachine

_OBJECTS_UNTIL_SWEPT = 50_000
FAST: dict[str, type[Machine]] = {
    "plain": Machine,
    "quirky": QuirkyMachine,
    "keyed": KeyedMachine,
}
ORDER: dict[str, type[Machine]] = {
    "order": OrderMachine,
    "order-troubled": TroubledOrderMachine,
}
REAL: dict[str, type[Machine]] = {"real": RealMachine, "real-quirky": RealQuirkyMachine}
MACHINES = FAST | ORDER | REAL


class Job(NamedTuple):
    """So many histories of a kind, of so many events at most, from a seed."""

    kind: str
    histories: int
    seed: int
    events: int


def play(job: Job) -> str:
    """Play the histories; says which one went wrong and how, or nothing if all went well."""
    gc.set_threshold(_OBJECTS_UNTIL_SWEPT)
    machine = MACHINES[job.kind]
    how = settings(
        max_examples=job.histories,
        stateful_step_count=job.events,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    told = io.StringIO()
    try:
        with redirect_stdout(told):
            run_state_machine_as_test(seed(job.seed)(machine), settings=how)
    except Exception:  # noqa: BLE001  whatever goes wrong in a history is what is looked for
        return f"{job}\n{told.getvalue()}\n{traceback.format_exc()}"
    return ""
