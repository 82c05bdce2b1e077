"""Cards by date: which days are in sight, where bars are, and which rows an agenda has."""
