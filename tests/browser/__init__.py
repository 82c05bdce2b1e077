"""The program in a real browser, as `callboard web` shows it."""
