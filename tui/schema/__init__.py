"""The interface's records (section 2): the name, type and default of every member, once.

The service makes its replies and `/openapi.json` from them, and the client reads what services send
by them. A member that may be missing is `NotRequired`.
"""
