"""VIPS measured and drawn."""
