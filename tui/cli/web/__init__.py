"""`callboard web`: the program in a browser.

`site.py` serves the page, `tab.py` runs the program of one tab. The page is in `page/`; the
terminal in it is that of textual-serve.
"""
