"""The standup: what happened on boards, and what needs attention; and insight into longer times."""
