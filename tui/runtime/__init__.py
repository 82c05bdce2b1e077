"""Key queue, input priority, and what runs while the program is idle."""
