"""`callboard mcp`: the boards for agents, by the Model Context Protocol.

The SDK is imported here alone, and this only when the command is run.
"""
