"""The changes a person can make, as data.

An operation waits in the outbox until the service accepts it. Until then the board is drawn as if
it had been.
"""
