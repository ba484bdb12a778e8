"""What can go wrong with certificates and handshakes, and whose fault it was."""

from __future__ import annotations

from winnow.proxy.http.proxy_errors import ProxyError


class TlsError(Exception):
    """Whatever the TLS side of the proxy raises."""


class AuthorityError(TlsError, ProxyError):
    """The local authority's file cannot be used; the message says what to change, and no path."""

    status = 503
    reason = "no-authority"


class AuthorityFullError(AuthorityError):
    """There is no room on the disk for the authority's file."""

    status = 507
    reason = "disk-full"


class DamagedAuthorityError(AuthorityError):
    """The file holds no authority."""


class NameRefusedError(TlsError):
    """No certificate can be made for this host name. The client's fault."""


class NotTlsError(TlsError):
    """The client's first bytes are no TLS ClientHello: it may speak another protocol."""
