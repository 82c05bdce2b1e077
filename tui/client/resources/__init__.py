"""The endpoints in groups; each method works the same on every deployed service.

Every method may raise `ApiError`: one with ids `NotFound` and `NotAllowed`, one that writes
`Refused`; docstrings name only the others. One that creates something is not idempotent: never
retry it blindly. One that deletes something succeeds if that no longer exists, and raises
`ServerFault` if it still does. The numbers are sections of the specification.
"""
