"""HTML of the feature why."""
