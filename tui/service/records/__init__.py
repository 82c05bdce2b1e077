"""The types of records in replies (section 2).

`/openapi.json` is generated from them, and tests check every reply against them. A field that may
be missing is `NotRequired`.
"""
