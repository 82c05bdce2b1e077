"""Accounts, passwords and authentication."""
