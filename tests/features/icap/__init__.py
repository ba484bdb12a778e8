"""Winnow as an ICAP service."""
