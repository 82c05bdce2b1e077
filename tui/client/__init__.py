"""The HTTP client of a project-board service.

It knows neither the store, the model nor the embedded service, and nothing outside uses httpx.
`errors` and `credentials` are light; the other modules are imported after the first paint.
"""
