"""Connections from clients: what is read of a request before anybody decides about it."""
