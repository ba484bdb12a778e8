"""What is refused to a client, and why; each message is one plain sentence for a person."""

from __future__ import annotations

import errno


class AccessError(Exception):
    """Whatever this package raises. The client's fault, or that of whoever set it up."""


class PasswordError(AccessError):
    """A line with a hashed password cannot be read. The configuration's fault."""


class AddressRefusedError(OSError, AccessError):
    """The host is at an address that this client may not reach through us.

    An ``OSError``, for it is raised where a socket is made and must pass through the client
    library as a failed connection does.
    """

    def __init__(self) -> None:
        super().__init__(
            errno.EACCES,
            "This host is at a private address, which Winnow reaches for its own computer only",
        )
