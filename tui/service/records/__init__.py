"""The records that replies hold (section 2), each with its fields and their types.

What is written here is what the service sends: `/openapi.json` is made from it, and the tests hold
every reply against it. A field that may be missing is `NotRequired`.
"""
