"""The standup: what happened on boards and what needs attention, by board or by person."""
