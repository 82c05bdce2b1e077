"""What is shown to others: static pages of HTML, and pictures of a board.

A page is of a board, a view, the standup or insight. It has no scripts and loads nothing. Its
policy allows its own style sheet and nothing else.
"""
