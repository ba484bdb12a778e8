"""HTML of the feature saved."""
