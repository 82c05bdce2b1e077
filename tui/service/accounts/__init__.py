"""Accounts, passwords and who is asking."""
