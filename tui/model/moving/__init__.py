"""The cursor on a board, and what is lifted from it."""
