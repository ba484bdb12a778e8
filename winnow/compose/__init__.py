"""The composition root: makes all objects from the settings and joins them."""
