"""What can go wrong with what is remembered, and whose fault it was."""

from __future__ import annotations


class StoreError(Exception):
    """A store cannot be read or written; the message says what to change."""
