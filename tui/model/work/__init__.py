"""The work on boards: the part of each stage in it, blocked cards, my work, and branches."""
