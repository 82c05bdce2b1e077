"""The work on boards: active stages, blocked cards, my work, branches, news and activity."""
