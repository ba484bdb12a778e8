"""Text as sound: a speech engine of the system, its bounds, files with chapters."""
