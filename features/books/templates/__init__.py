"""HTML of the feature books."""
