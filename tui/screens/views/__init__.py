"""The parts of the screen of views, which is `screens.lists.views`."""
