"""Winnow before one site."""
