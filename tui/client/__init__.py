"""The client: what a project-board service says, and the ways to ask it.

Nothing here knows the store, the model or the embedded service, and nothing
outside knows httpx. `errors` and `credentials` are light; import the rest after the first paint.
"""
