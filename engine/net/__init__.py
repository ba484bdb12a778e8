"""The net behind every method: what belongs to the text kept is kept with it."""
