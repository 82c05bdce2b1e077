"""Tests of texts: cells, dates, HTML, Markdown, and what makes them clean."""
