"""The installed program in a real terminal: what a person sees, and what a kill leaves behind."""
