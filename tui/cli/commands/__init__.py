"""The command line: the arguments of each command, its help, and the function that runs it.

Nothing that runs a command is imported here: a shell that completes commands reads all of this each
time it starts. A password is never an argument, since every user of the machine can read those.
"""
