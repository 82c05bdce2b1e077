"""The git repository of the folder in which a command runs, and the card of its branch."""
