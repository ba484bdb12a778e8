"""Pages of our own that show what was found on a web page; what was found is injected."""
