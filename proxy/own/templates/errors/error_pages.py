"""Error pages: a refusal, a server that does not respond. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from winnow.proxy.http.proxy_errors import OriginCertificateError, OriginFaultError, ProxyError
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.errors.failures import (
    NOTHING_FAILED,
    FailedRequest,
    archived,
    plain_sentence,
    remedies,
)
from winnow.proxy.own.translation import N_, _


class CertificateFault(Enum):
    """The fault of a server's certificate, in words."""

    EXPIRED = N_("It has expired.")
    NOT_YET_VALID = N_("It is not valid yet. Check the clock of this computer.")
    SELF_SIGNED = N_("It is self-signed: anybody can create such a certificate.")
    UNKNOWN_AUTHORITY = N_("Its issuer is not trusted by this computer.")
    OTHER_NAME = N_("It is valid for another host only: this may be the wrong server.")
    REVOKED = N_("It has been revoked.")
    WEAK = N_("It is signed with a weak algorithm.")
    OTHER = N_("It cannot be verified.")


_BY_CODE = {
    9: CertificateFault.NOT_YET_VALID,
    10: CertificateFault.EXPIRED,
    18: CertificateFault.SELF_SIGNED,
    19: CertificateFault.SELF_SIGNED,
    2: CertificateFault.UNKNOWN_AUTHORITY,
    20: CertificateFault.UNKNOWN_AUTHORITY,
    21: CertificateFault.UNKNOWN_AUTHORITY,
    23: CertificateFault.REVOKED,
    62: CertificateFault.OTHER_NAME,
    64: CertificateFault.OTHER_NAME,
    66: CertificateFault.WEAK,
    67: CertificateFault.WEAK,
    68: CertificateFault.WEAK,
}
"""OpenSSL's X509_V_ERR_* (x509_vfy.h)."""


def certificate_fault(code: int) -> CertificateFault:
    """The fault for the verification code of an ``ssl.SSLCertVerificationError``."""
    return _BY_CODE.get(code, CertificateFault.OTHER)


_ERROR: Final = page_template(__package__, "error.html")
_CERTIFICATE: Final = page_template(__package__, "certificate_error.html")
TITLES: Final[Mapping[str, str]] = {
    "origin-unreachable": N_("The server cannot be reached"),
    "origin-timeout": N_("The server took too long to respond"),
    "origin-closed": N_("The server closed the connection"),
    "connection_terminated": N_("The server closed the connection"),
    "origin-malformed": N_("The server sent an invalid response"),
    "origin-certificate": N_("This connection is not secure"),
    "address-refused": N_("This address is private"),
    "port-refused": N_("This port is blocked"),
    "bad-address": N_("Invalid address"),
    "loop": N_("Proxy loop"),
    "password": N_("Sign in to Winnow"),
    "too-many-failures": N_("Too many wrong passwords"),
    "too-many-requests": N_("Too many requests"),
    "ad-list": N_("This address is blocked as an advertisement"),
    "gateway-off": N_("The gateway is switched off"),
    "no-browser": N_("No browser is installed"),
    "no-sandbox": N_("The browser’s sandbox cannot start"),
    "script-shell": N_("This page is written by scripts"),
    "render-failed": N_("The page could not be rendered"),
}
"""Titles by the token of Winnow-Reason, or the type of RFC 9209."""
_PROXY_STATUS = {
    "origin-unreachable": "destination_unavailable",
    "origin-timeout": "http_response_timeout",
    "origin-closed": "connection_terminated",
    "origin-failed": "connection_terminated",
    "origin-malformed": "http_protocol_error",
    "origin-certificate": "tls_certificate_error",
    "address-refused": "destination_ip_prohibited",
    "port-refused": "http_request_denied",
    "loop": "proxy_loop_detected",
}
"""RFC 9209, section 2.3, by the same token."""


def error_page(error: ProxyError, failed: FailedRequest | None = None) -> HtmlPage:
    """What happened, what its reader can do, and the technical words folded.

    ``failed`` is None where our menu leads nowhere: before a client is admitted.
    """
    wanted = failed or NOTHING_FAILED
    code = error.code if isinstance(error, OriginCertificateError) else None
    page = page_of(
        _ERROR if code is None else _CERTIFICATE,
        status=error.status,
        menu=None if failed is None else failed.base,
        title=_(_title(error)),
        error=error,
        said=plain_sentence(error, wanted.host),
        fault=None if code is None else certificate_fault(code),
        remedies=tuple(remedies(error, wanted)),
        archive=archived(error, wanted),
    )
    return page.with_headers(proxy_status(error.reason))


def _title(error: ProxyError) -> str:
    kind = error.proxy_status if isinstance(error, OriginFaultError) else ""
    other = N_("Page not found") if error.status == 404 else N_("Something went wrong")
    return TITLES.get(kind) or TITLES.get(error.reason) or other


def proxy_status(reason: str) -> dict[str, str]:
    """The Proxy-Status field (RFC 9209)."""
    error = _PROXY_STATUS.get(reason)
    return {"Proxy-Status": f"winnow; error={error}"} if error else {}
