"""Pages that say why there is no page: a bad certificate, a refusal, a server that does not answer.

Pure. Knows plain words for each; refuses to know how a failure was found.
"""

from __future__ import annotations

from enum import Enum
from http import HTTPStatus

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import HtmlPage, listed, own_page, sentences


class CertificateFault(Enum):
    """What is wrong with a server's certificate, and what that means."""

    EXPIRED = "It was valid only until a day that has passed: perhaps nobody looked after it."
    NOT_YET_VALID = "It is valid only from a later day on: perhaps this computer's clock is wrong."
    SELF_SIGNED = "The server vouches for itself: anybody can make such a certificate."
    UNKNOWN_AUTHORITY = "No authority that this computer trusts vouches for it."
    OTHER_NAME = "It belongs to another host: perhaps you were led to the wrong server."
    REVOKED = "Its authority has withdrawn it."
    WEAK = "It is signed in a way that can be forged today."
    OTHER = "It cannot be verified."


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
    """What the verification code of an ``ssl.SSLCertVerificationError`` says of the certificate."""
    return _BY_CODE.get(code, CertificateFault.OTHER)


def certificate_page(host: str, fault: CertificateFault, detail: str) -> HtmlPage:
    """Tells that the connection to ``host`` was not made, and what the reader can do.

    ``detail`` is OpenSSL's own sentence, for who has to mend it.
    """
    main = Markup("{}\n<h2>What you can do</h2>\n{}\n{}").format(
        sentences(
            f"The server that answers as {host} showed a certificate that cannot be trusted.",
            fault.value,
            "Somebody could be reading or changing what you see, so Winnow did not go on.",
        ),
        listed(
            (
                "Try again later, or tell those who run the site.",
                "On a network that wants you to sign in first, sign in and load the page again.",
                Markup(
                    "If you know the server, add <code>{}</code> to <code>never</code> under "
                    "<code>[interception]</code>: your browser then judges the certificate itself."
                ).format(host),
                Markup(
                    "If the server's authority is your own, name its file as <code>ca_bundle</code>"
                    " under <code>[upstream]</code>."
                ),
            )
        ),
        Markup('<p class="quiet">{}</p>').format(detail),
    )
    page = own_page("This connection is not safe", main, status=502)
    return page.with_headers(proxy_status("origin-certificate"))


_TITLES = {
    "origin-unreachable": "The server cannot be reached",
    "origin-timeout": "The server takes too long",
    "origin-closed": "The server broke off",
    "origin-failed": "The server broke off",
    "origin-malformed": "The server's answer cannot be understood",
    "address-refused": "This address is private",
    "port-refused": "This port is not for web pages",
    "bad-address": "This is no address of a page",
    "loop": "Winnow was asked to fetch from itself",
    "password": "Winnow needs your name and password",
    "too-many-failures": "Too many wrong passwords",
    "gateway-off": "The gateway is switched off",
    "not-found": "There is nothing here",
}
"""A title in plain words, by the token of Winnow-Reason."""
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


def problem_page(status: int, reason: str, message: str) -> HtmlPage:
    """Tells one problem: ``reason`` is the token of Winnow-Reason, ``message`` plain sentences."""
    main = sentences(message) + Markup('\n<p class="quiet">Winnow: {}</p>').format(reason)
    page = own_page(_TITLES.get(reason) or _phrase(status), main, status=status)
    return page.with_headers(proxy_status(reason))


def proxy_status(reason: str) -> dict[str, str]:
    """The Proxy-Status field for programs that ask what went wrong (RFC 9209)."""
    error = _PROXY_STATUS.get(reason)
    return {"Proxy-Status": f"winnow; error={error}"} if error else {}


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Error {status}"
