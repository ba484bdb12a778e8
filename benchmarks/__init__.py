"""Benchmarks: commands that print a table and keep its figures below benchmarks/figures_data."""
