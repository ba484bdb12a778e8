"""Winnow's own pages, made as bytes and headers from frozen values; no page needs a script."""
