"""HTML of the feature listen."""
