"""What can go wrong with certificates and handshakes, and whose fault it was."""

from __future__ import annotations


class TlsError(Exception):
    """Whatever the TLS side of the proxy raises."""


class AuthorityError(TlsError):
    """The local authority's file cannot be used; the message says what to change."""


class NameRefusedError(TlsError):
    """No certificate can be made for this host name. The client's fault."""


class NotTlsError(TlsError):
    """The client's first bytes are no TLS ClientHello: it may speak another protocol."""
