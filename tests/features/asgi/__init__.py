"""Winnow inside an application."""
