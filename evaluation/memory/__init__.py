"""The thesis's experiments with memory-based labelling, on our packages (Arizaleta 2009)."""
