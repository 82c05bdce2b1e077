"""Static pages of HTML: a board, the standup and insight, to be shown to others.

A page has no scripts and loads nothing. Its policy allows its own style sheet and nothing else.
"""
