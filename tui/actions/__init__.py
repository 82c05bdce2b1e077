"""Actions that keys run: decorated methods of objects that screens own and offer."""
