"""The command line: parser, commands, output."""
