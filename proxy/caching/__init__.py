"""Caches, apart: origins' responses (RFC 9111), and renderings."""
