"""Key queue, input priority, patches of Textual, and what runs while the program is idle."""
