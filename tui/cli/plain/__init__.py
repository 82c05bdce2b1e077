"""Plain mode: the boards line by line, for screen readers and simple terminals."""
