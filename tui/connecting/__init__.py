"""From a profile to a service that answers.

The rule it keeps: everything heavy (client, service, their libraries) is imported by these modules
alone, which are loaded on a thread after the first paint, and each only where it is needed.
"""
