"""Two people and their agents at one served board: nothing is lost, nothing is claimed twice.

- `people` presses the keys of a person, in a real terminal.
- `agents` runs the commands of an agent on the profile of a person.
- `ledger` is what all of them did, and compares it with what the service holds.
- `__main__` lets them work side by side, cuts their links, and looks whether all agree.
"""
