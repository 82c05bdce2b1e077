"""The endpoints in groups, as the specification has them.

Every method may raise `ApiError`: one with ids `NotFound` and `NotAllowed`, one that writes
`Refused`; docstrings name only the others. One that creates something is not idempotent: never
retry it blindly. One that deletes something on a board succeeds if that no longer exists. The
numbers are sections of the specification.
"""
