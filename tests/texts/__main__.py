"""Prints each text that people read with its place, and at the end how many there are."""

import sys

from tests.texts.listing import shown_texts

texts = list(shown_texts())
sys.stdout.writelines(f"{text.place}: {text.text}\n" for text in texts)
sys.stderr.write(f"{len(texts)} texts\n")
