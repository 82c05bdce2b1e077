"""The work on boards: stages in it, blocked cards, my work, branches, and changes by others."""
