"""The standup: what happened on boards since the last working day, and what needs attention."""
