"""Labels for title, heading and body learned from examples (Arizaleta 2009)."""
