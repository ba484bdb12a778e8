"""What is refused to a client, and why; each message is one plain sentence for a person."""

from __future__ import annotations


class AccessError(Exception):
    """Whatever this package raises. The client's fault, or that of whoever set it up."""


class PasswordError(AccessError):
    """A line with a hashed password cannot be read. The configuration's fault."""
