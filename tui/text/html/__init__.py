"""HTML from outside: parsed, made safe, read as lines."""
