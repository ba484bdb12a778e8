"""Errors of certificates and handshakes."""

from __future__ import annotations

from winnow.proxy.http.proxy_errors import ProxyError


class TlsError(Exception):
    """Base class of TLS errors."""


class AuthorityError(TlsError, ProxyError):
    """The authority's file cannot be used; the message says what to change, without a path."""

    status = 503
    reason = "no-authority"


class NoAuthorityError(AuthorityError):
    """Nobody has switched HTTPS on: what our own pages ask every few seconds until it is."""


class AuthorityFullError(AuthorityError):
    """The disk is full."""

    status = 507
    reason = "disk-full"


class DamagedAuthorityError(AuthorityError):
    """The file contains no valid authority."""


class NameRefusedError(TlsError):
    """The host name is invalid for a certificate."""


class NotTlsError(TlsError):
    """The client's first bytes are no TLS ClientHello."""
