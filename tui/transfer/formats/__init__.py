"""The formats: each module reads the text of a file as a sheet, or writes a sheet as text."""
