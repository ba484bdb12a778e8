"""Winnow under many clients, and under what goes wrong: figures, printed as tables."""
