"""How the event loop, its threads and the garbage collector share the processor with the keys."""
