"""Notifications: news for the user, when they may be sent, and the ways to the user."""
