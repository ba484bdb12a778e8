"""Transparent mode in network namespaces of its own."""
