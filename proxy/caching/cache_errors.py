"""What can go wrong with a storage; it costs a fetch, never a reply."""

from __future__ import annotations


class StorageError(Exception):
    """A storage could not do what it was asked: full, damaged, gone."""
