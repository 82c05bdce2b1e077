"""Opens the connection of a profile to its service.

These modules alone import client and service with their libraries, and are loaded on a thread after
the first paint.
"""
