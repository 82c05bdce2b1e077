"""The screens: they hold the state a person sees and ask the store for changes."""
