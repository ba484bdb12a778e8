"""HTML of the feature small."""
