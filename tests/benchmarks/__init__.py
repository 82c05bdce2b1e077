"""How fast Callboard is, measured from outside: run `python -m tests.benchmarks`."""
