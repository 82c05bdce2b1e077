"""From a profile to a service that answers.

Everything heavy (client, service, their libraries) is imported by these modules alone, which are
loaded on a thread after the first paint.
"""
