"""HTML of the feature compare."""
