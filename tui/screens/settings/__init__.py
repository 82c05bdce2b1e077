"""The settings screen: values of settings, and the keys of all actions."""
