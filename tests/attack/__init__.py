"""An attack corpus: text that is made to take long, and what has to read it in linear time."""
