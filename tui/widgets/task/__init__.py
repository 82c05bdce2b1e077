"""The parts of an opened task."""
