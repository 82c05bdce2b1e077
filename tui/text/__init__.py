"""Text for terminals: cleaning, cells, dates, fuzzy matching, readable HTML."""
