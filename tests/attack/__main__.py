"""Measures the attack corpus: `python -m tests.attack`, or `python -m tests.attack served`.

Without an argument the size of each pattern is doubled for each target, and how the CPU time
grows is printed; the exit code is 1 if it grows faster than 2.3 times. `served` sends the patterns
to `callboard serve` on this machine, while its `/health` is asked all the time.
"""

import argparse
import sys

from tests.attack import served
from tests.attack.growth import Growth, growth
from tests.attack.targets import TARGETS, Target


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("what", nargs="?", choices=["growth", "served"], default="growth")
    parser.add_argument("--way", action="append", help="served: only this one")
    parser.add_argument("--target", action="append", choices=list(TARGETS), help="only this one")
    asked = parser.parse_args()
    if asked.what == "served":
        return served.main(asked.way)
    chosen = {name: TARGETS[name] for name in asked.target or TARGETS}
    failures = [_measured(name, target) for name, target in chosen.items()]
    return int(any(failures))


def _measured(name: str, target: Target) -> bool:
    """Measure a target with all its patterns and print the result; whether it is too slow."""
    found = {pattern: growth(target, make) for pattern, make in target.patterns.items()}
    slowest = max(found, key=lambda pattern: found[pattern].seconds)
    steepest = max(found, key=lambda pattern: found[pattern].factor)
    _say(f"{name}: {len(found)} patterns")
    _say(f"  slowest   {_line(slowest, found[slowest])}")
    _say(f"  steepest  {_line(steepest, found[steepest])}")
    failures = [pattern for pattern in found if found[pattern].is_too_steep]
    for pattern in failures:
        _say(f"  TOO STEEP {_line(pattern, found[pattern])}")
    return bool(failures)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _line(pattern: str, found: Growth) -> str:
    time = f"{found.seconds * 1000:10,.1f} ms at {found.size / 1000:7,.0f} kB"
    return f"{time}  x {found.factor:4.2f} per doubling  {pattern!r}"


if __name__ == "__main__":
    sys.exit(main())
